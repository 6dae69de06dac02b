//! A second search confirms what the first has verified, or says that it has not.

use super::cli::{HELLO, Place};
use super::mutants::{directive, program};
use selvedge_trace::mutants::Mutant;
use serde_json::Value;

/// Two threads that take a lock: small enough for any search.
const LOCKED: &str = "#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n\
    void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(x == 2); }\n";

/// No value is both.
const VACUOUS: &str = "#include <assert.h>\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 3); assert(0); }\n";

fn json(place: &Place, words: &[&str]) -> Value {
    let mut all = vec!["check"];
    all.extend(words);
    all.extend(["--format", "json", "--no-schedule"]);
    let ended = place.run(&all);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr))
}

#[test]
fn what_is_verified_is_confirmed() {
    let place = Place::new(&[("a.c", LOCKED)]);
    for options in
        ["", "--model sc", "--model tso", "--model sc --strategy states", "--model pso --strategy optimal"]
    {
        let words: Vec<&str> = ["a.c"].into_iter().chain(options.split_whitespace()).collect();
        let result = json(&place, &words);
        assert_eq!(result["verdict"], "verified", "{options}");
        let second = &result["second_search"];
        assert_ne!(second["outcome"], "contradicted", "{options}");
        // On a machine that does much else a tenth of a second may not be enough.
        assert!(
            ["confirmed", "unfinished"].contains(&second["outcome"].as_str().unwrap_or_default()),
            "{second}"
        );
        assert!(!second["strategies"].as_array().expect("a list").is_empty());
    }
    let ended = place.run(&["check", "a.c"]);
    assert!(ended.stdout.contains(" a second search"), "{}", ended.stdout);
}

#[test]
fn it_can_be_left_out() {
    let place = Place::new(&[("a.c", HELLO)]);
    assert!(json(&place, &["a.c", "--no-second-opinion"])["second_search"].is_null());
    // Nor where the question is another one, or where a strategy was named for it.
    assert!(json(&place, &["a.c", "--count-views"])["second_search"].is_null());
    assert!(json(&place, &["a.c", "--cross-check", "states"])["second_search"].is_null());
}

#[test]
fn what_was_not_looked_for_is_said() {
    let place = Place::new(&[("a.c", HELLO)]);
    assert_eq!(json(&place, &["a.c", "--no-races"])["left_out"], serde_json::json!(["data races"]));
    assert_eq!(json(&place, &["a.c"])["left_out"], serde_json::json!([]));
}

#[test]
fn assumptions_that_never_hold_are_told() {
    let place = Place::new(&[("a.c", VACUOUS), ("b.c", HELLO)]);
    assert_eq!(json(&place, &["a.c"])["vacuous"], true);
    assert_eq!(json(&place, &["b.c"])["vacuous"], false);
    let ended = place.run(&["check", "a.c"]);
    assert!(
        ended.stdout.starts_with("verified: but no execution satisfies the assumptions"),
        "{}",
        ended.stdout
    );
    let second = &json(&place, &["a.c"])["second_search"];
    assert_eq!(second["outcome"], "confirmed");
}

#[test]
fn mistakes_of_the_first_search_are_noticed() {
    let place = Place::new(&[]);
    let (mut noticed, mut believed) = (Vec::new(), Vec::new());
    for &mutant in Mutant::ALL {
        let path = program(mutant);
        let text = std::fs::read_to_string(&path).expect("a program");
        let right = directive(&text, "expect", &path);
        if !right.starts_with("violation") || directive(&text, "mutant", &path) != "verified" {
            continue;
        }
        let mut words = shlex::split(directive(&text, "selvedge", &path)).expect("words");
        words[0] = path.to_string_lossy().into_owned();
        words.extend(["--mutant", mutant.name()].map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let result = json(&place, &words);
        match result["second_search"]["outcome"].as_str() {
            Some("contradicted") => {
                assert_eq!(result["verdict"], "unknown", "{}", mutant.name());
                assert_eq!(result["violations"].as_array().map(Vec::len), Some(1), "{}", mutant.name());
                let what = result["unknown"][0]["what"].as_str().unwrap_or_default();
                assert!(what.starts_with("two searches contradict each other"), "{what}");
                noticed.push(mutant.name());
            }
            _ => believed.push(mutant.name()),
        }
    }
    assert!(noticed.len() >= 3, "noticed {noticed:?}, not {believed:?}");
}

#[test]
fn a_test_program_that_runs_no_test_is_refused() {
    let manifest = "[package]\nname = \"quiet\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let place = Place::new(&[("Cargo.toml", manifest)]);
    std::fs::create_dir(place.path("src")).expect("a folder");
    let library = "#[test]\nfn one() { assert_eq!(1 + 1, 2); }\n";
    std::fs::write(place.path("src/lib.rs"), library).expect("a file");
    let ended = place.run(&["check", ".", "--lib", "--model", "sc", "--", "no_such_test"]);
    assert_eq!(ended.code, 2, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("no test was run"), "{}", ended.stderr);
    let one = ["--", "--test-threads", "1", "one"];
    let ended = place.run(&[&["check", ".", "--lib", "--model", "sc", "--max-time", "5"], &one[..]].concat());
    assert_ne!(ended.code, 2, "{}", ended.stderr);
}
