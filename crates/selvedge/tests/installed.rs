//! What is installed works by itself: the two programs in a prefix with what `selvedge share` writes, no cache, and of other
//! tools nothing but a compiler, or nothing at all.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A prefix, and tools to find.
struct Prefix {
    folder: tempfile::TempDir,
}

impl Prefix {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let prefix = Prefix { folder };
        for name in ["prefix/bin", "home", "nothing", "tools"] {
            std::fs::create_dir_all(prefix.path(name)).expect("a folder");
        }
        std::fs::copy(env!("CARGO_BIN_EXE_selvedge"), prefix.path("prefix/bin/selvedge")).expect("a copy");
        prefix
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the installed program with these tools alone.
    fn run(&self, tools: &str, words: &[&str]) -> Output {
        let mut command = Command::new(self.path("prefix/bin/selvedge"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null()).env_clear();
        command.env("PATH", self.path(tools)).env("HOME", self.path("home")).output().expect("selvedge")
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn clang() -> PathBuf {
    let path = std::env::var_os("PATH").expect("a path");
    let mut all =
        std::env::split_paths(&path).flat_map(|folder| ["clang-22", "clang"].map(|name| folder.join(name)));
    all.find(|file| file.is_file()).expect("clang")
}

const C: &str = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x++; return p; }\n\
                 int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x - 1; }\n";
const CXX: &str = "#include <stdexcept>\n#include <thread>\nint main() { int x = 0; std::thread t([&] { x++; }); t.join();\n\
                   try { throw std::runtime_error(\"x\"); } catch (std::exception &) { x--; } return x; }\n";

#[test]
fn a_prefix_needs_a_compiler_for_sources_and_nothing_for_bitcode() {
    let prefix = Prefix::new();
    // As `make install` does it, with the tools and the cache of this machine.
    let share =
        Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("share").arg(prefix.path("prefix/share")).output();
    let share = share.expect("selvedge");
    assert!(share.status.success(), "{}", text(&share));
    for file in [
        "man/man1/selvedge-check.1",
        "man/man1/cargo-selvedge-test.1",
        "bash-completion/completions/selvedge",
        "zsh/site-functions/_selvedge",
        "fish/vendor_completions.d/selvedge.fish",
    ] {
        let file = prefix.path("prefix/share").join(file);
        assert!(std::fs::metadata(&file).is_ok_and(|facts| facts.len() > 500), "{}", file.display());
    }
    std::fs::write(prefix.path("a.c"), C).expect("a file");
    std::fs::write(prefix.path("b.cpp"), CXX).expect("a file");
    let clang = clang();
    std::os::unix::fs::symlink(&clang, prefix.path("tools").join(clang.file_name().expect("a name")))
        .expect("a link");
    let bitcode = |source: &str, to: &str| {
        let mut command = Command::new(&clang);
        command.args([
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-pthread",
            "-c",
            "-emit-llvm",
            "-o",
            to,
            source,
        ]);
        assert!(command.current_dir(prefix.folder.path()).status().expect("clang").success());
    };
    bitcode("a.c", "a.bc");
    for (tools, program) in [("tools", "a.c"), ("tools", "b.cpp"), ("nothing", "a.bc")] {
        let output = prefix.run(tools, &["check", program, "--quiet"]);
        assert!(
            output.status.success() && text(&output).starts_with("verified"),
            "{program}: {}",
            text(&output)
        );
    }
    // What is missing is said, with what to do.
    let output = prefix.run("nothing", &["check", "a.c"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        text(&output).contains("clang was not found. Install it: apt install clang-22"),
        "{}",
        text(&output)
    );
    let doctor = text(&prefix.run("nothing", &["doctor"]));
    assert!(doctor.contains("--  clang") && doctor.contains("--  rustc"), "{doctor}");
}

#[test]
fn shells_can_read_the_completions() {
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "-n")] {
        let script = Command::new(env!("CARGO_BIN_EXE_selvedge")).args(["completions", shell]).output();
        let script = script.expect("selvedge").stdout;
        assert!(script.len() > 1000, "{shell}");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("script");
        std::fs::write(&file, script).expect("a file");
        match run(shell, &[check.as_ref(), &file]) {
            Some(output) => assert!(output.status.success(), "{shell}: {}", text(&output)),
            None => eprintln!("skipped: {shell} is not installed"),
        }
    }
    // What bash proposes after `selvedge check --mo`.
    let script = "source <(\"$0\" completions bash); COMP_WORDS=(selvedge check --mo); COMP_CWORD=2; \
                  _selvedge selvedge --mo check; echo \"${COMPREPLY[*]}\"";
    let words = ["-c".as_ref(), Path::new(script), Path::new(env!("CARGO_BIN_EXE_selvedge"))];
    if let Some(output) = run("bash", &words) {
        assert_eq!(text(&output).trim(), "--model");
    }
}

/// Runs a program, if it is there.
fn run(program: &str, words: &[&Path]) -> Option<Output> {
    Command::new(program).args(words).output().ok()
}
