// selvedge: run
// expect: exit 7
// native: same
// stdout: reporting 7

//! `main` may return an `ExitCode`.

use std::process::{ExitCode, Termination};

struct Verdict(u8);

impl Termination for Verdict {
    fn report(self) -> ExitCode {
        println!("reporting {}", self.0);
        ExitCode::from(self.0)
    }
}

fn main() -> Verdict {
    Verdict(7)
}
