// selvedge: check
// expect: unknown look at where
//
// A program has a file of its own wherever it runs, and the machine does not know which. That it has none must not be said:
// no process sees that.

fn main() {
    assert!(std::env::current_exe().is_ok());
}
