//! An ordinary Rust program with the whole standard library behind it, for the time that loading takes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

fn main() {
    let totals = Arc::new(Mutex::new(HashMap::new()));
    let (sender, receiver) = mpsc::channel();
    let workers: Vec<_> = (0..3)
        .map(|i| {
            let (totals, sender) = (totals.clone(), sender.clone());
            thread::spawn(move || {
                totals.lock().unwrap().insert(i, i * i);
                sender.send(format!("worker {i}")).unwrap();
            })
        })
        .collect();
    drop(sender);
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    let mut names: Vec<String> = receiver.iter().collect();
    names.sort();
    println!("{names:?} {}", totals.lock().unwrap().values().sum::<i32>());
}
