//! Reports in all their forms, of the command as people use it.

mod browser;
mod names;
mod published;
mod schema;

use crate::cli::{Ended, Place};
use serde_json::Value;

/// Two threads that increment without a lock: under sequential consistency an update can be lost. What it says of itself is
/// meant to break out of where it is put.
const LOST: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct counter { pthread_mutex_t lock; int slots[2]; };
static struct counter counter = { PTHREAD_MUTEX_INITIALIZER, { 0, 0 } };
static atomic_int ready;
static void *work(void *unused) {
  pthread_mutex_lock(&counter.lock);
  int before = counter.slots[1];
  pthread_mutex_unlock(&counter.lock);
  ready++;
  pthread_mutex_lock(&counter.lock);
  counter.slots[1] = before + 1;
  pthread_mutex_unlock(&counter.lock);
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  const char *text = "</script><script>window.broken = 1</script>";
  assert(counter.slots[1] == 2 && text);
  return 0;
}
"#;

/// The data in a page.
fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, after) = page.split_once(begin).expect("there is data");
    serde_json::from_str(after.split_once("</script>").expect("it ends").0).expect("it is JSON")
}

fn checked(place: &Place, words: &[&str], code: i32) -> Ended {
    let ended = place.run(&[&["check", "lost.c", "--no-schedule"], words].concat());
    assert_eq!(ended.code, code, "{}{}", ended.stdout, ended.stderr);
    ended
}

fn lost() -> Place {
    Place::new(&[("lost.c", LOST)])
}

#[test]
fn the_page_of_a_violation_has_source_values_locks_and_arrows() {
    let place = lost();
    let ended = checked(&place, &["--report", "out.html"], 1);
    assert!(ended.stdout.ends_with("  report: out.html\n"), "{}", ended.stdout);
    let page = std::fs::read_to_string(place.path("out.html")).expect("the page");
    assert!(!page.contains("<script>window.broken"), "what the program says is no markup");
    let data = data(&page);
    assert_eq!((&data["verdict"], &data["program"]), (&"violation".into(), &"lost".into()));
    assert_eq!(data["sources"][0]["lines"].as_array().map(Vec::len), Some(LOST.lines().count()));
    let story = &data["stories"][0];
    let rows = story["rows"].as_array().expect("rows");
    let read = rows.iter().position(|row| row["text"] == "reads counter.slots[1] = 0").expect("a read");
    assert_eq!(rows[read]["place"]["line"], 9);
    // The last read of main sees what another thread has stored.
    let last = rows.iter().rev().find(|row| row["read"] == "1").expect("a last read");
    let from = last["from"].as_u64().expect("it is known from where") as usize;
    assert_eq!(rows[from]["written"], "1");
    assert_ne!(rows[from]["thread"], last["thread"]);
    let locks = story["locks"].as_array().expect("locks");
    assert!(locks.len() >= 4 && locks.iter().all(|lock| lock["name"] == "counter.lock"), "{locks:?}");
    let slot = story["variables"]
        .as_array()
        .expect("variables")
        .iter()
        .find(|one| one["name"] == "counter.slots[1]");
    assert_eq!(slot.expect("the slot is a variable")["initial"], "0");
    assert_eq!(rows.iter().filter(|row| row["marked"] == true).count(), 1);
}

