//! How models read and write the program's memory, allocate, and report.

use crate::followed::Pieces;
use crate::halt::Halt;
use crate::holders::Holders;
use crate::machine::Machine;
use crate::memory::{Found, Object, ObjectKind, Pointer, Provenance};
use crate::model::{Access, Datum};
use crate::native::Context;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Value};

/// More than this is never read as one string: the program has lost its terminator.
const LONGEST_STRING: u64 = 1 << 30;
/// Strings are read in parts of this many bytes.
const LARGEST_PART: u64 = 256;

impl Context<'_> {
    /// Reads bytes; all of them must be readable and hold a value.
    pub fn read(&mut self, from: Pointer, len: u64) -> Result<Vec<u8>, Halt> {
        let bytes = self.peek(from, len)?;
        self.see(from, &bytes);
        Ok(bytes)
    }

    /// As `read`, where only the result of the call tells the program about the bytes (the state of a lock).
    pub fn peek(&mut self, from: Pointer, len: u64) -> Result<Vec<u8>, Halt> {
        let (bytes, defined) = self.machine.load_bytes(self.thread, from, len)?;
        match defined {
            true => Ok(bytes),
            false => Err(self
                .machine
                .uninitialised(&format!("{len} bytes at {}", self.machine.inspect().name_of(from.address)))),
        }
    }

    /// Reads bytes that go to the outside, whether they hold a value or not. What they point to may come back to any
    /// thread.
    pub fn read_for_outside(&mut self, from: Pointer, len: u64) -> Result<Vec<u8>, Halt> {
        let bytes = self.read_raw(from, len)?;
        let mut pointers = Vec::new();
        self.machine.memory.pointers_in(from.address, len, &mut pointers);
        for provenance in pointers {
            self.expose(provenance)?;
        }
        Ok(bytes)
    }

    /// The address of an object goes where it cannot be followed.
    pub fn expose(&mut self, provenance: Provenance) -> Result<(), Halt> {
        match mutant(Mutant::AddressesOutside) {
            true => Ok(()),
            false => self.machine.share(self.thread, provenance),
        }
    }

    /// Reads bytes whether they hold a value or not.
    fn read_raw(&mut self, from: Pointer, len: u64) -> Result<Vec<u8>, Halt> {
        let bytes = self.machine.load_bytes(self.thread, from, len)?.0;
        self.see(from, &bytes);
        Ok(bytes)
    }

    /// Reads up to a terminating zero, which is not part of the result; at most `limit` bytes.
    pub fn read_string(&mut self, from: Pointer, limit: Option<u64>) -> Result<Vec<u8>, Halt> {
        let mut result = self.read_until(from, limit.unwrap_or(LONGEST_STRING), |byte| byte == 0)?;
        if result.last() == Some(&0) {
            result.pop();
        }
        Ok(result)
    }

    /// Reads up to a byte that `stop` accepts, which is the last of the result; at most `limit` bytes. Only the
    /// bytes of the result need to be readable and to hold a value.
    pub fn read_until(
        &mut self,
        from: Pointer,
        limit: u64,
        mut stop: impl FnMut(u8) -> bool,
    ) -> Result<Vec<u8>, Halt> {
        let mut result = Vec::new();
        while (result.len() as u64) < limit {
            let at = from.offset(result.len() as i64);
            let bounds = self.machine.memory.check(at, 1)?;
            let room = bounds.base + bounds.size - at.address;
            let part = room.min(limit - result.len() as u64).min(LARGEST_PART);
            let (bytes, defined) = self.machine.load_bytes(self.thread, at, part)?;
            let end = bytes.iter().position(|&byte| stop(byte));
            let used = end.map_or(bytes.len(), |end| end + 1);
            if !defined && self.defined_bytes(at, used as u64).contains(&false) {
                let name = self.machine.inspect().name_of(at.address);
                return Err(self.machine.uninitialised(&format!("bytes of the string at {name}")));
            }
            self.see(at, &bytes[..used]);
            result.extend_from_slice(&bytes[..used]);
            if end.is_some() {
                break;
            }
        }
        Ok(result)
    }

    /// Whether each of the bytes holds a value, as the calling thread sees them.
    pub fn defined_bytes(&mut self, from: Pointer, len: u64) -> Vec<bool> {
        let mut defined = self.machine.memory.defined_bytes(from.address, len as usize);
        if let Some(model) = self.machine.model.buffers() {
            let mut bytes = vec![0; len as usize];
            model.overlay(self.thread, from.address, &mut bytes, &mut defined);
        }
        defined
    }

    /// Writes bytes.
    pub fn write(&mut self, to: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        self.wrote(to, bytes);
        self.machine.store_bytes(self.thread, to, bytes)
    }

    /// Reads an integer of 1, 2, 4 or 8 bytes.
    pub fn read_int(&mut self, from: Pointer, len: u64) -> Result<u64, Halt> {
        let mut bytes = [0; 8];
        bytes[..len as usize].copy_from_slice(&self.read(from, len)?);
        Ok(u64::from_le_bytes(bytes))
    }

    /// Writes an integer of 1, 2, 4 or 8 bytes.
    pub fn write_int(&mut self, to: Pointer, len: u64, value: u64) -> Result<(), Halt> {
        self.write(to, &value.to_le_bytes()[..len as usize])
    }

    /// Reads a pointer with its provenance.
    pub fn read_pointer(&mut self, from: Pointer) -> Result<Pointer, Halt> {
        let address = self.read_int(from, 8)?;
        let provenance = match self.machine.model.buffers_mut() {
            None => self.machine.memory.word_provenance(from.address),
            Some(model) => {
                let access =
                    Access { address: from.address, len: 8, order: MemoryOrder::NotAtomic, origin: None };
                model.load(&mut self.machine.memory, self.thread, access).provenance
            }
        };
        Ok(Pointer { address, provenance })
    }

    /// Writes a pointer with its provenance; what it points to becomes shared if the target is.
    pub fn write_pointer(&mut self, to: Pointer, pointer: Pointer) -> Result<(), Halt> {
        let datum = Datum { value: pointer.address, provenance: pointer.provenance, undefined: 0 };
        self.write_datum(to, 8, datum)
    }

    /// Writes up to 8 bytes that have no value.
    pub fn write_undefined(&mut self, to: Pointer, len: u8) -> Result<(), Halt> {
        let datum = Datum { value: 0, provenance: Provenance::NONE, undefined: u8::MAX >> (8 - len) };
        self.write_datum(to, len, datum)
    }

    fn write_datum(&mut self, to: Pointer, len: u8, datum: Datum) -> Result<(), Halt> {
        let shared = self.machine.check_write(to, u64::from(len))?.shared;
        let bytes = &datum.value.to_le_bytes()[..usize::from(len)];
        if shared {
            self.machine.on_store(self.thread, to.address, bytes, datum.provenance);
        }
        self.wrote(to, bytes);
        let origin = self.machine.origin(self.thread);
        let buffers = self.machine.buffers_stores();
        match self.machine.model.buffers_mut() {
            Some(model) if shared && buffers => {
                let access = Access { address: to.address, len, order: MemoryOrder::NotAtomic, origin };
                model.store(&mut self.machine.memory, self.thread, access, datum);
            }
            _ => self.machine.write_private(self.thread, to.address, len, datum),
        }
        if shared {
            self.machine.share(self.thread, datum.provenance)?;
        }
        Ok(())
    }

    /// Copies bytes with everything that is known of them (memmove).
    pub fn copy(&mut self, to: Pointer, from: Pointer, len: u64) -> Result<(), Halt> {
        let followed = self.machine.followed.is_some();
        if self.machine.sees || self.machine.touches.is_some() || followed {
            self.read_raw(from, len)?;
        }
        self.machine.touch(EventKind::Write, to, len);
        if followed {
            let bytes = self.machine.load_bytes(self.thread, from, len)?.0;
            self.machine.follow(EventKind::Write, to, &bytes, Pieces::Words);
        }
        if self.machine.records() && len > 0 {
            let source = self.machine.memory.check(from, len)?.shared;
            let target = self.machine.check_write(to, len)?.shared;
            let bytes = self.machine.load_bytes(self.thread, from, len)?.0;
            self.machine.on_copy(self.thread, (from, source), (to, target), &bytes);
        }
        self.machine.copy_bytes(self.thread, to, from, len)?;
        self.machine.concolic_moved(to.address, from.address, len);
        Ok(())
    }

    /// Allocates an object in the calling thread's arena; `None` when the arena is full.
    pub fn allocate(&mut self, size: u64, align: u64, kind: ObjectKind) -> Option<Pointer> {
        self.machine.allocate(self.thread, size, align, kind, (0, 0))
    }

    /// Allocates an object that lives as long as the machine and holds these bytes.
    pub fn allocate_bytes(&mut self, bytes: &[u8]) -> Result<Pointer, Halt> {
        let pointer = self.allocate(bytes.len() as u64, 16, ObjectKind::Library);
        let pointer = pointer.ok_or_else(|| Halt::unsupported("amount of memory"))?;
        self.machine.memory.write_bytes(pointer.address, bytes);
        Ok(pointer)
    }

    /// Sets the calling thread's errno.
    pub fn set_errno(&mut self, errno: i32) -> Result<(), Halt> {
        let at = self.errno_location()?;
        self.write_int(at, 4, errno as u32 as u64)
    }

    /// Where the calling thread's errno lives. Its locale, if it has one of its own, is 8 bytes further.
    pub fn errno_location(&mut self) -> Result<Pointer, Halt> {
        if self.this().errno.is_null() {
            let at = self.allocate_bytes(&[0; 16])?;
            self.this_mut().errno = at;
        }
        Ok(self.this().errno)
    }

    /// Notes a visible event of the calling thread (the operation itself and what it read and wrote).
    pub fn event(&mut self, kind: EventKind, address: u64, read: &[u8], written: &[u8]) {
        let size = read.len().max(written.len()) as u32;
        let operation = Operation { kind, address, size, order: MemoryOrder::SeqCst };
        self.machine.record(self.thread, operation, || (Value::from_slice(read), Value::from_slice(written)));
    }

    /// Everything that the thread has stored becomes visible to all threads (locks, thread creation, exit, ...).
    pub fn drain(&mut self) {
        self.machine.drain(self.thread);
    }
}

