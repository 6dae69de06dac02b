//! The tuning constants: limits of patience, sizes and samples that decide how fast a search is and never what it answers.
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

            /// Sets a constant; false where there is none of this name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($field) => self.$field = value,)*
                    _ => return false,
                }
                true
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
    companion_after_states: 200_000 in 1 ..= 1_000_000_000,
    /// States among which a sequentially consistent violation is looked for where weaker ones were found.
    simpler_states: 5_000 in 1 ..= 1_000_000_000,
    /// Graphs that are explored without a search through states beside them.
    graphs_alone: 4_000 in 1 ..= 1_000_000_000,
    /// Milliseconds for which graphs are explored alone.
    graphs_alone_time: 1_000 in 0 ..= 1_000_000_000,
    /// Milliseconds that a search through states of executions that look back gets at first.
    look_back_time: 5_000 in 1 ..= 1_000_000_000,
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
