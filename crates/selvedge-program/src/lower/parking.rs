//! Waiting for a token in Rust's standard library, as one operation.
//!
//! `std::thread::park` begins with `state.fetch_sub(1, Acquire)`: if the token was there (1) it returns. Otherwise it has
//! noted that the thread is parked, and waits at a futex until the token is there and can be taken. A machine that
//! models [`PARK`] waits at that first update until the token is there, so the rest is never executed.

use super::{Lowered, Lowering};
use crate::code::{Argument, Call, Leaf};
use crate::link::without_crate_number;
use crate::llvm::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, Value, ValueKind};

/// The function that waits until the word that its argument points to is 1, makes it 0, and returns 1.
pub const PARK: &str = "__selvedge_park";

/// Where such an update is: `Thread::park` and `park`, mangled, without the number of the crate.
const PARKS: [&str; 2] =
    ["_RNvMs_NtNtC3std6thread6threadNtB4_6Thread4park", "_RNvNtNtC3std6thread9functions4park"];

impl Lowering<'_, '_> {
    /// Whether this update waits for a token.
    pub(super) fn waits_for_token(&self, value: Value) -> bool {
        let one = value.operand(1);
        value.rmw_operation() == LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub
            && value.ordering() == LLVMAtomicOrdering::LLVMAtomicOrderingAcquire
            && one.kind() == ValueKind::LLVMConstantIntValueKind
            && self.linker.types.scalar(one.ty()) == Some(Leaf::Int(32))
            && one.int() == 1
            && without_crate_number(self.function.name()).is_some_and(|name| PARKS.contains(&&*name))
            && self.linker.models(PARK)
    }

    /// Such an update.
    pub(super) fn wait_for_token(&mut self, index: u32, value: Value) -> Lowered {
        let word = self.slot(value.operand(0))?;
        let dst = self.result(index);
        self.code.call(Call {
            callee: self.linker.library_function(PARK),
            args: [Argument::scalar(word, Leaf::Ptr)].into(),
            slots: [word, word + 1].into(),
            fixed: 1,
            dst,
            result: [Leaf::Int(32)].into(),
            unwind: None,
            tail: false,
            exact: false,
        });
        Ok(())
    }
}
