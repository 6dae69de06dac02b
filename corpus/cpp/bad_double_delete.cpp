// selvedge: run
// cflags: -std=c++20
// expect: violation memory

// A class that owns memory and forgets its copy constructor deletes twice.

#include <cstdio>

class Buffer {
  public:
    explicit Buffer(int size) : data_(new int[size]{}) {}
    ~Buffer() { delete[] data_; }
    int& operator[](int i) { return data_[i]; }

  private:
    int* data_;
};

int main() {
    Buffer original(4);
    original[2] = 7;
    {
        Buffer copy = original;
        std::printf("copy %d\n", copy[2]);
    }
    std::printf("original is next\n");
}
