//! Memory against what it promises.

use super::*;

fn memory() -> Memory {
    Memory::new(Arc::new(Program::default()))
}

fn object(kind: ObjectKind) -> Object {
    let (allocated_at, freed_at, number, origin) = (0, 0, 0, (0, 0));
    Object { size: 0, generation: 0, live: true, shared: false, kind, allocated_at, freed_at, number, origin }
}

fn allocate(memory: &mut Memory, arena: u32, size: u64) -> Pointer {
    memory.allocate(arena, size, 16, object(ObjectKind::Heap)).expect("there is room")
}

#[test]
fn a_freed_place_is_used_again_and_the_old_pointer_dangles() {
    let mut memory = memory();
    let first = allocate(&mut memory, 0, 24);
    let other = allocate(&mut memory, 0, 24);
    memory.free(first, 7);
    assert_eq!(memory.check(first, 8).map_err(|f| f.kind), Err(FaultKind::UseAfterFree));
    let second = allocate(&mut memory, 0, 24);
    assert_eq!(first.address, second.address);
    assert_ne!(first.provenance, second.provenance);
    assert!(memory.check(second, 24).is_ok() && memory.check(other, 24).is_ok());
    assert_eq!(memory.check(first, 8).map_err(|f| f.kind), Err(FaultKind::UseAfterFree));
    let unknown = Pointer { provenance: Provenance::NONE, ..first };
    assert!(memory.check(unknown, 24).is_ok(), "a pointer made from an integer may access what lives there");
}

#[test]
fn accesses_are_held_within_their_object() {
    let mut memory = memory();
    for size in [1, 16, 17, 100, 1024, 1025, 5000, 70_000] {
        let at = allocate(&mut memory, 3, size);
        assert!(memory.check(at, size).is_ok());
        for (offset, len) in [(0, size + 1), (size as i64, 1), (-1, 1), (1 << 40, 1)] {
            let kind = memory.check(at.offset(offset), len).map_err(|f| f.kind);
            assert_eq!(kind, Err(FaultKind::OutOfBounds), "size {size}, offset {offset}, length {len}");
        }
    }
    assert_eq!(memory.check(Pointer::NULL, 1).map_err(|f| f.kind), Err(FaultKind::Null));
}

#[test]
fn bytes_across_pages_keep_values_definedness_and_pointers() {
    let mut memory = memory();
    let from = allocate(&mut memory, 0, 5000);
    let to = allocate(&mut memory, 0, 5000);
    let edge = 2048 - 4;
    memory.write(from.address + edge, 8, 0x1122_3344_5566_7788, Provenance::NONE);
    memory.write(from.address + 2080, 8, to.address, to.provenance);
    memory.copy(to.address + 8, from.address, 3000);
    assert_eq!(memory.read(to.address + 8 + edge, 8).value, 0x1122_3344_5566_7788);
    assert_eq!(memory.read_pointer(to.address + 2088), to);
    assert!(!memory.read(to.address + 8, 1).defined, "an undefined byte stays undefined");
    memory.copy(to.address + 1, from.address, 3000);
    let moved = memory.read(to.address + 2081, 8);
    assert_eq!((moved.value, moved.provenance), (to.address, Provenance::NONE), "a pointer at an odd place");
    memory.write(to.address + 2085, 1, 0xff, Provenance::NONE);
    assert_ne!(memory.read(to.address + 2081, 8).value, to.address);
}

#[test]
fn snapshots_come_back_and_hashes_depend_on_contents_alone() {
    let mut memory = memory();
    let a = allocate(&mut memory, 0, 4000);
    let b = allocate(&mut memory, 1, 64);
    let start = memory.hash();
    let snapshot = memory.snapshot();
    for i in 0..500 {
        memory.write(a.address + 8 * i, 8, i, Provenance::NONE);
    }
    let filled = memory.hash();
    memory.write(b.address, 8, 5, Provenance::NONE);
    assert_ne!(memory.hash(), filled);
    memory.restore(&snapshot);
    assert_eq!(memory.hash(), start);
    assert!(!memory.read(a.address, 8).defined);
    for i in (0..500).rev() {
        memory.write(a.address + 8 * i, 8, 77, Provenance::NONE);
        memory.hash();
        memory.write(a.address + 8 * i, 8, i, Provenance::NONE);
    }
    assert_eq!(memory.hash(), filled, "the way there does not matter");
}

#[test]
fn freed_memory_leaves_nothing_behind_but_generations() {
    let mut memory = memory();
    for size in [40, 9000] {
        let mut hashes = Vec::new();
        for content in [1, 2] {
            let mut copy = Memory::new(memory.program.clone());
            copy.restore(&memory.snapshot());
            let at = allocate(&mut copy, 0, size);
            copy.fill(at.address, content, size);
            copy.hash();
            copy.free(at, content.into());
            hashes.push(copy.hash());
        }
        assert_eq!(hashes[0], hashes[1]);
    }
}

#[test]
fn sharing_spreads_along_pointers() {
    let mut memory = memory();
    let [a, b, c] = [0, 0, 0].map(|arena| allocate(&mut memory, arena, 32));
    memory.write(a.address + 8, 8, b.address, b.provenance);
    memory.write(b.address, 8, a.address, a.provenance);
    let shared = |memory: &mut Memory, p| memory.check(p, 1).map(|bounds| bounds.shared).unwrap_or(false);
    assert!(!shared(&mut memory, a));
    memory.share(a.provenance);
    assert_eq!([a, b, c].map(|p| shared(&mut memory, p)), [true, true, false]);
}
