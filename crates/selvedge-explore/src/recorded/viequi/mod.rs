//! View equivalence, complete: one execution for each view, that is for each combination of what threads have observed.
//!
//! Each execution asks, for each of its reads, which other values are possible with what the other threads have done.
//! What was asked before, in whichever execution, is not asked again; what an explored execution shows needs no answer;
//! for most of the rest a rearrangement of the recorded events is enough. Only then the ordering solver is asked, so
//! that nothing is lost. `docs/strategies.md` says why every view is found.

mod arrange;
mod content;
mod forced;
mod look;
mod search;
mod simulate;
mod sweep;

pub use search::explore;
