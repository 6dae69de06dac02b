//! Texts for error numbers and signals.

use crate::halt::Halt;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("strerror", strerror),
    model("strerror_l", strerror),
    model("strerror_r", strerror_r),
    model("__xpg_strerror_r", xpg_strerror_r),
    model("strsignal", strsignal),
];

/// The text of an error number, as the C library words it.
pub fn message(number: i32) -> String {
    let mut buffer = [0_u8; 256];
    // SAFETY: the buffer is as long as said; the function always terminates it.
    unsafe { libc::strerror_r(number, buffer.as_mut_ptr().cast(), buffer.len()) };
    let end = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}

/// Returns a text in memory of its own.
fn give(context: &mut Context<'_>, text: &str) -> Result<Flow, Halt> {
    let pointer = context.allocate_bytes(format!("{text}\0").as_bytes())?;
    context.return_pointer(pointer)
}

fn strerror(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let text = message(context.int32(0)?);
    give(context, &text)
}

/// GNU's: fills the buffer only for unknown numbers.
fn strerror_r(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (number, buffer, size) = (context.int32(0)?, context.pointer(1)?, context.int(2)?);
    let text = message(number);
    if !text.starts_with("Unknown error") {
        return give(context, &text);
    }
    if size > 0 {
        let mut bytes = text.into_bytes();
        bytes.truncate(size as usize - 1);
        bytes.push(0);
        context.write(buffer, &bytes)?;
    }
    context.return_pointer(buffer)
}

fn xpg_strerror_r(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (number, buffer, size) = (context.int32(0)?, context.pointer(1)?, context.int(2)?);
    let mut bytes = message(number).into_bytes();
    let unknown = bytes.starts_with(b"Unknown error");
    let fits = (bytes.len() as u64) < size;
    if size > 0 {
        bytes.truncate(size as usize - 1);
        bytes.push(0);
        context.write(buffer, &bytes)?;
    }
    let result = if unknown {
        libc::EINVAL
    } else if fits {
        0
    } else {
        libc::ERANGE
    };
    context.return_int(result as u64)
}

fn strsignal(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let number = context.int32(0)?;
    // SAFETY: returns a string of the C library's, null-terminated, valid until this thread asks again.
    let text = unsafe { std::ffi::CStr::from_ptr(libc::strsignal(number)) };
    let text = text.to_string_lossy().into_owned();
    give(context, &text)
}

#[cfg(test)]
mod tests {
    #[test]
    fn messages_are_those_of_the_c_library() {
        assert_eq!(super::message(libc::ENOENT), "No such file or directory");
        assert_eq!(super::message(99999), "Unknown error 99999");
    }
}
