#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(1);

#[derive(Clone, Copy)]
enum Shape {
    Circle(f64),
    Square { side: u16 },
    Nothing,
}

fn area(shape: Shape) -> Option<f64> {
    match shape {
        Shape::Circle(radius) => Some(radius * radius * 3.0),
        Shape::Square { side } => Some(f64::from(side) * f64::from(side)),
        Shape::Nothing => None,
    }
}

fn sum(values: &[u64]) -> u64 {
    values.iter().enumerate().map(|(index, value)| value.wrapping_mul(index as u64)).sum()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
pub extern "C" fn main(count: i32, _words: *const *const u8) -> i32 {
    COUNT.fetch_add(count as u32, Ordering::AcqRel);
    let shapes = [Shape::Circle(1.5), Shape::Square { side: 3 }, Shape::Nothing];
    let known = shapes.iter().filter_map(|shape| area(*shape)).filter(|area| *area > 1.0).count();
    let values = [3, 1, 4, 1, 5, 9, 2, u64::from(COUNT.load(Ordering::Acquire))];
    (known as u64 + sum(&values)) as i32 & 0x7f
}
