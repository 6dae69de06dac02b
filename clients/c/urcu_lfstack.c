// library: urcu/lfstack (liburcu-dev)
// flags: -D_LGPL_SOURCE
#include "both.h"
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node first, second;

static void *one(void *argument) {
  cds_lfs_node_init(&first);
  cds_lfs_push(&stack, &first);
  return argument;
}

static void *other(void *argument) {
  cds_lfs_node_init(&second);
  cds_lfs_push(&stack, &second);
  return argument;
}

int main(void) {
  cds_lfs_init(&stack);
  both(one, other);
  assert(__cds_lfs_pop(&stack) && __cds_lfs_pop(&stack) && !__cds_lfs_pop(&stack));
}
