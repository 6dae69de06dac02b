// library: Eigen::RunQueue (libeigen3-dev)
#include "both.h"
#include <atomic>
#include <mutex>
#include <condition_variable>
#include <eigen3/unsupported/Eigen/CXX11/ThreadPool>

int main() {
  static Eigen::RunQueue<int, 4> queue;
  queue.PushFront(1);
  int front = 0, back = 0;
  both([&] { back = queue.PopBack(); }, [&] { front = queue.PopFront(); });
  assert(front + back <= 1);
}
