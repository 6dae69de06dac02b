// The settings with an atomic pointer. Each access to it is one step now, but says nothing of what it points to.

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int port = 8080;
};

static Settings storage;
static std::atomic<Settings *> settings = nullptr;
static std::mutex loading;

static const Settings &get() {
  if (settings.load(std::memory_order_relaxed) == nullptr) {
    std::lock_guard held(loading);
    if (settings.load(std::memory_order_relaxed) == nullptr) {
      storage.port = 443;
      settings.store(&storage, std::memory_order_relaxed);
    }
  }
  return *settings.load(std::memory_order_relaxed);
}

static void serve() { assert(get().port == 443); }

int main() {
  std::thread other(serve);
  serve();
  other.join();
}
