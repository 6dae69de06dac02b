extern "C" int puts(const char *);

struct Shape {
    virtual int area() const = 0;
    virtual ~Shape() {}
};

struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    int area() const override {
        if (side < 0) {
            throw side;
        }
        return side * side;
    }
};

struct Guard {
    int *place;
    ~Guard() { ++*place; }
};

template <typename T> static T larger(T a, T b) {
    return a < b ? b : a;
}

static int attempt(int side, int *ended) {
    Guard guard{ended};
    Square square(side);
    const Shape &shape = square;
    try {
        return larger(shape.area(), 3);
    } catch (int value) {
        return value;
    }
}

static Square everywhere(2);

int main() {
    int ended = 0;
    long sums[8] = {};
    for (int i = 0; i < 32; i++) {
        sums[i % 8] += i * everywhere.area();
    }
    int result = attempt(3, &ended) + static_cast<int>(sums[3]);
    puts(result > 9 ? "more" : "less");
    return ended == 1 ? 0 : 1;
}
