//! Z3 in a process of its own, told and asked the same things.

use crate::text::define;
use crate::z3::Z3Error;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_terms::decide::{Budget, Literal, Moment, Outcome, Solver};
use selvedge_terms::{Term, Terms};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running Z3. Once it does not answer any more, every outcome is [`Outcome::Unknown`]; [`Process::broken`] says
/// why.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it was not told yet.
    text: String,
    variables: u32,
    moments: u32,
    yes: Option<Literal>,
    pairs: FxHashMap<(Moment, Moment), Literal>,
    known: FxHashMap<Term, Literal>,
    defined: FxHashSet<Term>,
    symbols: Vec<Term>,
    core: Vec<Literal>,
    solution: Solution,
    broken: Option<Z3Error>,
    until: Option<std::time::Instant>,
}

/// The solution that was found last.
#[derive(Default)]
struct Solution {
    literals: FxHashMap<u32, bool>,
    moments: FxHashMap<u32, i64>,
    symbols: FxHashMap<Term, u128>,
}

impl Process {
    /// Starts Z3; every question may take so long.
    pub fn start(budget: Budget) -> Result<Self, Z3Error> {
        let mut command = Command::new("z3");
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(Z3Error::Start)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| Z3Error::Start(std::io::ErrorKind::BrokenPipe.into()))?;
        let mut text = String::from("(set-option :produce-unsat-assumptions true)\n");
        if let Some(time) = budget.time {
            let _ = writeln!(text, "(set-option :timeout {})", time.as_millis());
        }
        Ok(Process {
            child,
            input,
            output: BufReader::new(output),
            text,
            variables: 0,
            moments: 0,
            yes: None,
            pairs: FxHashMap::default(),
            known: FxHashMap::default(),
            defined: FxHashSet::default(),
            symbols: Vec::new(),
            core: Vec::new(),
            solution: Solution::default(),
            broken: None,
            until: budget.until,
        })
    }

    /// Why it does not answer any more.
    pub fn broken(&self) -> Option<&Z3Error> {
        self.broken.as_ref()
    }

    fn ask(&mut self, assumptions: &[Literal]) -> Result<Outcome, Z3Error> {
        self.text.push_str("(check-sat-assuming (");
        for &literal in assumptions {
            self.text.push_str(&name(literal));
            self.text.push(' ');
        }
        self.text.push_str("))\n");
        self.send()?;
        match self.line()?.as_str() {
            "sat" => {
                self.solve()?;
                Ok(Outcome::Sat)
            }
            "unsat" => {
                self.text.push_str("(get-unsat-assumptions)\n");
                self.send()?;
                let answer = self.expression()?;
                let words = words(&answer);
                self.core =
                    assumptions.iter().copied().filter(|&literal| mentions(&words, literal)).collect();
                Ok(Outcome::Unsat)
            }
            "unknown" | "timeout" => Ok(Outcome::Unknown),
            other => Err(Z3Error::Strange(other.to_owned())),
        }
    }

    /// Asks for the whole solution.
    fn solve(&mut self) -> Result<(), Z3Error> {
        self.solution = Solution::default();
        let literals: Vec<String> = (0..self.variables).map(|number| format!("b{number}")).collect();
        for (number, value) in (0..).zip(self.values(&literals)?) {
            self.solution.literals.insert(number, value == "true");
        }
        let moments: Vec<String> = (0..self.moments).map(|number| format!("o{number}")).collect();
        for (number, value) in (0..).zip(self.values(&moments)?) {
            let place = value.parse().map_err(|_| Z3Error::Strange(value))?;
            self.solution.moments.insert(number, place);
        }
        let symbols: Vec<String> = self.symbols.iter().map(|term| format!("t{}", term.index())).collect();
        let values = self.values(&symbols)?;
        for (&term, value) in self.symbols.iter().zip(values) {
            let parsed = match (value.strip_prefix("#x"), value.strip_prefix("#b")) {
                (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
                (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
                _ => None,
            };
            let parsed = parsed.ok_or(Z3Error::Strange(value))?;
            self.solution.symbols.insert(term, parsed);
        }
        Ok(())
    }

    /// The values of constants.
    fn values(&mut self, names: &[String]) -> Result<Vec<String>, Z3Error> {
        let mut all = Vec::new();
        for some in names.chunks(500) {
            let _ = writeln!(self.text, "(get-value ({}))", some.join(" "));
            self.send()?;
            let answer = self.expression()?;
            // ((name value) ...), where a negative number is (- 5).
            let words = words(&answer);
            let mut words =
                words.iter().map(String::as_str).filter(|&word| word != "(" && word != ")").peekable();
            while let Some(_name) = words.next() {
                let value = match words.next() {
                    Some("-") => format!("-{}", words.next().unwrap_or_default()),
                    Some(value) => value.to_owned(),
                    None => return Err(Z3Error::Strange(answer)),
                };
                all.push(value);
            }
        }
        if all.len() != names.len() {
            return Err(Z3Error::Strange(format!("{} values instead of {}", all.len(), names.len())));
        }
        Ok(all)
    }

    fn send(&mut self) -> Result<(), Z3Error> {
        let text = std::mem::take(&mut self.text);
        self.input.write_all(text.as_bytes()).map_err(Z3Error::Broken)?;
        self.input.flush().map_err(Z3Error::Broken)
    }

    fn line(&mut self) -> Result<String, Z3Error> {
        let mut line = String::new();
        match self.output.read_line(&mut line).map_err(Z3Error::Broken)? {
            0 => Err(Z3Error::Broken(std::io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(line.trim().to_owned()),
        }
    }

    /// Lines up to the end of an expression.
    fn expression(&mut self) -> Result<String, Z3Error> {
        let mut whole = String::new();
        loop {
            whole.push_str(&self.line()?);
            whole.push(' ');
            if whole.matches('(').count() <= whole.matches(')').count() {
                return Ok(whole);
            }
        }
    }
}

/// Parentheses and what is between them.
fn words(text: &str) -> Vec<String> {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect()
}

fn name(literal: Literal) -> String {
    let plain = format!("b{}", literal.variable());
    if literal.positive() { plain } else { format!("(not {plain})") }
}

/// Whether a literal is in a list of literals.
fn mentions(words: &[String], literal: Literal) -> bool {
    let plain = format!("b{}", literal.variable());
    words.iter().enumerate().any(|(index, word)| {
        let negated = index > 0 && words[index - 1] == "not";
        *word == plain && negated != literal.positive()
    })
}

impl Solver for Process {
    fn yes(&mut self) -> Literal {
        if let Some(yes) = self.yes {
            return yes;
        }
        let yes = self.fresh();
        self.clause(&[yes]);
        self.yes = Some(yes);
        yes
    }

    fn fresh(&mut self) -> Literal {
        let number = self.variables;
        self.variables += 1;
        let _ = writeln!(self.text, "(declare-const b{number} Bool)");
        Literal::new(number, true)
    }

    fn moment(&mut self) -> Moment {
        let number = self.moments;
        self.moments += 1;
        let _ = writeln!(self.text, "(declare-const o{number} Int)");
        Moment::new(number)
    }

    fn before(&mut self, first: Moment, second: Moment) -> Literal {
        if first == second {
            return !self.yes();
        }
        if first > second {
            return !self.before(second, first);
        }
        if let Some(&literal) = self.pairs.get(&(first, second)) {
            return literal;
        }
        let literal = self.fresh();
        let (a, b) = (first.number(), second.number());
        let _ = writeln!(self.text, "(assert (= {} (< o{a} o{b})))", name(literal));
        let _ = writeln!(self.text, "(assert (not (= o{a} o{b})))");
        self.pairs.insert((first, second), literal);
        literal
    }

    fn order(&mut self, first: Moment, second: Moment) {
        let _ = writeln!(self.text, "(assert (< o{} o{}))", first.number(), second.number());
    }

    fn term(&mut self, terms: &Terms, term: Term) -> Literal {
        if let Some(&literal) = self.known.get(&term) {
            return literal;
        }
        for below in terms.below([term]) {
            if self.defined.insert(below) {
                define(&mut self.text, terms, below);
                if terms.as_symbol(below).is_some() {
                    self.symbols.push(below);
                }
            }
        }
        let literal = self.fresh();
        let _ = writeln!(self.text, "(assert (= {} (= t{} #b1)))", name(literal), term.index());
        self.known.insert(term, literal);
        literal
    }

    fn clause(&mut self, literals: &[Literal]) {
        let all: Vec<String> = literals.iter().map(|&literal| name(literal)).collect();
        let _ = writeln!(self.text, "(assert (or false {}))", all.join(" "));
    }

    fn check(&mut self, assumptions: &[Literal]) -> Outcome {
        self.core.clear();
        if self.broken.is_some() {
            return Outcome::Unknown;
        }
        if let Some(until) = self.until {
            let left = until.saturating_duration_since(std::time::Instant::now()).as_millis();
            if left == 0 {
                return Outcome::Unknown;
            }
            let _ = writeln!(self.text, "(set-option :timeout {left})");
        }
        match self.ask(assumptions) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.broken = Some(error);
                Outcome::Unknown
            }
        }
    }

    fn core(&self) -> &[Literal] {
        &self.core
    }

    fn holds(&self, literal: Literal) -> bool {
        self.solution.literals.get(&literal.variable()) == Some(&literal.positive())
    }

    fn value(&self, terms: &Terms, term: Term) -> u128 {
        terms.evaluate(term, |symbol| {
            self.solution.symbols.get(&terms.symbol_term(symbol)).copied().unwrap_or_default()
        })
    }

    fn sort(&self, moments: &mut [Moment]) {
        moments.sort_by_key(|moment| self.solution.moments.get(&moment.number()).copied());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends by itself when its input is closed; it is only not to be waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
