//! The command as people use it: what it prints, with which code it ends, what it leaves behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder to run in, with a folder for temporary files of its own.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub temporary: tempfile::TempDir,
}

pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        Place { folder, temporary: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("TMPDIR", self.temporary.path()).env_remove("NO_COLOR").env("COLUMNS", "100");
        command
    }

    pub fn run(&self, words: &[&str]) -> Ended {
        let output = self.command(words).output().expect("selvedge");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Names of the files in the folder, in order.
    pub fn files(&self) -> Vec<String> {
        names(self.folder.path())
    }

    /// Runs a command that must be refused: one paragraph, exit code 2, nothing left behind.
    pub fn refused(&self, words: &[&str]) -> String {
        let before = self.files();
        let ended = self.run(words);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
        assert!(!ended.stderr.trim().is_empty(), "no word of what is wrong");
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        assert_eq!(self.files(), before, "files are left in the working directory");
        assert_eq!(names(self.temporary.path()), [""; 0], "temporary files are left");
        ended.stderr
    }
}

/// Python, with the packages that `make setup` installs for tests.
pub fn python() -> Command {
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", selvedge::drivers::cache_folder().join("python"));
    command
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

const FAILS: &str = "#include <assert.h>\n#include <stdio.h>\n#include <pthread.h>\nint x;\n\
                     void *f(void *p) { x++; return p; }\n\
                     int main(int argc, char **argv) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n\
                     pthread_join(t, 0);\n  puts(argv[argc - 1]);\n  assert(x == 2);\n  return 0;\n}\n";

/// One paragraph of our own: a first line that begins with our name, and no empty lines.
#[track_caller]
pub fn one_paragraph(text: &str, says: &str) {
    assert!(text.starts_with("selvedge: "), "{text}");
    assert!(!text.trim_end().contains("\n\n"), "{text}");
    assert!(text.contains(says), "{text}");
}

#[test]
fn a_missing_file() {
    one_paragraph(
        &Place::new(&[]).refused(&["run", "gone.c"]),
        "`gone.c` does not exist. Check the spelling",
    );
}

#[test]
fn a_syntax_error() {
    let place = Place::new(&[("bad.c", "int main(void) { return 0 }\n"), ("bad.rs", "fn main() { 1 + }\n")]);
    let text = place.refused(&["run", "bad.c"]);
    assert!(text.contains("bad.c:1:26: error: expected ';'"), "{text}");
    assert!(text.contains("correct the errors above"), "{text}");
    let text = place.refused(&["run", "bad.rs"]);
    assert!(text.contains("bad.rs:1:"), "{text}");
}

#[test]
fn a_wrong_flag() {
    let place = Place::new(&[("a.c", HELLO)]);
    let text = place.refused(&["run", "a.c", "--sead", "1"]);
    assert!(text.contains("--seed"), "the right one is suggested: {text}");
    assert!(place.refused(&["run", "a.c", "--seed", "many"]).contains("many"));
    assert!(place.refused(&["run", "a.c", "--env", "NAME"]).contains("NAME=VALUE"));
    assert!(place.refused(&["run", "a.c", "--max-time=-1"]).contains("--max-time"));
    assert!(place.refused(&["run", "a.c", "--cflags", "\"open"]).contains("quote"));
    assert!(place.refused(&["run", "a.c", "--model", "arm"]).contains("tso"));
    assert!(place.refused(&["run"]).contains("INPUT"));
    let flag = place.refused(&["run", "a.c", "--cflags", "-fno-such-flag"]);
    assert!(flag.contains("-fno-such-flag"), "{flag}");
}

#[test]
fn lowered_code_is_shown() {
    let place = Place::new(&[("a.c", HELLO)]);
    let shown = place.run(&["disassemble", "a.c"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    assert!(shown.stdout.starts_with("function main("), "{}", shown.stdout);
    assert!(shown.stdout.contains("; #0.2 a.c:"), "{}", shown.stdout);
    assert!(place.refused(&["disassemble", "a.c", "--function", "no_such"]).contains("`no_such`"));
}

#[test]
fn an_unreadable_schedule() {
    let place = Place::new(&[("a.c", HELLO), ("s.json", "{ \"schema\": 1, \"program\"")]);
    one_paragraph(&place.refused(&["run", "a.c", "--schedule", "s.json"]), "`s.json` is not a schedule: EOF");
    one_paragraph(&place.refused(&["run", "a.c", "--schedule", "none"]), "`none` does not exist");
    one_paragraph(&place.refused(&["run", "a.c", "--schedule", "."]), "cannot be read");
    std::fs::write(place.path("s.json"), [0xff, 0, 0x7b]).expect("a file");
    one_paragraph(&place.refused(&["run", "a.c", "--schedule", "s.json"]), "is not a schedule");
}

#[test]
fn a_schedule_of_another_program() {
    let place = Place::new(&[("a.c", HELLO), ("b.c", &HELLO.replace("hello", "other"))]);
    assert_eq!(place.run(&["run", "a.c", "--save-schedule", "s.json"]).code, 0);
    let text = place.refused(&["run", "b.c", "--schedule", "s.json"]);
    one_paragraph(&text, "recorded with another program or another version of it (`a`");
    one_paragraph(&text, "with the same flags");
    // The same program, compiled in another way, takes the same steps.
    let optimised = place.run(&["run", "a.c", "--schedule", "s.json", "--cflags", "-O1"]);
    assert_eq!((optimised.code, &*optimised.stdout), (0, "hello\n"), "{}", optimised.stderr);
}

#[test]
fn a_schedule_that_was_edited() {
    let place = Place::new(&[("a.c", FAILS)]);
    assert_eq!(place.run(&["run", "a.c", "--save-schedule", "s.json"]).code, 1);
    let text = std::fs::read_to_string(place.path("s.json")).expect("a schedule");
    let edit = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        std::fs::write(place.path("s.json"), text.replacen(from, to, 1)).expect("a file");
        place.refused(&["run", "a.c", "--schedule", "s.json"])
    };
    one_paragraph(&edit("\"main.1", "\"main.7"), "there is no thread main.7");
    one_paragraph(&edit("\"digest\": \"", "\"digest\": \"0"), "is not a schedule");
    let shorter = edit("\"main.1", "\"main x100\", \"main.1");
    one_paragraph(&shorter, "of the schedule cannot be taken: thread main cannot go on there");
}

#[test]
fn truncated_bitcode() {
    let place = Place::new(&[("a.c", HELLO), ("empty.bc", ""), ("text.ll", "define i32 @main() {\n")]);
    let clang = Command::new("clang-22")
        .args(["-c", "-emit-llvm", "a.c", "-o", "a.bc"])
        .current_dir(place.folder.path())
        .status();
    assert!(clang.expect("clang-22").success());
    assert_eq!(place.run(&["run", "a.bc"]).stdout, "hello\n");
    let bytes = std::fs::read(place.path("a.bc")).expect("bitcode");
    for length in [4, 100, bytes.len() / 2, bytes.len() - 4] {
        std::fs::write(place.path("a.bc"), &bytes[..length]).expect("a file");
        one_paragraph(&place.refused(&["run", "a.bc"]), "a.bc");
    }
    one_paragraph(&place.refused(&["run", "empty.bc"]), "no `main` function");
    one_paragraph(&place.refused(&["run", "text.ll"]), "text.ll");
}

#[test]
fn a_folder_without_a_package() {
    one_paragraph(
        &Place::new(&[]).refused(&["run", "."]),
        "holds neither Cargo.toml nor compile_commands.json",
    );
}

#[test]
fn a_program_without_main() {
    let place = Place::new(&[("a.c", "int f(void) { return 1; }\n")]);
    one_paragraph(&place.refused(&["run", "a.c"]), "no `main` function");
}

#[test]
fn a_schedule_that_cannot_be_written() {
    let place = Place::new(&[("a.c", HELLO)]);
    let ended = place.run(&["run", "a.c", "--save-schedule", "none/s.json"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (2, "hello\n"));
    one_paragraph(&ended.stderr, "`none/s.json` cannot be written");
}

#[test]
fn a_program_that_ends_by_itself() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n\
                   char line[100];\n  while (fgets(line, sizeof line, stdin)) fputs(line, stdout);\n\
                   for (int i = 1; i < argc; i++) printf(\"<%s>\", argv[i]);\n\
                   printf(\"%s %d\\n\", getenv(\"X\"), getenv(\"CARGO\") == NULL);\n\
                   fputs(\"to stderr\", stderr);\n  return 42;\n}\n";
    let place = Place::new(&[("a.c", program)]);
    std::fs::write(place.path("input"), b"one\n\xff\x00two").expect("a file");
    let mut command = place.command(&["run", "a.c", "--env", "X=a=b", "--", "-x", "two words"]);
    command.stdin(std::fs::File::open(place.path("input")).expect("a file"));
    let output = command.output().expect("selvedge");
    assert_eq!(output.stdout, b"one\n\xff<-x><two words>a=b 1\n");
    assert_eq!(output.stderr, b"to stderr");
    assert_eq!(output.status.code(), Some(42));
    assert_eq!(place.files(), ["a.c", "input"]);
    assert_eq!(names(place.temporary.path()), [""; 0]);
}

#[test]
fn a_violation_is_recorded_and_replayed() {
    let place = Place::new(&[("fails.c", FAILS)]);
    let ended = place.run(&["run", "fails.c", "--seed", "3", "--", "the end"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (1, "the end\n"));
    assert_eq!(
        ended.stderr,
        "violation: failed assertion\n  assertion failed: x == 2\n  at fails.c:11:3 in main, thread main\n  \
         replay: selvedge run fails.c --schedule fails.schedule.json\n"
    );
    assert_eq!(place.files(), ["fails.c", "fails.schedule.json"]);
    let again = place.run(&["run", "fails.c", "--schedule", "fails.schedule.json"]);
    assert_eq!((again.code, again.stdout, again.stderr), (1, ended.stdout, ended.stderr));
    // A trace changes nothing about what is replayed.
    let traced = place.run(&["run", "fails.c", "--schedule", "fails.schedule.json", "--trace"]);
    assert_eq!(traced.code, 1);
    assert!(traced.stderr.contains("fails.c:5"), "{}", traced.stderr);
    assert!(traced.stderr.contains("x = 1"), "{}", traced.stderr);
}

#[test]
fn the_same_seed_is_the_same_run() {
    let place = Place::new(&[("fails.c", FAILS)]);
    for file in ["one", "two"] {
        assert_eq!(place.run(&["run", "fails.c", "--seed", "5", "--save-schedule", file]).code, 1);
    }
    let read = |name| std::fs::read(place.path(name)).expect("a schedule");
    assert_eq!(read("one"), read("two"));
    let verified = place.run(&["run", "fails.c", "--seed", "5", "--verify-determinism"]);
    assert!(verified.stderr.starts_with("selvedge: both runs had the same "), "{}", verified.stderr);
    assert_eq!(verified.code, 1);
}

#[test]
fn limits_leave_the_verdict_open() {
    let place = Place::new(&[("loop.c", "volatile int x;\nint main(void) { for (;;) x++; }\n")]);
    let ended = place.run(&["run", "loop.c", "--max-time", "0.2"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("unknown: the limit of time was reached after "), "{}", ended.stderr);
    assert!(ended.stderr.contains("--max-time"), "{}", ended.stderr);
    let ended = place.run(&["run", "loop.c", "--max-steps", "3"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert_eq!(place.files(), ["loop.c"]);
}

#[test]
fn an_interrupted_run_ends_cleanly() {
    use std::io::Read;
    let program = "#include <stdio.h>\nvolatile int x;\n\
                   int main(void) { puts(\"begun\"); fflush(stdout); for (;;) x++; }\n";
    let place = Place::new(&[("loop.c", program)]);
    let mut command = place.command(&["run", "loop.c", "--save-schedule", "s.json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("selvedge");
    let mut begun = [0; 6];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut begun).expect("output");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("selvedge");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.starts_with("unknown: the run was interrupted after "), "{stderr}");
    assert_eq!(place.files(), ["loop.c", "s.json"]);
    assert_eq!(names(place.temporary.path()), [""; 0]);
}

#[test]
fn a_closed_pipe_ends_the_run() {
    let program = "#include <stdio.h>\nint main(void) { for (;;) { puts(\"line\"); fflush(stdout); } }\n";
    let place = Place::new(&[("endless.c", program)]);
    let mut command = place.command(&["run", "endless.c"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("selvedge");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("selvedge");
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn unsupported_things_are_said() {
    let program = "int main(void) {\n  __asm__ volatile(\"hlt\");\n}\n";
    let place = Place::new(&[("a.c", program)]);
    let ended = place.run(&["run", "a.c"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("unknown: unsupported "), "{}", ended.stderr);
    assert!(ended.stderr.contains(" at a.c:2:3 in main"), "{}", ended.stderr);
}

#[test]
fn help_has_examples() {
    let ended = Place::new(&[]).run(&["run", "--help"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("selvedge run bank.c --seed 7"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Exit codes:"), "{}", ended.stdout);
}

#[test]
fn answers_are_those_of_the_verification_competition() {
    let task = "#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nextern void abort(void);\n\
                void reach_error(void) { abort(); }\nint x, bound;\n\
                void *f(void *p) { x = 1; return p; }\n\
                int main(void) {\n  pthread_t t;\n  bound = __VERIFIER_nondet_int();\n  if (bound < 0) abort();\n  \
                pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n  if (x + bound == WRONG) reach_error();\n}\n";
    let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
    let place = Place::new(&[
        ("task.c", task),
        ("reach.prp", &check("G ! call(reach_error())")),
        ("race.prp", &check("G ! data-race")),
        ("overflow.prp", &check("G ! overflow")),
        ("clean.prp", &check("G valid-memcleanup")),
    ]);
    let last = |property: &str, flags: &str| {
        let ended = place.run(&["check", "task.c", "--svcomp", property, "--cflags", flags]);
        (ended.stdout.lines().last().unwrap_or_default().to_owned(), ended.code)
    };
    assert_eq!(last("reach.prp", "-DWRONG=0"), ("true".to_owned(), 0));
    assert_eq!(last("race.prp", "-DWRONG=0"), ("true".to_owned(), 0));
    assert!(!place.path("witness.yml").exists());
    assert_eq!(last("reach.prp", "-DWRONG=7"), ("false(unreach-call)".to_owned(), 1));
    let witness = std::fs::read_to_string(place.path("witness.yml")).expect("a witness");
    assert!(witness.contains("format_version: \"2.0\"") && witness.contains("type: \"target\""), "{witness}");
    // What the call returns stands at its closing parenthesis, and comes before the target.
    let segments: Vec<&str> = witness.split("  - segment:\n").skip(1).collect();
    let [input, target] = &segments[..] else { panic!("{witness}") };
    for part in ["type: \"function_return\"", "value: \"\\\\result == 6\"", "line: 9", "column: 33"] {
        assert!(input.contains(part), "{part} in {witness}");
    }
    assert!(target.contains("line: 13") || target.contains("line: 4"), "{witness}");
    let replayed = place.run(&["run", "task.c", "--cflags", "-DWRONG=7", "--schedule", "task.schedule.json"]);
    assert_eq!(replayed.code, 1, "{}", replayed.stderr);
    assert_eq!(last("overflow.prp", "-DWRONG=7"), ("false(no-overflow)".to_owned(), 1));
    assert!(place.run(&["check", "task.c", "--svcomp", "clean.prp"]).stderr.contains("valid-memtrack"));
}
