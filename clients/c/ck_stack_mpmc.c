// library: ck_stack (libck-dev)
#include "both.h"
#include <ck_stack.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t first, second;

static void *push(void *argument) {
  ck_stack_push_upmc(&stack, &first);
  return argument;
}

static void *other(void *argument) {
  ck_stack_push_upmc(&stack, &second);
  return argument;
}

int main(void) {
  both(push, other);
  assert(ck_stack_pop_upmc(&stack) && ck_stack_pop_upmc(&stack) && !ck_stack_pop_upmc(&stack));
}
