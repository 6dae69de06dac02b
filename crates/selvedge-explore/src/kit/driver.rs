//! The driver of a search: its workers, and what is still to be explored.
//!
//! A search says how a worker begins, and what a worker does with an item: it explores the item and pushes the items that
//! come after it. Each worker has a stack and takes the item that it has pushed last; a worker without items takes the
//! oldest of another worker's stack, or asks the search for something else. One worker alone does everything in the
//! same order each time, on the thread that has called.
//!
//! The driver is over when no item is left, or when the search stops it. If a checkpoint is due, or a budget is used up,
//! all workers end the items that they are at, and then the search keeps how far it has come. A worker that panics stops the others, and
//! its panic goes on where the driver was called.
//!
//! Nothing here knows what items are.

use crate::Options;
use crate::kit::checkpoint::Keeper;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// So long a worker that finds nothing waits until it looks again.
const PATIENCE: Duration = Duration::from_micros(100);

/// After so many times it takes the only item of another worker, which may be busy with a long one.
const TIMES: u32 = 10;

/// So long the first worker is alone: a search that is over by then comes to the same violation for any number of workers.
const HEAD_START: Duration = Duration::from_millis(2);

/// What a driver drives.
pub trait Search: Sync {
    /// Something that is to be explored.
    type Item: Send;
    /// What a worker has for itself.
    type Worker: Send;

    /// A worker that has not begun; nothing if it cannot begin, which stops the search.
    fn worker(&self) -> Option<Self::Worker>;

    /// Explores an item, and pushes what comes after it. Returns it if it was broken off and has to be explored again.
    fn follow(
        &self,
        worker: &mut Self::Worker,
        item: Self::Item,
        stack: &Stack<'_, Self::Item>,
    ) -> Option<Self::Item>;

    /// Something to explore that is on no stack. Nothing that takes long, since other workers wait meanwhile.
    fn further(&self) -> Option<Self::Item> {
        None
    }

    /// Keeps how far the search has come, when no worker is at work. `open`: all items that wait, in the opposite of the
    /// order in which a single worker takes them.
    fn keep(&self, keeper: &Keeper, workers: &mut [Self::Worker], open: &[&Self::Item]);
}

/// Goes on.
const ON: u8 = 0;
/// All workers end the items that they are at, so that how far they have come can be kept.
const EXHAUSTED: u8 = 1;
/// All workers end as soon as they can.
const STOPPED: u8 = 2;

/// Workers that explore together.
#[derive(Debug)]
pub struct Driver<Item> {
    stacks: Vec<Mutex<VecDeque<Item>>>,
    /// Items on all stacks.
    open: AtomicUsize,
    keeper: Option<Keeper>,
    state: AtomicU8,
    /// Workers end before their next item, since a checkpoint is due.
    pauses: AtomicBool,
    /// How many workers wait for items.
    waiting: Mutex<usize>,
    /// The same, to be looked at without the lock.
    waits: AtomicBool,
    changed: Condvar,
}

