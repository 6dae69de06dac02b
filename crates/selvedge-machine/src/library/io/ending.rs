//! How the process ends.

use super::transfer::{always_possible, native};
use crate::halt::Halt;
use crate::native::{Context, Flow, Native, Visibility};
use selvedge_trace::{EventKind, Operation};

const EXIT: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Exit, 0)),
    alternatives: always_possible,
};

/// The models. `exit` itself is ordinary code that ends here.
pub static NATIVES: &[Native] =
    &[native("__selvedge_exit", EXIT, exit), native("_exit", EXIT, exit), native("_Exit", EXIT, exit)];

fn exit(context: &mut Context<'_>) -> Result<Flow, Halt> {
    // Only the low byte reaches the parent.
    let code = context.int32(0)? & 0xff;
    context.drain();
    context.event(EventKind::Exit, 0, &code.to_le_bytes(), &[]);
    Ok(Flow::ProcessEnd(code))
}
