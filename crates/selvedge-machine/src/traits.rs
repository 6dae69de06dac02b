//! What the machine and the searches have to know of a library function besides its model, as data. The tables in `library`
//! and `sync` say it where a function is listed; everything else asks here and never compares names.

use crate::library;
use selvedge_program::Program;
use selvedge_trace::SyncObject;

/// What a function may do with what an argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing: only the value counts.
    Value,
    /// It reads the object.
    Reads,
    /// It reads and writes the object.
    Writes,
    /// It ends the object's life.
    Ends,
}

/// What a function may touch that other threads can reach, besides the synchronisation object that it works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Nothing,
    /// The objects that its pointer arguments point to, each as it says. Arguments behind these (those of a variadic
    /// function among them) may be read and written.
    Arguments(&'static [Access]),
    /// Anything: what is named by a `va_list` or a list of parts, or state of the library that has no address.
    Anything,
}

impl Reach {
    /// What may be done with what an argument points to.
    pub fn argument(self, number: usize) -> Access {
        match self {
            Reach::Nothing => Access::Value,
            Reach::Arguments(known) => known.get(number).copied().unwrap_or(Access::Writes),
            Reach::Anything => Access::Writes,
        }
    }

    /// Which argument points to the object that ends.
    pub fn ended(self) -> Option<usize> {
        match self {
            Reach::Arguments(known) => known.iter().position(|&access| access == Access::Ends),
            Reach::Nothing | Reach::Anything => None,
        }
    }
}

/// A fact about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Trait {
    /// It waits up to some moment, and moves the clock there.
    Timed,
    /// It fails where others of its kind wait.
    Tries,
    /// It waits, and may go on for no reason.
    WakesSpuriously,
    /// It tells what other threads have done without coming after it: it looks at a synchronisation object, at the
    /// system's tables, or at memory in any order.
    Unordered,
    /// Its accesses to memory are atomic.
    Atomic,
    /// An atomic section begins.
    BeginsSection,
    /// What it does shows in what it reads and stores (and allocates and prints): no state is hidden in it.
    Plain,
    /// It accesses the same bytes, whatever is in them.
    Fixed,
    /// Its own stores wait until all that its thread has stored is visible.
    Drains,
    /// The last argument is a `va_list`.
    TakesList,
    /// It may be given values that were never initialised.
    TakesUndefined,
    /// It passes what it is told on to the outside, where the program never sees it again.
    Prints,
    /// Bytes from outside go as they are to where the first argument points.
    FillsFirst,
    /// Bytes from outside go as they are to where the second argument points.
    FillsSecond,
    /// It stops reading at the end of a line.
    ReadsLine,
    /// Its result is a byte from outside.
    GivesByte,
    /// It looks at the clock.
    ReadsClock,
    /// It looks at the names that threads have in the system.
    LooksAtNames,
    /// It looks at the environment.
    ReadsEnvironment,
    /// It changes the environment.
    ChangesEnvironment,
    /// Its result is an input that the program asks for, or it fills memory with inputs.
    AsksForInput,
    /// It performs the system call that its first argument names.
    SystemCall,
    /// It assumes its first argument.
    Assumes,
    /// It asserts its first argument.
    Asserts,
    /// It creates a thread: handle, attributes, function and argument are its arguments.
    CreatesThread,
    /// Its event looks like that of another function, but means something else.
    Ambiguous,
    /// It does the same for every thread that calls it.
    Impartial,
    /// It may tell threads apart: by a thread's handle, name or attributes, or by values of a thread's own.
    TellsThreadsApart,
}

/// All facts about a function.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// What of others it may touch.
    pub reach: Reach,
    /// The synchronisation object that its first argument points to (a thread's handle is the argument itself).
    pub object: Option<SyncObject>,
    facts: u32,
}

impl Traits {
    /// Nothing is known but what the function may touch.
    pub const fn new(reach: Reach) -> Self {
        Traits { reach, object: None, facts: 0 }
    }

    /// The same, and these facts.
    pub const fn with(mut self, facts: &[Trait]) -> Self {
        let mut next = 0;
        while next < facts.len() {
            self.facts |= 1 << facts[next] as u8;
            next += 1;
        }
        self
    }

    /// Whether this is so.
    pub const fn has(&self, fact: Trait) -> bool {
        self.facts & (1 << fact as u8) != 0
    }

    /// Whether it may fail where others of its kind wait, at once or at some moment.
    pub const fn gives_up(&self) -> bool {
        self.has(Trait::Timed) || self.has(Trait::Tries)
    }
}

/// What is known of a function that the machine models.
pub fn traits_of(name: &str) -> Option<&'static Traits> {
    library::find(name).map(|native| &native.traits)
}

/// The first function of a program of which something is so.
pub fn uses(program: &Program, is_so: impl Fn(&Traits) -> bool) -> Option<&str> {
    let names = program.externals.iter().map(|external| &*external.name);
    names.into_iter().find(|name| traits_of(name).is_some_and(&is_so))
}

#[cfg(test)]
mod tests;
