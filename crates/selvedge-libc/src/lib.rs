//! The part of the C library that is ordinary code.
//!
//! Functions that call back into the program (`qsort`, `exit`, the unwinder) or that are nothing but a little
//! code (`strtok`, `getopt`) are written in C, in `src-c/`, and compiled to bitcode when this crate is built. They
//! are linked with the program and run under the machine's checks like the rest of it. Everything that touches
//! the outside or must be one step is not here: the machine models it.

/// The functions as an `ar` archive of bitcode files, with a symbol table.
pub fn archive() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/libselvedge.a"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn archive_has_symbols() {
        let archive = super::archive();
        assert!(archive.starts_with(b"!<arch>\n/ "), "the first member is the symbol table");
        for name in
            ["__selvedge_start", "exit", "_Unwind_RaiseException", "qsort", "pthread_once", "strtok_r"]
        {
            let wanted = [b"\0", name.as_bytes(), b"\0"].concat();
            assert!(archive.windows(wanted.len()).any(|window| window == wanted), "{name} is missing");
        }
    }
}
