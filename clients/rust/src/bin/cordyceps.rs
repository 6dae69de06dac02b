//! crate: cordyceps
use cordyceps::{Linked, mpsc_queue};
use rust_clients::both;
use std::pin::Pin;
use std::ptr::NonNull;

struct Entry {
    links: mpsc_queue::Links<Entry>,
    value: i32,
}

unsafe impl Linked<mpsc_queue::Links<Self>> for Entry {
    type Handle = Pin<Box<Self>>;

    fn into_ptr(handle: Self::Handle) -> NonNull<Self> {
        unsafe { NonNull::from(Box::leak(Pin::into_inner_unchecked(handle))) }
    }

    unsafe fn from_ptr(ptr: NonNull<Self>) -> Self::Handle {
        unsafe { Pin::new_unchecked(Box::from_raw(ptr.as_ptr())) }
    }

    unsafe fn links(ptr: NonNull<Self>) -> NonNull<mpsc_queue::Links<Self>> {
        unsafe { NonNull::new_unchecked(&raw mut (*ptr.as_ptr()).links) }
    }
}

fn entry(value: i32) -> Pin<Box<Entry>> {
    Box::pin(Entry { links: mpsc_queue::Links::new(), value })
}

fn main() {
    let stub = Box::pin(Entry { links: mpsc_queue::Links::new_stub(), value: 0 });
    let queue = mpsc_queue::MpscQueue::<Entry>::new_with_stub(stub);
    both(|| queue.enqueue(entry(1)), || queue.enqueue(entry(2)));
    let next = || queue.dequeue().map_or(0, |entry| entry.value);
    assert_eq!(next() + next(), 3);
}
