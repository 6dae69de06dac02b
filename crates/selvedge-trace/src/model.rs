//! Memory models.

use serde::{Deserialize, Serialize};

/// The memory models. The one list: matches on it are exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Sequential consistency.
    #[default]
    Sc,
    /// Total store order (x86): one FIFO store buffer a thread.
    Tso,
    /// Partial store order: one FIFO store buffer a thread and location.
    Pso,
    /// C++20's model as RC11 puts it.
    Rc11,
}
