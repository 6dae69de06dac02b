//! Memory that recorded steps access, and why a thread that waited goes on.

/// Memory that is accessed. Accesses of different sizes may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub size: u32,
}

impl Place {
    /// Bytes from an address on.
    pub fn new(address: u64, size: u32) -> Self {
        Place { address, size }
    }

    /// The first byte after it.
    pub fn end(self) -> u64 {
        self.address + u64::from(self.size)
    }

    /// Whether two places have a byte in common.
    pub fn overlaps(self, other: Place) -> bool {
        self.address < other.end() && other.address < self.end()
    }
}

/// Why a thread that waited goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Another thread has notified it.
    Notified,
    /// The time was over, or it woke up for no reason.
    Expired,
}
