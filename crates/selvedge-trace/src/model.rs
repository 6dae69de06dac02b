//! The memory models: one table.
//!
//! Options, reports, the choice of an engine and the questions about stronger models read it.

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
    /// The part of it that multi-copy-atomic machines can show.
    Mca,
}

/// What an execution is made of under a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executions {
    /// An interleaving of steps on one memory.
    Interleavings,
    /// An interleaving of steps and of the commits of buffered stores.
    BufferedStores(CommitOrder),
    /// A graph, in which the scheduler chooses what a load reads from.
    Graphs,
}

/// The order in which the buffered stores of a thread become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOrder {
    /// As in the program.
    Program,
    /// As in the program for overlapping stores and across barriers.
    Location,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ModelRow {
    /// The model.
    pub model: Model,
    /// The word for options and files.
    pub name: &'static str,
    /// One line for the help.
    pub help: &'static str,
    /// Its name in reports.
    pub title: &'static str,
    /// Where an execution is possible that the model allows, as in "possible on x86 (tso)".
    pub whereabouts: &'static str,
    /// What its executions are made of.
    pub executions: Executions,
    /// Models whose executions are all executions of this one, and under which a violation is searched for: the weakest
    /// first.
    pub stronger: &'static [Model],
}

/// All models, in the order of the enum.
const TABLE: &[ModelRow] = &[
    ModelRow {
        model: Model::Sc,
        name: "sc",
        help: "sequential consistency",
        title: "sequential consistency",
        whereabouts: "under sequential consistency",
        executions: Executions::Interleavings,
        stronger: &[],
    },
    ModelRow {
        model: Model::Tso,
        name: "tso",
        help: "store buffers as on x86",
        title: "total store order (tso)",
        whereabouts: "on x86 (tso)",
        executions: Executions::BufferedStores(CommitOrder::Program),
        stronger: &[],
    },
    ModelRow {
        model: Model::Pso,
        name: "pso",
        help: "a store buffer for each location",
        title: "partial store order (pso)",
        whereabouts: "under pso",
        executions: Executions::BufferedStores(CommitOrder::Location),
        stronger: &[],
    },
    ModelRow {
        model: Model::Rc11,
        name: "rc11",
        help: "the language's own",
        title: "the language's memory model (rc11)",
        whereabouts: "in the language (rc11)",
        executions: Executions::Graphs,
        stronger: &[Model::Mca, Model::Tso, Model::Sc],
    },
    ModelRow {
        model: Model::Mca,
        name: "mca",
        help: "what of the language's own multi-copy-atomic machines can show",
        title: "the language's memory model on multi-copy-atomic machines (mca)",
        whereabouts: "on ARMv8 and RISC-V (mca)",
        executions: Executions::Graphs,
        stronger: &[Model::Tso, Model::Sc],
    },
];

impl Model {
    pub const ALL: &'static [Model] = &[Model::Sc, Model::Tso, Model::Pso, Model::Rc11, Model::Mca];
    /// Those whose executions are interleavings, of buffered stores or not.
    pub const INTERLEAVED: &'static [Model] = &[Model::Sc, Model::Tso, Model::Pso];

    /// All that there is to say about it.
    pub fn row(self) -> &'static ModelRow {
        &TABLE[self as usize]
    }

    /// The order in which buffered stores become visible, if stores are buffered.
    pub fn commit_order(self) -> Option<CommitOrder> {
        match self.row().executions {
            Executions::BufferedStores(order) => Some(order),
            Executions::Interleavings | Executions::Graphs => None,
        }
    }

    /// Whether executions are graphs, in which the scheduler chooses what a load reads from.
    pub fn is_graph(self) -> bool {
        self.row().executions == Executions::Graphs
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The model with a name.
    pub fn named(name: &str) -> Option<Model> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_its_row() {
        assert_eq!(TABLE.len(), Model::ALL.len());
        for (&model, row) in Model::ALL.iter().zip(TABLE) {
            assert_eq!(model.row().model, model);
            assert_eq!(Model::named(row.name), Some(model));
            let in_files = serde_json::to_string(&model).expect("a word");
            assert_eq!(in_files, format!("\"{}\"", row.name));
            assert_eq!(Model::INTERLEAVED.contains(&model), !model.is_graph());
            assert!(!row.stronger.contains(&model));
        }
    }
}
