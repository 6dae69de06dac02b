// selvedge: run
// expect: exit 0
// native: same
// stdout: [("edge", 1), ("of", 1), ("the", 4), ("warp", 2), ("weft", 1)]
// stdout: 101 entries, 31 -> Some(961)
// stdout: 51 odd, removed Some(1)
// stdout: sum 166650
// stdout: again Some(961)
// stdout: [0, 6, 12, 18] union 13
// stdout: fixed hash 0bfc4504703812fc
// stdout: equal keys hash alike true
// stdout: keyed hash alike true

//! Hash maps and sets: entries, growth, removal, iteration in no promised order.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Number(u32),
    Name(String),
}

fn main() {
    let text = "the warp the weft the edge of the warp";
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort();
    println!("{sorted:?}");

    let mut table: HashMap<Key, u32> = (0..100).map(|n| (Key::Number(n), n * n)).collect();
    table.insert(Key::Name("loom".into()), 1);
    println!("{} entries, 31 -> {:?}", table.len(), table.get(&Key::Number(31)));
    table.retain(|_, value| *value % 2 == 1);
    println!("{} odd, removed {:?}", table.len(), table.remove(&Key::Name("loom".into())));
    println!("sum {}", table.values().sum::<u32>());
    println!("again {:?}", table.insert(Key::Number(31), 5));

    let even: HashSet<u32> = (0..20).step_by(2).collect();
    let third: HashSet<u32> = (0..20).step_by(3).collect();
    let mut both: Vec<_> = even.intersection(&third).copied().collect();
    both.sort_unstable();
    println!("{both:?} union {}", even.union(&third).count());

    let hash = |key: &Key| {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        hasher.finish()
    };
    println!("fixed hash {:016x}", hash(&Key::Number(7)));
    println!("equal keys hash alike {}", hash(&Key::Name("a".into())) == hash(&Key::Name("a".into())));
    let state = table.hasher();
    println!("keyed hash alike {}", state.hash_one(5u8) == state.hash_one(5u8));
}
