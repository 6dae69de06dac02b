//! Begins a search anew where it has shown that objects are shared which counted as private.
//!
//! Whether an object can be accessed by several threads is found out by following its address (`selvedge-machine`). Where
//! an execution shows that this was not enough, all objects of the same allocation site count as shared from their
//! birth, and what was searched so far counts for nothing.

use crate::{Checkpoint, CheckpointStore, Options, Progress, Report, Unfinished};
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
    search: impl Fn(&Config, &Options) -> Report,
) -> Report {
    let kept = options.keep.as_ref().and_then(|keep| keep.kept()).map(|checkpoint| checkpoint.births);
    let mut births = Births::clone(&config.births);
    if let Some(kept) = kept {
        births.all |= kept.all;
        births.sites.extend(kept.sites);
    }
    births.all |= !options.reductions.has(Reduction::Privacy);
    let mut tells_sites = !births.sites.is_empty();
    for searches in 1.. {
        let known = Arc::new(births.clone());
        let hidden = Arc::new(HiddenSharing::new(progress.hidden.clone(), tells_sites));
        let config = Config { births: known.clone(), hidden: Some(hidden.clone()), ..config.clone() };
        let keep = options.keep.clone().map(|inner| -> Arc<dyn CheckpointStore> {
            Arc::new(WithBirths { inner, births: Births::clone(&known) })
        });
        let mut report = search(&config, &Options { keep, ..options.clone() });
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
    }
    unreachable!("all objects are shared after {MOST_SEARCHES} searches")
}

/// A single search for something that may stay open: nothing where a thread accesses a private object of another one.
pub fn once<T>(config: &Config, progress: &Progress, search: impl FnOnce(&Config) -> Option<T>) -> Option<T> {
    let hidden = Arc::new(HiddenSharing::new(progress.hidden.clone(), false));
    let answer = search(&Config { hidden: Some(hidden), ..config.clone() });
    answer.filter(|_| !progress.hidden.swap(false, Ordering::Relaxed))
}

/// Keeps with every checkpoint what the search took for shared. What was kept by another one is of no use.
#[derive(Debug)]
struct WithBirths {
    inner: Arc<dyn CheckpointStore>,
    births: Births,
}

impl CheckpointStore for WithBirths {
    fn is_due(&self) -> bool {
        self.inner.is_due()
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        self.inner.keep(&Checkpoint { births: self.births.clone(), ..checkpoint.clone() });
    }

    fn complete(&self) {
        self.inner.complete();
    }

    fn kept(&self) -> Option<Checkpoint> {
        self.inner.kept().filter(|kept| kept.births == self.births)
    }
}
