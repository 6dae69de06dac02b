// library: xenium::chase_work_stealing_deque (libxenium-dev)
#include "both.h"
#include <xenium/chase_work_stealing_deque.hpp>

int main() {
  xenium::chase_work_stealing_deque<int> deque;
  int job = 1, *stolen = nullptr, *popped = nullptr;
  assert(deque.try_push(&job));
  both([&] { deque.try_steal(stolen); }, [&] { deque.try_pop(popped); });
  assert(!(stolen && popped));
}
