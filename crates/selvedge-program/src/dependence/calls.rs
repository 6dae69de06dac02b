//! The call graph: which functions call which, which may be called by their address, and which calls may not come back.

use crate::Program;
use crate::code::{Callee, FunctionId, Op, Target};
use crate::program::PointerTarget;
use rustc_hash::FxHashSet;

/// Externals that come back and write nothing that a thread reads.
const WRITE_NOTHING: &[&str] =
    &["printf", "puts", "putchar", "fprintf", "fputs", "fputc", "fwrite", "sched_yield", "usleep", "sleep"];

/// Other externals that come back, whatever they are given: a name that is in no list may end the thread.
const COME_BACK: &[&str] =
    &["malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "memcmp", "strlen", "nanosleep"];

/// Externals that call a function which they are given, and go on when it comes back.
const CALL_BACK: &[&str] =
    &["qsort", "qsort_r", "bsearch", "lfind", "lsearch", "pthread_once", "call_once", "dl_iterate_phdr"];

/// Calls of a program.
#[derive(Debug)]
pub struct Calls {
    /// For each function, where it is called: function and operation.
    pub sites: Vec<Vec<(FunctionId, Target)>>,
    /// Where it is not known which function is called, or called back.
    pub open_sites: Vec<(FunctionId, Target)>,
    /// Functions whose address is used for something else than a call.
    pub taken: Vec<FunctionId>,
    /// Functions that may end otherwise than by returning.
    pub may_end: Vec<bool>,
}

impl Calls {
    /// Looks at all calls.
    pub fn new(program: &Program) -> Self {
        let count = program.functions.len();
        let mut sites = vec![Vec::new(); count];
        let mut open_sites = Vec::new();
        let mut taken: FxHashSet<FunctionId> = FxHashSet::default();
        for global in &program.globals {
            taken.extend(global.pointers.iter().filter_map(|(_, target)| match target {
                PointerTarget::Function(function) => Some(*function),
                PointerTarget::Global(_) | PointerTarget::External(_) => None,
            }));
        }
        let mut may_end = vec![false; count];
        for (id, function) in (0_u32..).zip(&program.functions) {
            for (at, op) in (0_u32..).zip(&function.code) {
                match *op {
                    Op::FunctionAddress { function, .. } => drop(taken.insert(function)),
                    Op::Call { index } => match function.calls[index as usize].callee {
                        Callee::Function(callee) => sites[callee as usize].push((id, at)),
                        Callee::External(external) => {
                            let name = &*program.externals[external as usize].name;
                            if CALL_BACK.contains(&name) {
                                open_sites.push((id, at));
                            }
                            may_end[id as usize] |= ends(name);
                        }
                        Callee::Pointer(_) => {
                            open_sites.push((id, at));
                            may_end[id as usize] = true;
                        }
                    },
                    Op::Resume { .. } | Op::Unreachable | Op::Unsupported { .. } => {
                        may_end[id as usize] = true
                    }
                    _ => {}
                }
            }
        }
        let mut work: Vec<FunctionId> = (0..count as u32).filter(|&id| may_end[id as usize]).collect();
        while let Some(id) = work.pop() {
            for &(caller, _) in &sites[id as usize] {
                if !std::mem::replace(&mut may_end[caller as usize], true) {
                    work.push(caller);
                }
            }
        }
        let mut taken: Vec<FunctionId> = taken.into_iter().collect();
        taken.sort_unstable();
        Calls { sites, open_sites, taken, may_end }
    }

    /// Whether a call may not come back to what follows it.
    pub fn may_not_return(&self, program: &Program, function: FunctionId, at: Target) -> bool {
        let function = &program.functions[function as usize];
        match function.code[at as usize] {
            Op::Call { index } => match function.calls[index as usize].callee {
                Callee::Function(callee) => self.may_end[callee as usize],
                Callee::External(external) => ends(&program.externals[external as usize].name),
                Callee::Pointer(_) => true,
            },
            Op::Resume { .. } | Op::Unreachable | Op::Unsupported { .. } => true,
            _ => false,
        }
    }
}

/// Whether a library function may end the thread or the program by itself. Waiting for others is no end: what they do
/// is recorded.
fn ends(name: &str) -> bool {
    !(COME_BACK.contains(&name)
        || WRITE_NOTHING.contains(&name)
        || name.starts_with("pthread_") && name != "pthread_exit"
        || name.starts_with("sem_")
        || name.starts_with("llvm."))
}

/// Whether what a library function writes into memory can depend on what it is given.
pub fn writes(name: &str) -> bool {
    let ends = ["abort", "exit", "_exit", "__assert_fail", "pthread_exit"];
    let synchronises = ["pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "sem_"];
    !(WRITE_NOTHING.contains(&name)
        || ends.contains(&name)
        || name == "pthread_create"
        || synchronises.iter().any(|start| name.starts_with(start)))
}
