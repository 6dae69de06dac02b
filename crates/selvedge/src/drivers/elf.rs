//! The sections of native files, and the shared libraries that these name.
//!
//! What a linker has written is read and no more: a damaged file has no sections.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How an ELF file for 64 bits, least significant byte first, begins.
pub const MAGIC: &[u8] = b"\x7fELF\x02\x01";
/// The kind of section that is for the dynamic linker.
const DYNAMIC: u32 = 6;
/// Tags of its entries: a library that is needed, and where to look for it.
const NEEDED: u64 = 1;
const SEARCH_PATHS: [u64; 2] = [15, 29];

/// One section.
pub struct Section<'a> {
    pub name: &'a [u8],
    kind: u32,
    /// The number of the section that has its texts.
    link: usize,
    pub content: &'a [u8],
}

/// Whether a file is an object, a program or a library of the system.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// All sections, in order.
pub fn sections(elf: &[u8]) -> Option<Vec<Section<'_>>> {
    if !is_elf(elf) {
        return None;
    }
    let usize_at = |at: usize| u64_at(elf, at).and_then(|number| usize::try_from(number).ok());
    let u16_at = |at: usize| Some(usize::from(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?)));
    let u32_at = |at: usize| Some(u32::from_le_bytes(elf.get(at..at + 4)?.try_into().ok()?));
    // Offset and number of section headers, and which of them has the names.
    let (table, size) = (usize_at(0x28)?, u16_at(0x3a)?);
    let header = |index: usize| table.checked_add(index.checked_mul(size)?);
    let content = |at: usize| {
        let (from, length) = (usize_at(at + 0x18)?, usize_at(at + 0x20)?);
        elf.get(from..from.checked_add(length)?)
    };
    // Where there are too many for 16 bits the first header has the numbers.
    let count = match u16_at(0x3c)? {
        0 => usize_at(header(0)? + 0x20)?,
        count => count,
    };
    let names = match u16_at(0x3e)? {
        0xffff => u32_at(header(0)? + 0x28)? as usize,
        names => names,
    };
    let names = content(header(names)?)?;
    let mut found = Vec::new();
    for at in (0..count).map_while(header) {
        let name = text_at(names, u32_at(at)? as usize)?;
        // Some sections, such as those of zeros, take no room in the file.
        let content = content(at).unwrap_or_default();
        found.push(Section { name, kind: u32_at(at + 4)?, link: u32_at(at + 0x28)? as usize, content });
    }
    Some(found)
}

/// What a program or library tells the dynamic linker.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Dynamic {
    /// The names of the libraries that it needs.
    pub needed: Vec<PathBuf>,
    /// Folders to look for them.
    pub folders: Vec<PathBuf>,
}

/// What the file at `path` tells the dynamic linker; nothing if it is linked with nothing.
pub fn dynamic(elf: &[u8], path: &Path) -> Dynamic {
    let mut found = Dynamic::default();
    let sections = sections(elf).unwrap_or_default();
    let origin = path.parent().unwrap_or(Path::new(""));
    for section in sections.iter().filter(|section| section.kind == DYNAMIC) {
        let Some(texts) = sections.get(section.link).map(|texts| texts.content) else { continue };
        for entry in section.content.chunks_exact(16) {
            let (Some(tag), Some(value)) = (u64_at(entry, 0), u64_at(entry, 8)) else { continue };
            let text = || text_at(texts, usize::try_from(value).ok()?);
            match (tag, text()) {
                (NEEDED, Some(name)) => found.needed.push(OsStr::from_bytes(name).into()),
                (tag, Some(list)) if SEARCH_PATHS.contains(&tag) => {
                    found.folders.extend(folders(&String::from_utf8_lossy(list), origin));
                }
                _ => {}
            }
        }
    }
    found
}

/// The folders of a list with colons, where `$ORIGIN` is the folder of the file that has it.
fn folders(list: &str, origin: &Path) -> Vec<PathBuf> {
    let here = origin.display().to_string();
    let here = if here.is_empty() { "." } else { &here };
    let named = list.split(':').filter(|folder| !folder.is_empty());
    named.map(|folder| folder.replace("${ORIGIN}", here).replace("$ORIGIN", here).into()).collect()
}

fn text_at(texts: &[u8], at: usize) -> Option<&[u8]> {
    texts.get(at..)?.split(|&byte| byte == 0).next()
}

/// A number in a file.
pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_libraries_are_found() {
        let path = std::env::current_exe().expect("a path");
        let dynamic = dynamic(&std::fs::read(&path).expect("a file"), &path);
        assert!(dynamic.needed.contains(&PathBuf::from("libc.so.6")), "{dynamic:?}");
    }

    #[test]
    fn lists_of_folders() {
        let folders = |list| folders(list, Path::new("build"));
        assert_eq!(folders("$ORIGIN/../lib::/opt"), ["build/../lib", "/opt"].map(PathBuf::from));
        assert_eq!(super::folders("${ORIGIN}", Path::new("")), [PathBuf::from(".")]);
    }
}
