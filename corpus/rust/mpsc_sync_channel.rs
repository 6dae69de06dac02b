// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: full, kept 3
// stdout: got [1, 2, 3, 4, 5, 6]
// stdout: met Ok("warp")
// stdout: met Ok("weft")
// stdout: met Err(RecvError)
// stdout: timeout Err(Timeout)

//! Bounded and rendezvous channels block the sender; `try_send` does not.

use std::sync::mpsc::{self, TrySendError};
use std::thread;
use std::time::Duration;

fn main() {
    let (sender, receiver) = mpsc::sync_channel(2);
    sender.send(1).unwrap();
    sender.try_send(2).unwrap();
    match sender.try_send(3) {
        Err(TrySendError::Full(item)) => println!("full, kept {item}"),
        other => println!("unexpected {other:?}"),
    }
    let producer = thread::spawn(move || {
        for item in 3..=6 {
            sender.send(item).unwrap();
        }
    });
    println!("got {:?}", receiver.iter().collect::<Vec<i32>>());
    producer.join().unwrap();

    let (meet, met) = mpsc::sync_channel(0);
    let partner = thread::spawn(move || {
        for word in ["warp", "weft"] {
            meet.send(word).unwrap();
        }
    });
    println!("met {:?}", met.recv());
    println!("met {:?}", met.recv());
    println!("met {:?}", met.recv());
    partner.join().unwrap();

    let (silent, listener) = mpsc::channel::<()>();
    println!("timeout {:?}", listener.recv_timeout(Duration::from_millis(1)));
    drop(silent);
}
