// selvedge: run
// cflags: -std=c++20
// expect: violation uninitialised

// A constructor forgets one member; the decision made on it is not determined.

#include <cstdio>
#include <memory>

struct Options {
    int width;
    bool verbose;
    explicit Options(int w) : width(w) {}
};

int main() {
    std::unique_ptr<Options> options(new Options(80));
    std::printf("width %d\n", options->width);
    if (options->verbose) std::printf("verbose\n");
    else std::printf("quiet\n");
}