/// The stack of a worker.
#[derive(Debug)]
pub struct Stack<'d, Item> {
    driver: &'d Driver<Item>,
    number: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<Item: Send> Driver<Item> {
    /// For so many workers as the options say.
    pub fn new(options: &Options) -> Self {
        Driver {
            stacks: (0..options.jobs.max(1)).map(|_| Mutex::default()).collect(),
            open: AtomicUsize::new(0),
            keeper: options.keep.clone(),
            state: AtomicU8::new(ON),
            pauses: AtomicBool::new(false),
            waiting: Mutex::new(0),
            waits: AtomicBool::new(false),
            changed: Condvar::new(),
        }
    }

    /// The stack of the first worker, for what is there before any of them begins.
    pub fn first(&self) -> Stack<'_, Item> {
        Stack { driver: self, number: 0 }
    }

    /// How many items wait.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed) as u64
    }

    /// All workers end as soon as they can; nothing is kept.
    pub fn stop(&self) {
        self.state.store(STOPPED, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// A budget is used up: all workers end the items that they are at, what is left is kept, and the search stops.
    pub fn exhaust(&self) {
        // A search that was stopped stays so.
        let _ = self.state.compare_exchange(ON, EXHAUSTED, Ordering::Relaxed, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) == STOPPED
    }

    /// Whether workers are to take no more items.
    fn ends(&self) -> bool {
        self.state.load(Ordering::Relaxed) != ON || self.pauses.load(Ordering::Relaxed)
    }

    /// Explores all that is open, until nothing is left or the search stops. `begun`: workers that know something already.
    /// Returns all workers.
    pub fn run<S: Search<Item = Item>>(&self, search: &S, begun: Vec<S::Worker>) -> Vec<S::Worker> {
        let mut workers: Vec<Option<S::Worker>> = begun.into_iter().map(Some).collect();
        workers.resize_with(self.stacks.len(), || None);
        loop {
            *lock(&self.waiting) = 0;
            thread::scope(|scope| {
                let mut others = workers.iter_mut().zip(0..);
                let own = others.next();
                let spawn = |(worker, number)| scope.spawn(move || self.work(search, worker, number));
                let others: Vec<_> = others.map(spawn).collect();
                own.into_iter().for_each(|(worker, number)| self.work(search, worker, number));
                let ends: Vec<_> = others.into_iter().map(|other| other.join()).collect();
                if let Some(panic) = ends.into_iter().find_map(Result::err) {
                    resume_unwind(panic);
                }
            });
            let exhausted = self.state.load(Ordering::Relaxed) == EXHAUSTED;
            let paused = self.pauses.swap(false, Ordering::Relaxed);
            let mut begun: Vec<S::Worker> = workers.drain(..).flatten().collect();
            if let Some(keeper) = self.keeper.as_ref().filter(|_| (paused || exhausted) && !self.is_stopped())
            {
                let stacks: Vec<_> = self.stacks.iter().map(lock).collect();
                let open: Vec<&Item> = stacks.iter().flat_map(|stack| stack.iter()).collect();
                search.keep(keeper, &mut begun, &open);
            }
            if exhausted {
                self.stop();
            }
            if !paused || self.is_stopped() {
                return begun;
            }
            workers = begun.into_iter().map(Some).collect();
            workers.resize_with(self.stacks.len(), || None);
        }
    }

    fn work<S: Search<Item = Item>>(&self, search: &S, worker: &mut Option<S::Worker>, number: usize) {
        let _stops = StopsOnPanic(self);
        if worker.is_none() {
            *worker = search.worker();
        }
        let Some(worker) = worker else { return self.stop() };
        if number > 0 {
            drop(self.wait(lock(&self.waiting), HEAD_START));
        }
        let stack = Stack { driver: self, number };
        while let Some(item) = self.take(search, number) {
            if let Some(again) = search.follow(worker, item, &stack) {
                stack.push(again);
            }
            if self.keeper.as_ref().is_some_and(Keeper::is_due) {
                self.pauses.store(true, Ordering::Relaxed);
                self.changed.notify_all();
            }
        }
    }

    /// The next item of a worker; nothing if it is to end.
    fn take<S: Search<Item = Item>>(&self, search: &S, number: usize) -> Option<Item> {
        if self.ends() {
            return None;
        }
        let own = lock(&self.stacks[number]).pop_back();
        own.inspect(|_| self.took()).or_else(|| self.take_elsewhere(search, number))
    }

    /// An item that the worker has not pushed itself. If there is none and all others wait, everything is done.
    fn take_elsewhere<S: Search<Item = Item>>(&self, search: &S, number: usize) -> Option<Item> {
        let mut waiting = lock(&self.waiting);
        for times in 0_u32.. {
            if self.ends() {
                return None;
            }
            let item = self.steal(number, times).or_else(|| search.further());
            if item.is_some() {
                return item;
            }
            if *waiting + 1 >= self.stacks.len() {
                // It counts as waiting from now on, so each of the others finds the same.
                *waiting += 1;
                self.changed.notify_all();
                return None;
            }
            self.waits.store(true, Ordering::Relaxed);
            waiting = self.wait(waiting, PATIENCE);
            self.waits.store(*waiting > 0, Ordering::Relaxed);
        }
        None
    }

    /// Counts as a worker that waits, for so long or until something has changed.
    fn wait<'w>(&self, mut waiting: MutexGuard<'w, usize>, time: Duration) -> MutexGuard<'w, usize> {
        *waiting += 1;
        let waited = self.changed.wait_timeout(waiting, time);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        *waiting -= 1;
        waiting
    }

    /// The oldest item of another worker.
    fn steal(&self, number: usize, times: u32) -> Option<Item> {
        // The only item of a worker is the one that it takes next, with what it has from the item before.
        let least = if times < TIMES { 2 } else { 1 };
        let others = (1..self.stacks.len()).map(|next| &self.stacks[(number + next) % self.stacks.len()]);
        let oldest = |stack: &Mutex<VecDeque<Item>>| {
            let mut stack = lock(stack);
            if stack.len() >= least { stack.pop_front() } else { None }
        };
        others.filter_map(oldest).next().inspect(|_| self.took())
    }

    fn took(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<Item: Send> Stack<'_, Item> {
    /// The driver that it belongs to.
    pub fn driver(&self) -> &Driver<Item> {
        self.driver
    }

    /// Puts an item on top.
    pub fn push(&self, item: Item) {
        self.driver.open.fetch_add(1, Ordering::Relaxed);
        let mut stack = lock(&self.driver.stacks[self.number]);
        stack.push_back(item);
        if stack.len() > 1 && self.driver.waits.load(Ordering::Relaxed) {
            self.driver.changed.notify_one();
        }
    }

    /// Takes the oldest items away until so many are left, if there are more than twice as many.
    pub fn shrink(&self, left: usize, take: impl FnMut(Item)) {
        let mut stack = lock(&self.driver.stacks[self.number]);
        if stack.len() > 2 * left {
            let more = stack.len() - left;
            self.driver.open.fetch_sub(more, Ordering::Relaxed);
            stack.drain(..more).for_each(take);
        }
    }
}

/// Stops the other workers when the thread that has it panics.
struct StopsOnPanic<'d, Item: Send>(&'d Driver<Item>);

