//! A sharded concurrent map under concurrent updates, with entries, removal and iteration.

use dashmap::{DashMap, DashSet};
use std::thread;

fn main() {
    let map: DashMap<u32, u32> = DashMap::with_shard_amount(4);
    let seen = DashSet::new();
    thread::scope(|scope| {
        for id in 0..3u32 {
            let (map, seen) = (&map, &seen);
            scope.spawn(move || {
                for key in 0..4 {
                    *map.entry(key).or_insert(0) += 10u32.pow(id);
                    seen.insert(key * 10 + id);
                }
                if id == 0 {
                    map.insert(100, 1);
                    map.remove(&100);
                }
            });
        }
    });
    let mut entries: Vec<(u32, u32)> = map.iter().map(|entry| (*entry.key(), *entry.value())).collect();
    entries.sort_unstable();
    println!("{entries:?}");
    println!("seen {} has 32 {}", seen.len(), seen.contains(&32));
    map.alter_all(|key, value| value + key);
    println!("{:?} {:?}", map.get(&3).map(|v| *v), map.contains_key(&100));
    map.retain(|key, _| key % 2 == 0);
    println!("left {} removed {:?}", map.len(), map.remove(&2));
}
