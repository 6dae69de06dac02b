// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same

// std::format: widths, alignment, radix, floats, a formatter of our own, an error at run time.

#include <cstdio>
#include <format>
#include <iterator>
#include <string>

struct Colour {
    unsigned char red, green, blue;
};

template <>
struct std::formatter<Colour> {
    bool as_list = false;
    constexpr auto parse(std::format_parse_context& context) {
        auto at = context.begin();
        if (at != context.end() && *at == 'l') as_list = true, ++at;
        return at;
    }
    auto format(const Colour& c, std::format_context& context) const {
        if (as_list) return std::format_to(context.out(), "[{}, {}, {}]", c.red, c.green, c.blue);
        return std::format_to(context.out(), "#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
    }
};

static void print(const std::string& text) { std::printf("%s\n", text.c_str()); }

int main() {
    print(std::format("{} {} {} {}", 1, -2L, 'c', "text"));
    print(std::format("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^7}] [{:05}]", 42, 42, 42, 42, 42, -42));
    print(std::format("{:x} {:#X} {:b} {:#o} {:+} {:c}", 255, 255, 5, 8, 7, 65));
    print(std::format("{} {:.3f} {:8.2f}| {:e} {:g} {:a}", 0.1, 3.14159, 2.5, 12345.678, 1e20, 0.5));
    print(std::format("{1} {0} {1}", "a", "b"));
    print(std::format("{:{}.{}f}|{:.2}|{}", 2.71828, 8, 3, "cut", true));
    print(std::format("{{}} {:s} {}", std::string("s"), std::string_view("view")));
    print(std::format("{} {:l}", Colour{255, 128, 0}, Colour{1, 2, 3}));
    std::string out;
    auto result = std::format_to_n(std::back_inserter(out), 5, "{}", "truncated");
    print(std::format("{} of {} {}", out, result.size, std::formatted_size("{}", 12345)));
    try {
        int value = 5;
        print(std::vformat("{:s}", std::make_format_args(value)));
    } catch (const std::format_error&) {
        print("format error");
    }
}
