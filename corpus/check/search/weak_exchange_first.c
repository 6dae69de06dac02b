// selvedge: check --model sc
// expect: violation assertion line 14
// selvedge: check --model rc11
// expect: violation assertion line 14
// selvedge: check --model sc --strategy dpor
// expect: violation assertion line 14
//
// The first thing that main does besides private ones is an exchange that may fail for no reason. The step with which main
// begins was taken for the choice that it succeeds.
#include <assert.h>
int word;
int main(void) {
  int expected = 0;
  assert(__atomic_compare_exchange_n(&word, &expected, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 0;
}
