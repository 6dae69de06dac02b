// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: ~bottom(1) ~frame(1) ~frame(1) | failure 7
// stdout: ~bottom(1) | rethrown with 8
// stdout: ~Member constructor failed 5
// stdout: translated
// stdout: outer < inner
// stdout: int other text range
// stdout: bad alloc
// stdout: 0 0

// Throwing and catching: by base, by value, rethrow, nested, function try blocks, destructors while unwinding.

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Tracer {
    const char* name;
    explicit Tracer(const char* n) : name(n) {}
    ~Tracer() { std::printf("~%s(%d) ", name, std::uncaught_exceptions()); }
};

struct Failure : std::runtime_error {
    int code;
    Failure(int c) : std::runtime_error("failure " + std::to_string(c)), code(c) {}
};

static int level(int depth) {
    Tracer tracer(depth ? "frame" : "bottom");
    if (depth == 0) throw Failure(7);
    return level(depth - 1) + 1;
}

struct Member {
    Member(bool fail) {
        if (fail) throw 5;
    }
    ~Member() { std::printf("~Member "); }
};

struct Holder {
    Member first, second;
    Holder(bool fail) try : first(false), second(fail) {
    } catch (int code) {
        std::printf("constructor failed %d\n", code);
        throw std::string("translated");
    }
};

static void nested() {
    try {
        throw std::invalid_argument("inner");
    } catch (...) {
        std::throw_with_nested(std::logic_error("outer"));
    }
}

int main() {
    try {
        level(2);
    } catch (const std::exception& error) {
        std::printf("| %s\n", error.what());
    }
    try {
        try {
            level(0);
        } catch (Failure& failure) {
            failure.code += 1;
            throw;
        }
    } catch (const Failure& failure) {
        std::printf("| rethrown with %d\n", failure.code);
    }
    try {
        Holder holder(true);
    } catch (const std::string& text) {
        std::printf("%s\n", text.c_str());
    }
    try {
        nested();
    } catch (const std::exception& outer) {
        try {
            std::rethrow_if_nested(outer);
        } catch (const std::exception& inner) {
            std::printf("%s < %s\n", outer.what(), inner.what());
        }
    }
    for (int kind = 0; kind < 4; ++kind) {
        try {
            if (kind == 0) throw 1;
            if (kind == 1) throw 'c';
            if (kind == 2) throw static_cast<const char*>("text");
            std::vector<int>().at(3);
        } catch (int) {
            std::printf("int ");
        } catch (const char* text) {
            std::printf("%s ", text);
        } catch (std::out_of_range&) {
            std::printf("range\n");
        } catch (...) {
            std::printf("other ");
        }
    }
    try {
        [[maybe_unused]] volatile std::size_t huge = ~std::size_t(0) / 4;
        new int[huge];
    } catch (const std::bad_alloc&) {
        std::printf("bad alloc\n");
    }
    std::printf("%d %d\n", noexcept(level(1)), noexcept(std::printf("")));
}
