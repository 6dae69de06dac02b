//! Searches of one program that have to say the same.

use super::ast::Program;
use super::beside;
use super::c::Purpose;
use super::search::{LIMIT, SHORT, Said, Search, strategies};
use super::tally::Tally;
use crate::random::Random;
use selvedge::run::prepare::Prepared;
use selvedge_explore::Strategy;
use selvedge_report::Answer;
use selvedge_trace::{Model, Reduction};
use std::collections::BTreeSet;

/// What goes wrong under the first goes wrong under the second.
const WEAKER: [(Model, Model); 6] = [
    (Model::Sc, Model::Tso),
    (Model::Tso, Model::Pso),
    (Model::Sc, Model::Mca),
    (Model::Mca, Model::Rc11),
    (Model::Tso, Model::Rc11),
    (Model::Pso, Model::Rc11),
];

/// Searches with everything at random, for each model.
const RANDOM: usize = 3;
/// Programs with more outcomes are not compared by them.
const OUTCOMES: usize = 12;
/// How two searches contradict each other, or what one is wrong about by itself.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The search that is wrong, as far as one can tell.
    pub wrong: Search,
    /// The search that says otherwise.
    pub other: Option<Search>,
    /// What the program is told.
    pub arguments: Vec<String>,
    /// What it is about.
    pub about: About,
    /// In words.
    pub what: String,
    /// The violations of the other.
    pub kinds: BTreeSet<String>,
}

/// What a contradiction is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// One says that it is a mistake itself.
    Itself,
    /// Verified, and a violation.
    Verdict,
    /// The sets of violations.
    Violations,
    /// The numbers of views.
    Views,
    /// Native runs, of optimised code or not.
    Native(bool),
}

impl Contradiction {
    /// Whether it is still there.
    pub fn again(&self, program: &Program, prepared: &Prepared) -> Option<Contradiction> {
        if let About::Native(optimised) = self.about {
            return beside::again(program, prepared, self, optimised);
        }
        if self.about == About::Views && !program.waits_for_all() {
            return None;
        }
        let said = self.wrong.run(prepared, &self.arguments);
        let Some(other) = &self.other else {
            return said.err().map(|what| Contradiction { what, ..self.clone() });
        };
        let found =
            contradiction((&self.wrong, &said.ok()?), (other, &other.run(prepared, &self.arguments).ok()?));
        found
            .filter(|found| found.about == self.about)
            .map(|found| Contradiction { arguments: self.arguments.clone(), ..found })
    }
}

impl Contradiction {
    /// With searches that are as usual as can be, as far as there is time to try them.
    pub fn simplest(self, program: &Program, prepared: &Prepared, left: &dyn Fn() -> bool) -> Contradiction {
        let mut found = self;
        'again: loop {
            let wrong =
                found.wrong.simpler().into_iter().map(|wrong| Contradiction { wrong, ..found.clone() });
            let others = found.other.iter().flat_map(Search::simpler);
            let others = others.map(|other| Contradiction { other: Some(other), ..found.clone() });
            for candidate in wrong.chain(others).take_while(|_| left()) {
                if let Some(again) = candidate.again(program, prepared) {
                    found = again;
                    continue 'again;
                }
            }
            return found;
        }
    }
}

/// How two answers contradict each other.
fn contradiction(one: (&Search, &Said), other: (&Search, &Said)) -> Option<Contradiction> {
    let made = |wrong: (&Search, &Said), other: (&Search, &Said), about, what| Contradiction {
        wrong: wrong.0.clone(),
        other: Some(other.0.clone()),
        arguments: Vec::new(),
        about,
        what,
        kinds: other.1.kinds.clone(),
    };
    let shown = |said: &Said| said.found.iter().cloned().collect::<Vec<_>>().join(", ");
    let verdict = |wrong: (&Search, &Said), right: (&Search, &Said)| {
        let what = format!("verified, and there is {}", shown(right.1));
        Some(made(wrong, right, About::Verdict, what))
    };
    // A search without spurious wake-ups verifies less.
    if one.0.spurious != other.0.spurious {
        return None;
    }
    let weaker = |from: Model, to: Model| from == to || WEAKER.contains(&(from, to));
    match (one.1.answer, other.1.answer) {
        (Answer::Verified, Answer::Violation) if weaker(other.0.model, one.0.model) => {
            return verdict(one, other);
        }
        (Answer::Violation, Answer::Verified) if weaker(one.0.model, other.0.model) => {
            return verdict(other, one);
        }
        _ => {}
    }
    if one.0.model != other.0.model || !one.1.complete || !other.1.complete {
        return None;
    }
    let all = one.0.keep_going && other.0.keep_going && !one.0.model.is_graph();
    if all && comparable(one) != comparable(other) {
        let (fewer, more) = if one.1.found.len() < other.1.found.len() { (one, other) } else { (other, one) };
        let what = format!("found {}; and there is {}", shown(fewer.1), shown(more.1));
        return Some(made(fewer, more, About::Violations, what));
    }
    match (one.1.classes, other.1.classes) {
        (Some(first), Some(second)) if first != second && one.1.answer == Answer::Verified => {
            let (fewer, more) = if first < second { (one, other) } else { (other, one) };
            let what = format!("{} views, and there are {}", first.min(second), first.max(second));
            Some(made(fewer, more, About::Views, what))
        }
        _ => None,
    }
}

