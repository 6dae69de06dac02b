//! Whether a violation needs the memory model under which it was found.

use crate::{Kind, Style};
use selvedge_trace::Model;

/// Whether some execution under a stronger model shows the same violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The stronger model.
    pub model: Model,
    /// Whether there is one; nothing where the search for it did not come to an end.
    pub exists: Option<bool>,
}

impl Elsewhere {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self.exists {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        }
    }
}

/// All of it in one sentence about a violation of that kind; nothing where nothing was asked.
pub fn sentence(elsewhere: &[Elsewhere], kind: Kind, style: Style) -> Option<String> {
    let with = |exists: Option<bool>| -> Vec<&str> {
        elsewhere.iter().filter(|one| one.exists == exists).map(|one| one.model.row().whereabouts).collect()
    };
    let (yes, no, open) = (with(Some(true)), with(Some(false)), with(None));
    let machines = elsewhere.iter().any(|one| one.model == Model::Mca);
    if elsewhere.is_empty() {
        return None;
    }
    if no.is_empty() && open.is_empty() {
        // `--model sc` takes every atomic for sequentially consistent, so it may say nothing of the same two accesses.
        let shown = match kind {
            Kind::DataRace => "the accesses race in a sequentially consistent execution",
            _ => "sequential consistency shows it too",
        };
        return Some(format!("It takes no weak memory: {shown}"));
    }
    if machines && yes.is_empty() && open.is_empty() {
        let told = style.strong("Allowed by the language, impossible on your machines");
        return Some(format!("{told}: x86, ARMv8 and RISC-V (mca, tso) cannot show it"));
    }
    let parts = [("possible", yes), ("impossible", no), ("not known whether possible", open)];
    let parts = parts.into_iter().filter(|(_, models)| !models.is_empty());
    let parts: Vec<String> = parts.map(|(what, models)| format!("{what} {}", models.join(" and "))).collect();
    let mut told = parts.join(", ");
    // The first letter, which is of one byte.
    told[..1].make_ascii_uppercase();
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answers: &[(Model, Option<bool>)]) -> String {
        let all: Vec<Elsewhere> =
            answers.iter().map(|&(model, exists)| Elsewhere { model, exists }).collect();
        sentence(&all, Kind::Assertion, Style { colour: false, width: 80 }).unwrap_or_default()
    }

    #[test]
    fn one_sentence_says_where_a_violation_exists() {
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(told(&[]), "");
        assert_eq!(
            told(&[(Model::Mca, yes), (Model::Tso, yes), (Model::Sc, yes)]),
            "It takes no weak memory: sequential consistency shows it too"
        );
        assert_eq!(
            told(&[(Model::Mca, no), (Model::Tso, no), (Model::Sc, no)]),
            "Allowed by the language, impossible on your machines: x86, ARMv8 and RISC-V (mca, tso) cannot show it"
        );
        assert_eq!(
            told(&[(Model::Mca, yes), (Model::Tso, no), (Model::Sc, no)]),
            "Possible on ARMv8 and RISC-V (mca), impossible on x86 (tso) and under sequential consistency"
        );
        assert_eq!(
            told(&[(Model::Tso, None), (Model::Sc, no)]),
            "Impossible under sequential consistency, not known whether possible on x86 (tso)"
        );
    }
}
