// selvedge: run
// cflags: -std=c++20
// expect: violation memory line 19

// A virtual call through an empty unique_ptr reads the table of a null object.

#include <cstdio>
#include <memory>

struct Shape {
    virtual ~Shape() = default;
    virtual int sides() const = 0;
};
struct Square : Shape {
    int sides() const override { return 4; }
};

static int count(const Shape* shape) {
    return shape->sides();  // fault: the pointer was moved from
}

int main() {
    std::unique_ptr<Shape> shape = std::make_unique<Square>();
    std::printf("sides %d\n", count(shape.get()));
    std::unique_ptr<Shape> taken = std::move(shape);
    std::printf("sides %d\n", count(shape.get()));
}
