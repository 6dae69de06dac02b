// selvedge: run
// cflags: -std=c++20
// expect: violation abort

// A base constructor calls a function that only the derived class has.

#include <cstdio>

struct Base {
    Base() { announce(); }
    virtual ~Base() = default;
    void announce() { std::printf("I am %s\n", name()); }
    virtual const char* name() = 0;
};

struct Derived : Base {
    const char* name() override { return "Derived"; }
};

int main() {
    std::printf("building\n");
    Derived derived;
}
