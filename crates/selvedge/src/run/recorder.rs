//! Remembers what was chosen, so that it can be chosen again.

use selvedge_machine::{Machine, Pick};
use selvedge_trace::{Choice, Choices};

/// The choices of one execution, equal neighbours counted.
#[derive(Default)]
pub struct Recorder {
    runs: Vec<(Pick, u64)>,
}

impl Recorder {
    /// Notes a choice.
    pub fn push(&mut self, pick: Pick) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == pick => *count += 1,
            _ => self.runs.push((pick, 1)),
        }
    }

    /// Forgets the last choice.
    pub fn pop(&mut self) {
        if let Some((_, count)) = self.runs.last_mut() {
            *count -= 1;
            if *count == 0 {
                self.runs.pop();
            }
        }
    }

    /// The choices with the names of the machine's threads.
    pub fn choices(&self, machine: &Machine) -> Choices {
        let name = |thread: selvedge_trace::ThreadId| machine.threads()[thread.index()].name.clone();
        let mut choices = Choices::new();
        for &(pick, count) in &self.runs {
            let choice = match pick {
                Pick::Step { thread, alternative } => Choice::Step { thread: name(thread), alternative },
                Pick::Commit { thread, address } => Choice::Commit { thread: name(thread), address },
            };
            choices.push_repeated(choice, count);
        }
        choices
    }
}