#[test]
fn the_page_of_weak_memory_says_which_store_was_not_seen() {
    let source = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; int a, b;\n\
                  static void *left(void *u) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n\
                  a = atomic_load_explicit(&y, memory_order_relaxed); return u; }\n\
                  static void *right(void *u) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n\
                  b = atomic_load_explicit(&x, memory_order_relaxed); return u; }\n\
                  int main(void) { pthread_t s, t; pthread_create(&s, 0, left, 0); pthread_create(&t, 0, right, 0);\n\
                  pthread_join(s, 0); pthread_join(t, 0); assert(a || b); return 0; }\n";
    let place = Place::new(&[("weak.c", source)]);
    assert_eq!(place.run(&["check", "weak.c", "--no-schedule", "--report", "out.html"]).code, 1);
    let data = data(&std::fs::read_to_string(place.path("out.html")).expect("the page"));
    let rows = data["stories"][0]["rows"].as_array().expect("rows");
    let weak = rows.iter().find(|row| row.get("unseen").is_some()).expect("a read of an older store");
    let unseen = &rows[weak["unseen"].as_u64().expect("a row") as usize];
    assert_eq!((&weak["read"], &unseen["written"]), (&"0".into(), &"1".into()));
    assert_eq!(weak["variable"], unseen["variable"]);
    assert!(weak["remark"].is_string());
}

#[test]
fn pages_of_other_answers() {
    let place = lost();
    std::fs::write(place.path("right.c"), "int main(void) { return 0; }\n").expect("a file");
    assert_eq!(place.run(&["check", "right.c", "--report", "v.html"]).code, 0);
    let verified = data(&std::fs::read_to_string(place.path("v.html")).expect("a page"));
    assert_eq!(verified["title"], "no schedule breaks the program");
    assert_eq!(place.run(&["run", "lost.c", "--max-steps", "3", "--report", "u.html"]).code, 3);
    let unknown = data(&std::fs::read_to_string(place.path("u.html")).expect("a page"));
    assert_eq!(unknown["unknown"][0]["what"], "the limit of steps was reached after 3 steps");
    assert_eq!(place.run(&["run", "lost.c", "--report", "r.html"]).code, 0);
    let ended = data(&std::fs::read_to_string(place.path("r.html")).expect("a page"));
    assert_eq!(ended["title"], "the program ended, code 0");
    assert!(ended["stories"][0]["rows"].as_array().is_some_and(|rows| rows.len() > 10));
    let refused = place.run(&["check", "right.c", "--report", "no/such/folder.html"]);
    assert!(
        refused.stderr.contains("the report `no/such/folder.html` cannot be written"),
        "{}",
        refused.stderr
    );
}

#[test]
fn sarif_says_where_and_in_which_order() {
    let log: Value = serde_json::from_str(&checked(&lost(), &["--format", "sarif"], 1).stdout).expect("JSON");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "assertion");
    let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "assertion");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "lost.c");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
    assert_eq!(flows.len(), 3);
    let mut orders: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().expect("steps"))
        .map(|step| step["executionOrder"].as_u64().expect("a number"))
        .collect();
    orders.sort_unstable();
    let all: Vec<u64> = (1..=orders.len() as u64).collect();
    assert_eq!(orders, all);
}

#[test]
fn junit_and_traces() {
    let place = lost();
    let xml = checked(&place, &["--format", "junit", "--perfetto", "trace.json"], 1).stdout;
    assert!(xml.contains("<testsuites name=\"lost\" tests=\"1\" failures=\"1\""), "{xml}");
    assert!(xml.contains("<failure type=\"assertion\""), "{xml}");
    let trace = std::fs::read_to_string(place.path("trace.json")).expect("the trace");
    let trace: Value = serde_json::from_str(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert!(named("holds counter.lock") >= 8 && named("reads from") >= 2, "{trace}");
    assert_eq!(place.run(&["run", "lost.c", "--perfetto", "run.json"]).code, 0);
    assert!(place.path("run.json").exists());
}

#[test]
fn quiet_is_one_line() {
    let place = lost();
    let ended = checked(&place, &["--quiet"], 1);
    assert_eq!(ended.stdout, "violation: failed assertion at lost.c:24:3 in main\n");
    assert_eq!(ended.stderr, "");
    std::fs::write(place.path("right.c"), "int main(void) { return 0; }\n").expect("a file");
    let ended = place.run(&["check", "right.c", "-q"]);
    assert_eq!(ended.stdout, "verified: under the language's memory model (rc11), without bounds\n");
}
