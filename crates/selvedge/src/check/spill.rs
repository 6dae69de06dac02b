//! Room outside of memory for a search that needs much.

use selvedge_explore::Spill;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, OnceLock};

/// A file without a name: it is gone with the process, however that ends. There is none until something is put away.
#[derive(Debug, Default)]
pub struct TemporaryFile {
    file: OnceLock<File>,
    /// How far it is filled; the lock also decides which worker makes the file.
    end: Mutex<u64>,
}

impl Spill for TemporaryFile {
    fn put(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut end = self.end.lock().unwrap_or_else(|broken| broken.into_inner());
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let file = tempfile::tempfile()?;
                self.file.get_or_init(|| file)
            }
        };
        let at = *end;
        file.write_all_at(bytes, at)?;
        *end = at + bytes.len() as u64;
        Ok(at)
    }

    fn get(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let file = self.file.get().ok_or(io::ErrorKind::NotFound)?;
        file.read_exact_at(into, at)
    }
}

#[test]
fn what_is_put_away_is_found_again() {
    let file = TemporaryFile::default();
    assert!(file.get(0, &mut [0]).is_err(), "there is nothing yet");
    let places = [&b"one"[..], b"", b"three"].map(|bytes| file.put(bytes).expect("room"));
    assert_eq!(places, [0, 3, 3]);
    let mut read = [0; 5];
    file.get(places[2], &mut read).expect("it is there");
    assert_eq!(&read, b"three");
    assert!(file.get(4, &mut read).is_err(), "that is more than there is");
}
