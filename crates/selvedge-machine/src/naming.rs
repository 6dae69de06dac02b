//! Names for people: what an address is, where a thread is, what was wrong with an access.

mod blocks;

pub use blocks::Blocks;

use crate::halt::{Halt, ViolationKind};
use crate::inspect::Inspect;
use crate::machine::{Blocked, Machine};
use crate::memory::{Fault, FaultKind, Found, Object, ObjectKind};
use crate::thread::{Status, Wait};
use selvedge_program::FileKind;
use selvedge_program::shapes::{ShapeId, part_at};
use selvedge_trace::{EventKind, ThreadId};

/// What lies at an address, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// A variable, a part of one, a heap block, a function.
    pub name: String,
    /// What the part is made of, where it begins at the address; 0 where that is not known.
    pub shape: ShapeId,
}

/// Where the sources of Rust's standard library lie.
const STANDARD_LIBRARY: [&str; 3] = ["/library/std/src/", "/library/core/src/", "/library/alloc/src/"];

impl Machine {
    /// Whether nothing but Rust's standard library, which starts threads, is left of a thread's calls: what comes here
    /// as a panic is not caught by anything else. False where debug information does not tell.
    pub(crate) fn is_at_root(&self, index: usize) -> bool {
        let mut starts = false;
        for frame in &self.threads[index].frames {
            let function = &self.program.functions[frame.function as usize];
            let mut at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
            while at != 0 {
                let position = &self.program.positions[at as usize];
                let file = &self.program.files[position.file as usize];
                let lies_in = |folder: &&str| file.path.contains(*folder);
                starts |= lies_in(&"/library/std/src/thread/");
                let standard = STANDARD_LIBRARY.iter().any(lies_in);
                if !standard && (file.kind == FileKind::User || lies_in(&"/.cargo/")) {
                    return false;
                }
                at = position.inlined_at;
            }
        }
        starts
    }

    fn object_name(&self, address: u64, object: &Object) -> String {
        match object.kind {
            ObjectKind::Stack => {
                let (function, alloca) = object.origin;
                let function = self.program.functions.get(function as usize);
                match function.and_then(|f| f.allocas.get(alloca as usize)).map(|alloca| &*alloca.name) {
                    None | Some("") => "a local variable".to_owned(),
                    Some(name) => name.to_owned(),
                }
            }
            ObjectKind::ThreadLocal => self.program.globals[object.origin.1 as usize].display.to_string(),
            ObjectKind::Library => "library data".to_owned(),
            ObjectKind::Heap => {
                let arena = crate::memory::arena_of(address);
                let owner = self.threads.iter().find(|thread| Some(thread.arena) == arena);
                let owner = owner.map_or("?".to_owned(), |thread| thread.name.to_string());
                format!("heap block {}#{}", owner, object.number)
            }
        }
    }

    /// What a variable on a stack or of a thread is made of.
    fn shape_of_variable(&self, object: &Object) -> ShapeId {
        let (function, index) = object.origin;
        match object.kind {
            ObjectKind::Stack => {
                let function = self.program.functions.get(function as usize);
                function.and_then(|function| function.allocas.get(index as usize)).map_or(0, |one| one.shape)
            }
            ObjectKind::ThreadLocal => self.program.globals[index as usize].shape,
            ObjectKind::Library | ObjectKind::Heap => 0,
        }
    }

