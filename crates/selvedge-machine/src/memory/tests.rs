//! Memory against what it promises.

use super::*;

fn memory() -> Memory {
    Memory::new(Arc::new(Program::default()))
}

fn object(kind: ObjectKind) -> Object {
    let (allocated_at, freed_at, number, origin) = (0, 0, 0, (0, 0));
    let (live, returned, shared, escaped) = (true, false, false, false);
    Object {
        size: 0,
        generation: 0,
        live,
        returned,
        shared,
        escaped,
        kind,
        allocated_at,
        freed_at,
        number,
        origin,
        site: 0,
    }
}

fn allocate(memory: &mut Memory, arena: u32, size: u64) -> Pointer {
    allocate_beside(memory, arena, size, &[])
}

/// Allocates while pointers are held outside of memory.
fn allocate_beside(memory: &mut Memory, arena: u32, size: u64, held: &[Pointer]) -> Pointer {
    let held = |places: Places| held.iter().filter_map(|p| places.generation(p.provenance)).collect();
    let object = Object { size, ..object(ObjectKind::Heap) };
    memory.allocate(arena, 16, object, &held).expect("there is room")
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
    assert_eq!((moved.value, moved.provenance), (to.address, to.provenance), "a pointer at an odd place");
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
fn freed_memory_leaves_nothing_behind() {
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

fn fault_of(memory: &mut Memory, pointer: Pointer) -> Option<FaultKind> {
    memory.check(pointer, 8).err().map(|fault| fault.kind)
}

#[test]
fn allocating_and_freeing_comes_back_to_the_same_state() {
    for size in [16, 40, 2048, 9000] {
        let mut memory = memory();
        let kept = allocate(&mut memory, 0, 64);
        let before = memory.hash();
        let mut hashes = Vec::new();
        for round in 0..4_u64 {
            let at = allocate(&mut memory, 0, size);
            memory.write(at.address, 8, round, Provenance::NONE);
            // Hashed now and then: it must not matter.
            if round % 2 == 0 {
                memory.hash();
            }
            memory.free(at, round as u32);
            assert_eq!(memory.hash(), before, "size {size}");
            let at = allocate(&mut memory, 0, size);
            memory.write(kept.address, 8, at.address, at.provenance);
            memory.free(at, 9);
            hashes.push(memory.hash());
            assert_eq!(fault_of(&mut memory, at), Some(FaultKind::UseAfterFree));
            memory.undefine(kept.address, 8);
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0] && *hash != before), "size {size}");
    }
}

#[test]
fn stale_pointers_stay_stale_whatever_lives_there() {
    for hashed in [false, true] {
        let mut memory = memory();
        if hashed {
            memory.hash();
        }
        let kept = allocate(&mut memory, 0, 64);
        for (first, second) in [(16, 16), (16, 32), (48, 16), (16, 9000), (9000, 16), (20_000, 9000)] {
            let [in_register, in_memory] = [0, 0].map(|_| {
                let at = allocate(&mut memory, 0, first);
                memory.free(at, 1);
                at
            });
            assert_eq!(in_register.address, in_memory.address);
            memory.write(kept.address, 8, in_memory.address, in_memory.provenance);
            for _ in 0..3 {
                let new = allocate_beside(&mut memory, 0, second, &[in_register]);
                assert_eq!(new.address, in_register.address, "{first} {second}");
                assert_eq!(fault_of(&mut memory, new), None);
                let loaded = memory.read_pointer(kept.address);
                for stale in [in_register, loaded] {
                    assert_eq!(
                        fault_of(&mut memory, stale),
                        Some(FaultKind::UseAfterFree),
                        "{first} {second}"
                    );
                    let freed = memory.object_at_start(stale).map_err(|fault| fault.kind);
                    assert_eq!(freed.err(), Some(FaultKind::UseAfterFree));
                }
                memory.free(new, 2);
            }
        }
    }
}

#[test]
fn where_objects_go_depends_on_those_that_live() {
    let addresses = |sizes: &[u64]| {
        let mut memory = memory();
        let gone: Vec<_> = sizes.iter().map(|&size| allocate(&mut memory, 0, size)).collect();
        memory.hash();
        gone.into_iter().for_each(|object| memory.free(object, 0));
        let kept = [5000, 16, 200, 16].map(|size| allocate(&mut memory, 0, size));
        (kept, memory.hash())
    };
    let fresh = addresses(&[]);
    for sizes in [&[16, 5000, 200][..], &[200; 40], &[9000, 100, 5000], &[100_000]] {
        assert_eq!(addresses(sizes), fresh, "{sizes:?}");
    }
}

#[test]
fn a_full_unit_is_followed_by_another_and_comes_back() {
    let mut memory = memory();
    let all: Vec<_> = (0..9).map(|_| allocate(&mut memory, 0, 1024)).collect();
    let distinct: std::collections::BTreeSet<_> = all.iter().map(|object| object.address).collect();
    assert_eq!(distinct.len(), 9);
    memory.free(all[2], 0);
    memory.free(all[6], 0);
    assert_eq!(allocate(&mut memory, 0, 1000).address, all[2].address, "the lowest place first");
    assert_eq!(allocate(&mut memory, 0, 1000).address, all[6].address);
}