impl Machine {
    /// Allocates an object in a thread's arena.
    pub(crate) fn allocate(
        &mut self,
        thread: usize,
        size: u64,
        align: u64,
        kind: ObjectKind,
        origin: (u32, u32),
    ) -> Option<Pointer> {
        let position = self.inspect().user_position(thread);
        let site = self.allocation_site(thread, kind, origin);
        let object = Object {
            size,
            generation: 0,
            live: true,
            returned: false,
            shared: false,
            escaped: false,
            kind,
            allocated_at: position,
            freed_at: 0,
            number: 0,
            origin,
            site,
        };
        let arena = self.threads[thread].arena;
        if self.has_others() {
            let taken = crate::footprint::arena_taken(arena);
            if self.effects.last() != Some(&taken) {
                self.effects.push(taken);
            }
        }
        let Machine { memory, program, live_slots, threads, model, world, .. } = self;
        let holders = Holders { program, live: live_slots, threads, model, world };
        let pointer = memory.allocate(arena, align, object, &|places| holders.generations(thread, places))?;
        self.on_allocate(thread, pointer.address, size, kind, position);
        self.share_at_birth(thread, pointer);
        Some(pointer)
    }

    /// A thread frees an object of which it is known that it lives.
    pub(crate) fn free_object(&mut self, thread: usize, pointer: Pointer, position: u32) {
        let Some(Found::Object(arena, base, object)) = self.memory.find(pointer.address) else { return };
        let kept = object.shared && self.records();
        self.on_free(thread, base, &object);
        let own = self.threads[thread].arena;
        match arena != own && self.is_alive(arena) {
            // Where another object would go next must not depend on what other threads have freed.
            _ if kept => self.memory.retire(pointer, position),
            foreign
                if object.shared
                    && (foreign || arena == own)
                    && !self.has_joined_all(arena)
                    && self.gives_up_last_reference(thread) =>
            {
                self.memory.give_up(pointer, position);
            }
            true => self.memory.give_back(pointer, position, own),
            false => self.memory.free(pointer, position),
        }
    }

