// Settings that are loaded when they are first needed, by whichever thread comes first. "Double-checked locking":
// a look without the lock, since taking it every time would be slow, and a second look with it.
//
// The first attempt: the pointer is an ordinary variable. (docs/book/tutorial-cpp.md repairs it.)

#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int port = 8080;
};

static Settings storage;
static Settings *settings = nullptr;
static std::mutex loading;

static const Settings &get() {
  if (settings == nullptr) {
    std::lock_guard held(loading);
    if (settings == nullptr) {
      storage.port = 443;
      settings = &storage;
    }
  }
  return *settings;
}

static void serve() { assert(get().port == 443); }

int main() {
  std::thread other(serve);
  serve();
  other.join();
}
