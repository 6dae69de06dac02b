//! What the program has written and the caller has not taken away yet.

use std::sync::Arc;

/// Pieces of output, the last first. Copies share them, so that a snapshot of a program that prints costs nothing.
#[derive(Clone, Default)]
pub struct Output(Option<Arc<Piece>>);

struct Piece {
    descriptor: i32,
    bytes: Vec<u8>,
    before: Output,
}

impl Output {
    /// Adds bytes that were written to a descriptor.
    pub fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        match self.0.as_mut().and_then(Arc::get_mut) {
            Some(last) if last.descriptor == descriptor => last.bytes.extend_from_slice(bytes),
            _ => {
                let before = std::mem::take(self);
                *self = Output(Some(Arc::new(Piece { descriptor, bytes: bytes.to_vec(), before })));
            }
        }
    }

    /// Takes everything away: (descriptor, bytes), in order.
    pub fn take(&mut self) -> Vec<(i32, Vec<u8>)> {
        let mut pieces: Vec<(i32, Vec<u8>)> = Vec::new();
        let mut rest = std::mem::take(self);
        while let Some(mut piece) = rest.0.take() {
            let (descriptor, bytes, before) = match Arc::get_mut(&mut piece) {
                Some(own) => {
                    (own.descriptor, std::mem::take(&mut own.bytes), std::mem::take(&mut own.before))
                }
                None => (piece.descriptor, piece.bytes.clone(), piece.before.clone()),
            };
            pieces.push((descriptor, bytes));
            rest = before;
        }
        pieces.reverse();
        pieces.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1.append(&mut later.1);
            }
            same
        });
        pieces
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // One after the other: a long chain would be a deep recursion.
        let mut rest = self.0.take();
        while let Some(mut piece) = rest {
            rest = Arc::get_mut(&mut piece).and_then(|own| own.before.0.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Output;

    #[test]
    fn copies_go_their_own_ways() {
        let mut output = Output::default();
        output.write(1, b"a");
        output.write(1, b"b");
        let mut copy = output.clone();
        output.write(1, b"c");
        output.write(2, b"d");
        copy.write(2, b"e");
        assert_eq!(output.take(), [(1, b"abc".to_vec()), (2, b"d".to_vec())]);
        assert_eq!(copy.take(), [(1, b"ab".to_vec()), (2, b"e".to_vec())]);
        assert_eq!(copy.take(), []);
    }

    #[test]
    fn a_long_chain_is_dropped() {
        let mut output = Output::default();
        let mut copies = Vec::new();
        for _ in 0..200_000 {
            output.write(1, b"x");
            copies.push(output.clone());
        }
        drop(copies);
        assert_eq!(output.clone().take(), [(1, vec![b'x'; 200_000])]);
    }
}