    /// Whether a thread (by its arena) has joined all others, or they were joined by threads that it has joined.
    pub(crate) fn has_joined_all(&self, arena: u32) -> bool {
        self.threads.iter().all(|thread| thread.arena == arena || thread.joined)
    }

    /// Whether a thread is in a function of a library that ends an object whose references are counted, because there is
    /// none left: Rust's `Arc` and C++'s `shared_ptr`.
    fn gives_up_last_reference(&self, thread: usize) -> bool {
        let functions = &self.program.functions;
        let names = self.threads[thread].frames.iter().map(|frame| &*functions[frame.function as usize].name);
        let of_arc = |name: &str| name.contains("5alloc4sync") && name.contains("9drop_slow");
        let of_shared_pointer =
            |name: &str| name.contains("__on_zero_shared") || name.contains("__release_weak");
        names.rev().any(|name| of_arc(name) || of_shared_pointer(name))
    }

    /// Whether the thread of an arena has not ended.
    pub(crate) fn is_alive(&self, arena: u32) -> bool {
        let owner = self.threads.iter().find(|thread| thread.arena == arena);
        owner.is_some_and(|thread| !thread.is_finished())
    }

    /// Whether what a thread does besides its operations matters to others. Where every operation is a step, those count too
    /// that have ended by now: in another order they have not.
    fn has_others(&self) -> bool {
        let orders = (self.config.trace || self.config.every_step || self.config.stops_alone)
            && self.threads.len() > 1;
        self.live > 1 || orders
    }

