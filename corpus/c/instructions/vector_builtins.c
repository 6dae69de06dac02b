// selvedge: run
// expect: exit 0
// native: same
//
// Elementwise and reducing vector builtins, vectors of other lengths, vectors as arguments and in structures.
#include <stdio.h>

typedef int int8 __attribute__((vector_size(32)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef unsigned long long2 __attribute__((vector_size(16)));
typedef signed char byte16 __attribute__((vector_size(16)));
typedef _Bool bool8 __attribute__((ext_vector_type(8)));

struct holder {
    char tag;
    float3 point;
    long2 pair;
};

static float dot(float3 a, float3 b) {
    float3 p = a * b;
    return p.x + p.y + p.z;
}

static struct holder advance(struct holder holder, float by) {
    holder.point = holder.point.zyx + by;
    holder.pair = holder.pair << 33 | (holder.pair >> 1);
    return holder;
}

int main(void) {
    int8 a = {5, -3, 9, 0, 7, -8, 2, 1}, b = {1, 2, 3, 4, 5, 6, 7, 8};
    printf("%d %d %d\n", __builtin_reduce_add(a), __builtin_reduce_max(a), __builtin_reduce_min(a));
    printf("%d %d %d\n", __builtin_reduce_mul(b), __builtin_reduce_xor(b), __builtin_reduce_or(a));
    int8 largest = __builtin_elementwise_max(a, b), absolute = __builtin_elementwise_abs(a);
    for (int i = 0; i < 8; i++)
        printf("%d/%d ", largest[i], absolute[i]);
    byte16 c, d;
    for (int i = 0; i < 16; i++)
        c[i] = (signed char)(i * 16), d[i] = 100;
    byte16 saturated = __builtin_elementwise_add_sat(c, d);
    printf("\n");
    for (int i = 0; i < 16; i++)
        printf("%d ", saturated[i]);
    bool8 mask = __builtin_convertvector(a > b, bool8);
    unsigned char packed;
    __builtin_memcpy(&packed, &mask, 1);
    printf("\n%02x\n", packed);
    float3 p = {1.5f, 2.0f, -1.0f}, q = {2.0f, 0.5f, 4.0f};
    struct holder moved = advance((struct holder){'h', p, {3, 1ul << 40}}, 0.25f);
    printf("%g %c %g %g %g %lx %lx\n", dot(p, q), moved.tag, moved.point.x, moved.point.y, moved.point.z,
           moved.pair[0], moved.pair[1]);
    float3 rounded = __builtin_elementwise_floor(p / q);
    printf("%g %g %g\n", rounded[0], rounded[1], rounded[2]);
    return 0;
}
