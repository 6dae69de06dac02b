//! Points of a program: instructions by names that all tools share that work on the same bitcode.
//!
//! A point is a function, a block and an instruction of it, both counted from 0 as they stand in the bitcode: all blocks
//! count, reachable or not, and all instructions, phis included. So a point does not depend on the schedule, on what the
//! lowering makes of an instruction, or on what is in other functions. As text it is `function#block.instruction`.
//!
//! Functions are called by their symbols. One that only its own module can see is called by the module's source file and
//! its symbol, `bank.c:transfer`, since other modules may have another one of that name; if even that is not unique, the
//! later ones, in the order in which the modules were given, have a number behind them (`bank.c:transfer~2`).

use crate::Program;
use crate::code::FunctionId;
use rustc_hash::FxHashMap;
use std::fmt;
use std::str::FromStr;

/// A block and an instruction of it, as they stand in the bitcode of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    pub block: u32,
    pub instruction: u32,
}

impl Site {
    /// Of operations that no instruction stands for, such as constants that are set up when a function begins.
    pub const NONE: Site = Site { block: u32::MAX, instruction: u32::MAX };
}

impl Default for Site {
    fn default() -> Self {
        Site::NONE
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.instruction)
    }
}

/// An instruction of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramPoint {
    /// The function's name among all functions of the program.
    pub function: Box<str>,
    pub site: Site,
}

impl fmt::Display for ProgramPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.function, self.site)
    }
}

/// A text that is no program point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no program point; one looks like `transfer#3.7` or `bank.c:transfer#3.7` (function, block, instruction)"
)]
pub struct NoPoint(String);

impl FromStr for ProgramPoint {
    type Err = NoPoint;

    fn from_str(text: &str) -> Result<Self, NoPoint> {
        let parsed = || {
            let (function, place) = text.rsplit_once('#').filter(|(function, _)| !function.is_empty())?;
            let (block, instruction) = place.split_once('.')?;
            let site = Site { block: block.parse().ok()?, instruction: instruction.parse().ok()? };
            Some(ProgramPoint { function: function.into(), site })
        };
        parsed().ok_or_else(|| NoPoint(text.to_owned()))
    }
}

impl Program {
    /// The instruction that an operation of a function was made from; nothing if none was.
    pub fn point_of(&self, function: FunctionId, operation: u32) -> Option<ProgramPoint> {
        let code = self.functions.get(function as usize)?;
        let site = *code.sites.get(operation as usize)?;
        (site != Site::NONE).then(|| ProgramPoint { function: code.unique.clone(), site })
    }

    /// The operations that were made from an instruction, in order; none if it needs none, or is not part of the program.
    pub fn find(&self, point: &ProgramPoint) -> Vec<(FunctionId, u32)> {
        let Some(&function) = self.functions_by_point.get(&point.function) else { return Vec::new() };
        let sites = self.functions[function as usize].sites.iter();
        let made = (0_u32..).zip(sites).filter(|&(_, &site)| site == point.site);
        made.map(|(operation, _)| (function, operation)).collect()
    }

    /// Lets functions be found by the names that points have.
    pub(crate) fn name_points(&mut self) {
        let mut known: FxHashMap<Box<str>, FunctionId> = FxHashMap::default();
        for (id, function) in self.functions.iter_mut().enumerate() {
            let first = function.unique.clone();
            let mut number = 2;
            while known.contains_key(&function.unique) {
                function.unique = format!("{first}~{number}").into();
                number += 1;
            }
            known.insert(function.unique.clone(), id as FunctionId);
        }
        self.functions_by_point = known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_they_are_written() {
        for text in
            ["main#0.0", "bank.c:transfer#3.7", "src/a b.c:f~2#10.200", "_ZN3fooEv#1.2", "odd#name#1.2"]
        {
            assert_eq!(text.parse::<ProgramPoint>().map(|point| point.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "main", "main#1", "main#1.", "main#.1", "#1.2", "main#1.2.3", "main#-1.2"] {
            assert!(text.parse::<ProgramPoint>().is_err(), "{text}");
        }
    }
}
