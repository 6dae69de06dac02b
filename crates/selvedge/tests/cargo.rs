//! `cargo selvedge` as people use it, on packages of the corpus.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

/// A copy of a package of the corpus, in which one may build.
fn package(name: &str) -> tempfile::TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/packages").join(name);
    let folder = tempfile::tempdir().expect("a folder");
    copy(&from, folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_file() {
            std::fs::copy(&path, to.join(name)).expect("a copy");
        } else if name != "target" {
            std::fs::create_dir(to.join(name)).expect("a folder");
            copy(&path, &to.join(name));
        }
    }
}

fn run(program: &str, folder: &Path, words: &[&str]) -> Ended {
    let mut command = Command::new(program);
    command.args(words).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100");
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// As cargo calls it.
fn cargo_selvedge(folder: &Path, words: &str) -> Ended {
    let words: Vec<&str> = ["selvedge"].into_iter().chain(words.split(' ')).collect();
    run(env!("CARGO_BIN_EXE_cargo-selvedge"), folder, &words)
}

/// The line about a test, and those that belong to it.
fn about<'a>(text: &'a str, name: &str) -> &'a str {
    let begin = text.find(&format!("test {name} ... ")).unwrap_or_else(|| panic!("{name}: {text}"));
    let rest = &text[begin..];
    let end = rest.match_indices('\n').find(|(at, _)| !rest[at + 1..].starts_with("  "));
    end.map_or(rest, |(at, _)| &rest[..at])
}

#[test]
fn every_test_of_a_package_has_its_own_answer() {
    let package = package("tests_of_all_kinds");
    let ended = cargo_selvedge(package.path(), "test");
    let text = &ended.stdout;
    assert_eq!(ended.code, 1, "{text}{}", ended.stderr);
    for name in ["careful", "parses", "overdraws", "overdraws_as_expected"] {
        let line = about(text, &format!("tests::{name}"));
        assert!(line.contains("... verified (") && line.contains("execution"), "{line}");
    }
    assert!(about(text, "two_take_what_two_put").contains("... verified"), "{text}");
    for (name, words) in [
        ("hasty", "violation: panic"),
        ("open", "violation: data race"),
        ("crossed", "violation: deadlock"),
        ("does_not_parse", "violation: panic"),
        ("overdraws_in_another_way", "the test should panic with"),
        ("does_not_overdraw", "the test should panic, and did not"),
    ] {
        let lines = about(text, &format!("tests::{name}"));
        assert!(lines.contains(words) && lines.contains("  replay: selvedge run . --lib"), "{lines}");
    }
    assert!(about(text, "tests::hasty").contains("at src/lib.rs:79"), "{text}");
    assert!(about(text, "tests::ignored").ends_with("ignored: takes long"), "{text}");
    assert!(text.contains("11 tests checked: 5 verified, 6 with violations, 1 ignored; "), "{text}");

    // What is said to replay it does.
    let replay = about(text, "tests::open").lines().last().expect("a line").trim();
    let words = shlex::split(replay.strip_prefix("replay: selvedge ").expect("a command")).expect("words");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let again = run(env!("CARGO_BIN_EXE_selvedge"), package.path(), &words);
    assert!(again.code == 1 && again.stderr.contains("violation: data race"), "{}", again.stderr);

    // Nothing has changed: nothing is checked again, unless that is wanted, or something else is asked.
    let again = cargo_selvedge(package.path(), "test");
    assert_eq!(again.code, 1);
    assert!(
        again.stdout.contains("11 tests checked (11 cached): 5 verified, 6 with violations"),
        "{}",
        again.stdout
    );
    let fresh = cargo_selvedge(package.path(), "test careful --fresh");
    assert!(fresh.code == 0 && fresh.stdout.contains("1 test checked: 1 verified"), "{}", fresh.stdout);
    let other = cargo_selvedge(package.path(), "test --model sc careful");
    assert!(other.code == 0 && other.stdout.contains("1 test checked: 1 verified"), "{}", other.stdout);

    chosen(package.path());
    as_json(package.path());
    by_settings(package.path());
}

/// Filters choose tests, and what is wrong is said.
fn chosen(package: &Path) {
    let listed = cargo_selvedge(package, "test --lib over -- --skip as --list");
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    let names: Vec<&str> = listed.stdout.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    assert_eq!(names, ["tests::does_not_overdraw", "tests::overdraws", "tests::overdraws_in_another_way"]);
    let ignored = cargo_selvedge(package, "test -- --ignored");
    assert!(about(&ignored.stdout, "tests::ignored").contains("violation: panic"), "{}", ignored.stdout);
    let none = cargo_selvedge(package, "test no_such_test");
    assert!(none.code == 2 && none.stderr.contains("no test has such a name"), "{}", none.stderr);
    assert_eq!(cargo_selvedge(package, "test --no-such-option").code, 2);
    assert_eq!(cargo_selvedge(package, "test --test no_such_program").code, 2);
    let whole = cargo_selvedge(package, "check --test whole");
    assert!(whole.code == 0 && whole.stdout.starts_with("verified"), "{}{}", whole.stdout, whole.stderr);
    assert_eq!(cargo_selvedge(package, "run --test whole").code, 0);
}

/// One object for each test, and one for all.
fn as_json(package: &Path) {
    let ended = cargo_selvedge(package, "test --lib --format json pars");
    let mut objects: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    // Tests are told of as they end; the summary comes last.
    objects.sort_by_key(|object| (object["name"].is_null(), object["verdict"] == "violation"));
    let [one, other, summary] = objects.as_slice() else { panic!("{}", ended.stdout) };
    assert_eq!(
        (&one["type"], &one["name"], &one["verdict"]),
        (&"test".into(), &"tests::parses".into(), &"verified".into())
    );
    assert_eq!((&other["verdict"], &other["violations"][0]["kind"]), (&"violation".into(), &"panic".into()));
    assert!(other["violations"][0]["replay"].as_str().is_some_and(|text| text.starts_with("selvedge run")));
    assert!(one["seconds"].is_number() && one["violations"] == Value::Array(Vec::new()));
    assert_eq!(
        (&summary["type"], &summary["verified"], &summary["violations"]),
        (&"summary".into(), &1.into(), &1.into())
    );
}

/// A settings file says how tests are checked, and which are not.
fn by_settings(package: &Path) {
    let settings = package.join("selvedge.toml");
    let write = |text: &str| std::fs::write(&settings, text).expect("a file");
    write(
        "model = \"tso\"\n[[test]]\nname = \"tests::c*\"\nmodel = \"sc\"\n[[test]]\nname = \"*crossed\"\nignore = true\n",
    );
    let ended = cargo_selvedge(package, "test --lib --format json -- careful crossed parses");
    let of = |name: &str| {
        let line = ended.stdout.lines().find(|line| line.contains(&format!("\"tests::{name}\"")));
        serde_json::from_str::<Value>(line.unwrap_or_else(|| panic!("{name}: {}", ended.stdout)))
            .expect("an object")
    };
    assert_eq!((&of("careful")["model"], &of("parses")["model"]), (&"sc".into(), &"tso".into()));
    assert_eq!(of("crossed")["type"], "ignored");
    write("modle = \"tso\"\n");
    let wrong = cargo_selvedge(package, "test --lib");
    assert!(wrong.code == 2 && wrong.stderr.contains("there is no setting `modle`"), "{}", wrong.stderr);
}
