//! Locales: "C", and "C.UTF-8", which differs from it in its character set only.

use super::globals::{MARKS, handout, text, use_unseen};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("setlocale", setlocale),
    model("newlocale", newlocale),
    model("__newlocale", newlocale),
    model("duplocale", duplocale),
    model("__duplocale", duplocale),
    model("freelocale", |_| Ok(Flow::Return)),
    model("__freelocale", |_| Ok(Flow::Return)),
    model("uselocale", uselocale),
    model("__uselocale", uselocale),
    model("localeconv", localeconv),
    model("nl_langinfo", nl_langinfo),
    model("nl_langinfo_l", nl_langinfo),
    model("__nl_langinfo_l", nl_langinfo),
    model("__ctype_get_mb_cur_max", mb_cur_max),
    model("catopen", |context| context.fail(libc::ENOENT)),
    model("catgets", catgets),
    model("catclose", |context| context.fail(libc::EBADF)),
];

/// The functions that need to know the process's locale.
pub const USERS: &[&str] = &["setlocale"];

/// The categories in the order that the name of a mixed locale lists them.
const CATEGORIES: [(i32, &str); 12] = [
    (libc::LC_CTYPE, "LC_CTYPE"),
    (libc::LC_NUMERIC, "LC_NUMERIC"),
    (libc::LC_TIME, "LC_TIME"),
    (libc::LC_COLLATE, "LC_COLLATE"),
    (libc::LC_MONETARY, "LC_MONETARY"),
    (libc::LC_MESSAGES, "LC_MESSAGES"),
    (libc::LC_PAPER, "LC_PAPER"),
    (libc::LC_NAME, "LC_NAME"),
    (libc::LC_ADDRESS, "LC_ADDRESS"),
    (libc::LC_TELEPHONE, "LC_TELEPHONE"),
    (libc::LC_MEASUREMENT, "LC_MEASUREMENT"),
    (libc::LC_IDENTIFICATION, "LC_IDENTIFICATION"),
];
/// `LC_GLOBAL_LOCALE`: the process's.
const GLOBAL: u64 = u64::MAX;

/// Which categories of a locale are "C.UTF-8": four bytes, one bit a category. All locales look like this. Which threads use
/// that of the process stands behind it.
pub fn make_locale(machine: &mut Machine) -> Result<Pointer, Halt> {
    machine.library_bytes(0, &[0; STATE + MARKS])
}

const STATE: usize = 8;

/// Notes that a thread uses the locale of the process.
fn use_locale(context: &mut Context<'_>, state: Pointer, writes: bool) -> Result<(), Halt> {
    use_unseen(context, state.offset(STATE as i64), writes, "locale")
}

/// Whether a name means UTF-8; `None` for locales that do not exist.
fn is_utf8(name: &[u8]) -> Option<bool> {
    match name {
        b"" | b"C" | b"POSIX" => Some(false),
        b"C.UTF-8" | b"C.utf8" => Some(true),
        _ => None,
    }
}

fn name_of(categories: u32, category: i32) -> String {
    let name = |category: i32| if categories >> category & 1 == 1 { "C.UTF-8" } else { "C" };
    let first = name(libc::LC_CTYPE);
    match category == libc::LC_ALL && CATEGORIES.iter().any(|&(category, _)| name(category) != first) {
        true => CATEGORIES.map(|(category, label)| format!("{label}={}", name(category))).join(";"),
        false if category == libc::LC_ALL => first.to_owned(),
        false => name(category).to_owned(),
    }
}

fn setlocale(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (category, wanted) = (context.int32(0)?, context.pointer(1)?);
    let state = handout(context, "locale")?;
    let mut categories = context.read_int(state, 4)? as u32;
    use_locale(context, state, false)?;
    if !wanted.is_null() {
        let wanted = context.read_string(wanted, None)?;
        let affected = match category {
            libc::LC_ALL => CATEGORIES.iter().fold(0, |all, (category, _)| all | 1_u32 << category),
            0..13 => 1 << category,
            _ => return context.return_pointer(Pointer::NULL),
        };
        let before = categories;
        match is_utf8(&wanted) {
            Some(true) => categories |= affected,
            Some(false) => categories &= !affected,
            None => return context.return_pointer(Pointer::NULL),
        }
        if categories != before {
            use_locale(context, state, true)?;
            context.write_int(state, 4, u64::from(categories))?;
        }
    }
    let name = context.allocate_bytes(format!("{}\0", name_of(categories, category)).as_bytes())?;
    context.return_pointer(name)
}

