//! What people do wrong: each message says what is wrong, where, and what to do about it, and the exit code is 2.

use crate::cli::{HELLO, Place};

/// A mistake: the words that are typed, and what the message must have.
struct Mistake {
    words: &'static [&'static str],
    /// What is wrong, and where.
    what: &'static str,
    /// What to do about it.
    advice: &'static str,
}

const fn mistake(words: &'static [&'static str], what: &'static str, advice: &'static str) -> Mistake {
    Mistake { words, what, advice }
}

const MISTAKES: &[Mistake] = &[
    // What is to be done.
    mistake(&[], "Usage: selvedge <COMMAND>", "check        Look at all executions"),
    mistake(&["chek", "a.c"], "unrecognized subcommand 'chek'", "a similar subcommand exists: 'check'"),
    mistake(&["check"], "<INPUT>", "--help"),
    mistake(&["check", "a.c", "--modle", "sc"], "unexpected argument '--modle'", "'--model'"),
    mistake(&["a.c"], "unrecognized subcommand 'a.c'", "type `selvedge check a.c`"),
    mistake(&["replay", "a.c"], "unrecognized subcommand 'replay'", "`selvedge run PROGRAM --schedule FILE`"),
    mistake(&["check", "a.c", "-O2", "-DN=1"], "unexpected argument '-O'", "--cflags \"-O2 -DN=1\""),
    // The program.
    mistake(&["check", "gone.c"], "`gone.c` does not exist", "Check the spelling and the folder"),
    mistake(
        &["run", "a.c", "3", "words"],
        "`3` does not exist",
        "arguments of the program come after `--`, as in `selvedge run a.c -- 3`",
    ),
    mistake(&["check", "a.c", "a.c"], "`a.c` is named twice", "Leave one of them out"),
    mistake(&["check", "notes.txt"], "`notes.txt` is not a kind of file", "Give .c .cc .cpp"),
    mistake(&["check", "unreadable.c"], "`unreadable.c` cannot be read", "Check its permissions"),
    mistake(
        &["check", "folder"],
        "`folder` holds neither Cargo.toml nor compile_commands.json",
        "Name its source files instead",
    ),
    mistake(&["check", "folder", "a.c"], "holds neither", "Name its source files"),
    mistake(&["check", "a.rs", "b.rs"], "`b.rs` is a whole program by itself", "Give it alone"),
    mistake(
        &["check", "main.c", "a.c"],
        "`main` is defined twice, in main.c and in a.c",
        "Remove one of the definitions",
    ),
    mistake(&["check", "helper.c"], "no `main` function", "Add the file that defines it"),
    mistake(&["check", "crates.rs"], "unresolved import", "Name the folder of its Cargo.toml"),
    mistake(&["check", "empty.c"], "no `main` function", "Add the file that defines it"),
    mistake(
        &["check", "helper.rs"],
        "`main` function not found",
        "consider adding a `main` function to `helper.rs`",
    ),
    mistake(&["check", "bad.c"], "bad.c:1:26: error: expected ';'", "correct the errors above"),
    mistake(&["check", "bad.rs"], "bad.rs:1:17", "correct the errors above"),
    mistake(
        &["check", "header.c"],
        "header.c:1:10: fatal error: 'nosuch.h' file not found",
        "pass the right flags with --cflags",
    ),
    mistake(&["check", "a.c", "--cflags", "-std=c77"], "invalid value 'c77'", "--cflags"),
    mistake(&["check", "a.c", "--cflags", "\"open"], "a quote is not closed", "--help"),
    mistake(
        &["check", "bad.bc"],
        "bad.bc is neither LLVM bitcode nor textual LLVM IR",
        "Give a source file, or bitcode as",
    ),
    mistake(&["check", "bad.ll"], "bad.ll:1:", "Give a source file, or bitcode as"),
    mistake(
        &["check", "broken"],
        "`broken/compile_commands.json` is not a compilation database",
        "Generate it again",
    ),
    mistake(
        &["check", "a.c", "--bin", "a"],
        "`a.c` is a file, and --bin chooses a target",
        "Leave it out, or name the folder",
    ),
    mistake(&["check", "a.c", "--lib"], "`a.c` is a file", "Leave it out, or name the folder"),
    // What to look for, and how.
    mistake(
        &["check", "a.c", "--model", "arm"],
        "invalid value 'arm'",
        "possible values: sc, tso, pso, rc11, mca",
    ),
    mistake(
        &["check", "a.c", "--strategy", "bfs"],
        "there is no such strategy",
        "there are auto, states, dpor",
    ),
    mistake(
        &["check", "a.c", "--format", "xml"],
        "invalid value 'xml'",
        "possible values: text, json, sarif, junit",
    ),
    mistake(
        &["check", "a.c", "--at-end", "files"],
        "invalid value 'files'",
        "possible values: leaks, threads",
    ),
    mistake(
        &["check", "a.c", "--no-races", "--model", "rc11"],
        "--no-races has no meaning under rc11",
        "Add --model sc, tso or pso",
    ),
    mistake(
        &["check", "a.c", "--preemptions", "1", "--strategy", "dpor"],
        "--preemptions does not go with strategy `dpor`",
        "Take --strategy icb",
    ),
    mistake(
        &["check", "a.c", "--seed", "1"],
        "--seed is for strategies that choose at random",
        "Add --strategy with one of pct and random",
    ),
    mistake(&["check", "a.c", "--cross-check", "auto"], "both are `auto`", "Name another one"),
    mistake(&["check", "a.c", "--symbolic-args", "3"], "not of the form NxLENGTH", "as in 2x8"),
    mistake(&["check", "a.c", "--without", "tricks"], "there is no reduction `tricks`", "there are privacy"),
    mistake(&["completions", "tcsh"], "invalid value 'tcsh'", "possible values: bash, zsh, fish"),
    // Numbers.
    mistake(&["check", "a.c", "--max-time", "soon"], "not a number of seconds", "--help"),
    mistake(&["check", "a.c", "--max-memory", "lots"], "not a size", "sizes look like 500M or 2G"),
    mistake(&["check", "a.c", "--jobs", "0"], "not a number of threads", "there must be one at least"),
    mistake(&["check", "a.c", "--preemptions", "few"], "not a whole number", "as in 1000"),
    mistake(&["run", "a.c", "--max-steps", "many"], "not a whole number", "as in 1000"),
    mistake(&["check", "a.c", "--unroll", "0"], "not a whole number from 1 on", "--help"),
    mistake(&["check", "a.c", "--env", "DEBUG"], "not of the form NAME=VALUE", "--help"),
    // Schedules.
    mistake(
        &["run", "a.c", "--schedule", "gone.json"],
        "schedule file `gone.json` does not exist",
        "Check the spelling",
    ),
    mistake(
        &["run", "a.c", "--schedule", "half.json"],
        "schedule file `half.json` is not a schedule",
        "record it again",
    ),
    mistake(
        &["run", "a.c", "--schedule", "notes.txt"],
        "schedule file `notes.txt` is not a schedule",
        "Name a file that --save-schedule wrote",
    ),
    mistake(
        &["run", "a.c", "--schedule", "main.schedule.json"],
        "recorded with another program",
        "Compile the program as it was then",
    ),
    mistake(&["run", "a.c", "--schedule", "x", "--seed", "1"], "cannot be used with '--seed", "--help"),
    mistake(&["run", "a.c", "--quiet", "--trace"], "'--quiet' cannot be used with '--trace'", "--help"),
];

