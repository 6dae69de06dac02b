// selvedge: check
// expect: violation memory
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A pointer with its count in the object. Who gives up a share looks at the count once more to see whether it
// was the last, when another one may have freed the object.

#include <atomic>
#include <thread>
#include <utility>

struct Texture {
    std::atomic<int> owners{1};
};

class TexturePointer {
public:
    explicit TexturePointer(Texture *texture) : texture(texture) {}
    TexturePointer(const TexturePointer &other) : texture(other.texture) { texture->owners++; }
    TexturePointer(TexturePointer &&other) : texture(std::exchange(other.texture, nullptr)) {}
    TexturePointer &operator=(const TexturePointer &) = delete;

    ~TexturePointer() {
        if (!texture)
            return;
#ifdef FIXED
        if (texture->owners.fetch_sub(1) == 1)
            delete texture;
#else
        texture->owners--;
        if (texture->owners == 0)
            delete texture;
#endif
    }

private:
    Texture *texture;
};

int main() {
    std::thread renderer;
    {
        TexturePointer mine(new Texture);
        renderer = std::thread([theirs = mine] { (void)theirs; });
    }
    renderer.join();
}
