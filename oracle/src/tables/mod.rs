//! Programs whose numbers of views are known from elsewhere, and programs that once went wrong ([`regressions`]).
//!
//! The counts were computed by others with other programs, so they say whether the enumerator is right.

mod algorithms;
mod families;
mod micro;
pub mod regressions;

use crate::language::Program;
use crate::notation;
use selvedge_trace::Model;

pub use algorithms::algorithms;
pub use families::families;
pub use micro::micro;

/// A program and how many views it has, with those in which an assertion fails.
#[derive(Clone, Debug)]
pub struct Row {
    pub program: Program,
    pub sc: Option<usize>,
    pub tso: Option<usize>,
    pub pso: Option<usize>,
}

impl Row {
    /// Views under a model, where they are known.
    pub fn views(&self, model: Model) -> Option<usize> {
        match model {
            Model::Sc => self.sc,
            Model::Tso => self.tso,
            Model::Pso => self.pso,
            _ => None,
        }
    }

    /// Known under sequential consistency.
    fn sc(name: impl Into<String>, declarations: &str, threads: &str, finale: &str, views: usize) -> Row {
        let program = notation::program(&name.into(), declarations, threads, finale);
        Row { program, sc: Some(views), tso: None, pso: None }
    }

    /// Known under every model.
    fn each(name: impl Into<String>, declarations: &str, threads: &str, views: [usize; 3]) -> Row {
        let [sc, tso, pso] = views;
        let row = Row::sc(name, declarations, threads, "", sc);
        Row { tso: Some(tso), pso: Some(pso), ..row }
    }
}

/// The larger ones, for a patient reader.
pub fn large() -> Vec<Row> {
    [algorithms::large(), families::large()].concat()
}

/// All of them but the larger ones.
pub fn all() -> Vec<Row> {
    [algorithms(), micro(), families()].concat()
}
