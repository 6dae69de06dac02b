//! The compiler drivers on real compilers: from each kind of input to bitcode, and what users see on errors.

use selvedge::drivers::{self, Bitcode, CargoTarget, DriverError, Language, Request};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files in a fresh folder: each pair is a relative path and its text.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn request(inputs: &[PathBuf]) -> Request {
    Request {
        inputs: inputs.to_vec(),
        program: Some(PathBuf::from(env!("CARGO_BIN_EXE_selvedge"))),
        ..Request::default()
    }
}

fn compiled(request: &Request) -> Bitcode {
    drivers::compile(request).unwrap_or_else(|error| panic!("{error}"))
}

/// The symbols that a module or archive defines.
fn symbols(file: &Path) -> Vec<String> {
    let output = Command::new("llvm-nm-22")
        .args(["--defined-only", "--format=just-symbols"])
        .arg(file)
        .output()
        .expect("llvm-nm-22");
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim().to_string()).collect()
}

fn defines(file: &Path, wanted: &str) -> bool {
    symbols(file).iter().any(|symbol| symbol.contains(wanted))
}

#[test]
fn several_c_files_become_several_modules() {
    let folder = folder(&[
        ("a.c", "int other(void);\nint main(void) { return other(); }\n"),
        ("b.c", "#include \"b.h\"\nint other(void) { return N; }\n"),
        ("include/b.h", "#define N 3\n"),
    ]);
    let mut request = request(&[folder.path().join("a.c"), folder.path().join("b.c")]);
    request.cflags = vec![format!("-I{}", folder.path().join("include").display())];
    let bitcode = compiled(&request);
    assert_eq!(bitcode.language, Language::C);
    assert!(bitcode.archives.is_empty());
    assert_eq!(symbols(&bitcode.modules[0].path), ["main"]);
    assert_eq!(symbols(&bitcode.modules[1].path), ["other"]);
    assert_eq!(bitcode.modules[0].name, folder.path().join("a.c").display().to_string());
}

