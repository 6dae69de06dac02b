//! Work stealing with crossbeam-deque: every job runs exactly once, whoever takes it.

use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const JOBS: usize = 12;

fn find_job(local: &Worker<usize>, global: &Injector<usize>, others: &[Stealer<usize>]) -> Option<usize> {
    local.pop().or_else(|| loop {
        let stolen = global
            .steal_batch_and_pop(local)
            .or_else(|| others.iter().map(Stealer::steal).collect::<Steal<usize>>());
        match stolen {
            Steal::Success(job) => return Some(job),
            Steal::Empty => return None,
            Steal::Retry => thread::yield_now(),
        }
    })
}

fn main() {
    let global = Injector::new();
    (0..JOBS).for_each(|job| global.push(job));
    let workers: Vec<Worker<usize>> = (0..2).map(|_| Worker::new_fifo()).collect();
    let stealers: Vec<Stealer<usize>> = workers.iter().map(Worker::stealer).collect();
    let times_run: Vec<AtomicUsize> = (0..JOBS).map(|_| AtomicUsize::new(0)).collect();
    let left = AtomicUsize::new(JOBS);
    thread::scope(|scope| {
        for local in workers {
            let (global, stealers, times_run, left) = (&global, &stealers, &times_run, &left);
            scope.spawn(move || {
                while left.load(Ordering::Acquire) > 0 {
                    match find_job(&local, global, stealers) {
                        Some(job) => {
                            times_run[job].fetch_add(1, Ordering::Relaxed);
                            left.fetch_sub(1, Ordering::AcqRel);
                        }
                        None => thread::yield_now(),
                    }
                }
            });
        }
    });
    println!("{:?}", times_run.iter().map(|n| n.load(Ordering::Relaxed)).collect::<Vec<_>>());

    let stack = Worker::new_lifo();
    (1..=40).for_each(|n| stack.push(n));
    let thief = stack.stealer();
    let oldest = thread::spawn(move || thief.steal().success()).join().unwrap();
    println!("newest {:?} oldest {oldest:?} left {}", stack.pop(), stack.len());
}
