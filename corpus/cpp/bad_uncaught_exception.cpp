// selvedge: run
// cflags: -std=c++20
// expect: violation abort

// Nobody catches the exception: std::terminate aborts the program.

#include <cstdio>
#include <map>
#include <string>

int main() {
    std::map<std::string, int> ages{{"ada", 36}};
    std::printf("ada %d\n", ages.at("ada"));
    std::printf("grace %d\n", ages.at("grace"));
}
