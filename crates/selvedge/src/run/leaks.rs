//! Memory that was never freed, by allocation site.

use super::places::Places;
use selvedge_machine::Machine;
use selvedge_report::{Kind, Leak, Violation};
use std::collections::BTreeMap;

/// The leaks of an execution that has ended, if there are any.
pub fn leaks(machine: &mut Machine, places: &Places<'_>) -> Option<Violation> {
    let mut sites: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for block in machine.leaks() {
        let (blocks, bytes) = sites.entry(block.allocated_at).or_default();
        *blocks += 1;
        *bytes += block.size;
    }
    let leak = |(site, (blocks, bytes)): (u32, (u64, u64))| Leak { place: places.place(site), blocks, bytes };
    let mut leaks: Vec<Leak> = sites.into_iter().map(leak).collect();
    leaks.sort_by_key(|leak| std::cmp::Reverse(leak.bytes));
    let first = leaks.first()?.place.clone();
    let (blocks, bytes) = leaks.iter().fold((0, 0), |sum, leak| (sum.0 + leak.blocks, sum.1 + leak.bytes));
    let counted = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let lost = if blocks == 1 { "was" } else { "were" };
    let message = format!(
        "{} ({}) {lost} never freed, and no pointer to {lost_ones} is left",
        counted(blocks, "block"),
        counted(bytes, "byte"),
        lost_ones = if blocks == 1 { "it" } else { "them" }
    );
    Some(Violation { place: first, leaks, ..Violation::new(Kind::Leak, message) })
}
