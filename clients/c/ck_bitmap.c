// library: ck_bitmap (libck-dev)
#include "both.h"
#include <ck_bitmap.h>
#include <string.h>

static CK_BITMAP_INSTANCE(8) bitmap;

static void *one(void *argument) {
  CK_BITMAP_SET(&bitmap, 1);
  return argument;
}

static void *other(void *argument) {
  CK_BITMAP_SET(&bitmap, 2);
  return argument;
}

int main(void) {
  CK_BITMAP_INIT(&bitmap, 8, false);
  both(one, other);
  assert(CK_BITMAP_TEST(&bitmap, 1) && CK_BITMAP_TEST(&bitmap, 2));
}
