//! The process and the system it runs on: how it fails, its identity, what it can ask.

use super::globals::handout;
use crate::halt::{Halt, ViolationKind};
use crate::inspect::Inspect;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use crate::traits::Trait::{BeginsSection, Impartial, LooksAtNames};
use selvedge_trace::{EventKind, Operation};

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

/// The process's number.
pub const PROCESS: u64 = 4242;
const USER: u64 = 1000;
pub const PROCESSORS: u64 = 2;
const PAGE: u64 = 4096;
/// Kinds of limits (`RLIM_NLIMITS`).
const LIMITS: u32 = 16;
/// `struct utsname`: six fields of this size.
const NAME_FIELD: usize = 65;

pub static NATIVES: &[Native] = &[
    model("__errno_location", errno_location),
    model("abort", abort).with(&[Impartial]),
    model("__assert_fail", assert_fail).with(&[Impartial]),
    model("__assert", assert_fail),
    model("__assert_perror_fail", assert_perror_fail),
    model("__stack_chk_fail", |_| failure(ViolationKind::Memory, "a function's stack frame was overwritten")),
    model("__chk_fail", |_| failure(ViolationKind::Memory, "buffer overflow")),
    model("__fortify_fail", |_| failure(ViolationKind::Memory, "buffer overflow")),
    model("__VERIFIER_error", |_| {
        failure(ViolationKind::ErrorFunction, "the program reached __VERIFIER_error")
    }),
    model("reach_error", |_| failure(ViolationKind::ErrorFunction, "the program reached reach_error")),
    model("__selvedge_reach_error", |_| {
        failure(ViolationKind::ErrorFunction, "the program reached reach_error")
    }),
    Native::visible("__VERIFIER_atomic_begin", ATOMIC, Reach::Anything, atomic_begin).with(&[BeginsSection]),
    model("__VERIFIER_atomic_end", atomic_end),
    model("getpid", |context| context.return_int(PROCESS)),
    model("getppid", |context| context.return_int(1)),
    model("getpgrp", |context| context.return_int(PROCESS)),
    model("gettid", gettid),
    model("getuid", |context| context.return_int(USER)),
    model("geteuid", |context| context.return_int(USER)),
    model("getgid", |context| context.return_int(USER)),
    model("getegid", |context| context.return_int(USER)),
    model("getlogin", |context| context.return_pointer(Pointer::NULL)),
    model("getpwuid_r", no_entry),
    model("getpwnam_r", no_entry),
    model("getpwuid", |context| context.return_pointer(Pointer::NULL)),
    model("sysconf", sysconf),
    model("getrlimit", getrlimit),
    model("getrlimit64", getrlimit),
    model("getpagesize", |context| context.return_int(PAGE)),
    model("get_nprocs", |context| context.return_int(PROCESSORS)),
    model("get_nprocs_conf", |context| context.return_int(PROCESSORS)),
    model("getauxval", getauxval),
    model("sched_getaffinity", sched_getaffinity),
    model("sched_setaffinity", |context| context.return_int(0)),
    model("__sched_cpucount", sched_cpucount),
    model("sched_getcpu", |context| context.return_int(0)),
    model("uname", uname),
    model("gethostname", gethostname),
    model("gnu_get_libc_version", libc_version),
    model("prctl", prctl).with(&[LooksAtNames]),
    model("dlsym", dlsym),
    model("dl_iterate_phdr", |context| context.return_int(0)),
    model("dladdr", |context| context.return_int(0)),
];

/// Where an atomic section begins other threads can come first; what it will touch is not known.
const ATOMIC: Visibility =
    Visibility::Always { operation: |_| Ok(Operation::sync(EventKind::LibraryCall, 0)), alternatives: |_| 1 };

fn failure(kind: ViolationKind, message: &str) -> Result<Flow, Halt> {
    Err(Halt::violation(kind, message))
}

