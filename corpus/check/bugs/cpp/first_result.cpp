// selvedge: check --leaks
// expect: violation leak line 20
// selvedge: check --leaks --cflags=-DFIXED
// expect: verified
//
// Two searches run side by side and the first answer is kept. Whether there is one already and that there is one now
// are separate steps, and an answer can be overwritten.

#include <atomic>
#include <memory>
#include <thread>

struct Answer {
    int value;
};

int main() {
    std::atomic<Answer *> first_answer{nullptr};
    auto search = [&](int value) {
        auto answer = std::make_unique<Answer>(Answer{value});
#ifdef FIXED
        Answer *expected = nullptr;
        if (first_answer.compare_exchange_strong(expected, answer.get()))
            answer.release();
#else
        if (!first_answer)
            first_answer = answer.release();
#endif
    };
    std::thread left(search, 1), right(search, 2);
    left.join();
    right.join();
    std::unique_ptr<Answer> kept(first_answer);
}
