// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: empty: true
// stdout: received [4, 4, 4]
// stdout: closed: Err(RecvError)
// stdout: send to nobody: Err(SendError { .. })

//! The unbounded channel: many senders, one receiver, order kept per sender.

use std::sync::mpsc::{self, TryRecvError};
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    println!("empty: {:?}", receiver.try_recv() == Err(TryRecvError::Empty));
    for id in 0..3u32 {
        let sender = sender.clone();
        thread::spawn(move || {
            for item in 0..4 {
                sender.send((id, item)).unwrap();
            }
        });
    }
    drop(sender);
    let mut next = [0; 3];
    for (id, item) in receiver.iter() {
        assert_eq!(item, next[id as usize]);
        next[id as usize] += 1;
    }
    println!("received {next:?}");
    println!("closed: {:?}", receiver.recv());

    let (orphan, gone) = mpsc::channel();
    drop(gone);
    println!("send to nobody: {:?}", orphan.send(7));
}
