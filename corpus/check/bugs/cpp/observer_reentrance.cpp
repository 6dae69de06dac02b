// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A thermostat calls its listener while it holds its lock, and the listener asks for the temperature if it was set
// after the listener had been registered.

#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

class Thermostat {
public:
    void listen(std::function<void()> callback) {
        std::lock_guard<std::mutex> lock(mutex);
        listener = callback;
    }

    void set(int degrees) {
        std::unique_lock<std::mutex> lock(mutex);
        temperature = degrees;
        if (!listener)
            return;
#ifdef FIXED
        std::function<void()> callback = listener;
        lock.unlock();
        callback();
#else
        listener();
#endif
    }

    int get() {
        std::lock_guard<std::mutex> lock(mutex);
        return temperature;
    }

private:
    std::mutex mutex;
    std::function<void()> listener;
    int temperature = 20;
};

int main() {
    Thermostat thermostat;
    std::thread sensor([&] { thermostat.set(25); });
    thermostat.listen([&] { assert(thermostat.get() == 25); });
    sensor.join();
}
