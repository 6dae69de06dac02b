//! Bitcode inside native object files and programs: `selvedge cc` puts it there, and it is found again in what a linker
//! has made of many objects.
//!
//! Each object gets a section with one record. Linkers put sections of one name one after the other, so that a program has
//! all records of its objects. A record says how long it is; between two of them there may be padding.

use super::elf;
use super::error::DriverError;
use super::tools;
use super::{cache, process};
use std::path::Path;
use std::process::Command;

/// The name of the section.
const SECTION: &str = ".selvedge.bitcode";
/// How a record begins. The last byte is its version.
const MAGIC: &[u8] = b"\x00selvedge-record\x01";
/// The numbers after the magic: what it holds, and the lengths of its name and of that.
const HEAD: usize = MAGIC.len() + 3 * 8;

/// What was made of one source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The source file as the compiler was told.
    pub name: String,
    /// The bitcode, or why there is none.
    pub bitcode: Result<Vec<u8>, String>,
}

impl Record {
    fn bytes(&self) -> Vec<u8> {
        let (kind, content) = match &self.bitcode {
            Ok(bitcode) => (0_u64, bitcode.as_slice()),
            Err(why) => (1, why.as_bytes()),
        };
        let mut bytes = MAGIC.to_vec();
        for number in [kind, self.name.len() as u64, content.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.name.as_bytes());
        bytes.extend(content);
        bytes
    }

    /// A record at the beginning of `bytes`, and how long it is.
    fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let head = bytes.get(..HEAD).filter(|head| head.starts_with(MAGIC))?;
        let number = |index: usize| elf::u64_at(head, MAGIC.len() + index * 8);
        let [kind, name, content] = [number(0)?, number(1)?, number(2)?];
        let at_name = HEAD;
        let at_content = at_name.checked_add(usize::try_from(name).ok()?)?;
        let end = at_content.checked_add(usize::try_from(content).ok()?)?;
        let name = String::from_utf8_lossy(bytes.get(at_name..at_content)?).into_owned();
        let content = bytes.get(at_content..end)?;
        let bitcode = match kind {
            0 => Ok(content.to_vec()),
            _ => Err(String::from_utf8_lossy(content).into_owned()),
        };
        Some((Record { name, bitcode }, end))
    }
}

/// Puts a record into an object file.
pub fn embed(object: &Path, record: &Record, folder: &Path) -> Result<(), DriverError> {
    let file = folder.join("record");
    std::fs::write(&file, record.bytes()).map_err(|cause| cache::not_written(&file, cause))?;
    // The one of the system's binutils does the same, and is there where programs are linked.
    let tool = tools::llvm_tool("llvm-objcopy").or_else(|missing| tools::plain("objcopy").ok_or(missing))?;
    let mut command = Command::new(tool);
    command.arg(format!("--add-section={SECTION}={}", file.display())).arg(object);
    process::compile(&mut command, &format!("`{}`", object.display()), false)
}

/// All records of an object, a program or a library. What cannot be one is left out.
pub fn records(elf: &[u8]) -> Vec<Record> {
    let mut found = Vec::new();
    let all = elf::sections(elf).unwrap_or_default();
    for section in all.iter().filter(|section| section.name == SECTION.as_bytes()) {
        let mut rest = section.content;
        while let Some(at) = rest.windows(MAGIC.len()).position(|window| window == MAGIC) {
            rest = &rest[at..];
            let length = match Record::read(rest) {
                Some((record, length)) => {
                    found.push(record);
                    length
                }
                None => MAGIC.len(),
            };
            rest = &rest[length..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, bitcode: Result<&str, &str>) -> Record {
        let bitcode = bitcode.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned);
        Record { name: name.to_owned(), bitcode }
    }

    /// An ELF file of which nothing is right but the table of sections.
    fn elf(content: &[u8]) -> Vec<u8> {
        let names = format!("\0{SECTION}\0").into_bytes();
        let mut file = vec![0; 64];
        file[..elf::MAGIC.len()].copy_from_slice(elf::MAGIC);
        let mut headers = vec![vec![0_u8; 64]];
        for (name, bytes) in [(1_u32, content), (0, &names)] {
            let mut header = vec![0; 64];
            header[..4].copy_from_slice(&name.to_le_bytes());
            header[0x18..0x20].copy_from_slice(&(file.len() as u64).to_le_bytes());
            header[0x20..0x28].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            headers.push(header);
            file.extend(bytes);
        }
        let table = file.len() as u64;
        file[0x28..0x30].copy_from_slice(&table.to_le_bytes());
        for (at, number) in [(0x3a, 64_u16), (0x3c, 3), (0x3e, 2)] {
            file[at..at + 2].copy_from_slice(&number.to_le_bytes());
        }
        file.extend(headers.concat());
        file
    }

    #[test]
    fn every_record_of_a_section_is_found() {
        let all = [record("a.c", Ok("BC1")), record("dir/b.c", Err("no header")), record("", Ok(""))];
        let padded = all.iter().flat_map(|record| [record.bytes(), vec![0; 7]].concat());
        assert_eq!(records(&elf(&padded.collect::<Vec<_>>())), all);
    }

    #[test]
    fn damaged_files_have_no_more_than_they_have() {
        let whole = elf(&[record("a.c", Ok("BC1")).bytes(), record("b.c", Ok("BC2")).bytes()].concat());
        assert_eq!(records(&whole).len(), 2);
        // The last header is that of the section with the names.
        for length in 0..whole.len() - 64 {
            assert!(records(&whole[..length]).is_empty(), "there are no names");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            assert!(records(&damaged).len() <= 2);
        }
        assert!(records(b"#!/bin/sh\n").is_empty());
    }
}
