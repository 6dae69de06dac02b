//! Functions that the machine models itself instead of executing code: what a model is made of.
//!
//! A model that is visible stops the thread before the call; the scheduler sees the operation that it describes
//! and asks which alternatives are possible now (none: the thread is blocked). When the thread is chosen, the model
//! runs, once, atomically. A model that waits returns [`Flow::Wait`]; after the thread was woken the same model is
//! asked again, with [`Context::wake`] telling how the wait ended.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::thread::{Thread, Wait, Wake};
use crate::traits::{Access, Reach, Trait, Traits};
use selvedge_program::code::{Argument, Call, FloatFormat, Leaf, Slot};
use selvedge_trace::{Operation, SyncObject};

/// When calls of a model are visible to the scheduler.
#[derive(Clone, Copy)]
pub enum Visibility {
    /// Never: it touches nothing that is shared.
    Private,
    /// When one of its pointer arguments points to a shared object.
    IfShared,
    /// Always.
    Always {
        /// What it is about to do.
        operation: fn(&mut Context<'_>) -> Result<Operation, Halt>,
        /// How many alternatives (numbered from 0) are possible now; 0: blocked.
        alternatives: fn(&mut Context<'_>) -> u32,
    },
}

/// A model.
type Run = fn(&mut Context<'_>) -> Result<Flow, Halt>;

/// A modelled function.
#[derive(Clone, Copy)]
pub struct Native {
    pub name: &'static str,
    pub visibility: Visibility,
    pub run: Run,
    pub traits: Traits,
}

impl Native {
    /// A function that touches nothing shared.
    pub(crate) const fn private(name: &'static str, run: Run) -> Self {
        Native { name, visibility: Visibility::Private, run, traits: Traits::new(Reach::Nothing) }
    }

    /// A function that is visible when one of its arguments points to something shared.
    pub(crate) const fn if_shared(name: &'static str, reach: Reach, run: Run) -> Self {
        Native { name, visibility: Visibility::IfShared, run, traits: Traits::new(reach) }
    }

    /// A function that is always visible.
    pub(crate) const fn visible(name: &'static str, visibility: Visibility, reach: Reach, run: Run) -> Self {
        Native { name, visibility, run, traits: Traits::new(reach) }
    }

    /// The same function, of which this is so, too.
    pub(crate) const fn with(mut self, facts: &[Trait]) -> Self {
        self.traits = self.traits.with(facts);
        self
    }

    /// The same function, which touches what these arguments point to, each as it says.
    pub(crate) const fn touching(mut self, arguments: &'static [Access]) -> Self {
        self.traits.reach = Reach::Arguments(arguments);
        self
    }

    /// The same function, which may touch anything.
    pub(crate) const fn reaching_anything(mut self) -> Self {
        self.traits.reach = Reach::Anything;
        self
    }

    /// The same function, whose last argument is a `va_list`: what that names may be anything.
    pub(crate) const fn taking_list(self) -> Self {
        self.reaching_anything().with(&[Trait::TakesList])
    }

    /// The same function, which works on such an object.
    pub(crate) const fn on(mut self, object: SyncObject) -> Self {
        self.traits.object = Some(object);
        self
    }
}

/// What happens after a model has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The function returns; its result has been set.
    Return,
    /// The thread waits; the model is run again when it was woken.
    Wait(Wait),
    /// The model has changed the thread's frames itself (longjmp, unwinding, a call into the program): go on there.
    Moved,
    /// The thread has ended.
    ThreadEnd,
    /// The whole program has ended.
    ProcessEnd(i32),
}

/// A model's view of the machine during one call.
pub struct Context<'a> {
    pub machine: &'a mut Machine,
    /// The calling thread's index.
    pub thread: usize,
    /// Which alternative the scheduler chose (0 unless the model offers more).
    pub alternative: u32,
    pub(crate) call: &'a Call,
}

impl Context<'_> {
    /// The calling thread.
    pub fn this(&self) -> &Thread {
        &self.machine.threads[self.thread]
    }

    /// The calling thread.
    pub fn this_mut(&mut self) -> &mut Thread {
        self.machine.thread_mut(self.thread)
    }

    /// How the wait that this model began ended; `None` on the first run.
    pub fn wake(&self) -> Option<Wake> {
        self.this().wake
    }

