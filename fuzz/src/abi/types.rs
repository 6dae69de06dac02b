//! Random C types: every class of the x86-64 calling convention, alone and mixed in structs and unions.

use crate::random::Random;
use std::fmt::Write;

/// A type, with the C code that makes and prints its values.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name in C, good for declarations.
    pub name: String,
    /// Whether the argument is of that type when it is variadic: small integers and `float` are promoted.
    pub variadic: bool,
}

/// A scalar type: its name, an expression that makes a value, and how `v` is printed.
struct Scalar {
    name: &'static str,
    make: &'static str,
    print: &'static str,
    promoted: bool,
}

const fn scalar(name: &'static str, make: &'static str, print: &'static str) -> Scalar {
    Scalar { name, make, print, promoted: true }
}

const fn small(name: &'static str, make: &'static str, print: &'static str) -> Scalar {
    Scalar { name, make, print, promoted: false }
}

/// Numbers are such that every format holds them exactly.
const SCALARS: &[Scalar] = &[
    small("bool_t", "draw() & 1", r#"printf("%d ", (int)v)"#),
    small("char", "(char)draw()", r#"printf("%d ", (int)v)"#),
    small("schar", "(schar)draw()", r#"printf("%d ", (int)v)"#),
    small("uchar", "(uchar)draw()", r#"printf("%d ", (int)v)"#),
    small("short", "(short)draw()", r#"printf("%d ", (int)v)"#),
    small("ushort", "(ushort)draw()", r#"printf("%d ", (int)v)"#),
    scalar("int", "(int)draw()", r#"printf("%d ", v)"#),
    scalar("uint", "(uint)draw()", r#"printf("%u ", v)"#),
    scalar("long", "(long)draw()", r#"printf("%ld ", v)"#),
    scalar("ulong", "draw()", r#"printf("%lu ", v)"#),
    scalar(
        "wide",
        "(wide)((uwide)draw() << 64 | draw())",
        r#"printf("%lx:%lx ", (ulong)((uwide)v >> 64), (ulong)v)"#,
    ),
    small("float", "(float)small()", r#"printf("%g ", v)"#),
    scalar("double", "small()", r#"printf("%g ", v)"#),
    scalar("ldouble", "small()", r#"printf("%Lg ", v)"#),
    small("half", "(half)(int)small()", r#"printf("%g ", (double)v)"#),
    scalar("fcomplex", "COMPLEX(fcomplex, float)", r#"printf("%g,%g ", __real__ v, __imag__ v)"#),
    scalar("dcomplex", "COMPLEX(dcomplex, double)", r#"printf("%g,%g ", __real__ v, __imag__ v)"#),
    scalar("lcomplex", "COMPLEX(lcomplex, ldouble)", r#"printf("%Lg,%Lg ", __real__ v, __imag__ v)"#),
    scalar("string", "strings[draw() % 4]", r#"printf("%s ", v)"#),
    scalar("number_ptr", "numbers + draw() % 8", r#"printf("&%ld ", (long)(v - numbers))"#),
    scalar(
        "v4f",
        "(v4f){(float)small(), (float)small(), (float)small(), 4}",
        r#"printf("<%g %g %g %g> ", v[0], v[1], v[2], v[3])"#,
    ),
    scalar("v2d", "(v2d){small(), small()}", r#"printf("<%g %g> ", v[0], v[1])"#),
    scalar(
        "v4i",
        "(v4i){(int)draw(), (int)draw(), 3, (int)draw()}",
        r#"printf("<%d %d %d %d> ", v[0], v[1], v[2], v[3])"#,
    ),
    scalar("v2f", "(v2f){(float)small(), (float)small()}", r#"printf("<%g %g> ", v[0], v[1])"#),
    scalar("v2i", "(v2i){(int)draw(), (int)draw()}", r#"printf("<%d %d> ", v[0], v[1])"#),
    scalar(
        "v8c",
        "(v8c){(char)draw(), 2, (char)draw(), 4, 5, 6, 7, (char)draw()}",
        r#"printf("<%d %d %d %d> ", v[0], v[1], v[2], v[7])"#,
    ),
];

/// What every program begins with.
pub const PRELUDE: &str = r#"#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
typedef bool bool_t;
#else
typedef _Bool bool_t;
#endif
typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __int128 wide;
typedef unsigned __int128 uwide;
typedef long double ldouble;
typedef _Float16 half;
typedef float _Complex fcomplex;
typedef double _Complex dcomplex;
typedef long double _Complex lcomplex;
typedef const char *string;
typedef const int *number_ptr;
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int v4i __attribute__((vector_size(16)));
typedef float v2f __attribute__((vector_size(8)));
typedef int v2i __attribute__((vector_size(8)));
typedef char v8c __attribute__((vector_size(8)));
extern const int numbers[8];
extern const char *const strings[4];
ulong draw(void);
double small(void);
#define COMPLEX(type, part) ({ type c; __real__ c = (part)small(); __imag__ c = (part)small(); c; })
"#;

/// Definitions of what the prelude declares.
pub const SUPPORT: &str = r#"const int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
const char *const strings[4] = {"north", "east", "south", ""};
static ulong state;
void seed(ulong s) { state = s; }
ulong draw(void) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return state ^ state >> 33;
}
double small(void) { return (double)((long)(draw() % 4096) - 2048) / 8; }
"#;

/// The types of one case; their names end with its tag.
pub struct Types<'r> {
    random: &'r mut Random,
    tag: String,
    /// Definitions of types, and of functions that make and print their values.
    pub text: String,
    made: usize,
}

impl<'r> Types<'r> {
    /// None yet.
    pub fn new(random: &'r mut Random, tag: &str) -> Self {
        Types { random, tag: tag.to_owned(), text: String::new(), made: 0 }
    }

    /// A scalar or an aggregate.
    pub fn any(&mut self) -> Type {
        match self.random.below(5) {
            0 | 1 => self.scalar(),
            2 | 3 => self.aggregate(0),
            _ => self.uniform(),
        }
    }

    /// A type that can be an argument where no parameter is declared.
    pub fn any_variadic(&mut self) -> Type {
        loop {
            let ty = self.any();
            if ty.variadic {
                return ty;
            }
        }
    }

    fn scalar(&mut self) -> Type {
        let scalar = &SCALARS[self.random.below(SCALARS.len())];
        Type { name: scalar.name.to_owned(), variadic: scalar.promoted }
    }

    /// A struct of a few members of one small type: these are what is packed into registers.
    fn uniform(&mut self) -> Type {
        let member = Type {
            name: self
                .random
                .one_of(&["float", "double", "int", "char", "short", "long", "ldouble", "half"])
                .to_owned(),
            variadic: false,
        };
        let count = 1 + self.random.below(5);
        self.define("struct", &vec![(member, 0, 0); count], "")
    }

    fn aggregate(&mut self, depth: usize) -> Type {
        let count = self.random.below(5);
        let kind = if count > 0 && self.random.once_in(6) { "union" } else { "struct" };
        let mut members = Vec::new();
        for _ in 0..count {
            let member = match self.random.below(6) {
                0 if depth < 2 => self.aggregate(depth + 1),
                _ => self.scalar(),
            };
            let array = if self.random.once_in(6) { 1 + self.random.below(3) } else { 0 };
            let integer =
                matches!(member.name.as_str(), "int" | "uint" | "long" | "ulong" | "short" | "uchar");
            let bits =
                if integer && array == 0 && self.random.once_in(4) { 1 + self.random.below(8) } else { 0 };
            members.push((member, array, bits));
        }
        let attribute = match self.random.below(16) {
            0 => "__attribute__((packed))",
            1 => "__attribute__((aligned(16)))",
            2 => "__attribute__((aligned(32)))",
            _ => "",
        };
        self.define(kind, &members, attribute)
    }

    fn define(&mut self, kind: &str, members: &[(Type, usize, usize)], attribute: &str) -> Type {
        let name = format!("t{}_{}", self.tag, self.made);
        self.made += 1;
        let [mut fields, mut make, mut print] = [const { String::new() }; 3];
        // Of a union one member is used.
        let used = if kind == "union" { self.random.below(members.len()) } else { 0 };
        for (index, (member, array, bits)) in members.iter().enumerate() {
            let _ = match (array, bits) {
                (0, 0) => write!(fields, " {} m{index};", member.name),
                (0, bits) => write!(fields, " {} m{index} : {bits};", member.name),
                (array, _) => write!(fields, " {} m{index}[{array}];", member.name),
            };
            if kind == "union" && index != used {
                continue;
            }
            for element in 0..(*array).max(1) {
                let at = if *array == 0 { format!("m{index}") } else { format!("m{index}[{element}]") };
                let _ = write!(make, " v.{at} = make_{}();", member.name);
                let _ = write!(print, " print_{}(v.{at});", member.name);
            }
        }
        let _ = write!(
            self.text,
            "typedef {kind} {name} {{{fields} }} {attribute} {name};\n\
             static inline {name} make_{name}(void) {{ {name} v;{make} return v; }}\n\
             static inline void print_{name}({name} v) {{ printf(\"{{ \");{print} (void)v; printf(\"}} \"); }}\n",
        );
        Type { name, variadic: !members.is_empty() }
    }
}

/// Functions that make and print values of scalars.
pub fn scalars() -> String {
    let mut text = String::new();
    for Scalar { name, make, print, .. } in SCALARS {
        let _ = writeln!(text, "static inline {name} make_{name}(void) {{ return {make}; }}");
        let _ = writeln!(text, "static inline void print_{name}({name} v) {{ {print}; }}");
    }
    text
}
