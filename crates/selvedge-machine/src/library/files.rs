//! Open files and their contents.

/// The open files of an execution.
#[derive(Clone, Default)]
pub struct Files {}