#[test]
fn what_the_compiler_says_is_shown_unchanged() {
    let folder = folder(&[("a.c", "int main(void) { return x; }\n"), ("a.rs", "fn main() { x }\n")]);
    for (file, words) in
        [("a.c", "a.c:1:25: error: use of undeclared identifier 'x'"), ("a.rs", "error[E0425]")]
    {
        let error = drivers::compile(&request(&[folder.path().join(file)])).expect_err("an error");
        assert!(matches!(error, DriverError::Rejected { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(words), "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert!(
            last.starts_with('`') && last.contains("was not compiled: correct the errors above"),
            "{last}"
        );
    }
}

#[test]
fn temporary_files_go_with_the_result() {
    let folder = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    let bitcode = compiled(&request(&[folder.path().join("a.c")]));
    let kept = bitcode.keep.path().to_path_buf();
    assert!(kept.is_dir());
    drop(bitcode);
    assert!(!kept.exists());
}

#[test]
fn a_rust_file_becomes_one_module_with_its_library() {
    let folder = folder(&[(
        "two-threads.rs",
        "fn main() { std::thread::spawn(|| println!(\"hello\")).join().unwrap(); }\n",
    )]);
    let bitcode = compiled(&request(&[folder.path().join("two-threads.rs")]));
    assert_eq!(bitcode.language, Language::Rust);
    let module = &bitcode.modules[0].path;
    assert!(defines(module, "main"));
    assert!(defines(module, "std2io5stdio"), "the standard library is missing");
}

#[test]
fn cxx_comes_with_its_library() {
    let folder = folder(&[("a.cpp", "#include <iostream>\nint main() { std::cout << 1; }\n")]);
    let bitcode = compiled(&request(&[folder.path().join("a.cpp")]));
    assert_eq!(bitcode.language, Language::Cxx);
    let [archive] = bitcode.archives.as_slice() else { panic!("one archive") };
    for symbol in ["__cxa_throw", "__gxx_personality_v0", "__selvedge_can_catch", "__selvedge_filter_allows"]
    {
        assert!(defines(archive, symbol), "{symbol}");
    }
}

/// A package with a program, an example, unit tests and an integration test, all of which use a library crate
/// of the same workspace and a build script.
fn package() -> tempfile::TempDir {
    folder(&[
        (
            "Cargo.toml",
            "[package]\nname = \"the-bank\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [dependencies]\nvault = { path = \"vault\" }\n[workspace]\nmembers = [\"vault\"]\n",
        ),
        ("build.rs", "fn main() { println!(\"cargo:rustc-env=BUILT=yes\"); }\n"),
        (
            "src/lib.rs",
            "pub fn open() -> u32 { vault::count() }\n#[test]\nfn opens() { assert_eq!(open(), 7) }\n",
        ),
        ("src/main.rs", "fn main() { println!(\"{} {}\", the_bank::open(), env!(\"BUILT\")); }\n"),
        ("examples/demo.rs", "fn main() { println!(\"{}\", the_bank::open()); }\n"),
        ("tests/transfers.rs", "#[test]\nfn transfers() { assert_eq!(the_bank::open(), 7); }\n"),
        ("vault/Cargo.toml", "[package]\nname = \"vault\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("vault/src/lib.rs", "pub fn count() -> u32 { 7 }\n"),
    ])
}

#[test]
fn every_target_of_a_package_becomes_one_module() {
    let package = package();
    let mut request = request(&[package.path().to_path_buf()]);
    for (target, symbol) in [
        (CargoTarget::Binary(None), "8the_bank4main"),
        (CargoTarget::Example("demo".into()), "4demo4main"),
        (CargoTarget::Test("transfers".into()), "9transfers"),
        (CargoTarget::Test("lib".into()), "5opens"),
        (CargoTarget::Binary(Some("the-bank".into())), "8the_bank4main"),
    ] {
        request.cargo = target;
        let bitcode = compiled(&request);
        let module = &bitcode.modules[0].path;
        assert!(defines(module, symbol), "{symbol} in {:?}", request.cargo);
        assert!(defines(module, "5vault5count"), "the dependency is missing in {:?}", request.cargo);
        assert!(defines(module, "std2io5stdio"), "the standard library is missing in {:?}", request.cargo);
        assert_eq!(bitcode.source_root.canonicalize().ok(), package.path().canonicalize().ok());
    }
    request.cargo = CargoTarget::Example("gone".into());
    let error = drivers::compile(&request).expect_err("an error").to_string();
    assert!(
        error.contains("has no example `gone`. Choose one of: --bin the-bank, --example demo"),
        "{error}"
    );
}

#[test]
fn a_broken_package_shows_what_cargo_says() {
    let broken = folder(&[("Cargo.toml", "[package]\nname = 3\n")]);
    let error = drivers::compile(&request(&[broken.path().to_path_buf()])).expect_err("an error").to_string();
    assert!(error.contains("invalid type: integer `3`"), "{error}");
    let wrong = folder(&[
        ("Cargo.toml", "[package]\nname = \"wrong\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/main.rs", "fn main() { x }\n"),
    ]);
    let error = drivers::compile(&request(&[wrong.path().to_path_buf()])).expect_err("an error").to_string();
    assert!(error.contains("error[E0425]"), "{error}");
    assert!(
        error.ends_with(
            "program `wrong` of package `wrong` was not compiled: correct the errors above, \
                             or pass the right flags with --cflags"
        ),
        "{error}"
    );
}

#[test]
fn a_compilation_database_with_two_programs() {
    let folder = folder(&[
        ("one.c", "int shared(void);\nint main(void) { return shared() - N; }\n"),
        ("two.c", "int main(void) { return 2; }\n"),
        ("shared.c", "int shared(void) { return 1; }\n"),
        (
            "build/compile_commands.json",
            r#"[{ "directory": "..", "file": "one.c", "command": "gcc -DN=1 -O2 -c one.c -o one.o" },
                { "directory": "..", "file": "two.c", "arguments": ["gcc", "-c", "two.c"] },
                { "directory": "..", "file": "shared.c", "arguments": ["gcc", "-c", "shared.c"] }]"#,
        ),
    ]);
    let mut request = request(&[folder.path().to_path_buf()]);
    let error = drivers::compile(&request).expect_err("an error").to_string();
    assert!(error.ends_with("has several programs: one, two. Choose one with --bin NAME"), "{error}");
    request.cargo = CargoTarget::Binary(Some("one".into()));
    let bitcode = compiled(&request);
    assert_eq!(bitcode.modules.len(), 1);
    assert_eq!(symbols(&bitcode.modules[0].path), ["main"]);
    assert!(defines(&bitcode.archives[0], "shared"));
}

#[test]
fn a_compilation_database_with_targets() {
    let entry = |target: &str, file: &str| {
        format!(
            r#"{{ "directory": "..", "file": "{file}", "output": "CMakeFiles/{target}.dir/{file}.o",
                 "arguments": ["gcc", "-D{target}=1", "-c", "{file}"] }}"#
        )
    };
    let entries = [("one", "main.c"), ("one", "part.c"), ("two", "other.c"), ("two", "part.c")];
    let entries = entries.map(|(target, file)| entry(target, file)).join(",");
    let folder = folder(&[
        ("main.c", "int part(void);\nint main(void) { return part(); }\n"),
        ("part.c", "#ifdef two\nint of_two;\n#endif\nint part(void) { return 0; }\n"),
        ("other.c", "int main(void) { return 1; }\n"),
        ("build/compile_commands.json", &format!("[{entries}]")),
    ]);
    let mut request = request(&[folder.path().to_path_buf()]);
    for (target, modules) in
        [("one", "main;part"), ("two", "main;of_two part"), ("main.c", "main;part"), ("other", "main")]
    {
        request.cargo = CargoTarget::Binary(Some(target.into()));
        let of_each = compiled(&request)
            .modules
            .iter()
            .map(|module| symbols(&module.path).join(" "))
            .collect::<Vec<_>>();
        assert_eq!(of_each.join(";"), modules, "{target}");
    }
}

#[test]
fn modules_are_read_in_a_process_of_its_own() {
    let folder =
        folder(&[("good.ll", "define i32 @main() { ret i32 0 }\n"), ("bad.ll", "define i32 @main() {\n")]);
    let bitcode = compiled(&request(&[folder.path().join("good.ll")]));
    assert_eq!(symbols(&bitcode.modules[0].path), ["main"]);
    let refused = drivers::compile(&request(&[folder.path().join("bad.ll")])).expect_err("it is cut off");
    assert!(
        matches!(&refused, DriverError::BadModule(text) if text.contains("bad.ll is neither")),
        "{refused}"
    );
    // A reader that dies, whatever it died of.
    let mut dying = request(&[folder.path().join("good.ll")]);
    dying.program = Some(PathBuf::from("false"));
    let damaged = drivers::compile(&dying).expect_err("nothing was read");
    assert!(damaged.to_string().contains("good.ll is truncated or damaged bitcode"), "{damaged}");
}