    /// One sentence about a wrong access.
    pub(crate) fn describe_fault(&self, fault: &Fault) -> String {
        let bytes = match fault.len {
            1 => "1 byte".to_owned(),
            len => format!("{len} bytes"),
        };
        let whole = fault.found.map(|found| match found {
            Found::Global(id) => {
                let global = &self.program.globals[id as usize];
                (global.display.to_string(), global.address, global.size, String::new())
            }
            Found::Object(_, base, object) => {
                let made = match object.kind {
                    ObjectKind::Heap => {
                        format!(", allocated at {}", self.program.describe(object.allocated_at))
                    }
                    _ => String::new(),
                };
                (self.object_name(base, &object), base, object.size, made)
            }
        });
        let freed = fault.found.and_then(|found| match found {
            Found::Object(_, _, object) if object.freed_at != 0 && !object.live => Some(object),
            _ => None,
        });
        match (fault.kind, whole) {
            (FaultKind::Null, _) => {
                format!("null pointer: access to {bytes} at address {:#x}", fault.pointer.address)
            }
            (FaultKind::Code, _) => format!("access to {bytes} of a function's code"),
            (FaultKind::OutOfBounds, Some((name, base, size, made))) => {
                let offset = fault.pointer.address.wrapping_sub(base) as i64;
                format!("out of bounds: access to {bytes} at offset {offset} of {name} ({size} bytes{made})")
            }
            (FaultKind::UseAfterFree, Some((name, _, _, made))) if fault.len == 0 => {
                format!("double free of {name}{made}{}", self.freed_where(freed))
            }
            (FaultKind::UseAfterFree, Some((name, _, _, made))) => {
                let object =
                    matches!(fault.found, Some(Found::Object(_, _, o)) if o.kind == ObjectKind::Stack);
                match object {
                    true => {
                        format!("use after return: access to {bytes} of {name}, whose function has returned")
                    }
                    false => format!(
                        "use after free: access to {bytes} of {name}{made}{}",
                        self.freed_where(freed)
                    ),
                }
            }
            (FaultKind::Private, Some((name, ..))) => {
                format!("access to {bytes} of {name}, which counts as private to another thread")
            }
            (FaultKind::Constant, Some((name, ..))) => format!("write of {bytes} to the constant {name}"),
            (FaultKind::InvalidFree, Some((name, base, ..))) => {
                let offset = fault.pointer.address.wrapping_sub(base);
                format!(
                    "invalid free: the pointer is {}, not the start of a heap block",
                    with_offset(name, offset)
                )
            }
            (FaultKind::InvalidFree, None) => {
                format!("invalid free of address {:#x}, which is not a heap block", fault.pointer.address)
            }
            _ => {
                format!("access to {bytes} at address {:#x}, where there is no object", fault.pointer.address)
            }
        }
    }

    fn freed_where(&self, object: Option<Object>) -> String {
        object
            .map_or(String::new(), |object| format!(", freed at {}", self.program.describe(object.freed_at)))
    }

    /// The violation of depending on something that was never written.
    pub(crate) fn uninitialised(&self, what: &str) -> Halt {
        Halt::violation(
            ViolationKind::Uninitialised,
            format!("use of a value that was never initialised: {what}"),
        )
    }

    /// Which threads cannot go on, and why.
    pub(crate) fn blocked(&mut self) -> Vec<Blocked> {
        let describe = |index: usize, machine: &mut Machine| {
            let (kind, address) = match machine.threads[index].status {
                Status::Finished | Status::Starting | Status::Waiting(Wait::Assumption) => return None,
                Status::Ready(operation) => (operation.kind, operation.address),
                Status::Waiting(Wait::Condition { condition, .. }) => (EventKind::CondWait, condition),
                Status::Waiting(Wait::Futex { address, .. }) => (EventKind::FutexWait, address),
                Status::Waiting(Wait::Barrier { address }) => (EventKind::BarrierWait, address),
            };
            let holder = crate::sync::holder(machine, kind, address);
            Some(Blocked { thread: ThreadId(index as u16), kind, address, holder })
        };
        (0..self.threads.len()).filter_map(|index| describe(index, self)).collect()
    }
}

