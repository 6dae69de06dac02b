//! Notes where the variables of a function have come to lie.

use super::{Lowering, NOWHERE};
use crate::Site;
use crate::code::{Leaf, Slot};
use crate::llvm::{Context, Metadata, MetadataKind, Opcode, Value};
use crate::promote::Role;
use crate::variables::{LocalVariable, Location, Piece, Scope, ScopeId, Variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// Scopes within scopes; malformed debug information may be cyclic.
const DEEPEST: usize = 200;
/// Of a variable in a record: where in its operands its scope is.
const SCOPE: usize = 0;
/// Of a block: where in its operands the scope around it is.
const OUTER: usize = 1;

/// The scopes of a function, as they are met.
#[derive(Default)]
struct Scopes {
    tree: Vec<Scope>,
    known: FxHashMap<(Metadata, Option<Metadata>), ScopeId>,
}

impl Scopes {
    /// The scope of code at a location.
    fn of_location(&mut self, context: &Context, location: Metadata, depth: usize) -> Option<ScopeId> {
        let (_, _, scope, inlined) = location.location();
        self.of_scope(context, scope, inlined, depth)
    }

    fn of_scope(
        &mut self,
        context: &Context,
        scope: Metadata,
        inlined: Option<Metadata>,
        depth: usize,
    ) -> Option<ScopeId> {
        if let Some(&known) = self.known.get(&(scope, inlined)) {
            return Some(known);
        }
        if depth > DEEPEST {
            return None;
        }
        let known = match scope.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind => {
                let caller = inlined.and_then(|location| self.of_location(context, location, depth + 1));
                Scope { outer: None, caller }
            }
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                let outer = context.metadata_operands(scope).get(OUTER).copied().flatten()?;
                Scope { outer: self.of_scope(context, outer, inlined, depth + 1), caller: None }
            }
            _ => return None,
        };
        let id = self.tree.len() as ScopeId;
        self.tree.push(known);
        self.known.insert((scope, inlined), id);
        Some(id)
    }
}

impl Lowering<'_, '_> {
    /// The variables of the function, once it is lowered; `sites` says from which instruction each operation was made.
    pub(super) fn variables(&mut self, sites: &[Site]) -> Variables {
        let mut scopes = Scopes::default();
        let mut by_site: FxHashMap<Site, ScopeId> = FxHashMap::default();
        let mut declared = Vec::new();
        for inst in &self.body.insts {
            let context = &self.linker.context;
            if let Some(location) = inst.value.debug_location()
                && let Some(scope) = scopes.of_location(context, location, 0)
            {
                by_site.insert(inst.site, scope);
            }
            inst.value.variable_records(|record| declared.push(record));
        }
        let mut variables = Vec::new();
        let mut seen = FxHashSet::default();
        for record in declared {
            let context = &self.linker.context;
            let operands = context.metadata_operands(record.variable);
            let inlined = record.location.and_then(|location| location.location().3);
            let Some(scope) = operands.get(SCOPE).copied().flatten() else { continue };
            let Some(scope) = scopes.of_scope(context, scope, inlined, 0) else { continue };
            if !seen.insert((record.variable, scope)) {
                continue;
            }
            let name = crate::positions::variable_name(context, record.variable);
            if name.is_empty() {
                continue;
            }
            let parameter = context.printed(record.variable).contains(" arg: ");
            let expression = record.expression.map(|node| context.printed(node)).unwrap_or_default();
            let location = match record.declared {
                Some(value) => self.location(value, &expression),
                None => Location::Nowhere,
            };
            variables.push(LocalVariable {
                name: name.into(),
                shape: self.linker.positions.described.of_variable(&self.linker.context, record.variable),
                scope,
                line: record.variable.variable_line(),
                parameter,
                location,
            });
        }
        let scope_of = |site: &Site| by_site.get(site).copied();
        Variables {
            scopes: sites.iter().map(scope_of).collect(),
            tree: scopes.tree.into(),
            variables: variables.into(),
        }
    }

    /// Where a variable is whose address is a value.
    fn location(&self, value: Value, expression: &str) -> Location {
        let Some((offset, behind)) = parse(expression) else { return Location::Nowhere };
        if let Some(index) = self.body.inst(value)
            && let Role::Birth(first, last) = self.promotion.roles[index as usize]
            && self.body.insts[index as usize].opcode == Opcode::LLVMAlloca
        {
            // A pointer to the variable that was promoted itself: the variable is where it points to.
            if behind {
                let place = self.local_places.get(first as usize).copied().filter(|&place| place != NOWHERE);
                let pointer = last == first + 1 && offset == 0;
                return place
                    .filter(|_| pointer)
                    .map_or(Location::Nowhere, |pointer| Location::Memory { pointer, offset: 0 });
            }
            return self.pieces(first, last, offset);
        }
        let place = self.body.id(value).map_or(NOWHERE, |id| self.places[id as usize]);
        let pending = self.body.id(value).and_then(|id| self.offsets.get(&id)).copied().unwrap_or(0);
        let offset = offset + i64::from(pending);
        match behind {
            _ if place == NOWHERE => Location::Nowhere,
            true => Location::Behind { pointer: place, offset },
            false => Location::Memory { pointer: place, offset },
        }
    }

    /// Where the parts of a promoted object are, from an offset on.
    fn pieces(&self, first: u32, last: u32, offset: i64) -> Location {
        let mut pieces = Vec::new();
        for index in first..last {
            let local = &self.promotion.locals[index as usize];
            let place = self.local_places[index as usize];
            let Ok(start) = u64::try_from(local.offset - offset) else { continue };
            if place == NOWHERE {
                continue;
            }
            let mut piece = |offset: u64, leaf: Leaf, slot: Slot| {
                pieces.push(Piece { offset: start + offset, leaf, slot: place + slot });
            };
            match local.pointer {
                true => piece(0, Leaf::Ptr, 0),
                false => local.layout.leaves.iter().for_each(|leaf| {
                    piece(u64::from(leaf.offset), leaf.leaf, leaf.slot);
                }),
            }
        }
        if pieces.is_empty() { Location::Nowhere } else { Location::Slots(pieces.into()) }
    }
}

/// What an expression of debug information adds to an address, and whether the variable's address lies there; nothing
/// for what is more than that.
fn parse(expression: &str) -> Option<(i64, bool)> {
    let inner = match expression.split_once('(') {
        Some((_, rest)) => rest.strip_suffix(')')?,
        None => "",
    };
    let words: Vec<&str> = inner.split(", ").filter(|word| !word.is_empty()).collect();
    match words[..] {
        [] => Some((0, false)),
        ["DW_OP_deref"] => Some((0, true)),
        ["DW_OP_plus_uconst", bytes] => Some((bytes.parse().ok()?, false)),
        ["DW_OP_plus_uconst", bytes, "DW_OP_deref"] => Some((bytes.parse().ok()?, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn expressions_of_debug_information() {
        assert_eq!(parse("!DIExpression()"), Some((0, false)));
        assert_eq!(parse("!DIExpression(DW_OP_deref)"), Some((0, true)));
        assert_eq!(parse("!DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref)"), Some((8, true)));
        assert_eq!(parse("!DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8)"), None);
    }
}
