//! What depends on what in compiled programs, told by lines of the source.

use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_program::Program;
use selvedge_program::code::Op;
use selvedge_program::dependence::Place;
use std::sync::Arc;

const SOURCE: &str = r#"
#include <pthread.h>
#include <stdlib.h>
int x, y, z, array[4];
static int twice(int number) { return 2 * number; }
static void check(int number) { if (number > 3) abort(); }
void *thread(void *argument) {
    int by_data = x;
    y = by_data;
    int by_call = x;
    y = twice(by_call);
    int by_address = x;
    array[by_address & 3] = 1;
    int by_control = x;
    if (by_control) z = 1;
    int by_memory = x;
    int local[2] = {by_memory, 0};
    y = local[*(int *)argument];
    int nothing = x;
    y = 7;
    int by_end = x;
    check(by_end);
    y = 8;
    (void)nothing;
    return 0;
}
int main(void) {
    pthread_t child;
    int number = 0;
    pthread_create(&child, 0, thread, &number);
    pthread_join(child, 0);
    return 0;
}
"#;

struct Lines {
    program: Arc<Program>,
    places: Vec<(u32, Place, bool)>,
}

impl Lines {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("program.c");
        std::fs::write(&source, SOURCE).expect("the file can be written");
        let request = Request { inputs: vec![source], ..Request::default() };
        let program: Arc<_> = prepare(&request).unwrap_or_else(|error| panic!("{error}")).program;
        let mut places = Vec::new();
        for (id, function) in (0_u32..).zip(&program.functions) {
            for (at, op) in (0_u32..).zip(&function.code) {
                let line = program.positions[function.positions[at as usize] as usize].line;
                match op {
                    Op::Load { .. } => places.push((line, (id, at), true)),
                    Op::Store { .. } => places.push((line, (id, at), false)),
                    _ => {}
                }
            }
        }
        Lines { program, places }
    }

    fn line(&self, text: &str) -> u32 {
        SOURCE.lines().position(|line| line.contains(text)).expect("the line is there") as u32 + 1
    }

    fn influences(&self, read: &str, written: &str) -> bool {
        let (read, written) = (self.line(read), self.line(written));
        let at = |line, is_read| {
            let of = move |(other, _, kind): &&(u32, Place, bool)| *other == line && *kind == is_read;
            self.places.iter().filter(of).map(|(_, place, _)| *place)
        };
        assert!(at(read, true).count() > 0 && at(written, false).count() > 0, "{read} {written}");
        at(read, true)
            .any(|read| at(written, false).any(|written| self.program.dependence().influences(read, written)))
    }
}

#[test]
fn dependences_of_a_program() {
    let lines = Lines::new();
    for (read, written) in [
        ("by_data = x", "y = by_data"),
        ("by_call = x", "y = twice"),
        ("by_address = x", "array[by_address"),
        ("by_control = x", "z = 1"),
        ("by_memory = x", "y = local"),
        ("by_end = x", "y = 8"),
    ] {
        assert!(lines.influences(read, written), "{read} does not influence {written}");
    }
    for (read, written) in [
        ("by_data = x", "y = twice"),
        ("by_data = x", "y = 7"),
        ("by_call = x", "z = 1"),
        ("by_control = x", "y = 7"),
        ("nothing = x", "y = 7"),
        ("nothing = x", "y = 8"),
    ] {
        assert!(!lines.influences(read, written), "{read} influences {written}");
    }
}
