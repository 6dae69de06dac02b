// selvedge: run
// cflags: -std=c++23
// expect: exit 0
// native: same

// Sum types: optional, variant with visit, any, expected, tuple, pair.

#include <any>
#include <cstdio>
#include <expected>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};

using Value = std::variant<int, double, std::string, std::vector<int>>;

static std::string describe(const Value& value) {
    return std::visit(Overloaded{[](int i) { return "int " + std::to_string(i); },
                                 [](double d) { return "double " + std::to_string(d); },
                                 [](const std::string& s) { return "string " + s; },
                                 [](const std::vector<int>& v) { return "vector of " + std::to_string(v.size()); }},
                      value);
}

static std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional(n / 2); }

static std::expected<int, std::string> parse(const std::string& text) {
    if (text.empty()) return std::unexpected("empty");
    return int(text.size());
}

int main() {
    for (const Value& value : {Value(5), Value(2.5), Value("weft"), Value(std::vector{1, 2, 3})})
        std::printf("%zu %s\n", value.index(), describe(value).c_str());
    Value value = 1;
    value.emplace<std::string>("changed");
    std::printf("%d %s\n", std::holds_alternative<std::string>(value), std::get<2>(value).c_str());
    try {
        std::get<int>(value);
    } catch (const std::bad_variant_access& error) {
        std::printf("wrong alternative %d\n", error.what() != nullptr);
    }
    std::printf("%d %d %d\n", half(8).value_or(-1), half(7).value_or(-1),
                half(8).and_then(half).transform([](int x) { return x * 10; }).value());
    std::optional<std::string> text;
    std::printf("%d\n", text.has_value());
    text.emplace(3, 'z');
    std::printf("%s %zu\n", text->c_str(), text->size());
    try {
        std::optional<int>().value();
    } catch (const std::bad_optional_access&) {
        std::printf("nothing there\n");
    }
    std::any box = 42;
    std::printf("%d ", std::any_cast<int>(box));
    box = std::string("a long string that does not fit inside the box itself");
    std::printf("%zu %d\n", std::any_cast<std::string&>(box).size(), std::any_cast<int>(&box) == nullptr);
    try {
        std::any_cast<double>(box);
    } catch (const std::bad_any_cast&) {
        std::printf("not a double\n");
    }
    std::printf("%d %s\n", parse("abc").value(), parse("").error().c_str());
    auto [number, letter, real] = std::tuple(1, 'x', 2.5);
    std::printf("%d %c %.1f %d\n", number, letter, real, std::tuple(1, 2) < std::tuple(1, 3));
    std::printf("%d\n", std::apply([](int a, int b, int c) { return a * b + c; }, std::make_tuple(2, 3, 4)));
}
