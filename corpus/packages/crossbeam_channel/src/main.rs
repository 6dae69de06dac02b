//! Bounded, unbounded and rendezvous channels of crossbeam, and a select over two of them.

use crossbeam_channel::{bounded, select, unbounded, TryRecvError};
use std::thread;

fn fan_in() -> (usize, u32) {
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        for id in 0..3u32 {
            let sender = sender.clone();
            scope.spawn(move || (0..3).for_each(|item| sender.send(id * 10 + item).unwrap()));
        }
        drop(sender);
        let items: Vec<u32> = receiver.iter().collect();
        (items.len(), items.iter().sum())
    })
}

fn rendezvous() -> Vec<&'static str> {
    let (sender, receiver) = bounded(0);
    let partner = thread::spawn(move || {
        for word in ["warp", "weft", "edge"] {
            sender.send(word).unwrap();
        }
    });
    let words = receiver.iter().collect();
    partner.join().unwrap();
    words
}

fn select_both() -> (u32, u32) {
    let (number_sender, numbers) = bounded(1);
    let (letter_sender, letters) = bounded(1);
    thread::scope(|scope| {
        scope.spawn(move || (1..=3u32).for_each(|n| number_sender.send(n).unwrap()));
        scope.spawn(move || ['a', 'b'].into_iter().for_each(|c| letter_sender.send(c).unwrap()));
        let (mut sum, mut count) = (0, 0);
        for _ in 0..5 {
            select! {
                recv(numbers) -> n => match n {
                    Ok(n) => sum += n,
                    Err(_) => { letters.recv().unwrap(); count += 1; }
                },
                recv(letters) -> c => match c {
                    Ok(_) => count += 1,
                    Err(_) => sum += numbers.recv().unwrap(),
                },
            }
        }
        (sum, count)
    })
}

fn main() {
    let (sender, receiver) = bounded::<u8>(1);
    println!("empty: {:?}", receiver.try_recv());
    sender.send(1).unwrap();
    println!("full: {}", sender.try_send(2).is_err());
    drop(sender);
    println!("last item: {:?}", receiver.recv());
    println!("closed: {}", receiver.try_recv() == Err(TryRecvError::Disconnected));
    println!("fan in: {:?}", fan_in());
    println!("rendezvous: {:?}", rendezvous());
    println!("select: {:?}", select_both());
}
