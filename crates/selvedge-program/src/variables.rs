//! Where the local variables of functions are while they run, for debuggers. Kept only if the caller of `load` asks.

use crate::code::{Leaf, Slot};
use crate::shapes::ShapeId;

/// Number of a scope in [`Variables::tree`].
pub type ScopeId = u32;

/// What debug information says of the variables of a function, and of functions that were inlined there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// For each operation the innermost scope that it is in.
    pub scopes: Box<[Option<ScopeId>]>,
    pub tree: Box<[Scope]>,
    /// In the order in which they were declared.
    pub variables: Box<[LocalVariable]>,
}

/// A function's body, or a block of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The scope around it in the same function; nothing for the body itself.
    pub outer: Option<ScopeId>,
    /// Where the function was inlined: the scope of the call.
    pub caller: Option<ScopeId>,
}

/// A parameter or a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub name: Box<str>,
    pub shape: ShapeId,
    pub scope: ScopeId,
    /// Where it is declared.
    pub line: u32,
    pub parameter: bool,
    pub location: Location,
}

/// Where the value of a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In memory, at the address in a slot and so many bytes further.
    Memory { pointer: Slot, offset: i64 },
    /// As `Memory`, but what lies there is the address of the variable.
    Behind { pointer: Slot, offset: i64 },
    /// In slots of the frame.
    Slots(Box<[Piece]>),
    /// Nowhere: a compiler has optimised it away, or nothing ever accesses it.
    Nowhere,
}

/// A part of a variable in slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bytes from the beginning of the variable.
    pub offset: u64,
    pub leaf: Leaf,
    pub slot: Slot,
}

impl Variables {
    /// The scopes around an operation, each with how many inlined calls lie between it and the function that the
    /// operation is in: 0 for the innermost call.
    pub fn around(&self, operation: u32) -> Vec<(ScopeId, usize)> {
        let mut found = Vec::new();
        let mut calls = 0;
        let mut next = self.scopes.get(operation as usize).copied().flatten();
        // Malformed debug information may be cyclic.
        while let Some(scope) = next.filter(|_| found.len() <= self.tree.len()) {
            found.push((scope, calls));
            let Some(known) = self.tree.get(scope as usize) else { break };
            next = known.outer;
            if next.is_none() {
                next = known.caller;
                calls += 1;
            }
        }
        found
    }

    /// The variables that can be named in an inlined call (0: the innermost) around an operation, those of inner scopes
    /// first.
    pub fn visible(&self, operation: u32, call: usize) -> Vec<usize> {
        let scopes = self.around(operation);
        let inner = scopes.iter().filter(|(_, calls)| *calls == call);
        inner
            .flat_map(|&(scope, _)| {
                let all = self.variables.iter().enumerate();
                all.filter(move |(_, variable)| variable.scope == scope).map(|(index, _)| index)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, scope: ScopeId) -> LocalVariable {
        LocalVariable {
            name: name.into(),
            shape: 0,
            scope,
            line: 1,
            parameter: false,
            location: Location::Nowhere,
        }
    }

    #[test]
    fn variables_of_inner_scopes_come_first_and_inlined_calls_have_their_own() {
        let variables = Variables {
            // Two operations: one in an inlined function, one in a block of the function itself.
            scopes: [Some(2), Some(1), None].into(),
            tree: [
                Scope { outer: None, caller: None },
                Scope { outer: Some(0), caller: None },
                Scope { outer: None, caller: Some(1) },
            ]
            .into(),
            variables: [variable("argument", 0), variable("i", 1), variable("self", 2)].into(),
        };
        assert_eq!(variables.visible(0, 0), [2]);
        assert_eq!(variables.visible(0, 1), [1, 0]);
        assert_eq!(variables.visible(1, 0), [1, 0]);
        assert_eq!(variables.visible(2, 0), [] as [usize; 0]);
    }

    #[test]
    fn cyclic_scopes_come_to_an_end() {
        let tree = [Scope { outer: Some(1), caller: None }, Scope { outer: Some(0), caller: None }];
        let variables = Variables { scopes: [Some(0)].into(), tree: tree.into(), ..Variables::default() };
        assert_eq!(variables.around(0).len(), 3);
    }
}