const FILES: &[(&str, &str)] = &[
    ("a.c", HELLO),
    ("main.c", "int main(void) { return 1; }\n"),
    ("a.rs", "fn main() {}\n"),
    ("b.rs", "fn main() {}\n"),
    ("notes.txt", "notes\n"),
    ("helper.c", "int helper(void) { return 1; }\n"),
    ("helper.rs", "fn helper() {}\n"),
    ("crates.rs", "use rand::Rng;\nfn main() {}\n"),
    ("empty.c", ""),
    ("bad.c", "int main(void) { return 0 }\n"),
    ("bad.rs", "fn main() { 1 + }\n"),
    ("header.c", "#include <nosuch.h>\n"),
    ("bad.bc", "BC and nothing else"),
    ("bad.ll", "define i32 @main() { nonsense }\n"),
    ("half.json", "{\"schema\":"),
];

#[test]
fn mistakes_are_explained() {
    let place = Place::new(FILES);
    std::fs::create_dir(place.path("folder")).expect("a folder");
    std::fs::create_dir(place.path("broken")).expect("a folder");
    std::fs::write(place.path("broken/compile_commands.json"), "[").expect("a file");
    // A file that leads nowhere: it cannot be read, whoever runs the tests.
    std::os::unix::fs::symlink("unreadable.c", place.path("unreadable.c")).expect("a link");
    assert_eq!(place.run(&["run", "main.c", "--save-schedule", "main.schedule.json"]).code, 1);
    assert!(MISTAKES.len() >= 40);
    for Mistake { words, what, advice } in MISTAKES {
        let text = place.refused(words);
        assert!(text.contains(what), "{words:?}: no `{what}` in:\n{text}");
        assert!(text.contains(advice), "{words:?}: no `{advice}` in:\n{text}");
    }
}

#[test]
fn a_function_that_is_not_there_is_no_answer() {
    let source = "int other(void);\nint main(void) { return other(); }\n";
    let ended = Place::new(&[("a.c", source)]).run(&["check", "a.c"]);
    assert_eq!(ended.code, 3);
    assert!(ended.stdout.contains("call of the external function `other`"), "{}", ended.stdout);
    assert!(ended.stdout.contains("add the file that defines it"), "{}", ended.stdout);
}

#[test]
fn mistakes_in_settings_are_told_with_their_line() {
    for (settings, what) in [
        ("\nmodle = \"sc\"\n", "selvedge.toml:2: there is no setting `modle`. There are cflags,"),
        (
            "[check]\nmodel = \"arm\"\n",
            "selvedge.toml:2: invalid value 'arm' for '--model <MODEL>'. Correct it there",
        ),
        ("model = \n", "selvedge.toml` is not a settings file: "),
        ("leaks = \"yes\"\n", "selvedge.toml:1: `leaks` is a switch. Write true or false"),
    ] {
        let place = Place::new(&[("a.c", HELLO), ("selvedge.toml", settings)]);
        let text = place.refused(&["check", "a.c"]);
        assert!(text.contains(what), "{what}: {text}");
    }
    // Settings count, and the command line counts more.
    let place = Place::new(&[("a.c", HELLO), ("selvedge.toml", "[check]\nquiet = true\nmodel = \"tso\"\n")]);
    assert_eq!(
        place.run(&["check", "a.c"]).stdout,
        "verified: under total store order (tso), without bounds\n"
    );
    assert!(place.run(&["check", "a.c", "--model=sc"]).stdout.contains("under sequential consistency"));
    assert_eq!(place.run(&["run", "a.c"]).stdout, "hello\n");
}
