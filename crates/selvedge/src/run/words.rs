//! Events in the user's words.

use super::places::{Places, thread_name};
use selvedge_machine::{Machine, Pick, Status, StoredBy, Weakness};
use selvedge_report::Row;
use selvedge_trace::{Event, EventKind, MemoryOrder, Value};

/// What lies at the address that a pick is about, before it is gone.
pub fn subject(machine: &Machine, pick: Pick) -> Option<(u64, String)> {
    let address = match pick {
        Pick::Commit { address, .. } => address,
        Pick::Step { thread, .. } => match machine.threads().get(thread.index())?.status {
            Status::Ready(operation) => operation.address,
            _ => return None,
        },
    };
    Some((address, machine.name_of(address)))
}

/// A row of the trace's table. To be made right after the event, while what it is about exists; `known` is what was
/// known before.
pub fn row(machine: &Machine, places: &Places<'_>, event: &Event, known: Option<&(u64, String)>) -> Row {
    let address = event.operation.address;
    let subject = match event.operation.kind {
        _ if address == 0 => String::new(),
        EventKind::ThreadJoin | EventKind::ThreadDetach | EventKind::ThreadExit => String::new(),
        _ => match known {
            Some((known, name)) if *known == address => short(name.clone()),
            _ => short(machine.name_of(address)),
        },
    };
    let place = places.place(event.user_position).filter(|_| event.calls.is_some());
    let kind = event.operation.kind;
    let detail = match event.calls {
        Some(calls) => is_detail(kind) && calls > close(places, event.position),
        None => !is_landmark(kind),
    };
    let text = text(machine, event, &subject);
    let remark = weakness(machine, places, event);
    Row { thread: event.thread.index(), place, text, detail, subject, marked: false, remark }
}

/// Whether such an event is of interest even when it happens outside of what the user called.
fn is_landmark(kind: EventKind) -> bool {
    use EventKind::{Commit, Exit, Output, ThreadCreate, ThreadExit};
    matches!(kind, ThreadCreate | ThreadExit | Commit | Output | Exit)
}

/// So many calls away from the user's own code an access is still the user's: methods of atomics are such calls. What
/// uses these methods, such as reference counting, is further away.
fn close(places: &Places<'_>, position: u32) -> u32 {
    let rust = places.place(position).is_some_and(|place| place.file.ends_with("/sync/atomic.rs"));
    if rust { 2 } else { 3 }
}

/// Whether such an event, when a library does it, is of no interest by itself.
fn is_detail(kind: EventKind) -> bool {
    use EventKind::{Clock, Random, SyncDestroy, SyncInit};
    kind.is_access() || matches!(kind, Clock | Random | SyncInit | SyncDestroy)
}

fn text(machine: &Machine, event: &Event, subject: &str) -> String {
    use EventKind::*;
    let (read, written) = (value(machine, &event.read), value(machine, &event.written));
    // Calls that tell how they went say so with an error code, and nothing when they succeeded.
    let failed = if event.read.is_empty() { String::new() } else { format!(" (result {read})") };
    match event.operation.kind {
        Read => format!("reads {subject} = {read}"),
        Write if is_buffered(machine, event) => format!("{subject} = {written} (buffered)"),
        Write => format!("{subject} = {written}"),
        ReadModifyWrite | CompareExchange => format!("{subject}: {read} -> {written}"),
        CompareExchangeFailed => format!("{subject} is {read}, not exchanged"),
        Fence => "fence".to_owned(),
        Commit => format!("{subject} = {written} becomes visible"),
        LibraryCall => format!("library call on {subject}"),
        ThreadCreate => match handle(machine, &event.written) {
            Some(thread) => format!("creates {thread}"),
            None => format!("creates no thread{failed}"),
        },
        ThreadJoin => format!("joins {}{failed}", joined(machine, event)),
        ThreadDetach => format!("detaches {}{failed}", joined(machine, event)),
        ThreadExit => "ends".to_owned(),
        Yield => "yields".to_owned(),
        Sleep => "sleeps".to_owned(),
        MutexLock | SpinLock | FutexLock => format!("locks {subject}{failed}"),
        MutexTryLock | SpinTryLock => format!("tries to lock {subject}{failed}"),
        MutexUnlock | SpinUnlock | RwUnlock => format!("unlocks {subject}{failed}"),
        ReadLock => format!("locks {subject} for reading{failed}"),
        TryReadLock => format!("tries to lock {subject} for reading{failed}"),
        WriteLock => format!("locks {subject} for writing{failed}"),
        TryWriteLock => format!("tries to lock {subject} for writing{failed}"),
        SyncInit => format!("initialises {subject}"),
        SyncDestroy => format!("destroys {subject}"),
        CondWait => format!("waits on {subject}{failed}"),
        CondSignal => format!("signals {subject}"),
        CondBroadcast => format!("signals {subject} to all"),
        BarrierWait => format!("waits at barrier {subject}{failed}"),
        SemWait => format!("takes from semaphore {subject}{failed}"),
        SemTryWait => format!("tries to take from semaphore {subject}{failed}"),
        SemPost => format!("gives to semaphore {subject}{failed}"),
        OnceEnter => format!("enters once {subject}"),
        OnceDone => format!("has done once {subject}"),
        FutexWait => format!("waits on futex {subject}{failed}"),
        FutexWake => format!("wakes futex {subject}{failed}"),
        Output => format!("writes {}", bytes(&event.written)),
        Input => format!("gets input {}", bytes(&event.read)),
        Clock => "looks at the clock".to_owned(),
        Random => format!("draws a random number {read}"),
        Exit => format!("ends the program, code {read}"),
    }
}

