// selvedge: check --model sc
// expect: violation assertion line 11
// selvedge: check --model rc11
// expect: violation assertion line 11
//
// The same with an exchange that does not find what it expects: the machine that replays has to come to it with as many choices.
#include <assert.h>
int word;
int main(void) {
  int expected = 1;
  assert(__atomic_compare_exchange_n(&word, &expected, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 0;
}