/// Size of glibc's `struct __locale_struct`, and where its pointers to the tables of characters are.
const LOCALE_SIZE: usize = 232;
const TABLES: [(i64, &str); 3] = [(104, "ctype classes"), (112, "ctype lower"), (120, "ctype upper")];

/// A locale: the categories as all locales have them, and the tables that libc++ looks into.
fn new_locale(context: &mut Context<'_>, categories: u32) -> Result<Flow, Halt> {
    let mut bytes = [0; LOCALE_SIZE];
    bytes[..4].copy_from_slice(&categories.to_le_bytes());
    let locale = context.allocate_bytes(&bytes)?;
    for (offset, key) in TABLES {
        let location = handout(context, key)?;
        let table = context.read_pointer(location)?;
        context.write_pointer(locale.offset(offset), table)?;
    }
    context.return_pointer(locale)
}

/// The categories of a locale object.
fn categories(context: &mut Context<'_>, locale: Pointer) -> Result<u32, Halt> {
    if locale.is_null() {
        return Ok(0);
    }
    if locale.address == GLOBAL {
        return match context.machine.world.handouts.get("locale").copied() {
            Some(state) => {
                use_locale(context, state, false)?;
                Ok(context.read_int(state, 4)? as u32)
            }
            None => Ok(0),
        };
    }
    Ok(context.read_int(locale, 4)? as u32)
}

fn newlocale(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (mask, name, base) = (context.int(0)? as u32, context.pointer(1)?, context.pointer(2)?);
    let name = context.read_string(name, None)?;
    let old = categories(context, base)?;
    match is_utf8(&name) {
        Some(true) => new_locale(context, old | mask),
        Some(false) => new_locale(context, old & !mask),
        None => {
            context.set_errno(libc::ENOENT)?;
            context.return_pointer(Pointer::NULL)
        }
    }
}

fn duplocale(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let locale = context.pointer(0)?;
    let categories = categories(context, locale)?;
    new_locale(context, categories)
}

/// The locale that the calling thread uses.
fn current(context: &mut Context<'_>) -> Result<Pointer, Halt> {
    let own = match context.this().errno {
        Pointer::NULL => Pointer::NULL,
        block => context.read_pointer(block.offset(8))?,
    };
    Ok(if own.is_null() { Pointer { address: GLOBAL, provenance: Provenance::NONE } } else { own })
}

fn uselocale(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let new = context.pointer(0)?;
    let old = current(context)?;
    if !new.is_null() {
        let block = context.errno_location()?;
        context.write_pointer(block.offset(8), new)?;
    }
    context.return_pointer(old)
}

/// Whether the calling thread's characters are UTF-8.
pub fn utf8(context: &mut Context<'_>) -> Result<bool, Halt> {
    let locale = current(context)?;
    Ok(categories(context, locale)? >> libc::LC_CTYPE & 1 == 1)
}

fn mb_cur_max(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let longest = if utf8(context)? { 6 } else { 1 };
    context.return_int(longest)
}

/// `struct lconv` of the C locale: ten strings, then numbers that are all "not known".
pub fn make_conventions(machine: &mut Machine) -> Result<Pointer, Halt> {
    let (point, empty) = (text(machine, b".")?, text(machine, b"")?);
    let mut bytes = [0; 96];
    bytes[80..94].fill(i8::MAX as u8);
    let conventions = machine.library_bytes(0, &bytes)?;
    for i in 0..10 {
        let string = if i == 0 { point } else { empty };
        machine.memory.write(conventions.address + 8 * i, 8, string.address, string.provenance);
    }
    Ok(conventions)
}

fn localeconv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let conventions = handout(context, "conventions")?;
    context.return_pointer(conventions)
}

fn nl_langinfo(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let item = context.int32(0)?;
    let text = match item {
        libc::CODESET if utf8(context)? => b"UTF-8".to_vec(),
        _ => {
            // SAFETY: returns a string of the C library's own, null-terminated; this process never leaves the C
            // locale.
            let text = unsafe { std::ffi::CStr::from_ptr(libc::nl_langinfo(item)) };
            text.to_bytes().to_vec()
        }
    };
    let text = context.allocate_bytes(&[&text[..], b"\0"].concat())?;
    context.return_pointer(text)
}

fn catgets(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let default = context.pointer(3)?;
    context.return_pointer(default)
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn names_of_locales() {
        assert_eq!(name_of(0, libc::LC_ALL), "C");
        assert_eq!(name_of(0x1fbf, libc::LC_ALL), "C.UTF-8");
        assert_eq!(name_of(1, libc::LC_CTYPE), "C.UTF-8");
        assert!(name_of(1, libc::LC_ALL).starts_with("LC_CTYPE=C.UTF-8;LC_NUMERIC=C;"));
    }
}
