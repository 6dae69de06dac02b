//! What a compiler calls where a signed integer does not fit, if it was asked to look (`--overflow`).

use crate::halt::{Halt, ViolationKind};
use crate::native::Native;

const fn model(
    name: &'static str,
    run: fn(&mut crate::native::Context<'_>) -> Result<crate::native::Flow, Halt>,
) -> Native {
    Native::private(name, run)
}

/// A function for an operation, and that of compilers that let no program go on.
macro_rules! overflows {
    ($($name:literal $ends:literal $what:literal)*) => {
        [$(
            model($name, |_| Err(Halt::violation(ViolationKind::Overflow, $what))),
            model($ends, |_| Err(Halt::violation(ViolationKind::Overflow, $what)))
        ),*]
    };
}

pub const NATIVES: &[Native] = &overflows! {
    "__ubsan_handle_add_overflow" "__ubsan_handle_add_overflow_abort"
        "signed integer overflow: the sum does not fit its type"
    "__ubsan_handle_sub_overflow" "__ubsan_handle_sub_overflow_abort"
        "signed integer overflow: the difference does not fit its type"
    "__ubsan_handle_mul_overflow" "__ubsan_handle_mul_overflow_abort"
        "signed integer overflow: the product does not fit its type"
    "__ubsan_handle_negate_overflow" "__ubsan_handle_negate_overflow_abort"
        "signed integer overflow: the negated value does not fit its type"
    "__ubsan_handle_divrem_overflow" "__ubsan_handle_divrem_overflow_abort"
        "signed integer overflow: the quotient does not fit its type"
    "__ubsan_handle_shift_out_of_bounds" "__ubsan_handle_shift_out_of_bounds_abort"
        "signed integer overflow: a shift by too much, or of what does not fit then"
};
