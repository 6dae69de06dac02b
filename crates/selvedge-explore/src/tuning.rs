//! The tuning constants: limits, sizes and samples that decide how fast a search is and never what it answers.
//!
//! One table: the options, the documentation and the fuzzer, which draws them at random, read it.

/// Defines [`Tuning`] and its table.
macro_rules! tuning {
    ($($(#[doc = $why:literal])+ $field:ident: $default:literal in $least:literal ..= $most:literal,)*) => {
        /// The tuning constants of a search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[doc = $why])+ pub $field: u64,)*
        }

        impl Default for Tuning {
            fn default() -> Self {
                Tuning { $($field: $default,)* }
            }
        }

        impl Tuning {
            /// The table: every constant.
            pub const TABLE: &'static [Constant] = &[
                $(Constant {
                    name: stringify!($field),
                    default: $default,
                    least: $least,
                    most: $most,
                    why: concat!($($why),+),
                },)*
            ];

            /// The table of the documentation.
            pub fn table() -> String {
                let head = "| constant | default | range | what it decides |\n|---|---|---|---|\n";
                let row = |row: &Constant| {
                    let Constant { name, default, least, most, why } = row;
                    format!("| `{name}` | {default} | {least} to {most} |{why} |\n")
                };
                head.to_owned() + &Self::TABLE.iter().map(row).collect::<String>()
            }

            /// Sets a constant; false where there is none of this name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($field) => self.$field = value,)*
                    _ => return false,
                }
                true
            }

            /// A constant; 0 where there is none of this name.
            pub fn get(&self, name: &str) -> u64 {
                match name {
                    $(stringify!($field) => self.$field,)*
                    _ => 0,
                }
            }
        }
    };
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The word for options.
    pub name: &'static str,
    /// What it is without options.
    pub default: u64,
    /// Values that make sense: the least.
    pub least: u64,
    /// Values that make sense: the largest.
    pub most: u64,
    /// What it decides.
    pub why: &'static str,
}

tuning! {
    /// States after which optimal DPOR is tried beside the stateful search.
    portfolio_after_states: 200_000 in 1 ..= 1_000_000_000,
    /// How often a thread's fuel is renewed in one step before everything else is explored first.
    first_fuel: 8 in 1 ..= 1_000_000,
    /// Executions of optimal DPOR beside the stateful search, at most.
    portfolio_executions: 50_000 in 1 ..= 1_000_000_000,
    /// Milliseconds that optimal DPOR gets beside the stateful search, at most.
    portfolio_time: 30_000 in 1 ..= 1_000_000_000,
    /// Milliseconds for which inputs are choices of the stateful search alone, without a search over paths beside it.
    choices_alone_time: 1_000 in 0 ..= 1_000_000_000,
    /// How often executions at random show which values of inputs are missing before the first search.
    input_scouts: 8 in 0 ..= 1_000_000,
    /// States among which the shortest counterexample is searched for.
    shortest_states: 200_000 in 1 ..= 1_000_000_000,
    /// Steps from one state that the search for the shortest counterexample keeps to the next.
    shortest_stride: 8 in 1 ..= 1_000,
    /// States that a round which learns something goes on for; the next one goes on for twice as many.
    first_patience: 2_000 in 1 ..= 1_000_000_000,
    /// Of the states in chains those are stored whose hashes have none of so many bits.
    chain_sample_bits: 2 in 0 ..= 20,
    /// Steps without alternative that are taken before the state is stored all the same.
    longest_chain: 4_096 in 1 ..= 1_000_000,
    /// Steps from which on it is checked whether a chain is a cycle, or meets another.
    short_chain: 1 in 1 ..= 1_000,
    /// Rounds of an await loop after which it counts as one that no count ends.
    longest_await: 10_000 in 1 ..= 1_000_000,
    /// Steps that a thread takes as a persistent set by itself before the others are explored again.
    longest_run: 64 in 1 ..= 100_000,
    /// Warm-up runs before the first round, at most.
    warm_ups: 400 in 0 ..= 100_000,
    /// Warm-up runs in a row from which nothing is learned, after which there are no more.
    useless_warm_ups: 12 in 1 ..= 100_000,
    /// Steps of a warm-up run, at most.
    longest_warm_up: 5_000 in 1 ..= 1_000_000,
    /// Separate pieces of a footprint summary that are not joined where they touch.
    summary_pieces: 24 in 0 ..= 100_000,
    /// Rounds after which additions along a summary count as endless.
    sum_rounds: 200 in 1 ..= 100_000,
    /// The threads from which a persistent set is searched for, at most.
    persistent_seeds: 8 in 0 ..= 1_000,
    /// States that each worker keeps ready to go on with when memory is scarce.
    ready_states: 64 in 1 ..= 1_000_000,
    /// Acts from one kept state to the next on a prefix that is followed again.
    prefix_stride: 64 in 1 ..= 1_000_000,
    /// States among which a sequentially consistent violation is looked for where weaker ones were found.
    simpler_states: 5_000 in 1 ..= 1_000_000_000,
    /// Graphs that are explored without a search through states beside them.
    graphs_alone: 4_000 in 1 ..= 1_000_000_000,
    /// Milliseconds for which graphs are explored alone.
    graphs_alone_time: 250 in 0 ..= 1_000_000_000,
    /// Milliseconds that a search through states of operational RC11 gets at first.
    operational_time: 5_000 in 1 ..= 1_000_000_000,
    /// Milliseconds between two moments at which a search keeps how far it has come.
    checkpoint_time: 10_000 in 0 ..= 1_000_000_000,
    /// Operations of the last thread alive that are learned one by one; what it does after them counts as anything.
    alone_steps: 4_096 in 1 ..= 1_000_000_000,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_can_be_set() {
        for constant in Tuning::TABLE {
            let mut tuning = Tuning::default();
            assert!((constant.least..=constant.most).contains(&constant.default), "{}", constant.name);
            assert!(tuning.set(constant.name, constant.most), "{}", constant.name);
        }
        assert!(!Tuning::default().set("no such constant", 1));
    }
}
