//! Memory management: the heap and anonymous mappings.

use crate::halt::Halt;
use crate::memory::{Fault, FaultKind, Found, Object, ObjectKind, Pointer};
use crate::native::{Context, Flow, Native};
use crate::traits::Access::Ends;
use crate::traits::Reach;
use crate::traits::Trait::{Drains, Fixed, Impartial, Plain};

/// No single object is larger: an arena holds 4 GiB, and a request beyond this is a mistake or a probe.
const LARGEST: u64 = 1 << 31;
const PAGE: u64 = 4096;

pub static NATIVES: &[Native] = &[
    Native::private("malloc", malloc),
    Native::private("calloc", calloc),
    Native::if_shared("realloc", Reach::Anything, realloc).with(&[Plain, Fixed, Drains]),
    Native::if_shared("reallocarray", Reach::Anything, reallocarray).with(&[Plain, Fixed, Drains]),
    Native::if_shared("free", Reach::Anything, free).touching(&[Ends]).with(&[Impartial]),
    Native::if_shared("cfree", Reach::Anything, free).touching(&[Ends]),
    Native::private("aligned_alloc", aligned_alloc),
    Native::private("memalign", aligned_alloc),
    Native::if_shared("posix_memalign", Reach::Anything, posix_memalign).with(&[Plain]),
    Native::private("valloc", valloc),
    Native::private("malloc_usable_size", malloc_usable_size),
    Native::private("malloc_trim", succeed),
    Native::private("mmap", mmap),
    Native::private("mmap64", mmap),
    Native::if_shared("munmap", Reach::Anything, munmap),
    Native::private("mprotect", succeed),
    Native::if_shared("madvise", Reach::Anything, madvise),
    Native::private("__selvedge_allocate", allocate_record),
    Native::private("__selvedge_release", release_record),
];

fn succeed(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.return_int(0)
}

fn heap(context: &mut Context<'_>, size: u64, align: u64) -> Option<Pointer> {
    if size > LARGEST { None } else { context.allocate(size, align, ObjectKind::Heap) }
}

/// Returns the object, or null with ENOMEM.
fn give(context: &mut Context<'_>, pointer: Option<Pointer>) -> Result<Flow, Halt> {
    match pointer {
        Some(pointer) => context.return_pointer(pointer),
        None => {
            context.set_errno(libc::ENOMEM)?;
            context.return_pointer(Pointer::NULL)
        }
    }
}

fn malloc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let size = context.int(0)?;
    let pointer = heap(context, size, 16);
    give(context, pointer)
}

fn calloc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let size = context.int(0)?.checked_mul(context.int(1)?);
    let pointer = size.and_then(|size| heap(context, size, 16));
    if let Some(pointer) = pointer {
        context.machine.graph_private_changes(context.thread, pointer.address, size.unwrap_or(0));
        context.machine.memory.fill(pointer.address, 0, size.unwrap_or(0));
    }
    give(context, pointer)
}

fn aligned_alloc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (align, size) = (context.int(0)?, context.int(1)?);
    if !align.is_power_of_two() {
        context.set_errno(libc::EINVAL)?;
        return context.return_pointer(Pointer::NULL);
    }
    let pointer = heap(context, size, align);
    give(context, pointer)
}

fn posix_memalign(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, align, size) = (context.pointer(0)?, context.int(1)?, context.int(2)?);
    if !align.is_power_of_two() || align < 8 {
        return context.return_int(libc::EINVAL as u64);
    }
    match heap(context, size, align) {
        Some(pointer) => {
            context.write_pointer(into, pointer)?;
            context.return_int(0)
        }
        None => context.return_int(libc::ENOMEM as u64),
    }
}

fn valloc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let size = context.int(0)?;
    let pointer = heap(context, size, PAGE);
    give(context, pointer)
}

/// The heap object that a pointer is the start of; anything else must not be freed.
fn heap_object(context: &mut Context<'_>, pointer: Pointer) -> Result<Object, Halt> {
    let (base, object) = context.machine.memory.object_at_start(pointer)?;
    match object.kind {
        ObjectKind::Heap => Ok(object),
        _ => {
            let found = context.machine.memory.find(base);
            Err(Box::new(Fault { kind: FaultKind::InvalidFree, pointer, len: 0, found }).into())
        }
    }
}

