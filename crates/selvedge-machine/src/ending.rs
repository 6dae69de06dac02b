//! Properties of the end of an execution: one row for each, from which searches, the judgement of a run, options and
//! comparisons take everything.
//!
//! A property is asked when the program has ended by itself. It may look at whatever is left then; what searches leave out
//! makes no difference to it, since they keep the moment of the end as soon as any property is asked.

use crate::halt::ViolationKind;
use crate::inspect::Probe;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;

/// A property that is to hold when the program has ended.
#[derive(Debug)]
pub struct EndProperty {
    /// Its name, for options and to tell violations apart.
    pub name: &'static str,
    /// What is reported, for people.
    pub help: &'static str,
    /// What a search that cannot answer it says that it does not know.
    pub question: &'static str,
    /// What kind of violation it is if it does not hold.
    pub kind: ViolationKind,
    /// How it does not hold, if it does not.
    pub broken: fn(&mut Probe<'_>) -> Option<Broken>,
}

impl Serialize for EndProperty {
    /// By its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for &'static EndProperty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format!("there is no property `{name}`"));
        END_PROPERTIES.iter().find(|property| property.name == name).ok_or_else(unknown)
    }
}

/// How a property does not hold.
pub struct Broken {
    /// In words.
    pub message: String,
    /// Places in the program that have to do with it, with numbers of objects and of bytes; the most important one first.
    pub sites: Vec<(u32, u64, u64)>,
}

/// The properties that there are.
pub static END_PROPERTIES: &[EndProperty] = &[
    EndProperty {
        name: "leaks",
        help: "memory that was never freed and that no pointer leads to",
        question: "looking for leaks",
        kind: ViolationKind::Leak,
        broken: leaks,
    },
    EndProperty {
        name: "threads",
        help: "threads that have ended, and that were neither joined nor detached",
        question: "looking for threads that are not joined",
        kind: ViolationKind::Misuse,
        broken: threads,
    },
];

/// Which properties are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndProperties(u32);

impl EndProperties {
    /// None of them.
    pub const NONE: EndProperties = EndProperties(0);
    /// Memory that was never freed.
    pub const LEAKS: EndProperties = EndProperties(1);

    /// The property of this name.
    pub fn named(name: &str) -> Option<Self> {
        let index = END_PROPERTIES.iter().position(|property| property.name == name)?;
        Some(EndProperties(1 << index))
    }

    /// These and others.
    pub const fn and(self, others: EndProperties) -> Self {
        EndProperties(self.0 | others.0)
    }

    /// Whether none is asked.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The properties.
    pub fn iter(self) -> impl Iterator<Item = &'static EndProperty> {
        END_PROPERTIES.iter().enumerate().filter(move |(index, _)| self.0 >> index & 1 != 0).map(|(_, it)| it)
    }
}

impl Probe<'_> {
    /// The first of these properties that does not hold at the end of the execution.
    pub fn broken(&mut self, properties: EndProperties) -> Option<(&'static EndProperty, Broken)> {
        properties.iter().find_map(|property| Some((property, (property.broken)(self)?)))
    }
}

/// Threads that have ended and whose results are kept for ever: they were neither joined nor detached.
fn threads(probe: &mut Probe<'_>) -> Option<Broken> {
    let others = probe.machine.threads().iter().skip(1);
    let left = others.filter(|thread| thread.is_finished() && !thread.joined && !thread.detached);
    let names: Vec<String> = left.map(|thread| thread.name.to_string()).collect();
    let message = match names.len() {
        1 => format!("thread {} has ended, and was neither joined nor detached", names[0]),
        _ => format!("threads {} have ended, and were neither joined nor detached", names.join(", ")),
    };
    (!names.is_empty()).then_some(Broken { message, sites: Vec::new() })
}

/// Memory that was never freed, by the places where it was allocated.
fn leaks(probe: &mut Probe<'_>) -> Option<Broken> {
    let mut sites: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for block in probe.leaks() {
        let (blocks, bytes) = sites.entry(block.allocated_at).or_default();
        *blocks += 1;
        *bytes += block.size;
    }
    let mut sites: Vec<_> = sites.into_iter().map(|(site, (blocks, bytes))| (site, blocks, bytes)).collect();
    sites.sort_by_key(|site| std::cmp::Reverse(site.2));
    let (blocks, bytes) = sites.iter().fold((0, 0), |sum, site| (sum.0 + site.1, sum.1 + site.2));
    let counted = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let (lost, lost_ones) = if blocks == 1 { ("was", "it") } else { ("were", "them") };
    let message = format!(
        "{} ({}) {lost} never freed, and no pointer to {lost_ones} is left",
        counted(blocks, "block"),
        counted(bytes, "byte"),
    );
    (blocks > 0).then_some(Broken { message, sites })
}
