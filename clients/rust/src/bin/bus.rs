//! crate: bus
use bus::Bus;
use rust_clients::both;

fn main() {
    let mut bus = Bus::new(2);
    let mut reader = bus.add_rx();
    both(
        move || assert!(bus.try_broadcast(7).is_ok()),
        || {
            if let Ok(value) = reader.try_recv() {
                assert_eq!(value, 7);
            }
        },
    );
}
