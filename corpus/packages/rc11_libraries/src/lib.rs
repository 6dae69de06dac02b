//! Two pieces of code at the same time, with nothing around them that threads of the standard library would add.

use std::ffi::c_void;
use std::ptr;

unsafe extern "C" {
    fn pthread_create(
        thread: *mut usize,
        attributes: *const c_void,
        start: extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> i32;
    fn pthread_join(thread: usize, result: *mut *mut c_void) -> i32;
}

extern "C" fn start<F: FnOnce()>(code: *mut c_void) -> *mut c_void {
    // SAFETY: what `both` has passed, which waits for this thread.
    let code = unsafe { &mut *code.cast::<Option<F>>() };
    if let Some(code) = code.take() {
        code();
    }
    ptr::null_mut()
}

/// Runs `other` in a thread of its own, and `own` meanwhile.
pub fn both<F: FnOnce() + Send>(other: F, own: impl FnOnce()) {
    let (mut other, mut thread) = (Some(other), 0);
    let code = (&raw mut other).cast();
    // SAFETY: the thread has ended before `other` goes.
    unsafe {
        assert_eq!(pthread_create(&mut thread, ptr::null(), start::<F>, code), 0);
        own();
        assert_eq!(pthread_join(thread, ptr::null_mut()), 0);
    }
}
