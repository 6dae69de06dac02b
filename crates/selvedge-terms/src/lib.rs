//! Bit-vector expressions over inputs and shared reads.
//!
//! [`Terms`] is a pool that only grows: equal expressions are stored once and are the same [`Term`]. Constructors
//! simplify where that is cheap, so that constants fold and values that go through memory byte by byte come out as
//! they went in. Widths are 1 to 128 bits; a truth value is a term of width 1.
//!
//! Operations mean what SMT-LIB says where LLVM leaves them open: `x / 0` is all ones (unsigned), `x % 0` is `x`, a
//! shift by the width or more gives zeros (or copies of the sign). A caller that needs to know whether such a case is reached
//! asks for it as a branch of its own.
//!
//! ```
//! use selvedge_terms::{Comparison, Symbol, Terms};
//! use selvedge_trace::ThreadName;
//!
//! let mut terms = Terms::new();
//! let x = terms.symbol(&Symbol::Input { thread: ThreadName::main(), occurrence: 0 }, 32);
//! let one = terms.constant(32, 1);
//! let next = terms.add(x, one);
//! // Through memory and back.
//! let bytes = terms.bytes(next);
//! assert_eq!(terms.assemble(&bytes), next);
//! let two = terms.constant(32, 2);
//! let large = terms.compare(Comparison::SignedGreater, next, two);
//! assert_eq!(terms.show(large).to_string(), "(2 <s (main#0 + 1))");
//! assert_eq!(terms.evaluate(large, |_| 5), 1);
//! ```

mod build;
pub mod decide;
mod evaluate;
mod fold;
mod import;
mod library;
mod pool;
mod print;
mod symbol;
mod words;

pub use evaluate::Evaluation;
pub use import::Import;
pub use pool::{Binary, Node, Term, Terms};
pub use print::Shown;
pub use symbol::{Source, Symbol, SymbolId};
pub use words::{Comparison, cut, signed};
