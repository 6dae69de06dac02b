//! The functions of the host's C library, for models that must give its results to the last bit.
//!
//! They are looked up by name when they are first needed: a plain declaration may be linked to functions of the
//! same name that Rust brings itself, which leave errno alone and differ in the last bit. Functions that take or
//! return `long double` cannot be declared in Rust at all; on x86-64 such arguments are passed on the stack and
//! results in the first register of the floating-point unit.

use crate::halt::Halt;
use std::ffi::CString;
use std::sync::{LazyLock, OnceLock};

/// The host's library of mathematical functions, which also leads to the rest of the C library.
static LIBRARY: LazyLock<usize> = LazyLock::new(|| {
    // SAFETY: the library has no constructors that could matter, and the name is a terminated string.
    unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_LAZY) as usize }
});

/// A function of the host's, with its type.
pub struct Host<F> {
    name: &'static str,
    function: OnceLock<Option<F>>,
}

impl<F: Copy> Host<F> {
    /// The function of this name.
    ///
    /// # Safety
    /// `F` must be the type of a pointer to that function.
    pub const unsafe fn new(name: &'static str) -> Self {
        assert!(size_of::<F>() == size_of::<usize>());
        Host { name, function: OnceLock::new() }
    }

    /// The function itself, if the host has it.
    pub fn get(&self) -> Result<F, Halt> {
        let found = self.function.get_or_init(|| {
            let name = CString::new(self.name).ok()?;
            // SAFETY: the handle is one that dlopen returned, or null, which stands for all libraries.
            let address = unsafe { libc::dlsym(*LIBRARY as *mut _, name.as_ptr()) };
            // SAFETY: `F` is the type of a pointer to this function, as `new` demands.
            (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
        });
        found.ok_or_else(|| {
            Halt::unsupported(format!("function {}, which this system does not have", self.name))
        })
    }
}

/// A `long double` as two slots: significand, sign and exponent.
pub type Extended = [u64; 2];

/// Which function, by its address.
pub type Function = unsafe extern "C" fn();

/// Other arguments of a call, in the order of their kind.
#[derive(Clone, Copy, Default)]
pub struct Others {
    /// For the integer registers.
    pub integers: [u64; 2],
}

/// What a call returned: as a `long double`, and in the integer register.
#[derive(Clone, Copy)]
pub struct Returned {
    pub extended: Extended,
    pub integer: u64,
}

/// Calls a function with up to three `long double` arguments; it returns a `long double` or, if `integer`, an
/// integer. errno is set to 0 before; what it is afterwards is returned too.
///
/// # Safety
/// The function must have exactly these arguments and this result.
#[cfg(target_arch = "x86_64")]
pub unsafe fn call(
    function: Function,
    arguments: &[Extended],
    others: Others,
    integer: bool,
) -> (Returned, i32) {
    use std::arch::asm;
    // The stack as the callee sees it: 16 bytes for each argument.
    let mut stack = [[0_u64; 2]; 4];
    stack[..arguments.len()].copy_from_slice(arguments);
    let mut result = [0_u64; 2];
    let mut register: u64;
    // SAFETY: errno is the calling thread's own variable.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: the stack is aligned at the start of the block and gets 64 bytes for the arguments (four of them,
    // whether used or not), given back after the call; the result is popped only if there is one. The registers
    // that are needed after the call are ones that a C function preserves.
    unsafe {
        asm!(
            "sub rsp, 64",
            "mov rax, [r12]",
            "mov [rsp], rax",
            "mov rax, [r12 + 8]",
            "mov [rsp + 8], rax",
            "mov rax, [r12 + 16]",
            "mov [rsp + 16], rax",
            "mov rax, [r12 + 24]",
            "mov [rsp + 24], rax",
            "mov rax, [r12 + 32]",
            "mov [rsp + 32], rax",
            "mov rax, [r12 + 40]",
            "mov [rsp + 40], rax",
            "call r13",
            "add rsp, 64",
            "test r15, r15",
            "jnz 2f",
            "fstp tbyte ptr [r14]",
            "2:",
            in("r12") stack.as_ptr(),
            in("r13") function,
            in("r14") result.as_mut_ptr(),
            in("r15") u64::from(integer),
            in("rdi") others.integers[0],
            in("rsi") others.integers[1],
            lateout("rax") register,
            clobber_abi("C"),
        );
    }
    // SAFETY: as above.
    let errno = unsafe { *libc::__errno_location() };
    result[1] &= 0xffff;
    (Returned { extended: result, integer: register }, errno)
}

/// Calls need the conventions of x86-64.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn call(_: Function, _: &[Extended], _: Others, _: bool) -> (Returned, i32) {
    (Returned { extended: [0; 2], integer: 0 }, libc::ENOSYS)
}

/// Fails where `call` cannot work.
pub fn available() -> Result<(), Halt> {
    match cfg!(target_arch = "x86_64") {
        true => Ok(()),
        false => Err(Halt::unsupported("function on long double numbers on this kind of processor")),
    }
}
