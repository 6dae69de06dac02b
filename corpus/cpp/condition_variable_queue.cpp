// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 5
// native: same
// stdout: items 8 sum 36

// A bounded queue with two condition variables, one producer and two consumers.

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>

template <typename T>
class BoundedQueue {
  public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(T item) {
        std::unique_lock lock(mutex_);
        not_full_.wait(lock, [&] { return items_.size() < capacity_; });
        items_.push(std::move(item));
        not_empty_.notify_one();
    }

    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        while (items_.empty() && !closed_) not_empty_.wait(lock);
        if (items_.empty()) return std::nullopt;
        T item = std::move(items_.front());
        items_.pop();
        not_full_.notify_one();
        return item;
    }

    void close() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
        }
        not_empty_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable not_full_, not_empty_;
    std::queue<T> items_;
    std::size_t capacity_;
    bool closed_ = false;
};

int main() {
    BoundedQueue<int> queue(2);
    int sums[2] = {0, 0}, counts[2] = {0, 0};
    auto consume = [&](int me) {
        while (auto item = queue.pop()) {
            sums[me] += *item;
            ++counts[me];
        }
    };
    std::thread first(consume, 0), second(consume, 1);
    for (int i = 1; i <= 8; ++i) queue.push(i);
    queue.close();
    first.join();
    second.join();
    std::printf("items %d sum %d\n", counts[0] + counts[1], sums[0] + sums[1]);
}