/// Under the language's memory model: which store a load has read though there was a later one, or before which one a
/// store has come that was there already, and what is missing for that to be impossible.
fn weakness(machine: &Machine, places: &Places<'_>, event: &Event) -> Option<String> {
    use EventKind::{CompareExchange, CompareExchangeFailed, Read, ReadModifyWrite, Write};
    let accesses = matches!(
        event.operation.kind,
        Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed
    );
    if !accesses || event.operation.order == MemoryOrder::NotAtomic {
        return None;
    }
    let at = |position: u32| {
        let place = places.place(position).filter(|place| place.line != 0)?;
        Some(format!("{}:{}", place.file.rsplit('/').next().unwrap_or_default(), place.line))
    };
    let store = |store: StoredBy| {
        let by = thread_name(machine, store.thread);
        match at(store.position) {
            Some(at) => format!("the store at {at} by {by}"),
            None => format!("the store by {by}"),
        }
    };
    let missing = |store: StoredBy| {
        let first = at(store.position).unwrap_or_else(|| "that store".to_owned());
        let own = at(event.user_position).unwrap_or_else(|| "this".to_owned());
        match first == own {
            true => "nothing orders the two".to_owned(),
            false => format!("nothing orders {first} before {own}"),
        }
    };
    Some(match machine.weakness(event.thread.index())? {
        Weakness::Read { from, unseen } => {
            let from = from.map_or("what was there at first".to_owned(), store);
            format!("reads {from}, not {}: {}", store(unseen), missing(unseen))
        }
        Weakness::Write { later } => {
            format!("comes before {}, which was performed already: {}", store(later), missing(later))
        }
    })
}

/// Whether what was stored is still hidden from others.
fn is_buffered(machine: &Machine, event: &Event) -> bool {
    let mut stores = Vec::new();
    machine.buffered(event.thread.index(), &mut stores);
    stores.iter().any(|(address, _)| *address == event.operation.address)
}

/// A name without the path that leads to it: the file and line are next to it.
pub(super) fn short(name: String) -> String {
    match name.rsplit_once("::") {
        Some((path, last)) if !path.contains(['<', '(', ' ']) => last.to_owned(),
        _ => name,
    }
}

fn joined(machine: &Machine, event: &Event) -> String {
    handle_name(machine, event.operation.address).unwrap_or_else(|| "a thread".to_owned())
}

fn handle(machine: &Machine, written: &Value) -> Option<String> {
    let handle = u64::from_le_bytes(written.as_slice().try_into().ok()?);
    handle_name(machine, handle)
}

/// The thread with a handle (`pthread_t`).
fn handle_name(machine: &Machine, handle: u64) -> Option<String> {
    machine.thread_with_handle(handle).map(|index| thread_name(machine, index))
}

/// A value: numbers in decimal, pointers by what they point to, everything longer in hexadecimal.
fn value(machine: &Machine, value: &Value) -> String {
    const LONGEST: usize = 16;
    let sign = |bits: u32, number: u64| ((number << (64 - bits)) as i64) >> (64 - bits);
    match value.len() {
        0 => String::new(),
        length @ 1..=8 => {
            let mut word = [0; 8];
            word[..length].copy_from_slice(value);
            let number = u64::from_le_bytes(word);
            match length {
                1 | 2 => number.to_string(),
                8 if number >= selvedge_program::GLOBAL_BASE => match machine.name_of(number) {
                    name if name.starts_with("address ") => sign(64, number).to_string(),
                    name => format!("&{}", short(name)),
                },
                _ => sign(8 * length as u32, number).to_string(),
            }
        }
        length => {
            let shown = length.min(LONGEST);
            let digits: String = value[..shown].iter().map(|byte| format!("{byte:02x}")).collect();
            if length > shown { format!("0x{digits}.. ({length} bytes)") } else { format!("0x{digits}") }
        }
    }
}

/// Bytes that are probably text.
fn bytes(value: &Value) -> String {
    const LONGEST: usize = 24;
    match value.len() {
        0 => String::new(),
        length if length > LONGEST => {
            format!("\"{}..\" ({length} bytes)", value[..LONGEST].escape_ascii())
        }
        _ => format!("\"{}\"", value.escape_ascii()),
    }
}
