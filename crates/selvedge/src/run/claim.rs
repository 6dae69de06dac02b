//! What a schedule says about its end, looked for in the machine that has followed it.

use super::execute::{End, Execution};
use super::places::{Places, thread_name};
use super::words;
use selvedge_machine::Machine;
use selvedge_report::{Doing, Kind, Violation};
use selvedge_trace::{Claim, EventKind, MemoryOrder, Operation, ThreadName};

/// The violation that the schedule claims, or what is missing. `fair`: every thread that could act throughout the cycle
/// of an endless execution has acted in it.
pub fn see(execution: &mut Execution, claim: &Claim, fair: bool) -> Result<Violation, &'static str> {
    let program = execution.machine.inspect().program().clone();
    let places = Places::new(&program);
    match claim {
        _ if matches!(execution.end, End::Over | End::Stuck) => Err("the program has ended"),
        Claim::DataRace(threads) => race(&mut execution.machine, &places, threads),
        Claim::Termination { .. } if !execution.returned => Err("no thread goes round in a circle"),
        Claim::Termination { .. } if !fair => Err("a thread that would end the circle never gets its turn"),
        Claim::Termination { threads, .. } => endless(&execution.machine, &places, threads),
    }
}

fn index_of(machine: &Machine, name: &ThreadName) -> Option<usize> {
    machine.threads().iter().position(|thread| thread.name == *name)
}

/// An access that can happen next.
#[derive(Clone, Copy)]
pub struct Next {
    index: usize,
    /// What is done.
    pub operation: Operation,
    user_position: u32,
}

/// The accesses of a thread that can happen next: what it is about to do, and stores of its that wait in a buffer.
pub fn accesses(machine: &mut Machine, name: &ThreadName) -> Vec<Next> {
    let Some(index) = index_of(machine, name) else { return Vec::new() };
    let mut waiting = Vec::new();
    machine.inspect().waiting_stores(&mut waiting);
    let stores = waiting.iter().filter(|store| store.thread == index).map(|store| {
        let (address, size) = (store.address, u32::from(store.len));
        let operation = Operation { kind: EventKind::Write, address, size, order: store.order };
        Next { index, operation, user_position: store.origin.user_position }
    });
    let user_position = machine.inspect().user_position(index);
    let pending = machine.probe().accesses(index).into_iter();
    pending.map(|operation| Next { index, operation, user_position }).chain(stores).collect()
}

fn race(
    machine: &mut Machine,
    places: &Places<'_>,
    threads: &[ThreadName; 2],
) -> Result<Violation, &'static str> {
    let [first, second] = [&threads[0], &threads[1]].map(|name| accesses(machine, name));
    if first.is_empty() || second.is_empty() {
        return Err("one of the two threads is not about to access memory");
    }
    let pairs = first.iter().flat_map(|first| second.iter().map(move |second| (*first, *second)));
    let meet = |(a, b): &(Next, Next)| a.index != b.index && conflict(&a.operation, &b.operation);
    let (first, second) = pairs.into_iter().find(meet).ok_or("the two accesses do not conflict")?;
    // What is written comes first: that is what the other thread may find or not.
    let swapped = !writes(first.operation.kind) && writes(second.operation.kind);
    let (first, second) = if swapped { (second, first) } else { (first, second) };
    let later = if first.operation.address < second.operation.address { &second } else { &first };
    let subject = words::name(machine, later.operation.address, u64::from(later.operation.size));
    let told = |next: Next| {
        let place = places.place(next.user_position);
        let at = place.as_ref().map_or(String::new(), |place| {
            let file = place.file.rsplit('/').next().unwrap_or_default();
            format!(" at {file}:{}", place.line)
        });
        format!("{} by {}{at}", done(&next.operation), thread_name(machine, next.index))
    };
    let message = format!("`{subject}` is {} and {}, and nothing orders them", told(first), told(second));
    let doing = [first, second].map(|next| Doing {
        thread: thread_name(machine, next.index),
        does: does(&next.operation, &subject),
        place: places.place(next.user_position),
    });
    Ok(Violation {
        place: doing[0].place.clone(),
        thread: Some(doing[0].thread.clone()),
        doing: doing.to_vec(),
        ..Violation::new(Kind::DataRace, message)
    })
}

fn writes(kind: EventKind) -> bool {
    matches!(kind, EventKind::Write | EventKind::ReadModifyWrite | EventKind::CompareExchange)
}

/// Whether two accesses overlap, one of them writes, and one of them is plain.
fn conflict(first: &Operation, second: &Operation) -> bool {
    let end = |operation: &Operation| operation.address.saturating_add(u64::from(operation.size.max(1)));
    let overlap = first.address < end(second) && second.address < end(first);
    let plain = |operation: &Operation| operation.order == MemoryOrder::NotAtomic;
    overlap && (plain(first) || plain(second)) && (writes(first.kind) || writes(second.kind))
}

/// What is done to the memory, after "is".
fn done(operation: &Operation) -> String {
    let atomically = if operation.order == MemoryOrder::NotAtomic { "" } else { " atomically" };
    match operation.kind {
        EventKind::Read => format!("read{atomically}"),
        EventKind::Write => format!("written{atomically}"),
        _ => format!("changed{atomically}"),
    }
}

/// What is about to be done, as a row of the trace.
fn does(operation: &Operation, subject: &str) -> String {
    let atomically = if operation.order == MemoryOrder::NotAtomic { "" } else { " atomically" };
    match operation.kind {
        EventKind::Read => format!("reads {subject}{atomically}"),
        EventKind::Write => format!("writes {subject}{atomically}"),
        EventKind::LibraryCall => format!("accesses {subject} in a library function"),
        _ => format!("changes {subject}{atomically}"),
    }
}

fn endless(
    machine: &Machine,
    places: &Places<'_>,
    threads: &[ThreadName],
) -> Result<Violation, &'static str> {
    let doing: Option<Vec<Doing>> = threads
        .iter()
        .map(|name| {
            let index = index_of(machine, name)?;
            let place = places.place(machine.inspect().user_position(index));
            Some(Doing { thread: thread_name(machine, index), does: "goes round".to_owned(), place })
        })
        .collect();
    let doing = doing.filter(|doing| !doing.is_empty()).ok_or("there is no such thread")?;
    let names: Vec<&str> = doing.iter().map(|doing| doing.thread.as_str()).collect();
    let message = match names[..] {
        [one] => format!("{one} can go round for ever without getting anywhere"),
        _ => format!("{} can go round for ever, and none of them gets anywhere", names.join(", ")),
    };
    Ok(Violation {
        place: doing[0].place.clone(),
        thread: Some(doing[0].thread.clone()),
        doing,
        ..Violation::new(Kind::Termination, message)
    })
}
