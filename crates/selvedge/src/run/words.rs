//! Events in the user's words.

use super::effects::{self, Effects};
use super::places::{Places, thread_name};
use super::std_locks::{self, WordLock};
use super::value::ValueOf;
use selvedge_machine::{Blocks, Machine, Named, Pick, Status, StoredBy, WeakBehaviour};
use selvedge_program::shapes::shortened;
use selvedge_report::{Effect, Row};
use selvedge_trace::{Event, EventKind, MemoryOrder, Value};

/// What lies at the address that a pick is about, before it is gone.
pub struct Known {
    pub address: u64,
    size: u64,
    named: Named,
    /// What is there, if all of it holds a value.
    pub bytes: Option<Vec<u8>>,
    /// A pointer is there.
    pointer: bool,
    /// It is the word of a lock of Rust's standard library.
    pub lock: Option<WordLock>,
}

impl Known {
    /// What is known of what an event was about, if it is that.
    pub fn of(&self, event: &Event) -> Option<(&Named, bool)> {
        let operation = &event.operation;
        let same = self.address == operation.address && self.size == u64::from(operation.size);
        same.then_some((&self.named, self.pointer))
    }
}

/// What is known of what a pick is about.
pub fn subject(machine: &Machine, pick: Pick, blocks: &mut Blocks) -> Option<Known> {
    const LARGEST: u64 = 16;
    let (address, size, lock) = match pick {
        Pick::Commit { address, .. } => (address, 0, None),
        Pick::Step { thread, .. } => match machine.threads().get(thread.index())?.status {
            Status::Ready(operation) => {
                let word = operation.size == 4 && operation.address != 0;
                let lock = word.then(|| std_locks::ahead(machine, thread.index())).flatten();
                (operation.address, u64::from(operation.size), lock)
            }
            _ => return None,
        },
    };
    let bytes = (1..=LARGEST).contains(&size).then(|| machine.inspect().bytes_at(address, size as usize));
    Some(Known {
        address,
        size,
        named: machine.inspect().name_of_part(address, size, blocks),
        bytes: bytes.flatten(),
        pointer: machine.inspect().holds_pointer(address),
        lock,
    })
}

/// What lies at an address.
pub fn name(machine: &Machine, address: u64, size: u64) -> String {
    shortened(&machine.inspect().name_of_part(address, size, &mut Blocks::default()).name)
}

/// A row of the trace's table. To be made right after the event, while what it is about exists; `known` is what was
/// known before.
pub fn row(
    machine: &Machine,
    places: &Places<'_>,
    event: &Event,
    known: Option<&Known>,
    (effects, number): (&mut Effects, usize),
) -> Row {
    let value = ValueOf::new(machine, event, known, effects.blocks());
    let subject = match event.operation.kind {
        _ if event.operation.address == 0 => String::new(),
        EventKind::ThreadJoin | EventKind::ThreadDetach | EventKind::ThreadExit => String::new(),
        _ => shortened(&value.named.name),
    };
    let place = places.place(event.user_position).filter(|_| event.calls.is_some());
    let kind = event.operation.kind;
    let lock = effects::lock(event, &subject);
    let detail = match event.calls {
        Some(calls) => is_detail(kind) && calls > close(places, event.position),
        None => !is_landmark(kind),
    };
    let mut text = text(machine, event, &subject, (&value, effects.blocks()));
    let remark = weak_behaviour(machine, places, event);
    let mut effect = Effect { lock, ..effects.of((machine, event), number, &subject, (&value, known)) };
    let mut detail = detail;
    let word = effects.word_lock(event, known);
    if let Some(lock) = word.and_then(|word| std_locks::effect(word, event, &subject)) {
        // What the user sees is a lock; what its word holds is the library's.
        text = std_locks::text(&lock);
        detail = event.calls.is_none_or(|calls| calls > std_locks::DEEPEST);
        effect = Effect { lock: Some(lock), ..Effect::default() };
    }
    Row { thread: event.thread.index(), place, text, detail, subject, marked: false, remark, effect }
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

fn text(
    machine: &Machine,
    event: &Event,
    subject: &str,
    (value, blocks): (&ValueOf<'_>, &mut Blocks),
) -> String {
    use EventKind::*;
    let (read, written) = (value.words(&event.read, blocks), value.words(&event.written, blocks));
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
        FutexPark => format!("is unparked{failed}"),
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
        Choose => "asks for a value".to_owned(),
        Exit => format!("ends the program, code {read}"),
    }
}

/// Under the language's memory model: which store a load has read though there was a later one, or before which one a
/// store has come that was there already, and what is missing for that to be impossible.
fn weak_behaviour(machine: &Machine, places: &Places<'_>, event: &Event) -> Option<String> {
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
    Some(match machine.inspect_graph().weak_behaviour(event.thread.index())? {
        WeakBehaviour::Read { from, unseen } => {
            let from = from.map_or("what was there at first".to_owned(), store);
            format!("reads {from}, not {}: {}", store(unseen), missing(unseen))
        }
        WeakBehaviour::Write { later } => {
            format!("comes before {}, which was performed already: {}", store(later), missing(later))
        }
    })
}

/// Whether what was stored is still hidden from others.
pub(super) fn is_buffered(machine: &Machine, event: &Event) -> bool {
    let mut stores = Vec::new();
    machine.inspect().buffered(event.thread.index(), &mut stores);
    stores.iter().any(|(address, _)| *address == event.operation.address)
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
    machine.inspect().thread_with_handle(handle).map(|index| thread_name(machine, index))
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