    /// An object is about to go that other threads may know.
    pub(crate) fn note_freed(&mut self, pointer: Pointer) {
        if self.has_others()
            && let Some(Found::Object(_, base, object)) = self.memory.find(pointer.address)
            && object.shared
        {
            let gone = crate::footprint::freed(base, object.size);
            self.effects.push(gone);
            if self.model.buffers().is_some() && !mutant(Mutant::BufferedLifetime) {
                self.effects.push(crate::footprint::lifetime(gone));
            }
        }
    }

    /// Reads bytes as a thread sees them; tells whether all hold a value.
    pub(crate) fn load_bytes(
        &mut self,
        thread: usize,
        from: Pointer,
        len: u64,
    ) -> Result<(Vec<u8>, bool), Halt> {
        if len == 0 {
            return Ok((Vec::new(), true));
        }
        let bounds = self.memory.check(from, len)?;
        let mut bytes = vec![0; len as usize];
        let defined = self.memory.read_bytes(from.address, &mut bytes);
        if bounds.shared
            && let Some(model) = self.model.buffers()
        {
            let mut defined = self.memory.defined_bytes(from.address, len as usize);
            model.overlay(thread, from.address, &mut bytes, &mut defined);
            return Ok((bytes, defined.into_iter().all(|defined| defined)));
        }
        Ok((bytes, defined))
    }