    /// Number of arguments, variadic ones included.
    pub fn arguments(&self) -> usize {
        self.call.args.len()
    }

    /// Number of arguments before the variadic ones.
    pub fn fixed_arguments(&self) -> usize {
        self.call.fixed as usize
    }

    /// An argument's class and slots.
    pub fn argument(&self, index: usize) -> Option<Argument> {
        self.call.args.get(index).copied()
    }

    fn slot(&self, index: usize) -> Result<Slot, Halt> {
        let argument = self.call.args.get(index);
        argument.map(|a| a.slot).ok_or_else(|| Halt::unsupported("call with too few arguments"))
    }

    /// An integer argument, zero-extended.
    pub fn int(&self, index: usize) -> Result<u64, Halt> {
        Ok(self.this().register(self.slot(index)?))
    }

    /// Whether every bit of an argument has a value.
    pub fn is_defined(&self, index: usize) -> Result<bool, Halt> {
        Ok(self.machine.undefined_bits(self.thread, self.slot(index)?) == 0)
    }

    /// An `int` argument.
    pub fn int32(&self, index: usize) -> Result<i32, Halt> {
        Ok(self.int(index)? as i32)
    }

    /// A pointer argument; an integer is taken as a pointer of unknown provenance.
    pub fn pointer(&self, index: usize) -> Result<Pointer, Halt> {
        let slot = self.slot(index)?;
        match self.call.args[index].leaf {
            Leaf::Ptr => Ok(self.this().pointer(slot)),
            _ => Ok(Pointer { address: self.this().register(slot), provenance: Provenance::NONE }),
        }
    }

    /// A `double` argument (a `float` is widened).
    pub fn double(&self, index: usize) -> Result<f64, Halt> {
        let bits = self.int(index)?;
        Ok(match self.call.args[index].leaf {
            Leaf::Float(FloatFormat::Single) => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        })
    }

    /// A `float` argument.
    pub fn float(&self, index: usize) -> Result<f32, Halt> {
        Ok(f32::from_bits(self.int(index)? as u32))
    }

    /// Both slots of a `long double` argument: significand, sign and exponent.
    pub fn long_double(&self, index: usize) -> Result<(u64, u64), Halt> {
        let slot = self.slot(index)?;
        Ok((self.this().register(slot), self.this().register(slot + 1)))
    }

    /// Sets an integer result, cut to the width that the caller expects, and returns.
    pub fn return_int(&mut self, value: u64) -> Result<Flow, Halt> {
        let dst = self.call.dst;
        match self.call.result.first() {
            Some(Leaf::Int(bits)) => {
                let value = if *bits < 64 { value & ((1 << *bits) - 1) } else { value };
                self.this_mut().set_register(dst, value);
            }
            Some(Leaf::Ptr) => self.this_mut().set_pointer(dst, Pointer { address: value, ..Pointer::NULL }),
            Some(Leaf::Float(_)) => return Err(Halt::unsupported("call whose result should be an integer")),
            None => {}
        }
        Ok(Flow::Return)
    }

    /// Sets a pointer result and returns.
    pub fn return_pointer(&mut self, pointer: Pointer) -> Result<Flow, Halt> {
        let dst = self.call.dst;
        match self.call.result.first() {
            Some(Leaf::Ptr) => self.this_mut().set_pointer(dst, pointer),
            Some(_) => return self.return_int(pointer.address),
            None => {}
        }
        Ok(Flow::Return)
    }

    /// Sets a `double` result (or a `float` one, rounded) and returns.
    pub fn return_double(&mut self, value: f64) -> Result<Flow, Halt> {
        let dst = self.call.dst;
        let bits = match self.call.result.first() {
            Some(Leaf::Float(FloatFormat::Single)) => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        self.this_mut().set_register(dst, bits);
        Ok(Flow::Return)
    }

    /// Sets the slots of any result as they are and returns.
    pub fn return_slots(&mut self, slots: &[u64]) -> Result<Flow, Halt> {
        for (i, &slot) in slots.iter().enumerate() {
            let dst = self.call.dst + i as u32;
            self.this_mut().set_register(dst, slot);
        }
        Ok(Flow::Return)
    }

    /// Sets errno and returns -1 (or null): how most functions fail.
    pub fn fail(&mut self, errno: i32) -> Result<Flow, Halt> {
        self.set_errno(errno)?;
        self.return_int(u64::MAX)
    }
}
