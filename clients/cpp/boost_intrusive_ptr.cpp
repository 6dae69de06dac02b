// library: boost::intrusive_ptr (libboost1.81-dev)
#include "both.h"
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

struct Node : boost::intrusive_ref_counter<Node> {
  int value = 7;
};

int main() {
  boost::intrusive_ptr<Node> node(new Node), other = node;
  both([&] { other.reset(); }, [&] { boost::intrusive_ptr<Node> copy = node; assert(copy->value == 7); });
  assert(node->use_count() == 1);
}
