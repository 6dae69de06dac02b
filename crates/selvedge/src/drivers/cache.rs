//! The folder where things that are made once are kept between runs.

use super::error::DriverError;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// `$SELVEDGE_CACHE`, or `selvedge` in the user's cache folder.
pub fn folder() -> PathBuf {
    choose(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
}

fn choose(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    if let Some(chosen) = variable("SELVEDGE_CACHE") {
        return chosen.into();
    }
    let user = match (variable("XDG_CACHE_HOME"), variable("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => std::env::temp_dir(),
    };
    user.join("selvedge")
}

/// Creates `path` and its parents.
pub fn create_folder(path: &Path) -> Result<(), DriverError> {
    std::fs::create_dir_all(path).map_err(|cause| not_written(path, cause))
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), DriverError> {
    std::fs::write(path, text).map_err(|cause| not_written(path, cause))
}

/// Waits until no other process makes something in `cache`, and keeps others waiting until dropped.
pub fn lock(cache: &Path) -> Result<File, DriverError> {
    create_folder(cache)?;
    let path = cache.join("lock");
    let file = File::create(&path).map_err(|cause| not_written(&path, cause))?;
    file.lock().map_err(|cause| not_written(&path, cause))?;
    Ok(file)
}

/// The error for something in the cache.
pub fn not_written(path: &Path, cause: std::io::Error) -> DriverError {
    DriverError::NotWritten {
        path: path.to_path_buf(),
        cause,
        hint: ", or set SELVEDGE_CACHE to a folder that has both",
    }
}

/// A short name for everything that `parts` say (FNV-1a, 64 bits): equal parts have equal names.
pub fn key(parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.as_ref().bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)]) -> PathBuf {
        choose(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into()))
    }

    #[test]
    fn the_folder_follows_the_environment() {
        assert_eq!(check(&[("HOME", "/home/a")]), Path::new("/home/a/.cache/selvedge"));
        assert_eq!(check(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "/x")]), Path::new("/x/selvedge"));
        assert_eq!(check(&[("SELVEDGE_CACHE", "/s"), ("HOME", "/home/a")]), Path::new("/s"));
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_eq!(key(["a", "b"]), key(["a", "b"]));
        assert_ne!(key(["ab"]), key(["a", "b"]));
        assert_ne!(key(["a", "b"]), key(["b", "a"]));
    }
}
