// selvedge: check
// expect: violation memory
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// An observer asks whether its subject still exists and then gets hold of it. The subject may die in between.

#include <atomic>
#include <memory>
#include <thread>

struct Subject {
    std::atomic<int> visits{0};
};

static void visit(const std::weak_ptr<Subject> &weak) {
#ifdef FIXED
    if (std::shared_ptr<Subject> subject = weak.lock())
        subject->visits++;
#else
    if (!weak.expired())
        weak.lock()->visits++;
#endif
}

int main() {
    auto subject = std::make_shared<Subject>();
    std::thread observer([weak = std::weak_ptr<Subject>(subject)] { visit(weak); });
    subject.reset();
    observer.join();
}
