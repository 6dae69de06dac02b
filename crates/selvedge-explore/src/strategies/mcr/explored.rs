//! Executions that were explored, by what each thread observed.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_128;

/// How far each thread comes, and what it has observed by then.
pub type Frontier = [(u32, u32, u128)];

/// Executions that went as far as they could, and seeds that were followed.
#[derive(Default)]
pub struct Explored {
    /// For each beginning of a thread, the executions that have it.
    by_history: FxHashMap<(u32, u128), Vec<u32>>,
    executions: u32,
    seeds: FxHashSet<u128>,
    /// Questions by the most that could be answered.
    questions: FxHashSet<u128>,
    views: FxHashSet<u128>,
}

fn digest(frontier: &Frontier) -> u128 {
    let mut bytes = Vec::with_capacity(frontier.len() * 24);
    for (thread, count, history) in frontier {
        bytes.extend(thread.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(history.to_le_bytes());
    }
    xxh3_128(&bytes)
}

impl Explored {
    /// Whether some execution begins like this.
    pub fn extends(&self, frontier: &Frontier) -> bool {
        let mut lists = Vec::with_capacity(frontier.len());
        for &(thread, _, history) in frontier {
            match self.by_history.get(&(thread, history)) {
                Some(list) => lists.push(list),
                None => return false,
            }
        }
        lists.sort_unstable_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return self.executions > 0 };
        shortest.iter().any(|execution| others.iter().all(|list| list.binary_search(execution).is_ok()))
    }

    /// Notes a seed; false if it was known.
    pub fn add_seed(&mut self, frontier: &Frontier) -> bool {
        self.seeds.insert(digest(frontier))
    }

    /// Notes a question; false if it was asked before.
    pub fn add_question(&mut self, frontier: &Frontier) -> bool {
        self.questions.insert(digest(frontier))
    }

    /// Whether an execution is known that ends like this.
    pub fn ends(&self, frontier: &Frontier) -> bool {
        self.views.contains(&digest(frontier))
    }

    /// Notes an execution by how far its threads came; false if one like it was known.
    pub fn add_end(&mut self, frontier: &Frontier) -> bool {
        self.views.insert(digest(frontier))
    }

    /// Notes an execution by the histories of its threads; false if one like it was known.
    pub fn add(&mut self, threads: &[Vec<u128>]) -> bool {
        let ends: Vec<(u32, u32, u128)> = (0_u32..)
            .zip(threads)
            .filter_map(|(thread, histories)| Some((thread, histories.len() as u32, *histories.last()?)))
            .collect();
        if !self.views.insert(digest(&ends)) {
            return false;
        }
        for (thread, histories) in (0_u32..).zip(threads) {
            for &history in histories {
                self.by_history.entry((thread, history)).or_default().push(self.executions);
            }
        }
        self.executions += 1;
        true
    }
}

#[test]
fn beginnings_of_executions_are_known() {
    let mut explored = Explored::default();
    assert!(explored.add(&[vec![1, 2, 3], vec![7]]));
    assert!(explored.add(&[vec![1, 5], vec![8]]));
    assert!(!explored.add(&[vec![1, 5], vec![8]]));
    assert!(explored.extends(&[(0, 1, 1), (1, 1, 8)]));
    assert!(explored.extends(&[(0, 2, 2), (1, 1, 7)]));
    assert!(!explored.extends(&[(0, 2, 2), (1, 1, 8)]));
    assert!(explored.add_seed(&[(0, 1, 1)]));
    assert!(!explored.add_seed(&[(0, 1, 1)]));
}
