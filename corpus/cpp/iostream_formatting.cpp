// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// stdin: 12 0x1f 3.25 word
// stdin: a whole line
// stdin: 7 x
// native: same

// cin, cout, string streams, manipulators, stream states and user-defined operators.

#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

struct Point {
    int x, y;
};
static std::ostream& operator<<(std::ostream& out, const Point& p) { return out << '(' << p.x << ", " << p.y << ')'; }
static std::istream& operator>>(std::istream& in, Point& p) {
    char open, comma, close;
    return in >> open >> p.x >> comma >> p.y >> close;
}

int main() {
    int number, hex;
    double real;
    std::string word, line;
    std::cin >> number >> std::hex >> hex >> std::dec >> real >> word;
    std::cin.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    std::getline(std::cin, line);
    std::cout << number << ' ' << hex << ' ' << real << ' ' << word << " [" << line << "]\n";
    int first = 0, second = -1;
    std::cin >> first >> second;
    std::cout << first << ' ' << second << " fail " << std::cin.fail() << " eof " << std::cin.eof() << '\n';
    std::cin.clear();
    char c = 0;
    std::cin >> c;
    std::cout << c << ' ' << bool(std::cin >> c) << '\n';

    std::cout << std::setw(6) << 42 << '|' << std::left << std::setw(6) << 42 << '|' << std::setfill('*') << std::right
              << std::setw(6) << -42 << '|' << std::internal << std::setw(6) << -42 << std::setfill(' ') << '\n';
    std::cout << std::hex << std::showbase << 255 << ' ' << std::uppercase << 255 << ' ' << std::oct << 8 << std::dec
              << std::nouppercase << std::noshowbase << ' ' << std::showpos << 5 << std::noshowpos << '\n';
    std::cout << 3.14159265 << ' ' << std::setprecision(3) << 3.14159265 << ' ' << std::fixed << 2.5 << ' '
              << std::scientific << 12345.678 << ' ' << std::defaultfloat << 1e10 << ' ' << 0.1f << '\n';
    std::cout << std::boolalpha << true << ' ' << std::noboolalpha << false << ' ' << 'c' << ' ' << "text" << ' '
              << static_cast<short>(-3) << ' ' << 18446744073709551615ull << '\n';
    std::cout << Point{1, -2} << ' ' << std::quoted("say \"hi\"") << std::endl;

    std::istringstream in("(3, 4) 10 20 thirty");
    Point point{};
    int value, sum = 0;
    in >> point;
    while (in >> value) sum += value;
    in.clear();
    in >> word;
    std::cout << point << ' ' << sum << ' ' << word << '\n';
    std::ostringstream out;
    for (int i = 0; i < 20; ++i) out << i * i << (i < 19 ? "," : "");
    std::cout << out.str() << ' ' << out.str().size() << '\n';
    std::stringstream both;
    both << "key=value";
    std::getline(both, word, '=');
    both >> line;
    std::cout << word << " -> " << line << ' ' << both.tellg() << '\n';
    std::cerr << "to standard error\n";
}