fn errno_location(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let location = context.errno_location()?;
    context.return_pointer(location)
}

fn abort(_context: &mut Context<'_>) -> Result<Flow, Halt> {
    failure(ViolationKind::Abort, "the program called abort")
}

fn assert_fail(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let expression = context.pointer(0)?;
    let expression = context.read_string(expression, None)?;
    let message = format!("assertion failed: {}", String::from_utf8_lossy(&expression));
    failure(ViolationKind::Assertion, &message)
}

fn assert_perror_fail(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let message =
        format!("assertion failed: unexpected error: {}", super::errors::message(context.int32(0)?));
    failure(ViolationKind::Assertion, &message)
}

/// No other thread does anything until the section ends, nor does any buffered store come into its middle.
fn atomic_begin(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.drain();
    context.machine.concolic_section(context.thread);
    context.event(EventKind::LibraryCall, 0, &[], &[]);
    context.machine.atomic = Some(context.thread);
    Ok(Flow::Return)
}

fn atomic_end(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.drain();
    context.machine.concolic_section(context.thread);
    context.machine.atomic = None;
    Ok(Flow::Return)
}

/// The number of the calling thread.
pub fn gettid(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let id = context.machine.inspect().system_id(context.thread);
    context.return_int(id)
}

impl Inspect<'_> {
    /// What the system calls a thread: its arena's number depends on the thread's name only, so this is the same in
    /// every schedule.
    pub fn system_id(self, index: usize) -> u64 {
        PROCESS + u64::from(self.machine.threads[index].arena)
    }
}

fn no_entry(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let result = context.pointer(4)?;
    context.write_pointer(result, Pointer::NULL)?;
    context.return_int(0)
}

fn sysconf(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let name = context.int32(0)?;
    let value = match name {
        libc::_SC_ARG_MAX => 2 << 20,
        libc::_SC_CHILD_MAX => 1024,
        libc::_SC_CLK_TCK => 100,
        libc::_SC_NGROUPS_MAX => 65536,
        libc::_SC_OPEN_MAX => 1024,
        libc::_SC_VERSION | libc::_SC_THREADS | libc::_SC_MONOTONIC_CLOCK | libc::_SC_TIMERS => 200_809,
        libc::_SC_BARRIERS | libc::_SC_SPIN_LOCKS | libc::_SC_READER_WRITER_LOCKS | libc::_SC_SEMAPHORES => {
            200_809
        }
        libc::_SC_PAGESIZE => PAGE,
        libc::_SC_NPROCESSORS_CONF | libc::_SC_NPROCESSORS_ONLN => PROCESSORS,
        libc::_SC_PHYS_PAGES | libc::_SC_AVPHYS_PAGES => 1 << 20,
        libc::_SC_GETPW_R_SIZE_MAX | libc::_SC_GETGR_R_SIZE_MAX => 1024,
        libc::_SC_IOV_MAX => 1024,
        libc::_SC_LINE_MAX => 2048,
        libc::_SC_HOST_NAME_MAX => 64,
        libc::_SC_LOGIN_NAME_MAX => 256,
        libc::_SC_TTY_NAME_MAX => 32,
        libc::_SC_THREAD_DESTRUCTOR_ITERATIONS => 4,
        libc::_SC_THREAD_KEYS_MAX => 1024,
        libc::_SC_THREAD_STACK_MIN => 16384,
        libc::_SC_THREAD_THREADS_MAX => return context.return_int(u64::MAX),
        libc::_SC_SYMLOOP_MAX => return context.return_int(u64::MAX),
        _ => return Err(Halt::unsupported(format!("question about the system (sysconf {name})"))),
    };
    context.return_int(value)
}

