//! The classic families with every order in every place, and what is known of them.
//!
//! `W1`, `R1`, `F1`, ... in a text stand for orders of stores, loads and fences; the same name means the same order.

use selvedge_oracle::axiomatic::{Test, compare, parse, shape};
use selvedge_relations::{Rules, explore};
use std::ops::ControlFlow;

/// Whether an outcome (`a=1 x=2`) can be seen; the exploration is compared with the enumerator on the way.
pub fn shows(test: &Test, outcome: &str, rules: Rules) -> bool {
    let wanted: Vec<(&str, u64)> = outcome
        .split_whitespace()
        .map(|part| part.split_once('=').map(|(name, value)| (name, value.parse().unwrap())).unwrap())
        .collect();
    let mut seen = false;
    explore(&mut test.clone(), rules, &mut |test, graph, _| {
        let found = shape(test, graph).outcome(test);
        let value = |name: &str| found.iter().find(|(other, _)| other == name).expect("a known name").1;
        seen |= wanted.iter().all(|(name, wanted)| value(name) == *wanted);
        ControlFlow::Continue(())
    });
    seen
}

fn agrees(test: &Test) {
    assert_eq!(compare(test, 1_000_000), Ok(true));
}

/// The orders in the places of a family.
struct Orders(Vec<(String, &'static str)>);

impl Orders {
    fn of(&self, place: &str) -> &'static str {
        self.0.iter().find(|(name, _)| name == place).expect("a place of the family").1
    }

    fn rel(&self, place: &str) -> bool {
        matches!(self.of(place), "rel" | "ar" | "sc")
    }

    fn acq(&self, place: &str) -> bool {
        matches!(self.of(place), "acq" | "ar" | "sc")
    }

    fn sc(&self, places: &[&str]) -> bool {
        places.iter().all(|place| self.of(place) == "sc")
    }
}

/// Every order in every place of a text: is the outcome forbidden exactly where it is known to be? Says how many.
fn family(text: &str, outcome: &str, forbidden: impl Fn(&Orders) -> bool) -> usize {
    let word = |c: char| !c.is_alphanumeric();
    let mut places: Vec<String> = text
        .split(word)
        .filter(|word| matches!(word.as_bytes(), [b'W' | b'R' | b'F' | b'U', b'0'..=b'9']))
        .map(str::to_owned)
        .collect();
    places.sort();
    places.dedup();
    let mut all = vec![Orders(Vec::new())];
    for place in places {
        let orders: &[&'static str] = match &place[..1] {
            "W" => &["rlx", "rel", "sc"],
            "R" => &["rlx", "acq", "sc"],
            "U" => &["rlx", "acq", "rel", "ar", "sc"],
            _ => &["acq", "rel", "ar", "sc"],
        };
        let with =
            |known: &Orders, order| Orders(known.0.iter().cloned().chain([(place.clone(), order)]).collect());
        all = all
            .iter()
            .flat_map(|known| orders.iter().map(|order| with(known, order)).collect::<Vec<_>>())
            .collect();
    }
    for orders in &all {
        let mut text = text.to_owned();
        orders.0.iter().for_each(|(place, order)| text = text.replace(place, order));
        let test = parse(&text).unwrap();
        agrees(&test);
        assert_eq!(shows(&test, outcome, Rules::Rc11), !forbidden(orders), "{outcome} of\n{test}");
    }
    all.len()
}

#[test]
fn message_passing() {
    let count = family("x.W1 = 1; y.W2 = 1\n a = y.R1; b = x.R2", "a=1 b=0", |o| o.rel("W2") && o.acq("R1"))
        + family("x.rlx = 1; fence.F1; y.rlx = 1\n a = y.rlx; fence.F2; b = x.rlx", "a=1 b=0", |o| {
            o.rel("F1") && o.acq("F2")
        })
        + family("x.rlx = 1; fence.F1; y.rlx = 1\n a = y.R1; b = x.rlx", "a=1 b=0", |o| o.rel("F1") && o.acq("R1"))
        + family("x.rlx = 1; y.W1 = 1\n a = y.rlx; fence.F1; b = x.rlx", "a=1 b=0", |o| o.rel("W1") && o.acq("F1"))
        // A fence in the wrong place does nothing.
        + family("fence.F1; x.rlx = 1; y.rlx = 1\n a = y.rlx; fence.F2; b = x.rlx", "a=1 b=0", |_| false)
        + family("x.rlx = 1; y.rlx = 1; fence.F1\n a = y.rlx; fence.F2; b = x.rlx", "a=1 b=0", |_| false)
        + family("x.rlx = 1; fence.F1; y.rlx = 1\n fence.F2; a = y.rlx; b = x.rlx", "a=1 b=0", |_| false)
        + family("x.rlx = 1; fence.F1; y.rlx = 1\n a = y.rlx; b = x.rlx; fence.F2", "a=1 b=0", |_| false);
    assert!(count >= 180);
}

#[test]
fn store_buffering() {
    family("x.W1 = 1; a = y.R1\n y.W2 = 1; b = x.R2", "a=0 b=0", |o| o.sc(&["W1", "W2", "R1", "R2"]));
    family("x.rlx = 1; fence.F1; a = y.rlx\n y.rlx = 1; fence.F2; b = x.rlx", "a=0 b=0", |o| {
        o.sc(&["F1", "F2"])
    });
    family("x.W1 = 1; fence.F1; a = y.rlx\n y.W2 = 1; b = x.R2", "a=0 b=0", |o| o.sc(&["F1", "W2", "R2"]));
    family("c = x.xchg.U1 1; a = y.rlx\n d = y.xchg.U2 1; b = x.rlx", "a=0 b=0", |_| false);
    family("c = x.xchg.U1 1; a = y.R1\n d = y.xchg.U2 1; b = x.R2", "a=0 b=0", |o| {
        o.sc(&["U1", "U2", "R1", "R2"])
    });
}

#[test]
fn load_buffering() {
    family("a = x.R1; y.W1 = 1\n b = y.R2; x.W2 = 1", "a=1 b=1", |_| true);
    family("a = x.rlx; fence.F1; y.rlx = 1\n b = y.rlx; fence.F2; x.rlx = 1", "a=1 b=1", |_| true);
    family("a = x.R1; y.W1 = a\n b = y.R2; x.W2 = b", "a=1 b=1", |_| true);
}

#[test]
fn writes_to_read_causality() {
    family("x.W1 = 1\n a = x.R1; y.W2 = 1\n b = y.R2; c = x.rlx", "a=1 b=1 c=0", |o| {
        o.rel("W2") && o.acq("R2")
    });
    family(
        "x.rlx = 1\n a = x.rlx; fence.F1; y.rlx = 1\n b = y.rlx; fence.F2; c = x.rlx",
        "a=1 b=1 c=0",
        |o| o.rel("F1") && o.acq("F2"),
    );
    family(
        "x.rlx = 1\n a = x.rlx; fence.F1; b = y.rlx\n y.rlx = 1; fence.F2; c = x.rlx",
        "a=1 b=0 c=0",
        |o| o.sc(&["F1", "F2"]),
    );
}

#[test]
fn independent_reads_of_independent_writes() {
    let text = "x.W1 = 1\n y.W1 = 1\n a = x.R1; b = y.R2\n c = y.R1; d = x.R2";
    family(text, "a=1 b=0 c=1 d=0", |o| o.sc(&["W1", "R1", "R2"]));
    // C++20, as RC11, lets fences restore the order; C++11 did not.
    let text = "x.rlx = 1\n y.rlx = 1\n a = x.rlx; fence.F1; b = y.rlx\n c = y.rlx; fence.F2; d = x.rlx";
    family(text, "a=1 b=0 c=1 d=0", |o| o.sc(&["F1", "F2"]));
}

#[test]
fn three_threads() {
    family("x.rlx = 1; y.W1 = 1\n a = y.R1; z.W2 = 1\n b = z.R2; c = x.rlx", "a=1 b=1 c=0", |o| {
        o.rel("W1") && o.acq("R1") && o.rel("W2") && o.acq("R2")
    });
    // The order of sequentially consistent events goes through a release and an acquire between others.
    family("x.W1 = 1; y.W1 = 1\n y.W1 = 2; z.W2 = 1\n a = z.R2; b = x.R1", "y=2 a=1 b=0", |o| {
        o.sc(&["W1", "R1"]) && o.rel("W2") && o.acq("R2")
    });
}

#[test]
fn two_writes() {
    family("x.W1 = 2; y.W2 = 1\n a = y.R1; x.W3 = 1", "a=1 x=2", |o| o.rel("W2") && o.acq("R1"));
    family("x.rlx = 2; fence.F1; y.rlx = 1\n a = y.rlx; fence.F2; x.rlx = 1", "a=1 x=2", |o| {
        o.rel("F1") && o.acq("F2")
    });
    family("x.W1 = 1; y.W2 = 1\n y.W3 = 2; a = x.R1", "y=2 a=0", |o| o.sc(&["W1", "W2", "W3", "R1"]));
    family("x.rlx = 1; fence.F1; y.rlx = 1\n y.rlx = 2; fence.F2; a = x.rlx", "y=2 a=0", |o| {
        o.sc(&["F1", "F2"])
    });
    family("x.W1 = 1; y.W2 = 2\n y.W3 = 1; x.W4 = 2", "x=1 y=1", |o| o.sc(&["W1", "W2", "W3", "W4"]));
    family("x.rlx = 1; fence.F1; y.rlx = 2\n y.rlx = 1; fence.F2; x.rlx = 2", "x=1 y=1", |o| {
        o.sc(&["F1", "F2"])
    });
}

#[test]
fn coherence() {
    family("x.W1 = 1\n a = x.R1; b = x.R2", "a=1 b=0", |_| true);
    family("x.W1 = 1; x.W2 = 2", "x=1", |_| true);
    family("x.W1 = 1; a = x.R1\n x.W2 = 2", "a=2 x=1", |_| true);
    family("a = x.R1; x.W1 = 1", "a=1", |_| true);
    family("a = x.R1; x.W1 = 1\n x.W2 = 2", "a=2 x=2", |_| true);
    family("x.W1 = 1\n x.W2 = 2\n a = x.R1; b = x.R1\n c = x.R2; d = x.R2", "a=1 b=2 c=2 d=1", |_| true);
}

#[test]
fn updates_are_atomic() {
    family("a = x.add.U1 1\n b = x.add.U2 1", "a=0 b=0", |_| true);
    family("a = x.add.U1 1\n b = x.add.U2 1", "x=1", |_| true);
    family("a = x.cas.U1.rlx 0 1\n b = x.cas.U2.rlx 0 2", "a=0 b=0", |_| true);
    family("a = x.xchg.U1 1\n x.W1 = 2", "a=0 x=2", |_| false);
    family("a = x.add.U1 1\n x.W1 = 3\n b = x.R1", "b=1 a=0 x=1", |_| true);
    // What fails reads like a load with the order of failure.
    family("x.rlx = 1; y.W1 = 1\n a = y.cas.sc.R1 5 6; b = x.rlx", "a=1 b=0", |o| o.rel("W1") && o.acq("R1"));
}

#[test]
fn release_sequences() {
    // Updates continue the sequence, whatever their order and their threads.
    family("x.rlx = 1; y.W1 = 1\n c = y.add.U1 1\n a = y.R1; b = x.rlx", "c=1 a=2 b=0", |o| {
        o.rel("W1") && o.acq("R1")
    });
    // Stores end it: C++20. In C++11 those of the same thread continued it.
    family("x.rlx = 1; y.W1 = 1; y.rlx = 2\n a = y.R1; b = x.rlx", "a=2 b=0", |_| false);
    family("x.rlx = 1; y.W1 = 1\n y.rlx = 2\n a = y.R1; b = x.rlx", "a=2 b=0", |_| false);
    // After a fence every store heads a sequence.
    family("x.rlx = 1; fence.F1; y.rlx = 1\n c = y.add.rlx 1\n a = y.acq; b = x.rlx", "c=1 a=2 b=0", |o| {
        o.rel("F1")
    });
    family(
        "x.rlx = 1; y.rel = 1\n c = y.cas.rlx.rlx 1 2\n a = y.rlx; fence.F1; b = x.rlx",
        "c=1 a=2 b=0",
        |o| o.acq("F1"),
    );
}

#[test]
fn known_numbers_of_executions() {
    let count = |text: &str, rules| {
        let mut test = parse(text).unwrap();
        let explored = explore(&mut test, rules, &mut |_, _, _| ControlFlow::Continue(()));
        assert_eq!((explored.stuck, explored.deadlocks, explored.races), (0, 0, 0));
        explored.complete
    };
    let writers = |n: usize| (1..=n).map(|value| format!("x.rlx = {value}\n")).collect::<String>();
    assert_eq!(count("x.rlx = 1; y.rel = 1\n a = y.acq; b = x.rlx", Rules::Rc11), 3);
    assert_eq!(count("x.rlx = 1; y.rlx = 1\n a = y.rlx; b = x.rlx", Rules::Rc11), 4);
    assert_eq!(count("x.rlx = 1; a = y.rlx\n y.rlx = 1; b = x.rlx", Rules::Rc11), 4);
    assert_eq!(count("a = x.rlx; y.rlx = 1\n b = y.rlx; x.rlx = 1", Rules::Rc11), 3);
    // n! orders, and a reader that reads from any of them or the initial value.
    assert_eq!(count(&format!("a = x.rlx\n{}", writers(4)), Rules::Rc11), 24 * 5);
    assert_eq!(count(&format!("{}a = x.rlx\n", writers(5)), Rules::Rc11), 120 * 6);
    assert_eq!(
        count("a = x.add.rlx 1\n b = x.add.rlx 1\n c = x.add.rlx 1\n d = x.add.rlx 1", Rules::Rc11),
        24
    );
    // Of the 16 executions of independent reads with dependencies one is beyond multi-copy-atomic machines.
    let iriw = "x.rlx = 1\n y.rlx = 1\n a = x.rlx; b = y.rlx @a\n c = y.rlx; d = x.rlx @c";
    assert_eq!((count(iriw, Rules::Rc11), count(iriw, Rules::Mca)), (16, 15));
    let wrc = "x.rlx = 1\n a = x.rlx; y.rlx = 1 @a\n b = y.rlx; c = x.rlx @b";
    assert_eq!((count(wrc, Rules::Rc11), count(wrc, Rules::Mca)), (8, 7));
    // Three threads that take a mutex have six orders, and none is left waiting.
    let locks = "lock m; x.na = 1; unlock m\n".repeat(3);
    assert_eq!(count(&locks, Rules::Rc11), 6);
}

#[test]
fn races() {
    let races = |text: &str| {
        let mut test = parse(text).unwrap();
        explore(&mut test, Rules::Rc11, &mut |_, _, _| ControlFlow::Continue(())).races > 0
    };
    assert!(races("x.na = 1\n a = x.na"));
    assert!(races("x.na = 1\n x.rlx = 1"));
    assert!(races("x.rlx = 1\n a = x.na"));
    assert!(!races("a = x.na\n b = x.na"));
    assert!(races("x.na = 1; y.rlx = 1\n a = y.rlx; if a == 1 { b = x.na }"));
    assert!(!races("x.na = 1; y.rel = 1\n a = y.acq; if a == 1 { b = x.na }"));
    assert!(races("x.na = 1; y.rel = 1; y.rlx = 1\n a = y.acq; if a == 1 { b = x.na }"));
    assert!(!races("lock m; x.na = 1; unlock m\n lock m; a = x.na; unlock m"));
    assert!(races("lock m; x.na = 1; unlock m\n lock n; a = x.na; unlock n"));
}

#[test]
fn deadlocks_are_found() {
    let deadlocks = |text: &str| {
        let mut test = parse(text).unwrap();
        explore(&mut test, Rules::Rc11, &mut |_, _, _| ControlFlow::Continue(())).deadlocks
    };
    assert_eq!(deadlocks("lock m; lock n; unlock n; unlock m\n lock n; lock m; unlock m; unlock n"), 1);
    assert_eq!(deadlocks("lock m; lock n; unlock n; unlock m\n lock m; lock n; unlock n; unlock m"), 0);
    assert_eq!(deadlocks("lock m\n lock m"), 2);
}

#[test]
fn sources_that_are_no_tests_are_refused() {
    let error = parse("x.rlx = 1\n a = x.foo").unwrap_err().to_string();
    assert!(error.starts_with("line 2: na, rlx, acq, rel, ar or sc expected before `foo`"), "{error}");
}
