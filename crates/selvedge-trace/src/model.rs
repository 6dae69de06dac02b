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
    /// The part of it that machines can show whose stores become visible to all others at once.
    Mca,
}

impl Model {
    /// Whether executions are graphs, in which the scheduler chooses what a load reads from.
    pub fn is_graph(self) -> bool {
        match self {
            Model::Rc11 | Model::Mca => true,
            Model::Sc | Model::Tso | Model::Pso => false,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Rc11 => "rc11",
            Model::Mca => "mca",
        }
    }
}
