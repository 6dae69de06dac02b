//! Two runs that must be the same: are they?

use super::effects::Effects;
use super::execute::{Captured, Execution};
use super::places::Places;
use super::words;
use selvedge_trace::Event;

/// Where two runs of the same program with the same choices and inputs differ. There must be no such place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "two runs of the same schedule differ: {0}. This is a bug of Selvedge: please report it with the program"
)]
pub struct Difference(String);

/// Compares two runs event by event, and what they wrote. Both must have kept their events.
pub fn compare(first: (&Execution, &Captured), second: (&Execution, &Captured)) -> Result<(), Difference> {
    let (events, others) = (first.0.machine.inspect().trace(), second.0.machine.inspect().trace());
    let same = events.iter().zip(others).take_while(|(event, other)| event == other).count();
    if same < events.len().max(others.len()) {
        let show = |execution: &Execution, event: Option<&Event>| show(execution, event);
        return Err(Difference(format!(
            "event {} of the first is {}, of the second {}",
            same + 1,
            show(first.0, events.get(same)),
            show(second.0, others.get(same))
        )));
    }
    if first.0.choices != second.0.choices {
        return Err(Difference("other choices were possible".to_owned()));
    }
    if first.1 != second.1 {
        return Err(Difference("they wrote something else".to_owned()));
    }
    let outcome = |execution: &Execution| format!("{:?}", execution.machine.outcome());
    match outcome(first.0) == outcome(second.0) {
        true => Ok(()),
        false => Err(Difference("they ended in another way".to_owned())),
    }
}

fn show(execution: &Execution, event: Option<&Event>) -> String {
    let Some(event) = event else { return "missing".to_owned() };
    let program = execution.machine.inspect().program().clone();
    let effects = &mut Effects::default();
    let row = words::row(&execution.machine, &Places::new(&program), event, None, (effects, 0));
    let thread = super::places::thread_name(&execution.machine, row.thread);
    let at = row.at();
    format!("`{thread} at {}: {}`", if at.is_empty() { "?" } else { &at }, row.text)
}
