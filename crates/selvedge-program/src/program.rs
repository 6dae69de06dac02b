//! A whole program, lowered: functions, globals, source positions.

use crate::code::{ExternalId, Function, FunctionId, GlobalId};
use crate::shapes::{Shape, ShapeId};
use rustc_hash::FxHashMap;

/// Addresses below this are never objects: null and its neighbourhood.
pub const NULL_GUARD: u64 = 0x1_0000;
/// Functions have addresses from here on, 16 bytes apart.
pub const CODE_BASE: u64 = 0x0000_0010_0000;
/// Externals have addresses from here on, 16 bytes apart.
pub const EXTERNAL_BASE: u64 = 0x0000_4000_0000;
/// Addresses of taken blocks (computed goto): `BLOCK_BASE + (function << 16 | index) * 16`.
pub const BLOCK_BASE: u64 = 0x0000_8000_0000_0000 >> 4;
/// Globals have addresses from here on (below the arenas of the threads), with a gap between two of them.
pub const GLOBAL_BASE: u64 = 0x0001_0000_0000;

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Symbol name, as linked.
    pub name: Box<str>,
    /// Name for people: the source variable's.
    pub display: Box<str>,
    pub address: u64,
    pub size: u64,
    pub align: u32,
    /// Initial bytes; empty means all zero.
    pub bytes: Box<[u8]>,
    /// Pointers inside the initial bytes (which hold the address already), sorted by offset.
    pub pointers: Box<[(u64, PointerTarget)]>,
    /// Parts of the initial bytes that are undefined (start, length).
    pub undefined: Box<[(u64, u64)]>,
    /// Never written.
    pub constant: bool,
    /// A template of which each thread has a copy.
    pub thread_local: bool,
    /// Declared but not defined anywhere (`stdout`, `environ`, ...): the machine must provide it.
    pub external: bool,
    /// Where it is declared, an index into [`Program::positions`].
    pub position: u32,
    /// What it is made of.
    pub shape: ShapeId,
}

/// What a pointer in a global's initial bytes points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    Global(GlobalId),
    Function(FunctionId),
    External(ExternalId),
}

/// A function that is called but not defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    pub name: Box<str>,
    pub address: u64,
    /// Declared `extern_weak`: its address is null unless the machine knows it.
    pub weak: bool,
}

/// A source position. Index 0 of [`Program::positions`] is the unknown position.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// Index into [`Program::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// Name for people of the function that the position is in (the inlined one where code was inlined).
    pub function: u32,
    /// Where that code was inlined, an index into [`Program::positions`], or 0.
    pub inlined_at: u32,
}

/// Where a file lies in the user's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FileKind {
    /// The user's own code.
    #[default]
    User,
    /// The standard library, the C library or our runtime: folded in traces.
    Library,
}

/// A source file. Index 0 of [`Program::files`] is the unknown file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SourceFile {
    pub path: Box<str>,
    pub kind: FileKind,
}

/// A program: everything that a machine needs, immutable, shared between machines.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub externals: Vec<External>,
    pub positions: Vec<Position>,
    pub files: Vec<SourceFile>,
    /// Function names for people, referred to by positions.
    pub function_names: Vec<Box<str>>,
    /// What variables are made of, for people; the first stands for what is not known.
    pub shapes: Vec<Shape>,
    /// `main`.
    pub entry: FunctionId,
    /// Run before main, in order; called with (argc, argv, envp) as far as they have parameters.
    pub constructors: Vec<FunctionId>,
    /// Run after main's atexit handlers, in order.
    pub destructors: Vec<FunctionId>,
    /// Functions by symbol name: those that the machine itself needs to find (runtime support).
    pub functions_by_name: FxHashMap<Box<str>, FunctionId>,
    /// Functions by the names that program points have.
    pub(crate) functions_by_point: FxHashMap<Box<str>, FunctionId>,
    /// Globals by symbol name.
    pub globals_by_name: FxHashMap<Box<str>, GlobalId>,
    /// Identifies the program: equal for equal lowered code and data.
    pub fingerprint: u64,
    /// What depends on what, once it was asked for.
    pub(crate) dependence: crate::dependence::Kept,
}

impl Program {
    /// `file:line:column` of a position, or a dash.
    pub fn describe(&self, position: u32) -> String {
        let position = &self.positions[position as usize];
        match position.line {
            0 => "-".to_owned(),
            line => format!("{}:{}:{}", self.files[position.file as usize].path, line, position.column),
        }
    }
}
