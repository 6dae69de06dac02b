//! `selvedge doctor`.

use super::code;

/// Says which of the tools around Selvedge are there.
pub fn doctor() -> u8 {
    let health = crate::doctor::examine(&selvedge_program::llvm_version());
    super::terminal::print(&health.to_string());
    if health.complete() { 0 } else { code::UNKNOWN }
}
