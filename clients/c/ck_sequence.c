// library: ck_sequence (libck-dev)
#include "both.h"
#include <ck_sequence.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static _Atomic int first = 1, second = 1;

static void *change(void *argument) {
  ck_sequence_write_begin(&sequence);
  first = 2;
  second = 2;
  ck_sequence_write_end(&sequence);
  return argument;
}

static void *look(void *argument) {
  unsigned int version;
  int one, other;
  do {
    version = ck_sequence_read_begin(&sequence);
    one = first;
    other = second;
  } while (ck_sequence_read_retry(&sequence, version));
  assert(one == other);
  return argument;
}

int main(void) {
  both(change, look);
}
