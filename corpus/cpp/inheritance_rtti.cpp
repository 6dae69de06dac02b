// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same
// stdout: Base Left Right Bottom
// stdout: report Bottom
// stdout: 2 3 8 1
// stdout: same object 1 same address 0
// stdout: 1
// stdout: 1 0
// stdout: ~Bottom ~Right ~Left ~Base
// stdout: 8Concrete 5 0
// stdout: 8Concrete 6 0
// stdout: 4Both 50 9
// stdout: bad cast
// stdout: 50 50
// stdout: 0

// Virtual calls, multiple and virtual inheritance, dynamic_cast up, down and across, typeid, construction order.

#include <cstdio>
#include <memory>
#include <typeinfo>
#include <vector>

struct Base {
    int base = 1;
    Base() { std::printf("Base "); }
    virtual ~Base() { std::printf("~Base\n"); }
    virtual const char* name() const { return "Base"; }
    void report() const { std::printf("report %s\n", name()); }
};

struct Left : virtual Base {
    int left = 2;
    Left() { std::printf("Left "); }
    ~Left() override { std::printf("~Left "); }
    const char* name() const override { return "Left"; }
};

struct Right : virtual Base {
    int right = 3;
    Right() { std::printf("Right "); }
    ~Right() override { std::printf("~Right "); }
    virtual int twice() const { return 2 * right; }
};

struct Bottom final : Left, Right {
    int bottom = 4;
    Bottom() { std::printf("Bottom\n"); }
    ~Bottom() override { std::printf("~Bottom "); }
    const char* name() const override { return "Bottom"; }
    int twice() const override { return 2 * bottom; }
};

struct Interface {
    virtual ~Interface() = default;
    virtual int value() const = 0;
    virtual Interface* clone() const = 0;
};

struct Concrete : Interface {
    int held;
    explicit Concrete(int v) : held(v) {}
    int value() const override { return held; }
    Concrete* clone() const override { return new Concrete(held + 1); }
};

struct Tag {
    int tag = 9;
    virtual void mark() {}
};
struct Both : Concrete, Tag {
    Both() : Concrete(50) {}
};

int main() {
    {
        std::unique_ptr<Base> object = std::make_unique<Bottom>();
        object->report();
        auto* left = dynamic_cast<Left*>(object.get());
        auto* right = dynamic_cast<Right*>(left);
        std::printf("%d %d %d %d\n", left->left, right->right, right->twice(), right->base);
        std::printf("same object %d same address %d\n", dynamic_cast<void*>(left) == dynamic_cast<void*>(right),
                    static_cast<void*>(left) == static_cast<void*>(right));
        std::printf("%d\n", dynamic_cast<Interface*>(object.get()) == nullptr);
        std::printf("%d %d\n", typeid(*object) == typeid(Bottom), typeid(*object) == typeid(Left));
    }
    std::vector<std::unique_ptr<Interface>> items;
    items.emplace_back(new Concrete(5));
    items.emplace_back(items[0]->clone());
    items.emplace_back(new Both);
    for (auto& item : items) {
        auto* tag = dynamic_cast<Tag*>(item.get());
        std::printf("%s %d %d\n", typeid(*item).name(), item->value(), tag ? tag->tag : 0);
    }
    try {
        (void)dynamic_cast<Both&>(*items[0]);
    } catch (const std::bad_cast&) {
        std::printf("bad cast\n");
    }
    Tag& tag = dynamic_cast<Tag&>(*items[2]);
    std::printf("%d %d\n", dynamic_cast<Both&>(tag).held, static_cast<Both&>(tag).value());
    std::printf("%d\n", typeid(int).before(typeid(int)));
}
