//! Schedules of programs that were changed after they were recorded: what still fits is replayed, and where the versions part
//! is said.

use crate::cli::{Ended, Place, one_paragraph};
use std::path::Path;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("the example")
}

/// Checks a program, changes it, and replays the schedule of its violation.
fn replayed(name: &str, edits: &[(&str, &str)]) -> (Place, Ended) {
    let text = example(name);
    let place = Place::new(&[(name, &text)]);
    let checked = place.run(&["check", name, "--quiet", "--save-schedule", "s.json"]);
    assert_eq!(checked.code, 1, "{}{}", checked.stdout, checked.stderr);
    let mut edited = text;
    for (from, to) in edits {
        assert!(edited.contains(from), "{from} is not in {name}");
        edited = edited.replace(from, to);
    }
    std::fs::write(place.path(name), edited).expect("a file");
    let ended = place.run(&["run", name, "--schedule", "s.json"]);
    (place, ended)
}

const FAILED: &str =
    "violation: failed assertion\n  assertion failed: checking.balance + savings.balance == 200";

#[test]
fn what_does_not_touch_the_steps_is_replayed() {
    let transfer = "static void transfer(struct account *from, struct account *to, int amount) {";
    for edits in [
        // A comment line.
        &[(
            transfer,
            "// Not safe yet.\nstatic void transfer(struct account *from, struct account *to, int amount) {",
        )][..],
        // A private statement.
        &[(
            "  return balance;",
            "  int doubled = balance * 2;\n  if (doubled < 0) return 0;\n  return balance;",
        )],
        // Another name of a local, of a parameter and of a global.
        &[
            ("amount", "sum"),
            ("checking.balance", "first_account.balance"),
            ("&checking", "&first_account"),
            ("struct account checking", "struct account first_account"),
        ],
        // Output that was not there.
        &[("int balance = account->balance;", "int balance = account->balance;\n  printf(\"looks\\n\");")],
        // Output that is gone.
        &[("  printf(\"checking %d, savings %d\\n\", checking.balance, savings.balance);\n", "")],
        // Functions in another order.
        &[(
            transfer,
            "static void unused(void) { puts(\"unused\"); }\nvoid (*kept)(void) = unused;\nstatic void transfer(struct account *from, struct account *to, int amount) {",
        )],
    ] {
        let text = example("bank.c");
        if let Some((from, _)) = edits.iter().find(|(from, _)| !text.contains(from)) {
            panic!("{from} is not in bank.c:\n{text}");
        }
        let (_, ended) = replayed("bank.c", edits);
        let renamed = FAILED.replace("checking", "first_account");
        let expected = if edits.len() > 1 { &*renamed } else { FAILED };
        assert_eq!(ended.code, 1, "{edits:?}: {}", ended.stderr);
        assert!(ended.stderr.starts_with(expected), "{edits:?}: {}", ended.stderr);
    }
}

#[test]
fn where_versions_part_is_said() {
    // A thread no longer gives a lock back where it did.
    let (_, ended) = replayed("bank.c", &[("  account->balance = balance;", "  (void)balance;")]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    one_paragraph(&ended.stderr, "it was recorded with another version of `bank`, and here the two part");
    let line = ended.stderr.replace('\n', " ");
    for part in [
        "main.1, which was to write `checking.balance` in set_balance at bank.c:28",
        "now it is to unlock `checking.lock`",
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
}

#[test]
fn a_race_that_was_repaired_is_not_there() {
    let (_, ended) = replayed(
        "counter.c",
        &[(
            "static void *back_door(void *unused) {\n  visitors++;\n",
            "static void *back_door(void *unused) {\n  pthread_mutex_lock(&lock);\n  visitors++;\n  \
             pthread_mutex_unlock(&lock);\n",
        )],
    );
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    let line = ended.stderr.replace('\n', " ");
    assert!(
        line.contains("The change may have repaired it: selvedge check looks at all schedules"),
        "{line}"
    );
}

#[test]
fn schedules_of_the_first_format_are_read() {
    let place = Place::new(&[("bank.c", &example("bank.c"))]);
    assert_eq!(place.run(&["check", "bank.c", "--quiet"]).code, 1);
    let text = std::fs::read_to_string(place.path("bank.schedule.json")).expect("a schedule");
    let mut file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&file["schema"], &file["made_from"]), (&2.into(), &serde_json::json!(["bank.c"])));
    let form = file.as_object_mut().expect("an object");
    form.insert("schema".into(), 1.into());
    form.remove("steps");
    form.remove("made_from");
    std::fs::write(place.path("old.json"), file.to_string()).expect("a file");
    let ended = place.run(&["run", "bank.c", "--schedule", "old.json"]);
    assert!(ended.code == 1 && ended.stderr.starts_with(FAILED), "{}", ended.stderr);
    // Without steps nothing can be compared.
    std::fs::write(place.path("bank.c"), example("bank.c").replace("100", "101")).expect("a file");
    one_paragraph(
        &place.refused(&["run", "bank.c", "--schedule", "old.json"]),
        "another version of it (`bank`",
    );
    one_paragraph(&place.refused(&["debug", "old.json", "--tty"]), "does not say from which files");
}

#[test]
fn weak_behaviour_survives_edits() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint a, b;\n\
                void *one(void *p) {\n  atomic_store_explicit(&x, 1, memory_order_relaxed);\n  \
                a = atomic_load_explicit(&y, memory_order_relaxed);\n  return p;\n}\nint main(void) {\n  \
                pthread_t t;\n  pthread_create(&t, 0, one, 0);\n  \
                atomic_store_explicit(&y, 1, memory_order_relaxed);\n  \
                b = atomic_load_explicit(&x, memory_order_relaxed);\n  pthread_join(t, 0);\n  \
                assert(a || b);\n}\n";
    for model in ["rc11", "tso", "pso"] {
        let place = Place::new(&[("buffers.c", text)]);
        let checked = place.run(&["check", "buffers.c", "--model", model, "--quiet"]);
        assert_eq!(checked.code, 1, "{}", checked.stdout);
        // The variables lie elsewhere, so commits have other addresses.
        let moved =
            text.replace("atomic_int x, y;", "int more[100];\natomic_int y, x;\n// In another order.\n");
        std::fs::write(place.path("buffers.c"), moved).expect("a file");
        let ended = place.run(&["run", "buffers.c", "--schedule", "buffers.schedule.json"]);
        assert_eq!(ended.code, 1, "{model}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("violation: failed assertion\n  assertion failed: a || b"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_script_fails_again_until_the_program_is_repaired() {
    let text = example("bank.c");
    let place = Place::new(&[("bank.c", &text)]);
    assert_eq!(
        place.run(&["check", "bank.c", "--quiet", "--no-schedule", "--emit-test", "again.sh"]).code,
        1
    );
    assert_eq!(place.files(), ["again.sh", "bank.c"]);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let script = || {
        let mut command = std::process::Command::new(place.path("again.sh"));
        command.current_dir(elsewhere.path()).env("SELVEDGE", env!("CARGO_BIN_EXE_selvedge"));
        let output = command.output().expect("the script");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = script();
    assert!(code == Some(1) && said.starts_with(FAILED), "{said}");
    // What is asserted now holds in that schedule.
    std::fs::write(place.path("bank.c"), text.replace("== 200", "<= 220")).expect("a file");
    let (code, said) = script();
    assert_eq!((code, &*said), (Some(0), ""));
}
