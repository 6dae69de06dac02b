//! The models, called one by one, without a program around them.

use super::object::handle_of;
use crate::halt::{Halt, ViolationKind};
use crate::machine::{Config, Machine};
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Visibility};
use crate::thread::{Status, Wait, Wake};
use libc::{EAGAIN, EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ESRCH, ETIMEDOUT};
use selvedge_program::code::{Argument, Call, Callee, Function, Leaf, Op};
use selvedge_program::{CODE_BASE, Program};
use selvedge_trace::{EventKind, Model};
use std::sync::Arc;

/// A machine whose threads call what a test says.
pub(crate) struct Bench {
    pub machine: Machine,
}

pub(crate) enum Value {
    Int(u64),
    At(Pointer),
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Int(value as u64)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Value::Int(value)
    }
}

impl From<Pointer> for Value {
    fn from(pointer: Pointer) -> Self {
        Value::At(pointer)
    }
}

const RESULT: u32 = 30;

impl Bench {
    pub fn new() -> Self {
        Bench::under(Model::Sc)
    }

    fn under(model: Model) -> Self {
        let mut program = Program::default();
        for (index, name) in ["__selvedge_start", "__selvedge_thread_start"].into_iter().enumerate() {
            program.functions.push(Function {
                name: name.into(),
                address: CODE_BASE + 16 * index as u64,
                frame_slots: 40,
                code: Box::new([Op::Unsupported { index: 0 }]),
                positions: Box::new([0]),
                unsupported: Box::new(["test".into()]),
                ..Function::default()
            });
            program.functions_by_name.insert(name.into(), index as u32);
        }
        program.positions.push(Default::default());
        program.files.push(Default::default());
        let config = Config { model, views: true, ..Config::default() };
        Bench { machine: Machine::new(Arc::new(program), config) }
    }

    /// Another thread; returns its index.
    fn thread(&mut self) -> usize {
        let to = self.object(8);
        let function = Pointer { address: CODE_BASE, ..Pointer::NULL };
        assert_eq!(self.call(0, "pthread_create", [to.into(), 0.into(), function.into(), 0.into()]), 0);
        self.machine.threads.len() - 1
    }

    /// Zero bytes.
    pub fn object(&mut self, size: u64) -> Pointer {
        let object = self.machine.allocate(0, size, 16, ObjectKind::Heap, (0, 0)).unwrap();
        self.machine.memory.fill(object.address, 0, size);
        object
    }

