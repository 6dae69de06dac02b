//! Graphs as plain data, to be compared.

use super::Test;
use selvedge_relations::{EventId, Graph};
use std::fmt;

/// What tells two executions of a test apart, and what can be seen of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Of every thread's every event its value, and where it got it from.
    pub threads: Vec<Vec<(u64, Option<EventId>)>>,
    /// The writes to each location in their order; of a mutex, its locks and unlocks.
    pub orders: Vec<Vec<EventId>>,
}

/// A graph of a test as plain data.
pub fn shape(test: &Test, graph: &Graph) -> Shape {
    let events = |thread| graph.events(thread).iter().filter(|event| !event.waits);
    let threads = (0..test.threads.len() as u32)
        .map(|thread| events(thread).map(|event| (event.value, event.source)).collect())
        .collect();
    let order = |location: usize| match graph.locations().get(location) {
        Some(known) => known.records.iter().filter_map(|record| record.write).collect(),
        None => Vec::new(),
    };
    Shape { threads, orders: (0..test.locations.len()).map(order).collect() }
}

impl Shape {
    /// The values of all registers and, at the end, of all locations, by name. A register that two threads use has the
    /// larger of its values.
    pub fn outcome(&self, test: &Test) -> Vec<(String, u64)> {
        let mut registers = vec![0; test.registers.len()];
        for (thread, events) in self.threads.iter().enumerate() {
            let values: Vec<u64> = events.iter().map(|(value, _)| *value).collect();
            let (_, held) = test.after(thread, &values);
            registers.iter_mut().zip(held).for_each(|(all, held)| *all = held.max(*all));
        }
        let last = |order: &Vec<EventId>| {
            order.last().map_or(0, |id| self.threads[id.thread as usize][id.index as usize].0)
        };
        let names = test.registers.iter().chain(&test.locations).cloned();
        names.zip(registers.into_iter().chain(self.orders.iter().map(last))).collect()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |id: &EventId| format!("{}.{}", id.thread, id.index);
        for (thread, events) in self.threads.iter().enumerate() {
            write!(f, "{thread}:")?;
            for (value, source) in events {
                let from = source.as_ref().map_or(String::new(), |id| format!("<{}", name(id)));
                write!(f, " {value}{from}")?;
            }
            f.write_str("; ")?;
        }
        for order in &self.orders {
            write!(f, "[{}]", order.iter().map(name).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}
