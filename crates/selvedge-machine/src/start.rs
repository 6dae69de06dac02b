//! How a program begins: arguments, environment, constructors, main.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{ARENAS, ObjectKind, Pointer};
use selvedge_program::{CODE_BASE, EXTERNAL_BASE};
use selvedge_terms::Source;
use selvedge_trace::ThreadName;

/// Functions of the C library that the machine itself starts: a loader must keep them. The last two are C++'s part
/// of unwinding, to which the C library has weak references only.
pub const ROOTS: &[&str] = &[
    START,
    "__selvedge_thread_start",
    "__selvedge_thrd_start",
    "_Unwind_Resume",
    "_Unwind_RaiseException",
    "__selvedge_can_catch",
    "__selvedge_filter_allows",
];

/// The function of the C runtime that runs constructors, main and exit.
pub const START: &str = "__selvedge_start";

impl Machine {
    /// Prepares the first thread: it will run `__selvedge_start(main, constructors, argc, argv, envp)`.
    pub(crate) fn start(&mut self) -> Result<(), Halt> {
        let program = self.program.clone();
        let start = *program
            .functions_by_name
            .get(START)
            .ok_or_else(|| Halt::unsupported(format!("program without a start-up function ({START})")))?;
        let thread = self.spawn(None, start, &[])?;
        let inputs = self.config.inputs.clone();
        let mut arguments = vec![self.config.program_name.clone()];
        arguments.extend(inputs.arguments.iter().cloned());
        let argv = self.string_array(thread, &arguments)?;
        if self.config.symbolic.as_ref().is_some_and(|symbolic| symbolic.arguments) {
            for (number, argument) in (1_u32..).zip(&inputs.arguments) {
                let at = self.memory.read_pointer(argv.address + 8 * u64::from(number)).address;
                self.concolic_source(at, argument.len() as u32, &Source::Argument(number));
            }
        }
        let envp = self.string_array(thread, &inputs.environment)?;
        let address = |function: u32| Pointer {
            address: program.functions[function as usize].address,
            ..Pointer::NULL
        };
        let constructors: Vec<Pointer> = program.constructors.iter().map(|&f| address(f)).collect();
        let constructors = self.pointer_array(thread, &constructors)?;
        let destructors: Vec<Pointer> = program.destructors.iter().map(|&f| address(f)).collect();
        let destructors = self.pointer_array(thread, &destructors)?;
        let mut slots = Vec::new();
        for pointer in [address(program.entry), constructors, destructors] {
            slots.extend([pointer.address, pointer.provenance.0]);
        }
        slots.push(arguments.len() as u64);
        for pointer in [argv, envp] {
            slots.extend([pointer.address, pointer.provenance.0]);
        }
        self.thread_mut(thread).registers[..slots.len()].copy_from_slice(&slots);
        self.world.environment = envp;
        crate::library::globals::provide_globals(self)
    }

    pub(crate) fn library_bytes(&mut self, thread: usize, bytes: &[u8]) -> Result<Pointer, Halt> {
        let pointer = self.allocate(thread, bytes.len() as u64, 16, ObjectKind::Library, (0, 0));
        let pointer = pointer.ok_or_else(|| Halt::unsupported("amount of memory"))?;
        self.memory.write_bytes(pointer.address, bytes);
        Ok(pointer)
    }

    fn string_array(&mut self, thread: usize, strings: &[String]) -> Result<Pointer, Halt> {
        let mut pointers = Vec::new();
        for string in strings {
            let mut bytes = string.clone().into_bytes();
            bytes.push(0);
            let pointer = self.library_bytes(thread, &bytes)?;
            self.memory.share(pointer.provenance);
            pointers.push(pointer);
        }
        self.pointer_array(thread, &pointers)
    }

    fn pointer_array(&mut self, thread: usize, pointers: &[Pointer]) -> Result<Pointer, Halt> {
        let array = self.library_bytes(thread, &vec![0; (pointers.len() + 1) * 8])?;
        for (i, pointer) in pointers.iter().enumerate() {
            self.memory.write(array.address + 8 * i as u64, 8, pointer.address, pointer.provenance);
        }
        self.memory.share(array.provenance);
        Ok(array)
    }

    /// The arena of a thread: a function of its name, unless a living thread sits there already.
    pub(crate) fn free_arena(&self, name: &ThreadName) -> u32 {
        const DIRECT: u32 = ARENAS / 2;
        let wanted = match *name.path() {
            [] => 0,
            [child] if child < DIRECT => child,
            ref path => {
                let hash = path.iter().fold(0x811c_9dc5_u32, |hash, &n| (hash ^ n).wrapping_mul(0x0100_0193));
                DIRECT + hash % (ARENAS - DIRECT)
            }
        };
        let taken = |arena: u32| self.threads.iter().any(|thread| thread.arena == arena);
        (wanted..ARENAS).chain(0..wanted).find(|&arena| !taken(arena)).unwrap_or(wanted)
    }

    /// The function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<u32> {
        let index = address.checked_sub(CODE_BASE)? / 16;
        let function = self.program.functions.get(index as usize)?;
        (function.address == address).then_some(index as u32)
    }

    /// The external function at an address.
    pub(crate) fn external_at(&self, address: u64) -> Option<u32> {
        let index = address.checked_sub(EXTERNAL_BASE)? / 16;
        let external = self.program.externals.get(index as usize)?;
        (external.address == address).then_some(index as u32)
    }
}