#[test]
fn a_place_that_another_thread_gave_back_waits_until_that_one_is_joined() {
    let mut memory = memory();
    let [first, second] = [0; 2].map(|_| allocate(&mut memory, 0, 24));
    memory.give_back(first, 7, 1);
    memory.give_back(second, 7, 2);
    assert_eq!(memory.check(first, 8).map_err(|f| f.kind), Err(FaultKind::UseAfterFree));
    let third = allocate(&mut memory, 0, 24);
    assert!(![first.address, second.address].contains(&third.address));
    memory.join_arenas(3, 2);
    memory.join_arenas(0, 1);
    assert_eq!(
        allocate(&mut memory, 0, 24).address,
        first.address,
        "it was given back by whom arena 0 has joined"
    );
    assert_ne!(
        allocate(&mut memory, 0, 24).address,
        second.address,
        "arena 3 has taken over what 2 gave back"
    );
    memory.join_arenas(0, 3);
    assert_eq!(allocate(&mut memory, 0, 24).address, second.address);
}

#[test]
fn who_gave_a_place_back_matters_only_as_long_as_it_waits() {
    let given_back = |by: u32| {
        let mut memory = memory();
        let at = allocate(&mut memory, 0, 24);
        allocate(&mut memory, 0, 5000);
        memory.give_back(at, 7, by);
        let waiting = memory.hash();
        memory.close_arena(0);
        (waiting, memory.hash())
    };
    let ((waiting, closed), (other_waiting, other_closed)) = (given_back(1), given_back(2));
    assert!(waiting != other_waiting && waiting != closed);
    assert_eq!(closed, other_closed);
    let mut memory = memory();
    let at = allocate(&mut memory, 0, 24);
    allocate(&mut memory, 0, 5000);
    memory.free(at, 7);
    assert_eq!(memory.hash(), closed);
}

#[test]
fn a_program_that_hands_on_objects_for_ever_uses_few_places() {
    for size in [24, 5000] {
        let mut memory = memory();
        let mut addresses = std::collections::HashSet::new();
        for _ in 0..1000 {
            let at = allocate(&mut memory, 0, size);
            addresses.insert(at.address);
            memory.give_back(at, 0, 1);
        }
        assert!(addresses.len() <= 65, "{} places of {size} bytes", addresses.len());
    }
}

#[test]
fn pointers_are_followed_at_every_alignment() {
    let mut memory = memory();
    let (holder, other, target) =
        (allocate(&mut memory, 0, 64), allocate(&mut memory, 0, 64), allocate(&mut memory, 0, 16));
    memory.write(holder.address, 8, target.address, target.provenance);
    for offset in [1, 3, 8, 21] {
        memory.copy(other.address + offset, holder.address, 8);
        assert_eq!(memory.read_pointer(other.address + offset), target, "at {offset}");
        memory.copy(holder.address + 17, other.address + offset, 8);
        assert_eq!(memory.read_pointer(holder.address + 17), target, "back from {offset}");
    }
    let read = memory.read(other.address + 23, 2);
    assert_eq!(read.provenance, target.provenance, "bytes of a pointer say whose they are");
    memory.share(holder.provenance);
    assert!(memory.check(target, 1).is_ok_and(|bounds| bounds.shared));
}

#[test]
fn what_is_left_of_a_pointer_exposes_its_object() {
    let mut memory = memory();
    let (holder, target) = (allocate(&mut memory, 0, 2048), allocate(&mut memory, 0, 16));
    memory.accessed_by(Some(0));
    let mut exposed = |act: &dyn Fn(&mut Memory)| {
        memory.write(holder.address + 5, 8, target.address, target.provenance);
        memory.write(holder.address + 16, 8, target.address, target.provenance);
        act(&mut memory);
        memory.take_exposed().len()
    };
    let at = |offset: u64| holder.address + offset;
    assert_eq!(exposed(&|memory| memory.write(at(5), 8, 0, Provenance::NONE)), 0);
    assert_eq!(exposed(&|memory| memory.write(at(16), 8, 0, Provenance::NONE)), 0);
    assert_eq!(exposed(&|memory| memory.fill(at(0), 0, 64)), 0);
    assert_eq!(exposed(&|memory| memory.write(at(22), 2, 0, Provenance::NONE)), 1);
    assert_eq!(exposed(&|memory| memory.write(at(8), 8, 0, Provenance::NONE)), 1);
    assert_eq!(exposed(&|memory| memory.fill(at(12), 0, 5)), 2);
    assert_eq!(exposed(&|memory| memory.copy(at(100), at(16), 4)), 1);
    assert_eq!(exposed(&|memory| memory.copy(at(100), at(7), 12)), 2);
    let end_of_page = holder.address.next_multiple_of(1024) + 1020;
    assert_eq!(exposed(&|memory| memory.copy(end_of_page, at(16), 8)), 1);
}

#[test]
fn private_objects_of_others_are_noticed() {
    let mut memory = memory();
    let object = allocate(&mut memory, 1, 16);
    let number = Pointer { address: object.address, provenance: Provenance::NONE };
    memory.accessed_by(Some(1));
    assert!(memory.check(object, 8).is_ok_and(|bounds| !bounds.shared));
    memory.be_strict();
    memory.accessed_by(Some(0));
    for pointer in [object, number] {
        let noticed =
            |result: Result<Bounds, Box<Fault>>| result.is_err_and(|fault| fault.kind == FaultKind::Private);
        assert!(noticed(memory.check(pointer, 8)));
        assert!(memory.object_at_start(pointer).is_err_and(|fault| fault.kind == FaultKind::Private));
        assert!(memory.take_foreign().is_some());
    }
    memory.accessed_by(None);
    assert!(memory.check(number, 8).is_ok(), "an access without a thread");
    memory.share(object.provenance);
    memory.accessed_by(Some(0));
    assert!(memory.check(object, 8).is_ok_and(|bounds| bounds.shared));
}
