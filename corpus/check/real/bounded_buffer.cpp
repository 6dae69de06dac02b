// selvedge: check --cflags=-DPAIRS=1
// expect: verified
// selvedge: check --cflags=-DPAIRS=2
// expect: verified
//
// As many producers as consumers around a queue for two items, with the library's mutex and condition variables.

#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>

template <typename T, std::size_t capacity>
class BoundedBuffer {
public:
    void put(T item) {
        std::unique_lock<std::mutex> lock(mutex);
        not_full.wait(lock, [this] { return count < capacity; });
        items[(head + count) % capacity] = item;
        count++;
        not_empty.notify_one();
    }

    T take() {
        std::unique_lock<std::mutex> lock(mutex);
        not_empty.wait(lock, [this] { return count > 0; });
        T item = items[head];
        head = (head + 1) % capacity;
        count--;
        not_full.notify_one();
        return item;
    }

private:
    std::mutex mutex;
    std::condition_variable not_empty, not_full;
    std::array<T, capacity> items{};
    std::size_t head = 0, count = 0;
};

int main() {
    BoundedBuffer<int, 2> buffer;
    std::array<int, PAIRS> received{};
    std::array<std::thread, PAIRS> producers, consumers;
    for (int i = 0; i < PAIRS; i++)
        producers[i] = std::thread([&buffer, i] { buffer.put(1 << i); });
    for (int i = 0; i < PAIRS; i++)
        consumers[i] = std::thread([&buffer, &received, i] { received[i] = buffer.take(); });
    for (std::thread &producer : producers)
        producer.join();
    for (std::thread &consumer : consumers)
        consumer.join();
    assert(std::accumulate(received.begin(), received.end(), 0) == (1 << PAIRS) - 1);
}
