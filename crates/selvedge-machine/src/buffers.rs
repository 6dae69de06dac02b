//! Store buffers: TSO and PSO.

use crate::model::MemoryModel;
use selvedge_trace::Model;

/// The memory model, or none for sequential consistency.
pub fn model(model: Model) -> Option<Box<dyn MemoryModel>> {
    match model {
        Model::Sc => None,
        Model::Tso | Model::Pso => None,
    }
}
