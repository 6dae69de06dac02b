//! The command line.

fn main() {
    selvedge::drivers::wrapper::run_if_wrapper();
}
