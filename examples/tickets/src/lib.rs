//! Tickets for a concert, sold at several counters at the same time.

use std::sync::Mutex;

pub struct Tickets {
    left: Mutex<usize>,
}

impl Tickets {
    pub fn new(left: usize) -> Self {
        Tickets { left: Mutex::new(left) }
    }

    /// Whether there was one.
    pub fn sell(&self) -> bool {
        if *self.left.lock().unwrap() == 0 {
            return false;
        }
        *self.left.lock().unwrap() -= 1;
        true
    }

    /// Whether there was one.
    pub fn sell_at_once(&self) -> bool {
        let mut left = self.left.lock().unwrap();
        let sold = *left > 0;
        if sold {
            *left -= 1;
        }
        sold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sold(tickets: &Tickets, sell: fn(&Tickets) -> bool) -> usize {
        let sell_here = || usize::from(sell(tickets));
        std::thread::scope(|scope| {
            let other = scope.spawn(sell_here);
            sell_here() + other.join().unwrap()
        })
    }

    #[test]
    fn one_ticket_is_sold_once() {
        assert_eq!(sold(&Tickets::new(1), Tickets::sell), 1);
    }

    #[test]
    fn one_ticket_is_sold_once_at_once() {
        assert_eq!(sold(&Tickets::new(1), Tickets::sell_at_once), 1);
    }
}
