//! What steps do, by names that outlive small changes of the program: noted when a schedule is recorded, and compared when it
//! is replayed with a program that has changed since.

use super::places::Places;
use selvedge_machine::{Machine, Pick, Status, Wait};
use selvedge_program::shapes::shortened;
use selvedge_trace::{EventKind, MOST_STEPS, StepNote};
use std::collections::HashMap;

/// What the steps of an execution did, as long as these are not too many.
#[derive(Default)]
pub struct Notes {
    steps: Vec<StepNote>,
    count: usize,
}

impl Notes {
    /// Notes a step that is about to be taken.
    pub fn push(&mut self, machine: &Machine, places: &Places<'_>, pick: Pick) {
        self.count += 1;
        if self.count <= MOST_STEPS {
            self.steps.push(note(machine, places, pick));
        }
    }

    /// Forgets the last one.
    pub fn pop(&mut self) {
        self.count -= 1;
        self.steps.truncate(self.count);
    }

    /// All of them, or none.
    pub fn into_steps(self) -> Vec<StepNote> {
        if self.count <= MOST_STEPS { self.steps } else { Vec::new() }
    }
}

/// What a step is about to do.
pub fn note(machine: &Machine, places: &Places<'_>, pick: Pick) -> StepNote {
    let (index, kind, address) = match pick {
        Pick::Commit { thread, address } => (thread.index(), EventKind::Commit, address),
        Pick::Step { thread, .. } => {
            let (kind, address) = match machine.threads()[thread.index()].status {
                Status::Ready(operation) => (operation.kind, operation.address),
                Status::Waiting(wait) => kind_of_wait(wait),
                Status::Starting | Status::Finished => (EventKind::Yield, 0),
            };
            (thread.index(), kind, address)
        }
    };
    use EventKind::{ThreadCreate, ThreadDetach, ThreadExit, ThreadJoin};
    let object = match kind {
        _ if address == 0 => String::new(),
        // Handles of threads are no objects of the program.
        ThreadCreate | ThreadJoin | ThreadDetach | ThreadExit => String::new(),
        _ => shortened(&machine.inspect().name_of(address)),
    };
    let place = places.place(machine.inspect().user_position(index)).filter(|place| place.line != 0);
    let at = place.map(|place| {
        let file = place.file.rsplit('/').next().unwrap_or_default();
        format!("{} {file}:{}", shortened(&place.function), place.line)
    });
    StepNote { kind, object, at: at.unwrap_or_default() }
}

/// What a thread waits for.
fn kind_of_wait(wait: Wait) -> (EventKind, u64) {
    match wait {
        Wait::Condition { condition, .. } => (EventKind::CondWait, condition),
        Wait::Futex { address, .. } => (EventKind::FutexWait, address),
        Wait::Barrier { address } => (EventKind::BarrierWait, address),
        Wait::Assumption => (EventKind::Yield, 0),
    }
}

/// Compares what steps did with what steps do, under the names that objects have now.
#[derive(Default)]
pub struct Renaming {
    now: HashMap<String, String>,
}

impl Renaming {
    /// Whether the step is the one that was noted. Objects that were renamed keep their new name throughout; `exists`
    /// tells whether the program still has a variable of a name.
    pub fn agrees(&mut self, noted: &StepNote, now: &StepNote, exists: &dyn Fn(&str) -> bool) -> bool {
        if noted.kind != now.kind || noted.object.is_empty() != now.object.is_empty() {
            return false;
        }
        if let Some(known) = self.now.get(&noted.object) {
            return *known == now.object;
        }
        let taken = self.now.values().any(|name| *name == now.object);
        let same = noted.object == now.object || !exists(base(&noted.object)) && !taken;
        if same {
            self.now.insert(noted.object.clone(), now.object.clone());
        }
        same
    }
}

/// The variable that a part belongs to.
fn base(name: &str) -> &str {
    name.split(['.', '[', '+']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> StepNote {
        text.parse().expect("a note")
    }

    #[test]
    fn renamed_objects_agree_as_long_as_they_are_the_same_throughout() {
        let mut names = Renaming::default();
        let exists = |name: &str| name == "lock" || name == "total";
        let mut agrees = |noted: &str, now: &str| names.agrees(&step(noted), &step(now), &exists);
        assert!(agrees("MutexLock lock @ f a.c:1", "MutexLock lock @ f a.c:9"), "lines do not count");
        assert!(agrees("Write count", "Write number"), "a variable has another name");
        assert!(agrees("Read count", "Read number"));
        assert!(!agrees("Read count", "Read other"), "now it is a third one");
        assert!(!agrees("Read total", "Read other"), "the variable is still there");
        assert!(!agrees("Read sum", "Read number"), "two have become one");
        assert!(!agrees("Read total", "Write total"));
    }
}
