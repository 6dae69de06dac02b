//! Which slots of a frame are live where threads stop: only those can influence the rest of an execution.

use rustc_hash::FxHashSet;
use selvedge_program::code::{Slot, Target};
use selvedge_program::{Liveness, Program, SlotSet, spin_counters};
use std::sync::OnceLock;

/// Live slots, found out once for each place at which a thread was ever seen.
pub struct LiveSlots {
    functions: Vec<OnceLock<InFunction>>,
}

struct InFunction {
    liveness: Liveness,
    before: Vec<OnceLock<SlotSet>>,
    across: Vec<OnceLock<SlotSet>>,
    counters: Vec<OnceLock<Option<FxHashSet<Slot>>>>,
}

impl LiveSlots {
    /// Knows nothing yet.
    pub fn new(program: &Program) -> Self {
        LiveSlots { functions: program.functions.iter().map(|_| OnceLock::new()).collect() }
    }

    fn function(&self, program: &Program, function: u32) -> &InFunction {
        self.functions[function as usize].get_or_init(|| {
            let code = &program.functions[function as usize];
            let places = || code.code.iter().map(|_| OnceLock::new()).collect();
            let counters = code.code.iter().map(|_| OnceLock::new()).collect();
            InFunction { liveness: Liveness::new(code), before: places(), across: places(), counters }
        })
    }

    /// Slots that are live before an operation.
    pub fn before(&self, program: &Program, function: u32, at: Target) -> &SlotSet {
        let known = self.function(program, function);
        known.before[at as usize]
            .get_or_init(|| known.liveness.live_before(&program.functions[function as usize], at))
    }

    /// Slots that only count how often the innermost loop around an operation has looked, if it only looks.
    pub fn counters(&self, program: &Program, function: u32, at: Target) -> Option<&FxHashSet<Slot>> {
        let known = self.function(program, function);
        known.counters[at as usize]
            .get_or_init(|| {
                spin_counters(program, &program.functions[function as usize], &known.liveness, at)
            })
            .as_ref()
    }

    /// Slots that are live during a call.
    pub fn across(&self, program: &Program, function: u32, at: Target) -> &SlotSet {
        let known = self.function(program, function);
        known.across[at as usize]
            .get_or_init(|| known.liveness.live_across(&program.functions[function as usize], at))
    }
}
