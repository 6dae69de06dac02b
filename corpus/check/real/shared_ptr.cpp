// selvedge: check --leaks
// expect: verified
//
// A document goes from hand to hand in std::shared_ptr: two threads own it, a third one only knows it weakly.

#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Document {
    explicit Document(std::atomic<int> &alive) : alive(alive) { alive++; }
    ~Document() { alive--; }

    std::atomic<int> &alive;
    std::atomic<int> edits{0};
};

int main() {
    std::atomic<int> alive{0};
    {
        auto document = std::make_shared<Document>(alive);
        std::thread editor([document] { document->edits++; });
        std::thread archivist([weak = std::weak_ptr<Document>(document)] {
            if (std::shared_ptr<Document> found = weak.lock()) {
                int edits = found->edits;
                assert(edits == 0 || edits == 1);
            }
        });
        document.reset();
        editor.join();
        archivist.join();
    }
    assert(alive == 0);
}
