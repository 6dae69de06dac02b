//! What counts as wrong where a search is asked for one property alone.

use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use selvedge_trace::Property;

/// What a mistake of a thread means.
pub(crate) enum Judged {
    /// The execution ends there: a violation, or something that is not supported.
    Ends(Halt),
    /// The program ends itself. Whatever others do after it they can do before it, so the thread stays where it is, as at an
    /// assumption that does not hold.
    Stays,
    /// The program ends itself, and that has to be seen.
    Exits,
}

/// What a kind of mistake means for a property.
enum Meaning {
    Wrong,
    End,
    /// It has no meaning, so nothing can be said of what comes after it.
    Undefined,
}

fn meaning(property: Property, kind: ViolationKind) -> Meaning {
    use ViolationKind::*;
    let asked = match kind {
        ErrorFunction => property == Property::Unreachable,
        DataRace => property == Property::DataRace,
        Overflow => property == Property::Overflow,
        Memory | Leak => property == Property::Memory,
        Deadlock => property == Property::Termination,
        Assertion | Panic | Abort | Uninitialised | Division | Unreachable | Misuse => false,
    };
    match kind {
        _ if asked => Meaning::Wrong,
        ErrorFunction | Assertion | Panic | Abort => Meaning::End,
        DataRace | Overflow | Memory | Leak | Deadlock | Uninitialised | Division | Unreachable | Misuse => {
            Meaning::Undefined
        }
    }
}

impl Machine {
    /// What it means that a thread cannot go on.
    pub(crate) fn judged(&self, halt: Halt) -> Judged {
        let Some(property) = self.config.property else { return Judged::Ends(halt) };
        let (kind, message) = match &halt {
            Halt::Violation(violation) => (violation.kind, violation.message.clone()),
            Halt::Fault(fault) => (ViolationKind::Memory, self.describe_fault(fault)),
            Halt::Unsupported(_) => return Judged::Ends(halt),
        };
        match meaning(property, kind) {
            Meaning::Wrong => Judged::Ends(halt),
            Meaning::End if property == Property::Termination => Judged::Exits,
            Meaning::End => Judged::Stays,
            Meaning::Undefined => Judged::Ends(Halt::unsupported(format!(
                "undefined behaviour that the property does not speak of ({message})"
            ))),
        }
    }

    /// Whether threads that wait for each other for ever are a violation.
    pub(crate) fn deadlocks_count(&self) -> bool {
        self.config.property.is_none_or(|property| property == Property::Termination)
    }
}
