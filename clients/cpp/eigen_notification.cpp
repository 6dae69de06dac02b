// library: Eigen::Notification (libeigen3-dev)
#include "both.h"
#include <atomic>
#include <mutex>
#include <condition_variable>
#include <eigen3/unsupported/Eigen/CXX11/ThreadPool>

int main() {
  Eigen::Notification notification;
  int value = 0;
  both([&] { value = 1; notification.Notify(); }, [&] { notification.Wait(); assert(value == 1); });
}
