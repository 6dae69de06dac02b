// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: first line 42 2.5
// stdout: appended 1
// stdout: first LINE 10
// stdout: size 27
// stdout: removed 1
// stdout: open 0

// Writes, appends, reads, seeks and removes a file in the current directory.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

int main() {
    const char* name = "selvedge_corpus_fstream.tmp";
    {
        std::ofstream out(name);
        out << "first line\n" << 42 << ' ' << 2.5 << '\n';
    }
    {
        std::ofstream more(name, std::ios::app);
        more << "appended\n";
    }
    std::ifstream in(name);
    std::string line;
    int integer = 0;
    double real = 0;
    std::getline(in, line);
    in >> integer >> real;
    std::cout << line << ' ' << integer << ' ' << real << '\n';
    in >> line;
    std::cout << line << ' ' << in.good() << '\n';
    in.close();

    std::fstream both(name, std::ios::in | std::ios::out | std::ios::binary);
    both.seekp(6);
    both.write("LINE", 4);
    both.seekg(0);
    char buffer[11] = {};
    both.read(buffer, 10);
    std::cout << buffer << ' ' << both.gcount() << '\n';
    both.seekg(0, std::ios::end);
    std::cout << "size " << both.tellg() << '\n';
    both.close();
    std::cout << "removed " << (std::remove(name) == 0) << '\n';
    std::ifstream gone(name);
    std::cout << "open " << gone.is_open() << '\n';
}
