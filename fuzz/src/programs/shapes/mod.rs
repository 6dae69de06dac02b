//! Shapes: things that threads do together, as programs do them. Each adds statements to the ends of some threads.

mod atomics;
mod lockfree;
mod locks;
mod pointers;
mod waits;

use super::build::Builder;
pub use atomics::access;

/// A shape.
pub struct Shape {
    pub name: &'static str,
    /// Adds it to a program.
    pub add: fn(&mut Builder),
    /// How often it is drawn, beside the others.
    pub weight: usize,
}

macro_rules! shapes {
    ($($module:ident::$name:ident * $weight:literal,)*) => {
        /// All shapes.
        pub const ALL: &[Shape] = &[
            $(Shape { name: stringify!($name), add: $module::$name, weight: $weight },)*
        ];
    };
}

shapes! {
    atomics::message * 4,
    atomics::buffering * 3,
    atomics::litmus * 6,
    atomics::exact_count * 4,
    atomics::observers * 4,
    atomics::parts * 3,
    atomics::indices * 2,
    atomics::weak_exchange * 3,
    atomics::independent_readers * 2,
    atomics::fences * 2,
    locks::counter * 3,
    locks::two_locks * 2,
    locks::readers_and_writers * 2,
    locks::spinning * 2,
    locks::tried * 3,
    locks::recursive * 1,
    waits::producer_consumer * 3,
    waits::condition * 3,
    waits::semaphore * 3,
    waits::semaphore_value * 1,
    waits::barrier * 2,
    waits::futex * 2,
    waits::await_flag * 2,
    waits::once * 2,
    lockfree::peterson * 1,
    lockfree::ticket * 1,
    lockfree::sequence_lock * 2,
    lockfree::double_checked * 2,
    lockfree::test_and_set * 2,
    lockfree::references * 2,
    pointers::published * 5,
    pointers::retracted * 2,
    pointers::hazard * 1,
    pointers::local * 2,
    pointers::passed * 2,
    pointers::own_values * 2,
}

impl Builder {
    /// Draws a shape and adds it.
    pub fn add_shape(&mut self) {
        let total: usize = ALL.iter().map(|shape| shape.weight).sum();
        let mut drawn = self.random.below(total);
        for shape in ALL {
            if drawn < shape.weight {
                self.program.shapes.push(shape.name);
                return (shape.add)(self);
            }
            drawn -= shape.weight;
        }
    }
}
