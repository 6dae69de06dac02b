//! Symbols across modules, constructors, constants of globals.

use crate::{function, load_text, try_load};
use selvedge_program::code::{Callee, Op};
use selvedge_program::{LoadRequest, ModuleBytes, PointerTarget, load};

#[test]
fn strong_definitions_beat_weak_ones() {
    let program = try_load(&[
        "declare i32 @f()\ndefine i32 @main() { %r = call i32 @f() ret i32 %r }",
        "define weak i32 @f() { ret i32 1 }",
        "define i32 @f() { ret i32 2 }",
    ])
    .expect("it links");
    assert!(program.externals.is_empty());
    assert_eq!(function(&program, "f").code[0], Op::Const { dst: 0, value: 2 });
}

#[test]
fn internal_symbols_stay_apart() {
    let program = try_load(&[
        "declare i32 @g()\n\
         define internal i32 @f() { ret i32 1 }\n\
         define i32 @main() { %r = call i32 @f() %s = call i32 @g() ret i32 %r }",
        "define internal i32 @f() { ret i32 2 }\ndefine i32 @g() { %r = call i32 @f() ret i32 %r }",
    ])
    .expect("it links");
    assert_eq!(program.functions.iter().filter(|function| &*function.name == "f").count(), 2);
}

#[test]
fn only_what_is_reachable_is_lowered() {
    let program = load_text(
        "@used = global i32 7\n@unused = global i32 8\n\
         define void @unused_function() { ret void }\n\
         define i32 @main() { %v = load i32, ptr @used ret i32 %v }",
    );
    assert_eq!(program.functions.len(), 1);
    assert_eq!(program.globals.len(), 1);
    assert_eq!(&*program.globals[0].bytes, [7, 0, 0, 0]);
}

#[test]
fn undefined_functions_are_external() {
    let program = load_text(
        "declare i32 @puts(ptr)\ndeclare extern_weak i32 @maybe()\n@text = constant [3 x i8] c\"hi\\00\"\n\
         define i32 @main() { %r = call i32 @puts(ptr @text) %s = call i32 @maybe() ret i32 %r }",
    );
    let names: Vec<_> = program.externals.iter().map(|external| (&*external.name, external.weak)).collect();
    assert_eq!(names, [("puts", false), ("maybe", true)]);
    assert!(matches!(function(&program, "main").calls[0].callee, Callee::External(0)));
}

#[test]
fn constructors_run_by_priority() {
    let program = load_text(
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, \
         ptr null }, { i32, ptr, ptr } { i32 200, ptr @middle, ptr null }]\n\
         @init = internal constant ptr @early, section \".init_array.00099\"\n\
         @llvm.used = appending global [1 x ptr] [ptr @init], section \"llvm.metadata\"\n\
         @llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, \
         ptr null }, { i32, ptr, ptr } { i32 200, ptr @middle, ptr null }]\n\
         define internal void @late() { ret void }\n\
         define internal void @middle() { ret void }\n\
         define internal void @early(i32 %c, ptr %v, ptr %e) { ret void }\n\
         define i32 @main() { ret i32 0 }",
    );
    let name = |&id: &u32| &*program.functions[id as usize].name;
    assert_eq!(program.constructors.iter().map(name).collect::<Vec<_>>(), ["early", "middle", "late"]);
    assert_eq!(program.destructors.iter().map(name).collect::<Vec<_>>(), ["late", "middle"]);
}

#[test]
fn globals_hold_addresses() {
    let program = load_text(
        "@a = global [4 x i32] zeroinitializer, align 64\n\
         @p = global { i8, ptr, ptr, i64 } { i8 1, ptr getelementptr (i8, ptr @a, i64 8), ptr @main, i64 ptrtoint \
         (ptr @a to i64) }\n\
         @alias = alias i32, getelementptr (i8, ptr @a, i64 4)\n\
         define i32 @main() { %v = load i32, ptr @alias %w = load i8, ptr @p ret i32 %v }",
    );
    let find = |name: &str| program.globals_by_name[name] as usize;
    let (a, p) = (&program.globals[find("a")], &program.globals[find("p")]);
    assert_eq!(a.address % 64, 0);
    assert!(a.bytes.is_empty());
    let word = |at: usize| u64::from_le_bytes(p.bytes[at..at + 8].try_into().expect("eight bytes"));
    assert_eq!((word(8), word(24)), (a.address + 8, a.address));
    assert_eq!(word(16), program.functions[program.entry as usize].address);
    let target = PointerTarget::Global(find("a") as u32);
    assert_eq!(&*p.pointers, [(8, target), (16, PointerTarget::Function(0)), (24, target)]);
    assert!(matches!(function(&program, "main").code[0], Op::GlobalAddress { offset: 4, .. }));
}

