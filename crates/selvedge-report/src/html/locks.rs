//! Which locks threads hold, from which row to which.

use crate::Row;
use serde::Serialize;

/// A lock in the hands of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    pub thread: usize,
    pub name: String,
    /// The row that takes it.
    pub first: usize,
    /// The row that gives it back; the last one if none does.
    pub last: usize,
    pub shared: bool,
}

/// All times that locks are held, in the order in which they are taken.
pub fn held(rows: &[Row]) -> Vec<Held> {
    let end = rows.len().saturating_sub(1);
    let mut all: Vec<Held> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // Where each thread has begun to wait on a condition.
    let mut waits: Vec<(usize, usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if row.effect.waits {
            waits.push((row.thread, at));
        }
        let Some(lock) = &row.effect.lock else { continue };
        let same = |held: &Held| held.name == lock.name;
        if !lock.taken {
            let own = open.iter().rposition(|&one| same(&all[one]) && all[one].thread == row.thread);
            if let Some(place) = own {
                all[open.remove(place)].last = at;
            }
            continue;
        }
        // A thread that waits on a condition has given its lock back without saying so.
        open.retain(|&one| {
            let held = &all[one];
            let waited =
                waits.iter().rev().find(|(thread, since)| *thread == held.thread && *since > held.first);
            match waited.filter(|_| same(held) && !(lock.shared && held.shared)) {
                Some(&(_, since)) => {
                    all[one].last = since;
                    false
                }
                None => true,
            }
        });
        open.push(all.len());
        let (thread, name, shared) = (row.thread, lock.name.clone(), lock.shared);
        all.push(Held { thread, name, first: at, last: end, shared });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effect, Lock};

    fn row(thread: usize, name: &str, taken: bool) -> Row {
        let lock = Some(Lock { name: name.into(), taken, shared: false });
        Row { thread, effect: Effect { lock, ..Effect::default() }, ..Row::default() }
    }

    fn spans(rows: &[Row]) -> Vec<(usize, String, usize, usize)> {
        held(rows).into_iter().map(|held| (held.thread, held.name, held.first, held.last)).collect()
    }

    #[test]
    fn from_taking_to_giving_back() {
        let rows = [row(1, "a", true), row(1, "b", true), row(1, "a", false), row(2, "a", true)];
        let expected = [(1, "a".into(), 0, 2), (1, "b".into(), 1, 3), (2, "a".into(), 3, 3)];
        assert_eq!(spans(&rows), expected);
    }

    #[test]
    fn waiting_gives_the_lock_back() {
        let wait = Row { thread: 1, effect: Effect { waits: true, ..Effect::default() }, ..Row::default() };
        let rows = [row(1, "m", true), wait, row(2, "m", true), row(2, "m", false), row(1, "m", true)];
        assert_eq!(spans(&rows), [(1, "m".into(), 0, 1), (2, "m".into(), 2, 3), (1, "m".into(), 4, 4)]);
    }
}
