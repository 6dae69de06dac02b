//! Whether a test program runs any test at all: a filter that matches none leaves nothing to check.

use super::Settings;
use crate::run::execute::{Captured, Limits};
use crate::run::prepare::Prepared;
use crate::run::{self, Choose, Trace};
use selvedge_trace::Model;
use std::time::Duration;

/// A test program that has not ended by then does something.
const LIMITS: Limits = Limits { steps: Some(1 << 20), time: Some(Duration::from_secs(2)), interrupted: None };

/// What Rust's test harness says at the end when it had nothing to run.
const NOTHING: &str = "test result: ok. 0 passed; 0 failed;";

/// Runs a test program once, in one schedule: whether it ends without having run a test.
pub fn runs_no_test(prepared: &Prepared, settings: &Settings) -> bool {
    let once = run::Settings {
        choose: Choose::InOrder,
        model: Model::Sc,
        inputs: settings.inputs.clone(),
        trace: Trace::Off,
        limits: LIMITS,
    };
    let mut output = Captured::default();
    let is_over = run::run(prepared, &once, &mut output).is_ok_and(|it| it.machine.outcome().is_some());
    is_over && String::from_utf8_lossy(&output.stdout).lines().any(|line| line.starts_with(NOTHING))
}