/// An archive with one member, which defines the given symbols.
fn archive(member: &[u8], symbols: &[&str]) -> Vec<u8> {
    let mut table = (symbols.len() as u32).to_be_bytes().to_vec();
    let names: Vec<u8> = symbols.iter().flat_map(|name| name.bytes().chain([0])).collect();
    let table_size = 4 + 4 * symbols.len() + names.len();
    let offset = 8 + 60 + table_size.next_multiple_of(2);
    for _ in symbols {
        table.extend((offset as u32).to_be_bytes());
    }
    table.extend(names);
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, data) in [("/", &table[..]), ("member.o/", member)] {
        bytes.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, data.len()).bytes());
        bytes.extend(data);
        if data.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[test]
fn members_come_in_when_they_are_needed() {
    let member =
        b"@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, \
                   ptr @start, ptr null }]\n\
                   define internal void @start() { ret void }\n\
                   define i32 @f() { ret i32 3 }\n\
                   define ptr @malloc(i64 %n) { ret ptr null }";
    let bytes = archive(member, &["f", "malloc"]);
    let run = |main: &str, modelled: &dyn Fn(&str) -> bool| {
        load(&LoadRequest {
            modules: vec![ModuleBytes { name: "main.ll", bytes: main.as_bytes() }],
            archives: vec![ModuleBytes { name: "lib.a", bytes: &bytes }],
            modelled,
            roots: &["absent"],
            user_root: None,
            volatile: None,
            keep_variables: false,
        })
        .expect("it links")
    };
    let needed = "declare i32 @f()\ndeclare ptr @malloc(i64)\n\
                  define i32 @main() { %p = call ptr @malloc(i64 8) %r = call i32 @f() ret i32 %r }";
    let program = run(needed, &|name| name == "malloc");
    assert_eq!(program.constructors.len(), 1);
    assert!(program.functions_by_name.contains_key("f"));
    assert_eq!(program.externals.iter().map(|external| &*external.name).collect::<Vec<_>>(), ["malloc"]);
    let program = run("define i32 @main() { ret i32 0 }", &|_| false);
    assert!(program.constructors.is_empty() && program.functions.len() == 1);
    let own = "declare i32 @f()\ndefine ptr @malloc(i64 %n) { ret ptr null }\n\
               define i32 @main() { %p = call ptr @malloc(i64 8) %r = call i32 @f() ret i32 %r }";
    assert!(run(own, &|name| name == "malloc").externals.is_empty());
}

#[test]
fn the_fingerprint_follows_code_and_data() {
    let first = load_text("@g = global i32 1\ndefine i32 @main() { %v = load i32, ptr @g ret i32 %v }");
    let same =
        load_text("@g = global i32 1\ndefine i32 @main() { %other = load i32, ptr @g ret i32 %other }");
    let data = load_text("@g = global i32 2\ndefine i32 @main() { %v = load i32, ptr @g ret i32 %v }");
    assert_eq!(first.fingerprint, same.fingerprint);
    assert_ne!(first.fingerprint, data.fingerprint);
}

#[test]
fn functions_of_rust_libraries_are_known_without_the_number_of_their_crate() {
    let text = "define internal void @_RNvCs1a_3std5enter() { ret void }\n\
                define internal void @_RNvCs1a_3std5leave() { ret void }\n\
                declare extern_weak void @_RNvC3std5enter()\n\
                declare extern_weak void @_RNvC3std6absent()\n\
                define i32 @main() {\n\
                  call void @_RNvC3std5enter() call void @_RNvC3std6absent() call void @_RNvCs1a_3std5leave()\n\
                  ret i32 0 }";
    let program = load(&LoadRequest {
        modules: vec![ModuleBytes { name: "main.ll", bytes: text.as_bytes() }],
        archives: Vec::new(),
        modelled: &|name| selvedge_program::without_crate_number(name).as_deref() == Some("_RNvC3std5leave"),
        roots: &[],
        user_root: None,
        volatile: None,
        keep_variables: false,
    })
    .expect("it links");
    let mut externals: Vec<_> = program.externals.iter().map(|external| &*external.name).collect();
    externals.sort_unstable();
    assert_eq!(externals, ["_RNvC3std6absent", "_RNvCs1a_3std5leave"]);
    assert_eq!(program.functions.len(), 2);
}
