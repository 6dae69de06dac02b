// selvedge: run
// cflags: -std=c++20
// expect: violation unreachable line 17

// A switch that claims to be complete and is not.

#include <cstdio>

enum class Colour { red, green, blue };

static const char* name(Colour colour) {
    switch (colour) {
        case Colour::red: return "red";
        case Colour::green: return "green";
        case Colour::blue: return "blue";
    }
    __builtin_unreachable();  // fault: 3 is no colour
}

int main() {
    for (int i = 0; i < 4; ++i) std::printf("%s\n", name(Colour(i)));
}