/// The violations that another search has to find, too. A wake-up for no reason from a state in which nothing else is possible
/// is not explored, because that state is a deadlock (W6); whether it can come before depends on which steps of the other
/// threads are visible. And what lives at the address of a dangling pointer, and so what an access through it races with,
/// depends on which objects are private.
fn comparable<'a>((search, said): (&Search, &'a Said)) -> BTreeSet<&'a str> {
    let names = |kind: &str| said.found.iter().any(|found| found.starts_with(kind));
    let (stuck, dangling) = (search.spurious && names("deadlock"), names("memory"));
    let counts = |found: &&str| match found.starts_with("data-race") {
        true => !stuck && !dangling,
        false => !stuck || found.starts_with("deadlock"),
    };
    said.found.iter().map(String::as_str).filter(counts).collect()
}

/// The plainest search under a model.
pub fn plainest(model: Model) -> Search {
    let strategy = if model.is_graph() { Strategy::Optimal } else { Strategy::States };
    let without = Reduction::ALL.to_vec();
    Search { without, keep_going: true, ..Search::new(model, strategy) }
}

/// What is known of how long searches of a program take.
#[derive(Default)]
struct Pace {
    /// A search was not through.
    hopeless: bool,
    /// Searches that were not through, and whether they were plain ones: under other models they would not be either.
    lost: Vec<(Strategy, bool)>,
}

impl Pace {
    /// Gives a search its time. Nothing if it would not be through.
    fn limited(&self, search: Search) -> Option<Search> {
        let limit = if self.hopeless { SHORT } else { LIMIT };
        let lost = self.lost.contains(&(search.strategy, search.is_plain()));
        let hopeless = lost && (search.is_plain() || search.strategy != Strategy::Auto);
        (!hopeless).then_some(Search { limit, ..search })
    }

    fn note(&mut self, search: &Search, said: &Said) {
        if said.out_of_time {
            self.hopeless = true;
            self.lost.push((search.strategy, search.is_plain()));
        }
    }
}

/// Searches a program in many ways; the first contradiction.
pub fn compare(
    program: &Program,
    prepared: &Prepared,
    random: &mut Random,
    tally: &mut Tally,
    stage: &dyn Fn(&str),
) -> Result<(), Box<Contradiction>> {
    let mut all: Vec<(Search, Said)> = Vec::new();
    let mut pace = Pace::default();
    // Views are counted without spurious wake-ups, and all searches of a program have to mean the same.
    let spurious = !random.once_in(3);
    for &model in Model::ALL {
        let default = Search::new(model, Strategy::Auto);
        let mut searches = vec![Search { keep_going: true, ..default.clone() }, plainest(model)];
        searches.push(Search { count_views: !model.is_graph(), ..Search::new(model, strategies(model)[1]) });
        searches.extend((0..RANDOM).map(|_| Search::random(model, random)));
        searches.insert(0, default);
        searches.iter_mut().for_each(|search| search.spurious = spurious);
        if spurious || !program.waits_for_all() {
            searches.iter_mut().for_each(|search| search.count_views = false);
        }
        for search in searches {
            let Some(search) = pace.limited(search) else { continue };
            let said = ask(&search, prepared, &[], stage)?;
            tally.asked(&search, &said);
            pace.note(&search, &said);
            for (other, heard) in &all {
                if let Some(found) = contradiction((&search, &said), (other, heard)) {
                    tally.contradicted(&found.wrong);
                    return Err(Box::new(found));
                }
            }
            all.push((search, said));
        }
    }
    let verified = |model: Model| {
        let of = |(search, said): &&(Search, Said)| search.model == model && said.answer == Answer::Verified;
        all.iter().any(|both| of(&both))
    };
    let verified: Vec<Model> = Model::ALL.iter().copied().filter(|&model| verified(model)).collect();
    if verified.is_empty() {
        return Ok(());
    }
    let model = verified[random.below(verified.len())];
    compare_outcomes(prepared, (model, spurious), &pace, random, tally, stage)
}

