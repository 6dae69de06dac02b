// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: total 33
// stdout: ready at once yes

//! `async` functions on a small executor of our own: state machines, wakers, a timer thread.

use std::future::Future;
use std::pin::{pin, Pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[derive(Default)]
struct Shared {
    value: Option<u32>,
    waker: Option<Waker>,
}

struct FromThread(Arc<Mutex<Shared>>);

impl FromThread {
    fn start(value: u32) -> Self {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let setter = Arc::clone(&shared);
        thread::spawn(move || {
            let mut shared = setter.lock().unwrap();
            shared.value = Some(value);
            if let Some(waker) = shared.waker.take() {
                waker.wake();
            }
        });
        FromThread(shared)
    }
}

impl Future for FromThread {
    type Output = u32;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let mut shared = self.0.lock().unwrap();
        match shared.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                shared.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

async fn add(left: u32, right: u32) -> u32 {
    FromThread::start(left).await + FromThread::start(right).await
}

fn main() {
    let total = block_on(async {
        let mut total = 0;
        for n in 1..=2 {
            total += add(n, 10 * n).await;
        }
        total
    });
    println!("total {total}");
    println!("ready at once {}", block_on(std::future::ready("yes")));
}