impl<Item: Send> Drop for StopsOnPanic<'_, Item> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Driver, Search, Stack};
    use crate::Options;
    use crate::kit::checkpoint::{CheckpointStore, Keeper};
    use std::io::{self, Write};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    /// Counts the numbers below another one by halving ranges.
    #[derive(Default)]
    struct Ranges {
        /// Ranges to begin with, which are on no stack.
        further: Mutex<Vec<(u64, u64)>>,
        counted: AtomicU64,
        /// Ranges in the order in which they were taken.
        taken: Mutex<Vec<(u64, u64)>>,
        /// What was kept: how many were counted, and how many were still to be.
        kept: Mutex<Vec<(u64, u64)>>,
        panics_at: Option<u64>,
        exhausted_at: Option<u64>,
        stopped_at: Option<u64>,
    }

    impl Search for Ranges {
        type Item = (u64, u64);
        type Worker = u64;

        fn worker(&self) -> Option<u64> {
            Some(0)
        }

        fn follow(
            &self,
            own: &mut u64,
            (from, to): (u64, u64),
            stack: &Stack<'_, (u64, u64)>,
        ) -> Option<(u64, u64)> {
            self.taken.lock().unwrap().push((from, to));
            if to - from > 1 {
                let middle = from.midpoint(to);
                stack.push((from, middle));
                stack.push((middle, to));
                return None;
            }
            assert_ne!(self.panics_at, Some(from), "as the test wants it");
            if self.exhausted_at == Some(from) {
                stack.driver().exhaust();
                return Some((from, to));
            }
            if self.stopped_at == Some(from) {
                stack.driver().stop();
            }
            *own += 1;
            self.counted.fetch_add(1, Ordering::Relaxed);
            None
        }

        fn further(&self) -> Option<(u64, u64)> {
            self.further.lock().unwrap().pop()
        }

        fn keep(&self, _: &Keeper, workers: &mut [u64], open: &[&(u64, u64)]) {
            let open = open.iter().map(|(from, to)| to - from).sum();
            self.kept.lock().unwrap().push((workers.iter().sum(), open));
        }
    }

    #[derive(Debug, Default)]
    struct Store(bool);

    impl CheckpointStore for Store {
        fn is_due(&self, _: &str) -> bool {
            self.0
        }
        fn keep(&self, _: &str, _: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {}
        fn kept(&self, _: &str) -> Option<Vec<u8>> {
            None
        }
        fn forget(&self) {}
    }

    fn options(jobs: usize, due: bool) -> Options {
        Options { jobs, keep: Some(Keeper::new(Arc::new(Store(due)))), ..Options::default() }
    }

    fn count(jobs: usize, due: bool, ranges: &Ranges) -> Vec<u64> {
        let driver = Driver::new(&options(jobs, due));
        driver.first().push((0, 1000));
        driver.run(ranges, Vec::new())
    }

    #[test]
    fn everything_is_explored_by_any_number_of_workers() {
        for jobs in 1..5 {
            let ranges =
                Ranges { further: Mutex::new(vec![(2000, 2500), (3000, 3001)]), ..Ranges::default() };
            let workers = count(jobs, false, &ranges);
            assert_eq!((workers.len(), workers.iter().sum::<u64>()), (jobs, 1501));
        }
    }

    #[test]
    fn one_worker_takes_what_was_pushed_last() {
        let ranges = Ranges::default();
        count(1, false, &ranges);
        let taken = ranges.taken.lock().unwrap();
        let ends: Vec<u64> =
            taken.iter().filter(|(from, to)| to - from == 1).map(|(from, _)| *from).collect();
        assert_eq!(ends, (0..1000).rev().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_kept_is_whole() {
        for jobs in 1..4 {
            let ranges = Ranges::default();
            let workers = count(jobs, true, &ranges);
            assert_eq!(workers.iter().sum::<u64>(), 1000);
            let kept = ranges.kept.lock().unwrap();
            assert!(kept.len() > 10);
            assert!(kept.iter().all(|(counted, open)| counted + open == 1000), "{kept:?}");
        }
    }

    #[test]
    fn a_budget_ends_the_search_and_nothing_is_lost() {
        for jobs in 1..4 {
            let ranges = Ranges { exhausted_at: Some(400), ..Ranges::default() };
            let counted: u64 = count(jobs, false, &ranges).iter().sum();
            let kept = ranges.kept.lock().unwrap().clone();
            assert!(counted < 1000);
            assert_eq!(kept, [(counted, 1000 - counted)]);
        }
    }

    #[test]
    fn a_search_that_is_stopped_keeps_nothing() {
        let ranges = Ranges { stopped_at: Some(700), ..Ranges::default() };
        assert_eq!(count(1, false, &ranges), [300]);
        assert!(ranges.kept.lock().unwrap().is_empty());
    }

    #[test]
    #[should_panic(expected = "as the test wants it")]
    fn a_panic_goes_on_where_the_driver_was_called() {
        count(3, false, &Ranges { panics_at: Some(500), ..Ranges::default() });
    }
}
