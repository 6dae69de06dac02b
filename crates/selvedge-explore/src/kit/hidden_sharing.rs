//! Begins a search anew where it has shown that objects are shared which counted as private.
//!
//! Whether an object can be accessed by several threads is found out by following its address (`selvedge-machine`). Where
//! an execution shows that this was not enough, all objects of the same allocation site count as shared from their
//! birth, and what was searched so far counts for nothing.

use crate::{Keeper, Options, Progress, Report, Unfinished};
use selvedge_machine::{Config, HiddenSharing};
use selvedge_trace::{Births, Reduction};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// After so many searches in vain all objects count as shared.
const MOST_SEARCHES: u32 = 32;

/// Searches until no thread accesses a private object of another one.
pub fn until_known(
    config: Config,
    options: &Options,
    progress: &Progress,
    search: impl Fn(&Config) -> Report,
) -> Report {
    // What other parts of a checkpoint say holds for these births.
    let keeper = options.keep.as_ref().map(|keep| keep.member("births"));
    let kept = keeper.as_ref().and_then(Keeper::kept);
    let mut births = kept.unwrap_or_else(|| Births::clone(&config.births));
    births.all |= !options.reductions.has(Reduction::Privacy);
    let mut tells_sites = !births.sites.is_empty();
    for searches in 1.. {
        let known = Arc::new(births.clone());
        let hidden = Arc::new(HiddenSharing::new(progress.hidden.clone(), tells_sites));
        let config = Config { births: known.clone(), hidden: Some(hidden.clone()), ..config.clone() };
        let mut report = search(&config);
        report.births = known;
        if !progress.hidden.swap(false, Ordering::Relaxed) {
            return report;
        }
        if let Some(budget) = progress.over() {
            // What was found so far stands, but the rest is open.
            report.unfinished = vec![Unfinished::Budget(budget)];
            return report;
        }
        if births.all {
            // Cannot be: there are no private objects.
            report.unfinished.push(Unfinished::Lost);
            return report;
        }
        births.sites.extend(hidden.sites());
        births.all = searches >= MOST_SEARCHES;
        tells_sites = true;
        progress.begin_anew();
        if let Some(keeper) = &keeper {
            keeper.forget();
            keeper.keep(&births);
        }
    }
    unreachable!("all objects are shared after {MOST_SEARCHES} searches")
}

/// A single search for something that may stay open: nothing where a thread accesses a private object of another one.
pub fn once<T>(config: &Config, progress: &Progress, search: impl FnOnce(&Config) -> Option<T>) -> Option<T> {
    let hidden = Arc::new(HiddenSharing::new(progress.hidden.clone(), false));
    let answer = search(&Config { hidden: Some(hidden), ..config.clone() });
    answer.filter(|_| !progress.hidden.swap(false, Ordering::Relaxed))
}
