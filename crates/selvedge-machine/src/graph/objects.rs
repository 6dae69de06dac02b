//! Synchronisation objects as locations of the graph: what is in them, and what an operation makes of that.
//!
//! Every operation on an object reads its state from the operation before it, like a read-modify-write, and most leave
//! another one. A thread that finds a state that does not let it go on waits there until another thread changes it.

use std::sync::Arc;

/// What is in an object after an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its bytes: the models of the functions know what they mean.
    Bytes(Arc<[u8]>),
    /// The threads that wait on a condition variable or at a futex.
    Queue(Arc<Queue>),
    /// How many threads have come to a barrier, and how often it has opened.
    Barrier { arrived: u32, opened: u32 },
    /// The time.
    Clock(u64),
}

/// Threads that wait, and how many of them have been woken.
///
/// Which thread a wake means is not chosen when it comes, but when a thread leaves: any of those that waited then can
/// be it. It takes the oldest wake that came after it did; so a thread that is left can still be woken by what is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Queue {
    /// Counts the threads that came and the wakes.
    time: u32,
    /// The threads that wait, and since when.
    waiting: Vec<(u32, u32)>,
    /// When the wakes came that no thread has taken yet. There are fewer than threads that wait.
    wakes: Vec<u32>,
    /// The last operation was a wake.
    pub(crate) woke: bool,
}

impl Queue {
    /// A thread begins to wait.
    pub(crate) fn enter(&self, thread: u32) -> Queue {
        let mut queue = Queue { woke: false, time: self.time + 1, ..self.clone() };
        queue.waiting.push((thread, self.time));
        queue
    }

    /// Wakes so many threads; how many that were.
    pub(crate) fn wake(&self, most: u32) -> (Queue, u32) {
        let asleep = (self.waiting.len() - self.wakes.len()) as u32;
        let woken = asleep.min(most);
        let mut queue = Queue { woke: true, time: self.time + 1, ..self.clone() };
        queue.wakes.extend(std::iter::repeat_n(self.time, woken as usize));
        queue.settle();
        (queue, woken)
    }

    /// Where all threads are woken none has to be chosen.
    fn settle(&mut self) {
        if self.wakes.len() == self.waiting.len() {
            self.wakes.clear();
            self.waiting.clear();
        }
    }

    fn since(&self, thread: u32) -> Option<u32> {
        self.waiting.iter().find(|(who, _)| *who == thread).map(|(_, since)| *since)
    }

    /// A thread that was woken goes on: nothing if it was not, and no change where that was settled before.
    pub(crate) fn leave(&self, thread: u32) -> Option<Option<Queue>> {
        let Some(since) = self.since(thread) else { return Some(None) };
        let wake = self.wakes.iter().position(|&wake| wake > since)?;
        let mut queue = self.without(thread);
        queue.wakes.remove(wake);
        queue.settle();
        Some(Some(queue))
    }

    /// A thread has waited for too long: nothing if it must have been woken.
    pub(crate) fn give_up(&self, thread: u32) -> Option<Queue> {
        self.since(thread)?;
        let mut queue = self.without(thread);
        let possible =
            queue.wakes.iter().enumerate().all(|(before, &wake)| {
                queue.waiting.iter().filter(|(_, since)| *since < wake).count() > before
            });
        queue.settle();
        possible.then_some(queue)
    }

    fn without(&self, thread: u32) -> Queue {
        let mut queue = Queue { woke: false, time: self.time + 1, ..self.clone() };
        queue.waiting.retain(|(who, _)| *who != thread);
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(threads: &[u32]) -> Queue {
        threads.iter().fold(Queue::default(), |queue, &thread| queue.enter(thread))
    }

    #[test]
    fn a_wake_is_for_one_of_those_who_waited_then() {
        let (queue, woken) = entered(&[1, 2]).wake(1);
        assert_eq!(woken, 1);
        let queue = queue.enter(3);
        assert_eq!(queue.leave(3), None);
        let after = queue.leave(2).flatten().expect("it waited");
        assert_eq!(after.leave(1), None);
        assert_eq!(after.leave(3), None);
    }

    #[test]
    fn the_first_wake_is_left_to_those_who_came_first() {
        // 1 waits and is woken; 2 comes, and is woken.
        let (queue, _) = entered(&[0, 1]).wake(1);
        let (queue, woken) = queue.enter(2).wake(1);
        assert_eq!(woken, 1);
        let after = queue.leave(1).flatten().expect("it was woken");
        assert!(after.leave(2).is_some() && after.leave(0).is_some());
        assert_eq!(after.leave(2).flatten().and_then(|after| after.leave(0)), None);
    }

    #[test]
    fn a_thread_that_is_woken_together_with_all_others_only_goes() {
        let (queue, woken) = entered(&[1, 2]).wake(u32::MAX);
        assert_eq!((woken, queue.leave(1), queue.leave(2)), (2, Some(None), Some(None)));
        let again = queue.enter(1);
        assert_eq!((again.leave(1), again.leave(2)), (None, Some(None)));
        assert_eq!(queue.wake(1).1, 0);
    }

    #[test]
    fn only_who_is_not_the_last_to_be_woken_can_give_up() {
        let (queue, _) = entered(&[1, 2]).wake(1);
        let after = queue.give_up(1).expect("2 may be woken instead");
        assert_eq!(after.leave(2), Some(None));
        // 3 came after the wake: without 1 and 2 no thread could take it.
        let (queue, _) = entered(&[1, 2]).wake(1);
        let queue = queue.enter(3).give_up(1).expect("2 is left");
        assert_eq!(queue.give_up(2), None);
        assert!(queue.give_up(3).is_some());
    }
}
