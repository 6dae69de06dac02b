// library: libcuckoo::cuckoohash_map (libcuckoo-dev)
#include "both.h"
#include <libcuckoo/cuckoohash_map.hh>

int main() {
  libcuckoo::cuckoohash_map<int, int> map(2);
  both([&] { assert(map.insert(1, 10)); }, [&] { int value = 10; map.find(1, value); assert(value == 10); });
  assert(map.size() == 1);
}
