// selvedge: run
// cflags: -std=c++20
// expect: exit 3
// native: same
// stdout: constructor function
// stdout: construct first
// stdout: construct second
// stdout: construct local static
// stdout: construct automatic
// stdout: 0 4 1
// stdout: destroy local static
// stdout: handler
// stdout: destroy second
// stdout: destroy first

// Constructors before main, destructors and atexit handlers after it, in reverse order; exit with a code.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Global {
    const char* name;
    explicit Global(const char* n) : name(n) { std::printf("construct %s\n", name); }
    ~Global() { std::printf("destroy %s\n", name); }
};

static Global first("first");
static std::vector<std::string> words{"warp", "weft"};
Global second("second");
inline int counter = int(words.size()) * 10;
constinit int constant = 4;
static int runs_before = [] { return counter + 1; }();

__attribute__((constructor)) static void early() { std::puts("constructor function"); }

static Global& local() {
    static Global object("local static");
    return object;
}

int main() {
    std::atexit([] { std::printf("handler\n"); });
    local();
    Global automatic("automatic");
    std::printf("%d %d %d\n", counter, constant, runs_before);
    std::exit(3);
}