/// What a shell gives by default.
fn getrlimit(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (resource, into) = (context.int(0)? as u32, context.pointer(1)?);
    let (soft, hard) = match resource {
        libc::RLIMIT_NOFILE => (1024, 1 << 20),
        libc::RLIMIT_STACK => (8 << 20, libc::RLIM_INFINITY),
        libc::RLIMIT_CORE => (0, libc::RLIM_INFINITY),
        libc::RLIMIT_NICE | libc::RLIMIT_RTPRIO => (0, 0),
        libc::RLIMIT_MSGQUEUE => (819_200, 819_200),
        libc::RLIMIT_MEMLOCK => (8 << 20, 8 << 20),
        0..LIMITS => (libc::RLIM_INFINITY, libc::RLIM_INFINITY),
        _ => return context.fail(libc::EINVAL),
    };
    let bytes: Vec<u8> = [soft, hard].into_iter().flat_map(u64::to_le_bytes).collect();
    context.write(into, &bytes)?;
    context.return_int(0)
}

fn getauxval(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let value = match context.int(0)? {
        libc::AT_PAGESZ => PAGE,
        libc::AT_MINSIGSTKSZ => 2048,
        libc::AT_CLKTCK => 100,
        libc::AT_UID | libc::AT_EUID | libc::AT_GID | libc::AT_EGID => USER,
        libc::AT_SECURE | libc::AT_HWCAP | libc::AT_HWCAP2 => 0,
        _ => {
            context.set_errno(libc::ENOENT)?;
            0
        }
    };
    context.return_int(value)
}

fn sched_getaffinity(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, mask) = (context.int(1)?, context.pointer(2)?);
    if size < 8 || size % 8 != 0 {
        return context.fail(libc::EINVAL);
    }
    super::bytes::fill(context, mask, 0, size)?;
    context.write_int(mask, 8, (1 << PROCESSORS) - 1)?;
    context.return_int(0)
}

fn sched_cpucount(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, mask) = (context.int(0)?, context.pointer(1)?);
    let count: u32 = context.read(mask, size)?.iter().map(|byte| byte.count_ones()).sum();
    context.return_int(u64::from(count))
}

fn uname(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(0)?;
    let mut bytes = vec![0; 6 * NAME_FIELD];
    for (i, field) in ["Linux", "selvedge", "6.1.0", "#1 SMP", "x86_64", "(none)"].iter().enumerate() {
        bytes[i * NAME_FIELD..][..field.len()].copy_from_slice(field.as_bytes());
    }
    context.write(into, &bytes)?;
    context.return_int(0)
}

fn gethostname(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, size) = (context.pointer(0)?, context.int(1)?);
    let name = b"selvedge\0";
    if size < name.len() as u64 {
        return context.fail(libc::ENAMETOOLONG);
    }
    context.write(into, name)?;
    context.return_int(0)
}

fn libc_version(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let version = handout(context, "version")?;
    context.return_pointer(version)
}

fn prctl(context: &mut Context<'_>) -> Result<Flow, Halt> {
    match context.int32(0)? {
        libc::PR_SET_NAME => {
            let name = context.pointer(1)?;
            let name = context.read_string(name, Some(15))?;
            context.this_mut().title = String::from_utf8_lossy(&name).into_owned();
            context.return_int(0)
        }
        libc::PR_GET_NAME => {
            let into = context.pointer(1)?;
            let mut name = context.this().title.clone().into_bytes();
            name.resize(16, 0);
            context.write(into, &name)?;
            context.return_int(0)
        }
        option => Err(Halt::unsupported(format!("request to the system (prctl {option})"))),
    }
}

fn dlsym(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let name = context.pointer(1)?;
    let name = String::from_utf8_lossy(&context.read_string(name, None)?).into_owned();
    let program = context.machine.program.clone();
    let external = program.externals.iter().find(|external| *external.name == *name);
    let address = match external.filter(|external| super::find(&external.name).is_some()) {
        Some(external) => external.address,
        None => program.functions_by_name.get(&*name).map_or(0, |&f| program.functions[f as usize].address),
    };
    context.return_pointer(Pointer { address, ..Pointer::NULL })
}
