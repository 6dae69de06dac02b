//! Outcomes that are kept: the same test with the same options is not checked again.

use super::outcome::Outcome;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Where outcomes are kept, and what they rest on besides a test.
pub struct Results {
    folder: PathBuf,
    /// Of this program: another one may have another answer.
    program: u128,
}

/// What outcomes are called that have the same reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u128);

impl Results {
    /// Those in `folder`.
    pub fn new(folder: PathBuf) -> Self {
        let program = std::env::current_exe().ok().and_then(|path| std::fs::read(path).ok());
        Results { folder, program: hash([program.unwrap_or_default()]) }
    }

    /// The name of all that `parts` say, of which the first is the bitcode.
    pub fn key<'a>(&self, bitcode: u128, parts: impl IntoIterator<Item = &'a str>) -> Key {
        let numbers = [self.program, bitcode].map(|number| number.to_le_bytes().to_vec());
        Key(hash(numbers.into_iter().chain(parts.into_iter().map(|part| part.as_bytes().to_vec()))))
    }

    /// What is kept under that name.
    pub fn read<T: serde::de::DeserializeOwned>(&self, key: Key) -> Option<T> {
        serde_json::from_slice(&std::fs::read(self.file(key)).ok()?).ok()
    }

    /// An outcome that is kept, if what it names is still there.
    pub fn outcome(&self, key: Key, folder: &Path) -> Option<Outcome> {
        self.read(key)
            .filter(|outcome: &Outcome| outcome.schedules.iter().all(|file| folder.join(file).is_file()))
    }

    /// Keeps something. That this fails only means that it is done again.
    pub fn keep<T: serde::Serialize>(&self, key: Key, value: &T) {
        let file = self.file(key);
        let written = || -> Option<()> {
            std::fs::create_dir_all(&self.folder).ok()?;
            let unfinished = tempfile::NamedTempFile::new_in(&self.folder).ok()?;
            std::fs::write(unfinished.path(), serde_json::to_vec(value).ok()?).ok()?;
            unfinished.persist(file).ok().map(drop)
        };
        let _ = written();
    }

    fn file(&self, key: Key) -> PathBuf {
        self.folder.join(format!("{:032x}.json", key.0))
    }
}

/// A number for some bytes: equal for equal ones.
pub fn hash(parts: impl IntoIterator<Item = Vec<u8>>) -> u128 {
    let mut hasher = Xxh3::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(&part);
    }
    hasher.digest128()
}

#[test]
fn what_is_kept_is_found_under_its_reasons_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = Results::new(folder.path().join("results"));
    let key = |bitcode, parts: &[&str]| results.key(bitcode, parts.iter().copied());
    let mut outcome = Outcome::failed("why", "sc", 1.0);
    results.keep(key(1, &["a", "b"]), &outcome);
    assert_eq!(results.outcome(key(1, &["a", "b"]), folder.path()).as_ref(), Some(&outcome));
    for other in [key(1, &["ab"]), key(1, &["a", "b", ""]), key(2, &["a", "b"])] {
        assert_eq!(results.outcome(other, folder.path()), None);
    }
    outcome.schedules = vec!["gone.json".into()];
    results.keep(key(3, &[]), &outcome);
    assert_eq!(results.outcome(key(3, &[]), folder.path()), None);
}
