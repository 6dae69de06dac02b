//! A sequence of choices in which repetitions are stored once.

use crate::Choice;
use serde::{Deserialize, Serialize};

/// Choices in order. Threads run for many steps at a stretch, so equal neighbours are kept as one with a count;
/// two sequences of the same choices are always stored the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    runs: Vec<(Choice, u64)>,
    length: u64,
}

impl Choices {
    /// No choices.
    pub fn new() -> Self {
        Choices::default()
    }

    /// How many choices there are.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends a choice.
    pub fn push(&mut self, choice: Choice) {
        self.push_repeated(choice, 1);
    }

    /// Appends the same choice several times.
    pub fn push_repeated(&mut self, choice: Choice, count: u64) {
        if count == 0 {
            return;
        }
        // More repetitions than can be counted could never be performed.
        self.length = self.length.saturating_add(count);
        match self.runs.last_mut() {
            Some((last, n)) if *last == choice => *n = n.saturating_add(count),
            _ => self.runs.push((choice, count)),
        }
    }

    /// The choices with how often each is repeated; neighbours differ.
    pub fn runs(&self) -> &[(Choice, u64)] {
        &self.runs
    }
}

impl Extend<Choice> for Choices {
    fn extend<I: IntoIterator<Item = Choice>>(&mut self, choices: I) {
        choices.into_iter().for_each(|choice| self.push(choice));
    }
}

impl FromIterator<Choice> for Choices {
    fn from_iter<I: IntoIterator<Item = Choice>>(choices: I) -> Self {
        let mut result = Choices::new();
        result.extend(choices);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadName;

    fn step(alternative: u32) -> Choice {
        Choice::Step { thread: ThreadName::main(), alternative }
    }

    #[test]
    fn equal_neighbours_are_stored_once() {
        let choices: Choices = [step(0), step(0), step(1), step(0)].into_iter().collect();
        assert_eq!(choices.runs(), [(step(0), 2), (step(1), 1), (step(0), 1)]);
        assert_eq!(choices.len(), 4);
    }

    #[test]
    fn counts_do_not_overflow() {
        let mut choices = Choices::new();
        choices.push_repeated(step(0), u64::MAX);
        choices.push_repeated(step(0), u64::MAX);
        choices.push_repeated(step(1), 0);
        assert_eq!(choices.runs(), [(step(0), u64::MAX)]);
    }
}