/// What a search says; a mistake of its own is one whatever others say.
pub fn ask(
    search: &Search,
    prepared: &Prepared,
    arguments: &[String],
    stage: &dyn Fn(&str),
) -> Result<Said, Box<Contradiction>> {
    stage(&search.options());
    search.run(prepared, arguments).map_err(|what| {
        Box::new(Contradiction {
            wrong: search.clone(),
            other: None,
            arguments: arguments.to_vec(),
            about: About::Itself,
            what,
            kinds: BTreeSet::new(),
        })
    })
}

/// The outcomes that the default search finds are those that others find.
fn compare_outcomes(
    prepared: &Prepared,
    (model, spurious): (Model, bool),
    pace: &Pace,
    random: &mut Random,
    tally: &mut Tally,
    stage: &dyn Fn(&str),
) -> Result<(), Box<Contradiction>> {
    let default = Search { spurious, ..Search::new(model, Strategy::Auto) };
    let mut known: Vec<String> = Vec::new();
    let among = |known: &[String]| {
        std::iter::once("among".to_owned()).chain(known.iter().cloned()).collect::<Vec<String>>()
    };
    let all = loop {
        let said = ask(&default, prepared, &among(&known), stage)?;
        match outcome(&said) {
            Some(new) if known.len() < OUTCOMES && !known.contains(&new) => known.push(new),
            _ => break said,
        }
    };
    if all.answer != Answer::Verified {
        return Ok(());
    }
    tally.enumerated(model, known.len());
    let mut others = vec![plainest(model), Search::random(model, random)];
    for search in &mut others {
        (search.keep_going, search.count_views, search.spurious) = (false, false, spurious);
    }
    for search in others.into_iter().filter_map(|search| pace.limited(search)) {
        let arguments = among(&known);
        let said = ask(&search, prepared, &arguments, stage)?;
        let found = contradiction((&default, &all), (&search, &said));
        if let Some(found) = found {
            tally.contradicted(&found.wrong);
            return Err(Box::new(Contradiction { arguments, ..found }));
        }
        if known.is_empty() {
            continue;
        }
        let arguments = vec!["is".to_owned(), known[random.below(known.len())].clone()];
        let (one, other) =
            (ask(&default, prepared, &arguments, stage)?, ask(&search, prepared, &arguments, stage)?);
        if let Some(found) = contradiction((&default, &one), (&search, &other)) {
            tally.contradicted(&found.wrong);
            return Err(Box::new(Contradiction { arguments, ..found }));
        }
    }
    Ok(())
}

/// The outcome that a program has printed.
pub fn outcome(said: &Said) -> Option<String> {
    if said.answer != Answer::Violation {
        return None;
    }
    said.printed.lines().find_map(|line| line.strip_prefix("outcome ")).map(str::to_owned)
}

/// What the program is written for, where a contradiction is to be shown.
pub fn purpose(contradiction: &Contradiction) -> Purpose {
    let native = matches!(contradiction.about, About::Native(_));
    if contradiction.arguments.is_empty() && !native { Purpose::Shown } else { Purpose::Checked }
}

/// A program and its contradiction, for the corpus.
pub fn corpus_text(program: &Program, optimised: bool, contradiction: &Contradiction) -> String {
    let arguments = match &contradiction.arguments[..] {
        [] => String::new(),
        some => format!(" -- {}", some.join(" ")),
    };
    let flags = match program.language.flags() {
        [] => String::new(),
        flags => format!("// cflags: {}\n", flags.join(" ")),
    };
    let level = if optimised { " --opt-level 2" } else { "" };
    let expected = match (contradiction.about, contradiction.kinds.iter().next()) {
        (About::Verdict, Some(kind)) => format!("violation {kind}"),
        (About::Native(_), _) => "violation".to_owned(),
        _ => "(see below)".to_owned(),
    };
    let other = contradiction
        .other
        .as_ref()
        .map_or(String::new(), |other| format!("// {}{arguments}: otherwise\n", other.options()));
    format!(
        "{flags}// selvedge: check {}{level}{arguments}\n// expect: {expected}\n// {}\n{other}{}",
        contradiction.wrong.options(),
        contradiction.what,
        super::text_of(program, purpose(contradiction))
    )
}
