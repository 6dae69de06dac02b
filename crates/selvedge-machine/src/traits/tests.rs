//! The descriptions of all functions, against what the functions are called and against what their models do.

use super::{Access, Reach, Trait};
use crate::library;
use crate::memory::Pointer;
use crate::native::{Native, Visibility};
use crate::sync::tests::{Bench, Value};
use selvedge_trace::{EventKind, SyncEffect, SyncObject};

fn all() -> Vec<&'static Native> {
    let mut natives: Vec<&Native> = library::all().collect();
    natives.sort_by_key(|native| native.name);
    natives
}

#[test]
fn what_is_never_visible_touches_nothing() {
    for native in all() {
        if let Visibility::Private = native.visibility {
            assert_eq!(native.traits.reach, Reach::Nothing, "{}", native.name);
        }
    }
}

#[test]
fn calls_with_deadlines_are_timed() {
    for native in all() {
        let name = native.name;
        let rest = name.replace("clock", "");
        let waits = ["wait", "lock", "join", "sleep"].iter().any(|word| rest.contains(word));
        let timed = native.traits.has(Trait::Timed);
        assert_eq!(timed, waits && (name.contains("timed") || name.contains("clock")), "{name}");
        let deadline = |reach| matches!(reach, Reach::Arguments(known) if known.contains(&Access::Reads));
        assert!(!timed || deadline(native.traits.reach), "the deadline of {name} is read");
    }
}

#[test]
fn attempts_are_attempts() {
    for native in all() {
        let name = native.name;
        let tries = ["trylock", "tryrdlock", "trywrlock", "trywait", "tryjoin"];
        assert_eq!(native.traits.has(Trait::Tries), tries.iter().any(|word| name.contains(word)), "{name}");
    }
}

#[test]
fn lists_of_arguments_reach_anything() {
    for native in all() {
        let name = native.name.trim_start_matches("__isoc99_").trim_start_matches("__isoc23_");
        let name = name.trim_start_matches('_');
        let listed = name.starts_with('v') && (name.contains("printf") || name.contains("scanf"));
        assert_eq!(native.traits.has(Trait::TakesList), listed, "{}", native.name);
        if listed {
            assert_eq!(native.traits.reach, Reach::Anything, "{}", native.name);
        }
    }
}

#[test]
fn operations_on_objects_say_which() {
    let families = [
        ("pthread_mutex_", SyncObject::Mutex),
        ("mtx_", SyncObject::Mutex),
        ("pthread_rwlock_", SyncObject::RwLock),
        ("pthread_spin_", SyncObject::SpinLock),
        ("pthread_cond_", SyncObject::Condition),
        ("cnd_", SyncObject::Condition),
        ("pthread_barrier_", SyncObject::Barrier),
    ];
    for native in all() {
        for (family, object) in families {
            if native.name.starts_with(family) {
                assert_eq!(native.traits.object, Some(object), "{}", native.name);
            }
        }
    }
}

#[test]
fn what_is_named_in_memory_is_anything() {
    for name in ["readv", "writev", "getline", "getdelim", "__getdelim"] {
        let reach = library::find(name).map(|native| native.traits.reach);
        assert_eq!(reach, Some(Reach::Anything), "{name}");
    }
}

/// The event that a function announces is about the object that the function is said to work on, and waits for it unless
/// the function is said to give up.
#[test]
fn announced_events_agree_with_descriptions() {
    let mut compared = 0;
    for native in all() {
        let traits = native.traits;
        let Visibility::Always { operation, .. } = native.visibility else { continue };
        let Some(object) = traits.object else { continue };
        let mut bench = Bench::new();
        let at = bench.object(SyncObject::LARGEST);
        let arguments = [Value::At(at), Value::At(at), Value::Int(0), Value::Int(0)];
        let Ok(operation) = bench.with(0, 0, arguments, operation) else { continue };
        let Some((announced, effect)) = operation.kind.on_object() else { continue };
        let same = announced == object || (announced, object) == (SyncObject::Mutex, SyncObject::Stream);
        assert!(same, "{} is said to work on {object:?}, not {announced:?}", native.name);
        if !traits.has(Trait::Ambiguous) {
            let tries = matches!(effect, SyncEffect::Try(_));
            let is_lock = !matches!(object, SyncObject::Condition | SyncObject::Thread);
            assert_eq!(traits.gives_up() && is_lock, tries, "{}: {effect:?}", native.name);
        }
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

/// Text that is one character long, narrow and wide, and a byte to be found.
const TEXT: [u8; 32] = {
    let mut text = [0; 32];
    (text[0], text[12]) = (b'a', COUNT as u8);
    text
};

/// What is given where no object is: a number of bytes or characters, or one to be found.
const COUNT: u64 = 3;

/// Runs models on shared objects of their own: what they access is what is said of them.
#[test]
fn models_touch_what_is_said_of_them() {
    let mut tried = 0;
    for native in all() {
        let Reach::Arguments(known @ &[_, _, _, _]) = native.traits.reach else { continue };
        if !matches!(native.visibility, Visibility::IfShared) {
            continue;
        }
        let mut bench = Bench::new();
        let objects: Vec<Option<Pointer>> = known
            .iter()
            .map(|access| {
                let object = (*access != Access::Value).then(|| bench.object(TEXT.len() as u64))?;
                bench.machine.memory.write_bytes(object.address, &TEXT);
                bench.machine.memory.share(object.provenance);
                Some(object)
            })
            .collect();
        bench.machine.touches = Some(Vec::new());
        let arguments =
            [0, 1, 2, 3].map(|number: usize| objects[number].map_or(Value::Int(COUNT), Value::At));
        let result = bench.flow(0, native.name, arguments);
        assert!(result.is_ok(), "{}: {result:?}", native.name);
        let touches = bench.machine.touches.take().unwrap_or_default();
        let inside = |at: u64, object: Pointer| (object.address..object.address + 32).contains(&at);
        for touch in &touches {
            let into = objects.iter().position(|object| object.is_some_and(|at| inside(touch.address, at)));
            let access = into.map(|number| known[number]);
            let allowed = match touch.kind {
                EventKind::Read => matches!(access, Some(Access::Reads | Access::Writes)),
                _ => access == Some(Access::Writes),
            };
            assert!(allowed, "{} {touch:?}, which is {access:?}", native.name);
        }
        for (object, access) in objects.iter().zip(known) {
            let kind = if *access == Access::Writes { EventKind::Write } else { EventKind::Read };
            let done = |object: Pointer| {
                touches.iter().any(|touch| touch.kind == kind && inside(touch.address, object))
            };
            assert!(object.is_none_or(done), "{} does not do what is said: {access:?}", native.name);
        }
        tried += 1;
    }
    assert!(tried > 70, "{tried}");
}

#[test]
fn what_ends_an_object_does() {
    for native in all() {
        if native.traits.reach.ended() == Some(0) {
            let mut bench = Bench::new();
            let object = bench.object(8);
            assert!(bench.flow(0, native.name, [object.into()]).is_ok(), "{}", native.name);
            assert!(bench.machine.memory.check(object, 8).is_err(), "{}", native.name);
        }
    }
}
