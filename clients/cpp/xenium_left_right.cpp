// library: xenium::left_right (libxenium-dev)
#include "both.h"
#include <xenium/left_right.hpp>

int main() {
  xenium::left_right<int> shared(1);
  both([&] { shared.update([](int &value) noexcept { value = 2; }); },
       [&] { int value = shared.read([](const int &value) { return value; }); assert(value == 1 || value == 2); });
}
