//! Bad input ends in a typed error.

use crate::try_load;
use selvedge_program::{LoadError, LoadRequest, ModuleBytes, Program, load};

fn load_bytes(bytes: &[u8]) -> Result<Program, LoadError> {
    let modules = vec![ModuleBytes { name: "input", bytes }];
    load(&LoadRequest {
        modules,
        archives: Vec::new(),
        modelled: &|_| false,
        roots: &[],
        user_root: None,
        volatile: None,
        keep_variables: false,
    })
}

#[test]
fn garbage_and_empty_files_are_not_bitcode() {
    for bytes in [&b"garbage"[..], b"", b"\x7fELF\x02\x01\x01", b"; nothing but a comment )("] {
        let error = load_bytes(bytes).expect_err("this is no program");
        assert!(matches!(error, LoadError::NotBitcode { .. } | LoadError::NoMain), "{error}");
    }
}

#[test]
fn truncated_bitcode_is_damaged() {
    for bytes in [&b"BC\xC0\xDE"[..], b"BC\xC0\xDE\x35\x14\0\0\x05\0\0\0\x62\x0c\x30\x24"] {
        let error = load_bytes(bytes).expect_err("this is cut off");
        assert!(matches!(error, LoadError::Damaged { .. }), "{error}");
    }
}

#[test]
fn a_program_needs_main() {
    let error = try_load(&["define void @f() { ret void }"]).expect_err("there is no main");
    assert!(matches!(error, LoadError::NoMain));
}

#[test]
fn two_strong_definitions_clash() {
    let error = try_load(&[
        "define i32 @main() { ret i32 0 }\ndefine void @f() { ret void }",
        "define void @f() { ret void }",
    ])
    .expect_err("f is defined twice");
    let LoadError::DuplicateSymbol { symbol, first, second } = error else { panic!("{error}") };
    assert_eq!((&*symbol, &*first, &*second), ("f", "module0.ll", "module1.ll"));
}

#[test]
fn other_processors_are_refused() {
    let text = "target triple = \"aarch64-unknown-linux-gnu\"\ndefine i32 @main() { ret i32 0 }";
    let error = load_bytes(text.as_bytes()).expect_err("this is not our target");
    assert!(matches!(error, LoadError::WrongTarget { .. }), "{error}");
}

#[test]
fn malformed_modules_are_refused() {
    let error = try_load(&["define i32 @main() { %a = add i32 %a, 1 ret i32 %a }"]);
    assert!(matches!(error, Err(LoadError::NotBitcode { .. })));
}

#[test]
fn archives_need_a_symbol_table() {
    let main = b"define i32 @main() { ret i32 0 }";
    let request = |bytes| LoadRequest {
        modules: vec![ModuleBytes { name: "main.ll", bytes: main }],
        archives: vec![ModuleBytes { name: "lib.a", bytes }],
        modelled: &|_| false,
        roots: &[],
        user_root: None,
        volatile: None,
        keep_variables: false,
    };
    assert!(load(&request(b"!<arch>\n")).is_ok());
    for bytes in [&b"not an archive"[..], b"!<arch>\nshort", b"!<thin>\n"] {
        let error = load(&request(bytes)).expect_err("this is no archive");
        assert!(matches!(error, LoadError::BadArchive { .. }), "{error}");
    }
}
