//! How often searches were compared, by model and by what was switched off.

use super::search::{Said, Search};
use selvedge_report::Answer;
use selvedge_trace::Model;
use std::collections::BTreeMap;

/// The counts of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answers that were compared with those of others.
    pub compared: u64,
    /// Searches without an answer.
    pub unknown: u64,
    /// Contradictions.
    pub contradicted: u64,
}

/// Counts by search and model.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pairs: BTreeMap<(String, String), Counts>,
}

impl Tally {
    fn entry(&mut self, label: String, model: &str) -> &mut Counts {
        self.pairs.entry((label, model.to_owned())).or_default()
    }

    /// A search was made.
    pub fn asked(&mut self, search: &Search, said: &Said) {
        for label in search.labels() {
            let counts = self.entry(label, search.model.name());
            match said.answer {
                Answer::Unknown => counts.unknown += 1,
                _ => counts.compared += 1,
            }
        }
    }

    /// A search was wrong.
    pub fn contradicted(&mut self, search: &Search) {
        for label in search.labels() {
            self.entry(label, search.model.name()).contradicted += 1;
        }
    }

    /// All outcomes were enumerated.
    pub fn enumerated(&mut self, model: Model, outcomes: usize) {
        self.entry("programs with all outcomes".to_owned(), model.name()).compared += 1;
        self.entry("outcomes".to_owned(), model.name()).compared += outcomes as u64;
    }

    /// Something else was counted: so many were compared, without an answer, contradictory.
    pub fn note(&mut self, label: &str, model: &str, counts: Counts) {
        let sum = self.entry(label.to_owned(), model);
        sum.compared += counts.compared;
        sum.unknown += counts.unknown;
        sum.contradicted += counts.contradicted;
    }

    /// One line for each pair, to be read by [`Tally::read`].
    pub fn lines(&self) -> Vec<String> {
        let line = |((label, model), counts): (&(String, String), &Counts)| {
            format!("{label}|{model}|{}|{}|{}", counts.compared, counts.unknown, counts.contradicted)
        };
        self.pairs.iter().map(line).collect()
    }

    /// Adds what a line says.
    pub fn read(&mut self, line: &str) {
        let parts: Vec<&str> = line.split('|').collect();
        let [label, model, numbers @ ..] = &parts[..] else { return };
        let number = |index: usize| numbers.get(index).and_then(|text| text.parse().ok()).unwrap_or(0);
        let counts = Counts { compared: number(0), unknown: number(1), contradicted: number(2) };
        self.note(label, model, counts);
    }

    /// As a table for the documentation: of each model how many were compared, how many of these contradicted something,
    /// and how many had no answer.
    pub fn table(&self) -> String {
        let mut models: Vec<&String> = self.pairs.keys().map(|(_, model)| model).collect();
        let order = |model: &String| Model::ALL.iter().position(|known| known.name() == *model);
        models.sort_by_key(|model| order(model));
        models.dedup();
        let mut labels: Vec<&String> = self.pairs.keys().map(|(label, _)| label).collect();
        labels.dedup();
        let heads: String = models.iter().map(|model| format!(" {model} |")).collect();
        let mut text =
            format!("| compared (contradictions), unknown |{heads}\n|---|{}\n", "---|".repeat(models.len()));
        for label in labels {
            let cell = |model: &&String| match self.pairs.get(&(label.clone(), (*model).clone())) {
                Some(counts) => {
                    format!(" {} ({}), {} |", counts.compared, counts.contradicted, counts.unknown)
                }
                None => " |".to_owned(),
            };
            text.push_str(&format!("| {label} |{}\n", models.iter().map(cell).collect::<String>()));
        }
        text
    }
}
