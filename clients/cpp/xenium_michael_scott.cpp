// library: xenium::michael_scott_queue (libxenium-dev)
#include "both.h"
#include <array>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>

int main() {
  xenium::michael_scott_queue<int, xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>> queue;
  int popped = 1;
  both([&] { queue.push(1); }, [&] { queue.try_pop(popped); });
  assert(popped == 1);
}
