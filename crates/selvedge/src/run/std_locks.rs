//! Locks of Rust's standard library. They are ordinary code on a word: here they are told as what they are.

use selvedge_machine::Machine;
use selvedge_program::FileKind;
use selvedge_report::Lock;
use selvedge_trace::{Event, EventKind};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordLock {
    Mutex,
    RwLock,
}

/// The files of the standard library in which these locks are.
const FILES: [(&str, WordLock); 2] = [
    ("/library/std/src/sys/sync/mutex/futex.rs", WordLock::Mutex),
    ("/library/std/src/sys/sync/rwlock/futex.rs", WordLock::RwLock),
];
/// Of a read-write lock: how many readers there are; all bits mean a writer.
const READERS: u32 = (1 << 30) - 1;
/// So many calls lie at most between the user's own code and the access to the word: the end of a guard is the deepest.
pub const DEEPEST: u32 = 6;

/// The lock on whose word a thread is about to act, if it is in the code of one.
pub fn ahead(machine: &Machine, thread: usize) -> Option<WordLock> {
    let program = machine.inspect().program();
    for frame in machine.threads()[thread].frames.iter().rev() {
        let function = &program.functions[frame.function as usize];
        let mut at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
        while at != 0 {
            let position = &program.positions[at as usize];
            let file = &program.files[position.file as usize];
            if let Some((_, lock)) = FILES.iter().find(|(name, _)| file.path.ends_with(name)) {
                return Some(*lock);
            }
            if file.kind == FileKind::User {
                return None;
            }
            at = position.inlined_at;
        }
    }
    None
}

/// What an event on the word of a lock did to the lock, if it did something.
pub fn effect(lock: WordLock, event: &Event, subject: &str) -> Option<Lock> {
    use EventKind::{CompareExchange, FutexLock, ReadModifyWrite, Write};
    if !matches!(event.operation.kind, CompareExchange | FutexLock | ReadModifyWrite | Write) {
        return None;
    }
    let word = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    let (before, after) = (word(&event.read)?, word(&event.written)?);
    let change = match lock {
        WordLock::Mutex => change_of_mutex(before, after),
        WordLock::RwLock => change_of_rwlock(before, after),
    };
    change.map(|(taken, shared)| Lock { name: subject.to_owned(), taken, shared })
}

/// Whether a mutex was taken or given back.
fn change_of_mutex(before: u32, after: u32) -> Option<(bool, bool)> {
    match (before, after) {
        (0, 0) => None,
        (0, _) => Some((true, false)),
        (_, 0) => Some((false, false)),
        _ => None,
    }
}

/// Whether a read-write lock was taken or given back, and whether by one of several readers.
fn change_of_rwlock(before: u32, after: u32) -> Option<(bool, bool)> {
    match (before & READERS, after & READERS) {
        (before, after) if before == after => None,
        (0, READERS) => Some((true, false)),
        (READERS, 0) => Some((false, false)),
        (before, after) if after == before + 1 => Some((true, true)),
        (before, after) if before == after + 1 => Some((false, true)),
        _ => None,
    }
}

/// The words for it.
pub fn text(lock: &Lock) -> String {
    let how = if lock.shared { " for reading" } else { "" };
    match lock.taken {
        true => format!("locks {}{how}", lock.name),
        false => format!("unlocks {}{how}", lock.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_mutexes() {
        assert_eq!(change_of_mutex(0, 1), Some((true, false)));
        assert_eq!(change_of_mutex(0, 2), Some((true, false)), "others may wait");
        assert_eq!(change_of_mutex(2, 0), Some((false, false)));
        assert_eq!(change_of_mutex(1, 2), None, "a thread begins to wait");
    }

    #[test]
    fn words_of_read_write_locks() {
        const WAITING: u32 = 1 << 31;
        assert_eq!(change_of_rwlock(0, 1), Some((true, true)));
        assert_eq!(change_of_rwlock(3, 2), Some((false, true)));
        assert_eq!(change_of_rwlock(0, READERS), Some((true, false)));
        assert_eq!(change_of_rwlock(READERS | WAITING, 0), Some((false, false)));
        assert_eq!(change_of_rwlock(READERS, READERS | WAITING), None, "a thread begins to wait");
    }
}
