//! Prefixes: the acts that lead from the first state to another one. Prefixes share their beginnings.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The last act of a prefix, and the prefix before it.
pub struct Prefix {
    act: u16,
    before: Option<Arc<Prefix>>,
}

impl Prefix {
    /// A prefix with one more act; `None` is the empty one, of the first state.
    pub fn further(before: Option<&Arc<Prefix>>, act: u16) -> Option<Arc<Prefix>> {
        Some(Arc::new(Prefix { act, before: before.cloned() }))
    }

    /// The acts, the first one first.
    pub fn acts(prefix: Option<&Arc<Prefix>>) -> Vec<u16> {
        let mut acts = Vec::new();
        let mut at = prefix;
        while let Some(prefix) = at {
            acts.push(prefix.act);
            at = prefix.before.as_ref();
        }
        acts.reverse();
        acts
    }
}

impl Drop for Prefix {
    /// Prefixes are long: they are dropped one after the other, not one within the other.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut prefix) = next.and_then(Arc::into_inner) {
            next = prefix.before.take();
        }
    }
}

/// Prefixes with what they share, for checkpoints: of each the number of the one before it, and its last act.
#[derive(Default, Serialize, Deserialize)]
pub struct Prefixes {
    list: Vec<(Option<u32>, u16)>,
    #[serde(skip)]
    numbers: FxHashMap<usize, u32>,
}

impl Prefixes {
    /// The number of a prefix, which has to live as long as prefixes are numbered.
    pub fn number(&mut self, prefix: Option<&Arc<Prefix>>) -> Option<u32> {
        let address = |prefix: &Arc<Prefix>| Arc::as_ptr(prefix) as usize;
        let (mut new, mut at) = (Vec::new(), prefix);
        let mut number = None;
        while let Some(prefix) = at {
            number = self.numbers.get(&address(prefix)).copied();
            if number.is_some() {
                break;
            }
            new.push(prefix);
            at = prefix.before.as_ref();
        }
        for prefix in new.into_iter().rev() {
            self.list.push((number, prefix.act));
            number = Some(self.list.len() as u32 - 1);
            self.numbers.extend(number.map(|number| (address(prefix), number)));
        }
        number
    }

    /// All prefixes by number.
    pub fn again(&self) -> Vec<Arc<Prefix>> {
        let mut all: Vec<Arc<Prefix>> = Vec::with_capacity(self.list.len());
        for &(before, act) in &self.list {
            let before = before.and_then(|before| all.get(before as usize)).cloned();
            all.push(Arc::new(Prefix { act, before }));
        }
        all
    }
}

#[test]
fn prefixes_share_what_they_shared() {
    let first = Prefix::further(None, 7);
    let [one, other] = [1, 2].map(|act| Prefix::further(first.as_ref(), act));
    let mut prefixes = Prefixes::default();
    let numbers = [&one, &other, &first, &None].map(|prefix| prefixes.number(prefix.as_ref()));
    let all = prefixes.again();
    assert_eq!(all.len(), 3);
    let acts = numbers.map(|number| Prefix::acts(number.map(|number| &all[number as usize])));
    assert_eq!(acts, [vec![7, 1], vec![7, 2], vec![7], vec![]]);
}

#[test]
fn long_ways_are_told_and_forgotten() {
    let mut prefix = None;
    for act in 0..300_000_u32 {
        prefix = Prefix::further(prefix.as_ref(), (act % 7) as u16);
    }
    let other = Prefix::further(prefix.as_ref(), 9);
    assert_eq!(Prefix::acts(other.as_ref()).len(), 300_001);
    drop(prefix);
    assert_eq!(Prefix::acts(other.as_ref())[299_998..], [6, 0, 9][..]);
    assert!(Prefix::acts(None).is_empty());
}