impl Inspect<'_> {
    /// The position of the operation that a thread is at.
    pub fn position(self, index: usize) -> u32 {
        let frame = self.machine.threads[index].frames.last();
        frame.map_or(0, |frame| {
            let function = &self.machine.program.functions[frame.function as usize];
            function.positions.get(frame.pc as usize).copied().unwrap_or(0)
        })
    }

    /// The nearest position in the user's own code, of the running function or of a caller; where there is none, the
    /// position itself.
    pub fn user_position(self, index: usize) -> u32 {
        self.user_code(index).map_or_else(|| self.position(index), |(position, _)| position)
    }

    /// The nearest position in the user's own code, and how many calls (inlined ones too) lie between it and where a
    /// thread is.
    pub fn user_code(self, index: usize) -> Option<(u32, usize)> {
        let mut calls = 0;
        for frame in self.machine.threads[index].frames.iter().rev() {
            let function = &self.machine.program.functions[frame.function as usize];
            let mut at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
            while at != 0 {
                let position = &self.machine.program.positions[at as usize];
                let file = &self.machine.program.files[position.file as usize];
                if position.line != 0 && file.kind == FileKind::User {
                    return Some((at, calls));
                }
                at = position.inlined_at;
                calls += 1;
            }
            // The last step outwards was from the function itself, if it has positions at all.
            calls += usize::from(function.positions.get(frame.pc as usize).is_none_or(|&at| at == 0));
        }
        None
    }

    /// Whether a thread is in C++'s `std::lock`, which takes several locks by trying until all are free at once.
    pub fn locks_several(self, index: usize) -> bool {
        self.machine.threads[index].frames.iter().any(|frame| {
            let function = &self.machine.program.functions[frame.function as usize];
            let mut at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
            while at != 0 {
                let position = &self.machine.program.positions[at as usize];
                let file = &self.machine.program.files[position.file as usize];
                let name = &self.machine.program.function_names[position.function as usize];
                let name = name.split(['<', '[']).next().unwrap_or_default();
                let known = matches!(name.rsplit("::").next(), Some("lock" | "__lock_first"));
                if known && file.kind == FileKind::Library && file.path.ends_with("/mutex") {
                    return true;
                }
                at = position.inlined_at;
            }
            false
        })
    }

    /// Index of the thread with a handle (`pthread_t`).
    pub fn thread_with_handle(self, handle: u64) -> Option<usize> {
        crate::sync::thread_with_handle(self.machine, handle)
    }

    /// A short name for what lies at an address: a variable, a heap block, a function. The same in all executions.
    pub fn name_of(self, address: u64) -> String {
        self.named(address, 0, &mut |_, _| 0).name
    }

    /// A name for `size` bytes at an address, and what they are made of; heap blocks are named by what points to them.
    pub fn name_of_part(self, address: u64, size: u64, blocks: &mut Blocks) -> Named {
        self.named(address, size, &mut |base, object| blocks.shape(self.machine, base, object))
    }

    fn named(self, address: u64, size: u64, block: &mut dyn FnMut(u64, &Object) -> ShapeId) -> Named {
        let program = &self.machine.program;
        let nameless = |name: String| Named { name, shape: 0 };
        match self.machine.memory.find(address) {
            None => nameless(match self.machine.function_at(address) {
                Some(function) => format!("function {}", program.functions[function as usize].display),
                None if address == 0 => "null".to_owned(),
                None => format!("address {address:#x}"),
            }),
            Some(Found::Global(id)) => {
                let global = &program.globals[id as usize];
                self.part((global.display.to_string(), global.shape), address - global.address, size)
            }
            Some(Found::Object(_, base, object)) if object.kind == ObjectKind::Heap => {
                let name = self.machine.object_name(address, &object);
                let shape = block(base, &object);
                self.part_of_block((name, shape), (address - base, object.size), size)
            }
            Some(Found::Object(_, base, object)) => {
                let name = self.machine.object_name(address, &object);
                self.part((name, self.machine.shape_of_variable(&object)), address - base, size)
            }
        }
    }

    /// A part of a variable.
    fn part(self, (name, shape): (String, ShapeId), offset: u64, size: u64) -> Named {
        let part = part_at(&self.machine.program.shapes, shape, offset, size);
        let shape = if part.offset == 0 { part.shape } else { 0 };
        Named { name: with_offset(name + &part.path, part.offset), shape }
    }

    /// A part of a heap block; what is larger than what points to it is an array of that.
    fn part_of_block(self, (name, shape): (String, ShapeId), (offset, room): (u64, u64), size: u64) -> Named {
        let shapes = &self.machine.program.shapes;
        let Some(known) = shapes.get(shape as usize).filter(|known| shape != 0 && known.size > 0) else {
            return Named { name: with_offset(name, offset), shape: 0 };
        };
        let number = name.strip_prefix("heap block ").unwrap_or(&name);
        let mut name = format!("{} {number}", title(&known.name));
        if room >= 2 * known.size {
            name.push_str(&format!("[{}]", offset / known.size));
        }
        self.part((name, shape), offset % known.size, size)
    }
}

/// A short name of a type of heap blocks: what reference counting puts around it is left out.
fn title(name: &str) -> String {
    const LONGEST: usize = 40;
    let inner = ["ArcInner<", "RcInner<", "RcBox<"].iter().find_map(|outer| name.strip_prefix(outer));
    let name = inner.and_then(|inner| inner.strip_suffix('>')).unwrap_or(name);
    let name = if name.starts_with("{closure") { "closure" } else { name };
    match name.split_once('<') {
        _ if name.is_empty() => "block".to_owned(),
        Some((outer, _)) if name.chars().count() > LONGEST => format!("{outer}<..>"),
        _ => name.to_owned(),
    }
}

fn with_offset(name: String, offset: u64) -> String {
    if offset == 0 { name } else { format!("{name}+{offset}") }
}
