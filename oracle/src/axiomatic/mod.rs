//! Litmus tests: small programs in a small language, to be explored or enumerated.
//!
//! One line a thread, statements between semicolons. `x.rel = 1` stores, `a = x.acq` loads, `a = x.add.rlx 1` and
//! `a = x.xchg.rlx 1` update, `a = x.cas.ar.rlx 0 1` compares with 0 and stores 1, `fence.sc` is a fence; orders are
//! `na rlx acq rel ar sc`. A value is a number, a register, or `a+1`. `if a == 1 { ... }`, `assume a == 1`, `lock m` and
//! `unlock m`. After `@a` an access depends on a register though its value does not.

mod algebra;
mod alike;
mod axioms;
mod c;
mod compare;
mod enumerate;
mod looking;
mod parse;
mod random;
mod shape;
mod threads;

pub use alike::{Alike, compare_alike, random_alike};
pub use compare::{compare, compare_random};
pub use enumerate::{Enumerated, enumerate};
pub use looking::compare_looking;
pub use parse::{ParseError, parse};
pub use random::{random, random_with_fences};
pub use shape::{Shape, shape};
pub use threads::{Statement, Term, Test};
