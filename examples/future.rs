// A future that another thread completes, and the smallest executor: it polls, and parks until it is woken.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

#[derive(Default)]
struct Shared {
    done: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

struct Event(Arc<Shared>);

impl Future for Event {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.done.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        *self.0.waker.lock().unwrap() = Some(context.waker().clone());
        // Repaired: whoever has completed it meanwhile has found no waker.
        if cfg!(repaired) && self.0.done.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on(future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    while future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
        thread::park();
    }
}

fn main() {
    let shared = Arc::new(Shared::default());
    let other = shared.clone();
    let worker = thread::spawn(move || {
        other.done.store(true, Ordering::Release);
        if let Some(waker) = other.waker.lock().unwrap().take() {
            waker.wake();
        }
    });
    block_on(Event(shared));
    worker.join().unwrap();
}
