//! Looking at memory without leaving a trace: no cache is filled, no access is noted.

use super::page::{PAGE_BITS, PAGE_SIZE};
use super::{Memory, Provenance};

impl Memory {
    /// The bytes from an address on, if all of them hold a value.
    pub fn peek(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        let byte = |address: u64| {
            let page = self.page_at(address >> PAGE_BITS)?;
            let at = offset(address);
            page.is_defined(at, 1).then(|| page.bytes[at])
        };
        (0..len as u64).map(|offset| byte(address.checked_add(offset)?)).collect()
    }

    /// Where the pointer at an address came from.
    pub fn peek_provenance(&self, address: u64) -> Provenance {
        match self.page_at(address >> PAGE_BITS) {
            Some(page) if offset(address) + 8 <= PAGE_SIZE => page.pointer(offset(address)),
            _ => Provenance::NONE,
        }
    }
}

fn offset(address: u64) -> usize {
    (address & (PAGE_SIZE as u64 - 1)) as usize
}