fn release(context: &mut Context<'_>, pointer: Pointer, object: &Object) {
    if object.shared {
        // Buffered stores to the object must not outlive it.
        context.drain();
    }
    let position = context.machine.inspect().user_position(context.thread);
    context.machine.free_object(context.thread, pointer, position);
}

fn free(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let pointer = context.pointer(0)?;
    if !pointer.is_null() {
        let object = heap_object(context, pointer)?;
        if context.machine.config.trace {
            context.machine.note_freed(pointer);
        }
        release(context, pointer, &object);
    }
    Ok(Flow::Return)
}

fn resize(context: &mut Context<'_>, old: Pointer, size: u64) -> Result<Flow, Halt> {
    if old.is_null() {
        let pointer = heap(context, size, 16);
        return give(context, pointer);
    }
    let object = heap_object(context, old)?;
    if context.machine.config.trace {
        context.machine.note_freed(old);
    }
    if size == 0 {
        release(context, old, &object);
        return context.return_pointer(Pointer::NULL);
    }
    let pointer = heap(context, size, 16);
    if let Some(new) = pointer {
        context.copy(new, old, size.min(object.size))?;
        release(context, old, &object);
    }
    give(context, pointer)
}

fn realloc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (old, size) = (context.pointer(0)?, context.int(1)?);
    resize(context, old, size)
}

fn reallocarray(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let old = context.pointer(0)?;
    match context.int(1)?.checked_mul(context.int(2)?) {
        Some(size) => resize(context, old, size),
        None => give(context, None),
    }
}

fn malloc_usable_size(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let pointer = context.pointer(0)?;
    let size = if pointer.is_null() { 0 } else { heap_object(context, pointer)?.size };
    context.return_int(size)
}

fn mmap(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, flags) = (context.int(1)?, context.int32(3)?);
    if flags & libc::MAP_ANONYMOUS == 0 {
        return Err(Halt::unsupported("mapping of a file into memory (mmap)"));
    }
    if flags & libc::MAP_FIXED != 0 {
        return Err(Halt::unsupported("mapping at a fixed address (mmap with MAP_FIXED)"));
    }
    if size == 0 {
        return context.fail(libc::EINVAL);
    }
    let size = size.checked_next_multiple_of(PAGE).filter(|&size| size <= LARGEST);
    let pointer = size.and_then(|size| context.allocate(size, PAGE, ObjectKind::Library));
    let (Some(pointer), Some(size)) = (pointer, size) else { return context.fail(libc::ENOMEM) };
    context.machine.graph_private_changes(context.thread, pointer.address, size);
    context.machine.memory.fill(pointer.address, 0, size);
    context.return_pointer(pointer)
}

fn munmap(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (pointer, size) = (context.pointer(0)?, context.int(1)?.next_multiple_of(PAGE));
    match context.machine.memory.find(pointer.address) {
        Some(Found::Object(_, base, object)) if object.live && object.kind == ObjectKind::Library => {
            if base != pointer.address || object.size != size {
                return Err(Halt::unsupported("unmapping of a part of a mapping (munmap)"));
            }
            release(context, pointer, &object);
            context.return_int(0)
        }
        _ => context.fail(libc::EINVAL),
    }
}

fn madvise(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (pointer, size) = (context.pointer(0)?, context.int(1)?);
    if context.int32(2)? == libc::MADV_DONTNEED {
        context.write(pointer, &vec![0; size as usize])?;
    }
    context.return_int(0)
}

fn allocate_record(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let size = context.int(0)?;
    let pointer = context.allocate(size, 16, ObjectKind::Library);
    context.return_pointer(pointer.ok_or_else(|| Halt::unsupported("amount of memory"))?)
}

fn release_record(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let pointer = context.pointer(0)?;
    let (_, object) = context.machine.memory.object_at_start(pointer)?;
    release(context, pointer, &object);
    Ok(Flow::Return)
}