    /// Writes bytes as a thread does.
    pub(crate) fn store_bytes(&mut self, thread: usize, to: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        if bytes.is_empty() {
            return Ok(());
        }
        let bounds = self.check_write(to, bytes.len() as u64)?;
        if bounds.shared {
            self.on_store(thread, to.address, bytes, Provenance::NONE);
        }
        let origin = self.origin(thread);
        let buffers = self.buffers_stores();
        match self.model.buffers_mut() {
            Some(_) if !bounds.shared && self.watch => {
                let mut done = 0;
                while done < bytes.len() {
                    let address = to.address + done as u64;
                    let len = (8 - (address & 7) as usize).min(bytes.len() - done);
                    let mut word = [0; 8];
                    word[..len].copy_from_slice(&bytes[done..done + len]);
                    let value = u64::from_le_bytes(word);
                    let datum = Datum { value, provenance: Provenance::NONE, undefined: 0 };
                    self.write_private(thread, address, len as u8, datum);
                    done += len;
                }
            }
            Some(model) if bounds.shared && buffers => {
                for (i, part) in bytes.chunks(8).enumerate() {
                    let mut word = [0; 8];
                    word[..part.len()].copy_from_slice(part);
                    let access = Access {
                        address: to.address + 8 * i as u64,
                        len: part.len() as u8,
                        order: MemoryOrder::NotAtomic,
                        origin,
                    };
                    let value = u64::from_le_bytes(word);
                    let datum = Datum { value, provenance: Provenance::NONE, undefined: 0 };
                    model.store(&mut self.memory, thread, access, datum);
                }
            }
            _ => {
                if !bounds.shared {
                    self.graph_private_bytes(thread, to.address, bytes);
                }
                self.memory.write_bytes(to.address, bytes);
            }
        }
        Ok(())
    }

    /// Copies bytes with everything that is known of them.
    pub(crate) fn copy_bytes(
        &mut self,
        thread: usize,
        to: Pointer,
        from: Pointer,
        len: u64,
    ) -> Result<(), Halt> {
        if len == 0 {
            return Ok(());
        }
        let source = self.memory.check(from, len)?;
        let target = self.check_write(to, len)?;
        if !target.shared {
            self.graph_private(thread, to.address, len, None);
        }
        let buffers = self.buffers_stores() && (source.shared || target.shared);
        match self.model.buffers().is_some() && (self.watch || buffers) {
            true => {
                // A word at a time is stored: a pointer that lies in two of them is followed no further.
                if to.address & 7 != from.address & 7 || len & 7 != 0 || from.address & 7 != 0 {
                    let mut pointers = Vec::new();
                    self.memory.pointers_in(from.address, len, &mut pointers);
                    pointers.into_iter().try_for_each(|provenance| self.share(thread, provenance))?;
                }
                let private = self.is_concolic() && !source.shared && !target.shared;
                let terms = if private { self.memory.terms(from.address, len) } else { Vec::new() };
                self.copy_buffered(thread, to.address, from.address, (len, target.shared));
                for (offset, term) in terms {
                    self.memory.set_term(to.address + offset, Some(term));
                }
            }
            false => self.memory.copy(to.address, from.address, len),
        }
        if target.shared {
            let mut pointers: Vec<Provenance> = Vec::new();
            self.memory.pointers_in(from.address, len, &mut pointers);
            self.memory.pointers_in(to.address, len, &mut pointers);
            for provenance in pointers {
                self.share(thread, provenance)?;
            }
        }
        Ok(())
    }

    /// A copy as a thread makes it under a memory model: it reads what the thread sees, and what it writes to shared
    /// memory is stored like anything else, a word at a time.
    fn copy_buffered(&mut self, thread: usize, to: u64, from: u64, (len, shared): (u64, bool)) {
        let origin = self.origin(thread);
        let Some(model) = self.model.buffers_mut() else { return };
        let mut parts = Vec::new();
        let mut done = 0;
        while done < len {
            let address = to + done;
            let part = (8 - (address & 7)).min(len - done) as u8;
            let access = |address| Access { address, len: part, order: MemoryOrder::NotAtomic, origin };
            let mut datum = model.load(&mut self.memory, thread, access(from + done));
            if part < 8 {
                datum.provenance = Provenance::NONE;
            }
            parts.push((access(address), datum));
            done += u64::from(part);
        }
        // The ranges may overlap: nothing is written before all is read.
        for (access, datum) in parts {
            match (shared, self.model.buffers_mut()) {
                (true, Some(model)) => model.store(&mut self.memory, thread, access, datum),
                _ => self.write_private(thread, access.address, access.len, datum),
            }
        }
    }
}
