//! Reads `ar` archives whose members are bitcode, through their symbol table.

use crate::{LoadError, ModuleBytes};
use rustc_hash::FxHashMap;

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;

/// Which member defines which symbol.
pub struct Archives<'a> {
    archives: &'a [ModuleBytes<'a>],
    symbols: FxHashMap<&'a [u8], MemberId>,
}

/// A member: index of its archive and offset of its header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MemberId {
    archive: usize,
    offset: usize,
}

struct Member<'a> {
    name: &'a [u8],
    data: &'a [u8],
    next: usize,
}

fn member_at(bytes: &[u8], offset: usize) -> Option<Member<'_>> {
    let header = bytes.get(offset..offset.checked_add(HEADER)?)?;
    if &header[58..60] != b"`\n" {
        return None;
    }
    let size: usize = std::str::from_utf8(&header[48..58]).ok()?.trim().parse().ok()?;
    let start = offset + HEADER;
    let end = start.checked_add(size)?;
    Some(Member { name: header[..16].trim_ascii_end(), data: bytes.get(start..end)?, next: end + (end & 1) })
}

impl<'a> Archives<'a> {
    /// Reads the symbol tables.
    pub fn new(archives: &'a [ModuleBytes<'a>]) -> Result<Self, LoadError> {
        let mut symbols = FxHashMap::default();
        for (index, archive) in archives.iter().enumerate() {
            let bad = |detail: &str| LoadError::BadArchive {
                name: archive.name.to_owned(),
                detail: detail.to_owned(),
            };
            if archive.bytes == MAGIC {
                continue;
            }
            if !archive.bytes.starts_with(MAGIC) {
                return Err(bad("it does not begin like one"));
            }
            let table =
                member_at(archive.bytes, MAGIC.len()).ok_or_else(|| bad("its first member is cut off"))?;
            let width = match table.name {
                b"/" => 4,
                b"/SYM64/" => 8,
                _ => return Err(bad("it has no symbol table")),
            };
            let entries = read_table(table.data, width).ok_or_else(|| bad("its symbol table is damaged"))?;
            for (name, offset) in entries {
                symbols.entry(name).or_insert(MemberId { archive: index, offset });
            }
        }
        Ok(Archives { archives, symbols })
    }

    /// The member that defines a symbol.
    pub fn find(&self, symbol: &str) -> Option<MemberId> {
        self.symbols.get(symbol.as_bytes()).copied()
    }

    /// Name and bytes of a member.
    pub fn read(&self, id: MemberId) -> Result<(String, &'a [u8]), LoadError> {
        let archive = &self.archives[id.archive];
        let bad =
            || LoadError::BadArchive { name: archive.name.to_owned(), detail: "a member is cut off".into() };
        let member = member_at(archive.bytes, id.offset).ok_or_else(bad)?;
        let name = self.long_name(archive.bytes, member.name).unwrap_or(member.name);
        let name = String::from_utf8_lossy(name.strip_suffix(b"/").unwrap_or(name)).into_owned();
        Ok((format!("{}({name})", archive.name), member.data))
    }

    /// Names of more than 15 characters stand in a member of their own, called `//`.
    fn long_name(&self, bytes: &'a [u8], short: &[u8]) -> Option<&'a [u8]> {
        let offset: usize = std::str::from_utf8(short.strip_prefix(b"/")?).ok()?.parse().ok()?;
        let mut at = MAGIC.len();
        for _ in 0..3 {
            let member = member_at(bytes, at)?;
            if member.name == b"//" {
                let rest = member.data.get(offset..)?;
                return rest.split(|&byte| byte == b'\n').next();
            }
            at = member.next;
        }
        None
    }
}

fn read_table(data: &[u8], width: usize) -> Option<Vec<(&[u8], usize)>> {
    let number = |index: usize| -> Option<usize> {
        let start = index.checked_mul(width)?;
        let bytes = data.get(start..start.checked_add(width)?)?;
        Some(bytes.iter().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte)))
    };
    let count = number(0)?;
    let names = data.get(count.checked_add(1)?.checked_mul(width)?..)?;
    let mut names = names.split(|&byte| byte == 0);
    (0..count).map(|index| Some((names.next()?, number(index + 1)?))).collect()
}
