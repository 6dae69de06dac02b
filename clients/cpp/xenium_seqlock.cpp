// library: xenium::seqlock (libxenium-dev)
#include "both.h"
#include <xenium/seqlock.hpp>

struct Pair {
  long first, second;
};

int main() {
  xenium::seqlock<Pair> shared(Pair{1, 1});
  both([&] { shared.store(Pair{2, 2}); },
       [&] {
         Pair pair = shared.load();
         assert(pair.first == pair.second);
       });
}
