// library: Eigen::EventCount (libeigen3-dev)
#include "both.h"
#include <atomic>
#include <mutex>
#include <condition_variable>
#include <eigen3/unsupported/Eigen/CXX11/ThreadPool>

int main() {
  Eigen::MaxSizeVector<Eigen::EventCount::Waiter> waiters(1);
  waiters.resize(1);
  Eigen::EventCount count(waiters);
  std::atomic<bool> ready{false};
  both([&] { ready = true; count.Notify(false); },
       [&] {
         count.Prewait();
         if (ready) count.CancelWait();
         else count.CommitWait(&waiters[0]);
         assert(ready);
       });
}
