// library: urcu/wfcqueue (liburcu-dev)
// flags: -D_LGPL_SOURCE
#include "both.h"
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node first, second;

static void *one(void *argument) {
  cds_wfcq_node_init(&first);
  cds_wfcq_enqueue(&head, &tail, &first);
  return argument;
}

static void *other(void *argument) {
  cds_wfcq_node_init(&second);
  cds_wfcq_enqueue(&head, &tail, &second);
  return argument;
}

int main(void) {
  cds_wfcq_init(&head, &tail);
  both(one, other);
  assert(__cds_wfcq_dequeue_blocking(&head, &tail) && __cds_wfcq_dequeue_blocking(&head, &tail));
}
