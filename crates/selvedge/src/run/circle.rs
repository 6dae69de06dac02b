//! Endless executions: noticing that a thread or all of them are on a cycle, and showing one round.

use selvedge_report::Row;

/// Notices when something comes back to a state that it has been in.
#[derive(Default)]
pub struct Circle {
    seen: Option<u128>,
    rounds: u64,
}

impl Circle {
    /// Comparing with the state at the last power of two finds every cycle, however long.
    pub fn is_closed(&mut self, state: u128) -> bool {
        self.rounds += 1;
        let closed = self.seen == Some(state);
        if self.rounds.is_power_of_two() {
            self.seen = Some(state);
        }
        closed
    }
}

/// Rounds with more rows than this are not recognised.
const LONGEST_ROUND: usize = 1_000;

/// The rows from `first` on lead to a cycle and round it again and again: of those that only repeat others nothing is
/// left but one round.
pub fn show_once(rows: &mut Vec<Row>, first: usize) {
    let shown = rows.get(first..).unwrap_or_default();
    let repeated = |round: usize| {
        let pairs = shown.iter().rev().zip(shown.iter().rev().skip(round));
        pairs.take_while(|(row, before)| row.reads_like(before)).count()
    };
    let rounds = 1..=LONGEST_ROUND.min(shown.len() / 2);
    // A round within a round repeats little; the whole round repeats almost everything.
    let most =
        rounds.map(|round| (round, repeated(round))).find(|(round, count)| round + count >= shown.len() / 2);
    if let Some((_, count)) = most {
        rows.truncate(rows.len() - count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(rows: &str, first: usize) -> String {
        let row = |letter: char| Row { text: letter.to_string(), ..Row::default() };
        let mut rows: Vec<Row> = rows.chars().map(row).collect();
        show_once(&mut rows, first);
        rows.iter().map(|row| row.text.as_str()).collect()
    }

    #[test]
    fn one_round_is_left() {
        assert_eq!(once("abcxyxyxyxyxy", 3), "abcxy");
        assert_eq!(once("abcxyxyxyxyxyx", 0), "abcxy".to_owned());
        assert_eq!(once("aaaarrrrrrrrrr", 4), "aaaar");
        assert_eq!(once("aabaabaabaabaab", 0), "aab", "a round within a round");
    }

    #[test]
    fn what_does_not_repeat_is_left_alone() {
        assert_eq!(once("abcdef", 0), "abcdef");
        assert_eq!(once("", 0), "");
        assert_eq!(once("aab", 5), "aab");
    }

    #[test]
    fn circles_are_noticed() {
        let mut circle = Circle::default();
        let states = [1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6];
        assert!(states.iter().any(|&state| circle.is_closed(state)));
        let mut circle = Circle::default();
        assert!(!(0..100).any(|state| circle.is_closed(state)));
    }
}