    pub fn with<const N: usize, R>(
        &mut self,
        thread: usize,
        alternative: u32,
        arguments: [Value; N],
        act: impl FnOnce(&mut Context<'_>) -> R,
    ) -> R {
        let mut args = Vec::new();
        for (index, value) in arguments.into_iter().enumerate() {
            let slot = 2 * index as u32;
            let thread = self.machine.thread_mut(thread);
            let leaf = match value {
                Value::Int(value) => {
                    thread.set_register(slot, value);
                    Leaf::Int(64)
                }
                Value::At(pointer) => {
                    thread.set_pointer(slot, pointer);
                    Leaf::Ptr
                }
            };
            args.push(Argument::scalar(slot, leaf));
        }
        let call = Call {
            callee: Callee::External(0),
            fixed: N as u32,
            args: args.into(),
            slots: Box::new([]),
            dst: RESULT,
            result: Box::new([Leaf::Int(32)]),
            unwind: None,
            tail: false,
            exact: false,
        };
        act(&mut Context { machine: &mut self.machine, thread, alternative, call: &call })
    }

    pub fn flow<const N: usize>(
        &mut self,
        thread: usize,
        name: &str,
        arguments: [Value; N],
    ) -> Result<Flow, Halt> {
        let native = crate::library::find(name).unwrap();
        self.with(thread, 0, arguments, |context| (native.run)(context))
    }

    /// Calls a function that returns; its result.
    fn call<const N: usize>(&mut self, thread: usize, name: &str, arguments: [Value; N]) -> i32 {
        assert_eq!(self.flow(thread, name, arguments).unwrap(), Flow::Return, "{name}");
        self.machine.threads[thread].register(RESULT) as i32
    }

    fn alternatives<const N: usize>(&mut self, thread: usize, name: &str, arguments: [Value; N]) -> u32 {
        match crate::library::find(name).unwrap().visibility {
            Visibility::Always { alternatives, .. } => self.with(thread, 0, arguments, alternatives),
            _ => panic!("{name} is not visible"),
        }
    }

    fn misuse<const N: usize>(&mut self, thread: usize, name: &str, arguments: [Value; N]) -> String {
        match self.flow(thread, name, arguments) {
            Err(Halt::Violation(violation)) if violation.kind == ViolationKind::Misuse => violation.message,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// A thread calls something that waits, and waits.
    fn wait<const N: usize>(&mut self, thread: usize, name: &str, arguments: [Value; N]) -> Wait {
        let Ok(Flow::Wait(wait)) = self.flow(thread, name, arguments) else { panic!("{name} does not wait") };
        self.machine.thread_mut(thread).status = Status::Waiting(wait);
        wait
    }

    fn woken(&self) -> Vec<usize> {
        let threads = self.machine.threads.iter().enumerate();
        threads.filter(|(_, thread)| thread.wake == Some(Wake::Woken)).map(|(index, _)| index).collect()
    }

    fn word(&mut self, at: Pointer) -> u32 {
        self.machine.memory.read(at.address, 4).value as u32
    }

    fn set_word(&mut self, at: Pointer, value: u32) {
        self.machine.memory.write_bytes(at.address, &value.to_le_bytes());
    }

    /// A mutex of a kind, made with the attribute functions.
    fn mutex(&mut self, kind: i32, robust: i32) -> Pointer {
        let (attributes, mutex) = (self.object(4), self.object(40));
        self.call(0, "pthread_mutexattr_init", [attributes.into()]);
        assert_eq!(self.call(0, "pthread_mutexattr_settype", [attributes.into(), kind.into()]), 0);
        assert_eq!(self.call(0, "pthread_mutexattr_setrobust", [attributes.into(), robust.into()]), 0);
        assert_eq!(self.call(0, "pthread_mutex_init", [mutex.into(), attributes.into()]), 0);
        mutex
    }
}

#[test]
fn a_zero_mutex_is_free_and_excludes() {
    let mut bench = Bench::new();
    let (mutex, other) = (bench.object(40), bench.thread());
    assert_eq!(bench.alternatives(0, "pthread_mutex_lock", [mutex.into()]), 1);
    assert_eq!(bench.call(0, "pthread_mutex_lock", [mutex.into()]), 0);
    assert_eq!(bench.alternatives(0, "pthread_mutex_lock", [mutex.into()]), 0);
    assert_eq!(bench.alternatives(other, "pthread_mutex_lock", [mutex.into()]), 0);
    assert_eq!(bench.call(other, "pthread_mutex_trylock", [mutex.into()]), EBUSY);
    assert!(bench.misuse(other, "pthread_mutex_destroy", [mutex.into()]).ends_with("which is held by main"));
    let call = [mutex.into(), Value::At(Pointer::NULL)];
    assert!(bench.misuse(other, "pthread_mutex_init", call).ends_with("which is held by main"));
    let holder = super::holder(&mut bench.machine, EventKind::MutexLock, mutex.address);
    assert_eq!(holder.unwrap().index(), 0);
    assert!(bench.misuse(other, "pthread_mutex_unlock", [mutex.into()]).ends_with("which is held by main"));
    assert_eq!(bench.call(0, "pthread_mutex_unlock", [mutex.into()]), 0);
    assert!(bench.misuse(0, "pthread_mutex_unlock", [mutex.into()]).ends_with("which is not locked"));
    assert_eq!(bench.alternatives(other, "pthread_mutex_lock", [mutex.into()]), 1);
    assert_eq!(bench.call(0, "pthread_mutex_destroy", [mutex.into()]), 0);
    assert!(bench.misuse(0, "pthread_mutex_lock", [mutex.into()]).ends_with("which has been destroyed"));
}

#[test]
fn locks_do_not_wait_in_store_buffers() {
    for model in [Model::Tso, Model::Pso] {
        let mut bench = Bench::under(model);
        let (mutex, other) = (bench.object(40), bench.thread());
        bench.machine.memory.share(mutex.provenance);
        assert_eq!(bench.call(0, "pthread_mutex_init", [mutex.into(), Pointer::NULL.into()]), 0);
        assert_eq!(bench.call(0, "pthread_mutex_lock", [mutex.into()]), 0);
        assert_eq!(bench.alternatives(other, "pthread_mutex_lock", [mutex.into()]), 0);
    }
}

#[test]
fn an_uninitialised_mutex_is_noticed() {
    let mut bench = Bench::new();
    let mutex = bench.machine.allocate(0, 40, 16, ObjectKind::Heap, (0, 0)).unwrap();
    let halt = bench.flow(0, "pthread_mutex_lock", [mutex.into()]);
    let Err(Halt::Violation(violation)) = halt else { panic!("{halt:?}") };
    assert_eq!(violation.kind, ViolationKind::Uninitialised);
}

#[test]
fn recursive_and_checking_mutexes() {
    let mut bench = Bench::new();
    let (recursive, checking) = (bench.mutex(1, 0), bench.mutex(2, 0));
    let other = bench.thread();
    for _ in 0..3 {
        assert_eq!(bench.alternatives(0, "pthread_mutex_lock", [recursive.into()]), 1);
        assert_eq!(bench.call(0, "pthread_mutex_lock", [recursive.into()]), 0);
    }
    for _ in 0..3 {
        assert_eq!(bench.alternatives(other, "pthread_mutex_lock", [recursive.into()]), 0);
        assert_eq!(bench.call(0, "pthread_mutex_unlock", [recursive.into()]), 0);
    }
    assert_eq!(bench.call(0, "pthread_mutex_unlock", [recursive.into()]), EPERM);
    assert_eq!(bench.alternatives(other, "pthread_mutex_lock", [recursive.into()]), 1);

    assert_eq!(bench.call(0, "pthread_mutex_lock", [checking.into()]), 0);
    assert_eq!(bench.call(0, "pthread_mutex_lock", [checking.into()]), EDEADLK);
    assert_eq!(bench.call(0, "pthread_mutex_trylock", [checking.into()]), EBUSY);
    assert_eq!(bench.call(other, "pthread_mutex_unlock", [checking.into()]), EPERM);
}

#[test]
fn a_robust_mutex_survives_its_owner() {
    let mut bench = Bench::new();
    let (repaired, lost) = (bench.mutex(0, 1), bench.mutex(0, 1));
    let other = bench.thread();
    for mutex in [repaired, lost] {
        assert_eq!(bench.call(other, "pthread_mutex_lock", [mutex.into()]), 0);
        assert_eq!(bench.alternatives(0, "pthread_mutex_lock", [mutex.into()]), 0);
    }
    assert_eq!(bench.flow(other, "__selvedge_thread_exit", [0.into()]).unwrap(), Flow::ThreadEnd);
    for mutex in [repaired, lost] {
        assert_eq!(bench.alternatives(0, "pthread_mutex_lock", [mutex.into()]), 1);
        assert_eq!(bench.call(0, "pthread_mutex_lock", [mutex.into()]), EOWNERDEAD);
    }
    assert_eq!(bench.call(0, "pthread_mutex_consistent", [repaired.into()]), 0);
    for mutex in [repaired, lost] {
        assert_eq!(bench.call(0, "pthread_mutex_unlock", [mutex.into()]), 0);
    }
    assert_eq!(bench.call(0, "pthread_mutex_lock", [repaired.into()]), 0);
    assert_eq!(bench.call(0, "pthread_mutex_lock", [lost.into()]), ENOTRECOVERABLE);
}

#[test]
fn timed_locks_time_out_exactly_when_taken_and_move_the_clock() {
    let mut bench = Bench::new();
    let (mutex, deadline, other) = (bench.object(40), bench.object(16), bench.thread());
    let late = bench.machine.world.clock / 1_000_000_000 + 60;
    bench.machine.memory.write_bytes(deadline.address, &late.to_le_bytes());
    assert_eq!(bench.call(0, "pthread_mutex_timedlock", [mutex.into(), deadline.into()]), 0);
    assert_eq!(bench.call(other, "pthread_mutex_timedlock", [mutex.into(), deadline.into()]), ETIMEDOUT);
    assert_eq!(bench.machine.world.clock, late * 1_000_000_000);
    bench.machine.memory.write_bytes(deadline.address + 8, &1_000_000_000_u64.to_le_bytes());
    assert_eq!(bench.call(other, "pthread_mutex_timedlock", [mutex.into(), deadline.into()]), EINVAL);
}

#[test]
fn threads_are_joined_once_and_only_when_they_have_ended() {
    let mut bench = Bench::new();
    let (first, second) = (bench.thread(), bench.thread());
    let handle = |bench: &Bench, index| Value::Int(u64::from(handle_of(&bench.machine, index)));
    let null = || Value::At(Pointer::NULL);
    let arguments = |bench: &Bench, index| [handle(bench, index), null()];
    let mine = arguments(&bench, 0);
    assert_eq!(bench.misuse(0, "pthread_join", mine), "thread main joins itself");
    assert_eq!(bench.call(0, "pthread_join", [12_345.into(), null()]), ESRCH);
    let call = arguments(&bench, first);
    assert_eq!(bench.alternatives(0, "pthread_join", call), 0);
    let call = arguments(&bench, first);
    assert_eq!(bench.call(0, "pthread_tryjoin_np", call), EBUSY);
    assert_eq!(bench.flow(first, "__selvedge_thread_exit", [77.into()]).unwrap(), Flow::ThreadEnd);
    let (call, to) = (handle(&bench, first), bench.object(8));
    assert_eq!(bench.call(0, "pthread_join", [call, to.into()]), 0);
    assert_eq!(bench.word(to), 77);
    let call = arguments(&bench, first);
    assert!(bench.misuse(0, "pthread_join", call).contains("main.1"));
    let call = handle(&bench, second);
    assert_eq!(bench.call(0, "pthread_detach", [call]), 0);
    let call = arguments(&bench, second);
    assert!(bench.misuse(0, "pthread_join", call).ends_with("is joined after it was detached"));
    let call = handle(&bench, second);
    assert!(bench.misuse(0, "pthread_detach", [call]).ends_with("is detached a second time"));
}

#[test]
fn the_last_thread_ends_the_process() {
    let mut bench = Bench::new();
    let other = bench.thread();
    assert_eq!(bench.flow(0, "__selvedge_thread_exit", [0.into()]).unwrap(), Flow::ThreadEnd);
    assert_eq!(bench.flow(other, "__selvedge_thread_exit", [0.into()]).unwrap(), Flow::ProcessEnd(0));
}

#[test]
fn waiting_releases_the_mutex_and_takes_it_again() {
    let mut bench = Bench::new();
    let (condition, mutex) = (bench.object(48), bench.object(40));
    let waiters = [bench.thread(), bench.thread(), bench.thread()];
    let both = || [condition.into(), mutex.into()];
    assert!(bench.misuse(waiters[0], "pthread_cond_wait", both()).ends_with("which is not locked"));
    for waiter in waiters {
        assert_eq!(bench.call(waiter, "pthread_mutex_lock", [mutex.into()]), 0);
        bench.wait(waiter, "pthread_cond_wait", both());
    }
    assert_eq!(bench.alternatives(0, "pthread_cond_signal", [condition.into()]), 3);
    let signal = crate::library::find("pthread_cond_signal").unwrap();
    bench.with(0, 1, [condition.into()], |context| (signal.run)(context)).unwrap();
    assert_eq!(bench.woken(), [waiters[1]]);
    assert_eq!(bench.call(0, "pthread_mutex_lock", [mutex.into()]), 0);
    assert_eq!(bench.alternatives(waiters[1], "pthread_cond_wait", both()), 0);
    assert_eq!(bench.call(0, "pthread_mutex_unlock", [mutex.into()]), 0);
    assert_eq!(bench.alternatives(waiters[1], "pthread_cond_wait", both()), 1);
    assert_eq!(bench.call(waiters[1], "pthread_cond_wait", both()), 0);
    assert_eq!(bench.call(0, "pthread_mutex_trylock", [mutex.into()]), EBUSY);
    assert!(bench.misuse(0, "pthread_cond_destroy", [condition.into()]).ends_with("on which threads wait"));
    assert_eq!(bench.call(0, "pthread_cond_broadcast", [condition.into()]), 0);
    assert_eq!(bench.woken(), [waiters[0], waiters[2]]);
}

#[test]
fn a_timed_wait_that_times_out_takes_the_mutex_too() {
    let mut bench = Bench::new();
    let (condition, mutex, deadline) = (bench.object(48), bench.object(40), bench.object(16));
    assert_eq!(bench.call(0, "pthread_mutex_lock", [mutex.into()]), 0);
    let all = || [condition.into(), mutex.into(), deadline.into()];
    let wait = bench.wait(0, "pthread_cond_timedwait", all());
    assert!(wait.timed());
    assert_eq!(bench.word(mutex), 0);
    bench.machine.wake(0, Wake::TimedOut);
    assert_eq!(bench.call(0, "pthread_cond_timedwait", all()), ETIMEDOUT);
    assert_eq!(bench.word(mutex), 1);
}

#[test]
fn readers_share_and_writers_do_not() {
    let mut bench = Bench::new();
    let (lock, other) = (bench.object(56), bench.thread());
    assert_eq!(bench.call(0, "pthread_rwlock_rdlock", [lock.into()]), 0);
    assert_eq!(bench.call(other, "pthread_rwlock_tryrdlock", [lock.into()]), 0);
    assert_eq!(bench.alternatives(0, "pthread_rwlock_wrlock", [lock.into()]), 0);
    assert_eq!(bench.call(0, "pthread_rwlock_trywrlock", [lock.into()]), EBUSY);
    assert_eq!(bench.call(0, "pthread_rwlock_unlock", [lock.into()]), 0);
    assert_eq!(bench.call(other, "pthread_rwlock_unlock", [lock.into()]), 0);
    assert_eq!(bench.call(other, "pthread_rwlock_wrlock", [lock.into()]), 0);
    assert_eq!(bench.call(other, "pthread_rwlock_rdlock", [lock.into()]), EDEADLK);
    assert_eq!(bench.alternatives(0, "pthread_rwlock_rdlock", [lock.into()]), 0);
    let holder = super::holder(&mut bench.machine, EventKind::ReadLock, lock.address);
    assert_eq!(holder.unwrap().index(), other);
    assert!(bench.misuse(0, "pthread_rwlock_unlock", [lock.into()]).ends_with("held by main.1"));
    assert_eq!(bench.call(other, "pthread_rwlock_unlock", [lock.into()]), 0);
    assert!(bench.misuse(0, "pthread_rwlock_unlock", [lock.into()]).ends_with("not locked"));
}

#[test]
fn the_last_thread_opens_the_barrier() {
    let mut bench = Bench::new();
    let barrier = bench.object(32);
    let others = [bench.thread(), bench.thread()];
    assert!(bench.misuse(0, "pthread_barrier_wait", [barrier.into()]).contains("not initialised"));
    let null = Pointer::NULL;
    assert_eq!(bench.call(0, "pthread_barrier_init", [barrier.into(), null.into(), 0.into()]), EINVAL);
    assert_eq!(bench.call(0, "pthread_barrier_init", [barrier.into(), null.into(), 3.into()]), 0);
    for _ in 0..2 {
        for other in others {
            bench.wait(other, "pthread_barrier_wait", [barrier.into()]);
        }
        assert_eq!(bench.call(0, "pthread_barrier_wait", [barrier.into()]), -1);
        assert_eq!(bench.woken(), others);
        for other in others {
            assert_eq!(bench.call(other, "pthread_barrier_wait", [barrier.into()]), 0);
        }
    }
}

#[test]
fn semaphores_spinlocks_and_once() {
    let mut bench = Bench::new();
    let (semaphore, spin, once, other) = (bench.object(32), bench.object(4), bench.object(4), bench.thread());
    assert_eq!(bench.call(0, "sem_init", [semaphore.into(), 0.into(), 1.into()]), 0);
    assert_eq!(bench.call(0, "sem_wait", [semaphore.into()]), 0);
    assert_eq!(bench.alternatives(0, "sem_wait", [semaphore.into()]), 0);
    assert_eq!(bench.call(0, "sem_trywait", [semaphore.into()]), -1);
    let errno = bench.machine.threads[0].errno;
    assert_eq!(bench.word(errno), EAGAIN as u32);
    assert_eq!(bench.call(other, "sem_post", [semaphore.into()]), 0);
    assert_eq!(bench.alternatives(0, "sem_wait", [semaphore.into()]), 1);

    assert!(bench.misuse(0, "pthread_spin_lock", [spin.into()]).contains("not initialised"));
    assert_eq!(bench.call(0, "pthread_spin_init", [spin.into(), 0.into()]), 0);
    assert_eq!(bench.call(other, "pthread_spin_lock", [spin.into()]), 0);
    assert_eq!(bench.alternatives(0, "pthread_spin_lock", [spin.into()]), 0);
    let holder = super::holder(&mut bench.machine, EventKind::SpinLock, spin.address);
    assert_eq!(holder.unwrap().index(), other);
    assert_eq!(bench.call(other, "pthread_spin_unlock", [spin.into()]), 0);

    assert_eq!(bench.call(0, "__selvedge_once_enter", [once.into()]), 1);
    assert_eq!(bench.alternatives(other, "__selvedge_once_enter", [once.into()]), 0);
    assert_eq!(bench.call(0, "__selvedge_once_done", [once.into()]), 0);
    assert_eq!(bench.call(other, "__selvedge_once_enter", [once.into()]), 0);
}

#[test]
fn values_of_keys_are_each_threads_own() {
    let mut bench = Bench::new();
    let (key, destructor, value, other) = (bench.object(4), bench.object(8), bench.object(8), bench.thread());
    let function = Pointer { address: CODE_BASE, ..Pointer::NULL };
    assert_eq!(bench.call(0, "pthread_key_create", [key.into(), function.into()]), 0);
    let number = bench.word(key);
    assert_eq!(bench.call(0, "pthread_setspecific", [u64::from(number).into(), 5.into()]), 0);
    assert_eq!(bench.call(0, "pthread_setspecific", [9.into(), 5.into()]), EINVAL);
    assert_eq!(bench.call(0, "pthread_getspecific", [u64::from(number).into()]), 5);
    assert_eq!(bench.call(other, "pthread_getspecific", [u64::from(number).into()]), 0);
    for round in 0..6 {
        let found = bench.call(0, "__selvedge_key_destructor", [destructor.into(), value.into()]);
        assert_eq!(
            found,
            i32::from(round < 4),
            "a destructor that sets its value again is called four times"
        );
        assert_eq!(bench.call(0, "pthread_setspecific", [u64::from(number).into(), 5.into()]), 0);
    }
    assert_eq!((bench.word(destructor) as u64, bench.word(value)), (CODE_BASE, 5));
    assert_eq!(bench.call(0, "pthread_key_delete", [u64::from(number).into()]), 0);
    assert_eq!(bench.call(0, "pthread_getspecific", [u64::from(number).into()]), 0);
}

#[test]
fn futexes_compare_wait_and_wake() {
    let mut bench = Bench::new();
    let word = bench.object(4);
    let null = Pointer::NULL;
    let wait = |expected: i32| {
        let futex = libc::SYS_futex as u64;
        let command = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
        [futex.into(), word.into(), command.into(), expected.into(), null.into(), null.into(), 0.into()]
    };
    let wake = |count: i32| {
        let futex = libc::SYS_futex as u64;
        [futex.into(), word.into(), libc::FUTEX_WAKE.into(), count.into(), null.into(), null.into(), 0.into()]
    };
    let others = [bench.thread(), bench.thread(), bench.thread()];
    bench.set_word(word, 1);
    assert_eq!(bench.call(0, "syscall", wait(2)), -1);
    let errno = bench.machine.threads[0].errno;
    assert_eq!(bench.word(errno), EAGAIN as u32);
    for other in others {
        assert!(!bench.wait(other, "syscall", wait(1)).timed());
    }
    assert_eq!(bench.alternatives(0, "syscall", wake(1)), 3);
    assert_eq!(bench.alternatives(0, "syscall", wake(2)), 3);
    assert_eq!(bench.alternatives(0, "syscall", wake(3)), 1);
    assert_eq!(bench.call(0, "syscall", wake(2)), 2);
    assert_eq!(bench.woken(), [others[0], others[1]]);
    assert_eq!(bench.call(others[0], "syscall", wait(1)), 0);
    assert!(matches!(bench.flow(0, "syscall", [424_242.into()]), Err(Halt::Unsupported(_))));
}

#[test]
fn a_futex_wait_that_times_out_lets_its_time_pass() {
    let mut bench = Bench::new();
    let (word, timeout) = (bench.object(4), bench.object(16));
    bench.machine.memory.write_bytes(timeout.address, &3_u64.to_le_bytes());
    let futex = libc::SYS_futex as u64;
    let wait = || [futex.into(), word.into(), libc::FUTEX_WAIT.into(), 0.into(), timeout.into()];
    assert!(bench.wait(0, "syscall", wait()).timed());
    let before = bench.machine.world.clock;
    bench.machine.wake(0, Wake::TimedOut);
    assert_eq!(bench.call(0, "syscall", wait()), -1);
    let errno = bench.machine.threads[0].errno;
    assert_eq!(bench.word(errno), ETIMEDOUT as u32);
    assert_eq!(bench.machine.world.clock, before + 3_000_000_000);
}

#[test]
fn results_of_attempts_are_part_of_the_view_and_the_order_of_locks_is_not() {
    let view = |first_locks: bool, holds: bool| {
        let mut bench = Bench::under(Model::Pso);
        let (mutex, other) = (bench.object(40), bench.thread());
        bench.machine.memory.share(mutex.provenance);
        for thread in if first_locks { [0, other] } else { [other, 0] } {
            assert_eq!(bench.alternatives(thread, "pthread_mutex_lock", [mutex.into()]), 1);
            bench.call(thread, "pthread_mutex_lock", [mutex.into()]);
            bench.call(thread, "pthread_mutex_unlock", [mutex.into()]);
        }
        for holds in [holds, !holds] {
            if holds {
                bench.call(0, "pthread_mutex_lock", [mutex.into()]);
            }
            let code = bench.call(other, "pthread_mutex_trylock", [mutex.into()]);
            assert_eq!(code, if holds { EBUSY } else { 0 });
            bench.call(if holds { 0 } else { other }, "pthread_mutex_unlock", [mutex.into()]);
        }
        bench.machine.inspect().view()
    };
    assert_eq!(view(true, false), view(false, false));
    assert_ne!(view(true, false), view(true, true));
}

#[test]
fn how_timed_waits_end_is_part_of_the_view() {
    let view = |wakes: [Wake; 2]| {
        let mut bench = Bench::new();
        let (mutex, condition, time) = (bench.object(40), bench.object(48), bench.object(16));
        let other = bench.thread();
        for wake in wakes {
            bench.call(other, "pthread_mutex_lock", [mutex.into()]);
            let arguments = || [condition.into(), mutex.into(), time.into()];
            bench.wait(other, "pthread_cond_timedwait", arguments());
            bench.machine.thread_mut(other).wake = Some(wake);
            bench.call(other, "pthread_cond_timedwait", arguments());
            bench.call(other, "pthread_mutex_unlock", [mutex.into()]);
        }
        bench.machine.inspect().view()
    };
    assert_ne!(view([Wake::Woken, Wake::TimedOut]), view([Wake::TimedOut, Wake::Woken]));
    assert_eq!(view([Wake::Woken; 2]), view([Wake::Woken; 2]));
}
