//! Random formulas for two solvers: they must agree, and solutions must be solutions.

use crate::numbers::Numbers;
use selvedge_smt::Process;
use selvedge_terms::decide::{Budget, Literal, Moment, Native, Outcome, Solver};
use selvedge_terms::{Binary, Symbol, Term, Terms};
use selvedge_trace::ThreadName;

/// A clause's part, as it is meant.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Term(Term),
    Before(usize, usize),
    Free(usize),
}

/// Clauses over expressions, moments and free truth values, and questions about them.
struct Problem {
    terms: Terms,
    moments: usize,
    free: usize,
    /// Chains of moments that are in order.
    ordered: Vec<(usize, usize)>,
    clauses: Vec<Vec<(Atom, bool)>>,
    questions: Vec<Vec<(Atom, bool)>>,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Questions whose answer is that there is a solution.
    pub sat: usize,
    /// Questions whose answer is that there is none.
    pub unsat: usize,
    /// Questions that one of them did not answer.
    pub unknown: usize,
}

/// Makes formulas from a seed, asks both solvers, or only ours, and says what is wrong if something is.
pub fn compare(seed: u64, with_z3: bool) -> Result<Compared, String> {
    let mut numbers = Numbers::new(seed);
    let problem = problem(&mut numbers);
    let mut native = Native::new(Budget::default());
    let ours = play(&problem, &mut native, seed)?;
    let mut compared = Compared::default();
    for outcome in &ours {
        match outcome {
            Outcome::Sat => compared.sat += 1,
            Outcome::Unsat => compared.unsat += 1,
            Outcome::Unknown => compared.unknown += 1,
        }
    }
    if with_z3 {
        let budget = Budget { time: Some(std::time::Duration::from_secs(10)), ..Budget::default() };
        let mut z3 = Process::start(budget).map_err(|error| error.to_string())?;
        let theirs = play(&problem, &mut z3, seed)?;
        if let Some(error) = z3.broken() {
            return Err(format!("seed {seed}: {error}"));
        }
        for (number, (&our, &their)) in ours.iter().zip(&theirs).enumerate() {
            let decided = our != Outcome::Unknown && their != Outcome::Unknown;
            if decided && our != their {
                return Err(format!("seed {seed}, question {number}: {our:?}, but Z3 says {their:?}"));
            }
            compared.unknown += usize::from(!decided);
        }
    }
    Ok(compared)
}

fn problem(numbers: &mut Numbers) -> Problem {
    let mut terms = Terms::new();
    let width = numbers.one_of(&[1, 3, 8, 8, 16]);
    let mut pool = Vec::new();
    for occurrence in 0..1 + numbers.below(4) as u32 {
        pool.push(terms.symbol(&Symbol::Input { thread: ThreadName::main(), occurrence }, width));
    }
    for _ in 0..2 {
        let value = numbers.below(1 << width) as u128;
        pool.push(terms.constant(width, value));
    }
    let mut bits = Vec::new();
    for _ in 0..4 + numbers.below(12) {
        grow(&mut terms, numbers, &mut pool, &mut bits);
    }
    let moments = numbers.below(9);
    let free = 1 + numbers.below(4);
    let ordered = (1..moments).filter(|_| numbers.below(3) == 0).map(|moment| (moment - 1, moment)).collect();
    let atom = |numbers: &mut Numbers| {
        let atom = match numbers.below(4) {
            0 if moments > 1 => Atom::Before(numbers.below(moments), numbers.below(moments)),
            1 if moments > 1 => Atom::Before(numbers.below(moments), numbers.below(moments)),
            2 if !bits.is_empty() => Atom::Term(bits[numbers.below(bits.len())]),
            _ => Atom::Free(numbers.below(free)),
        };
        (atom, numbers.below(2) == 0)
    };
    let mut clauses = Vec::new();
    for _ in 0..4 + numbers.below(30) {
        let length = 1 + numbers.below(3) + numbers.below(2);
        clauses.push((0..length).map(|_| atom(numbers)).collect());
    }
    let mut questions = Vec::new();
    for _ in 0..4 {
        let length = numbers.below(4);
        questions.push((0..length).map(|_| atom(numbers)).collect());
    }
    Problem { terms, moments, free, ordered, clauses, questions }
}

fn grow(terms: &mut Terms, numbers: &mut Numbers, pool: &mut Vec<Term>, bits: &mut Vec<Term>) {
    const ALL: [Binary; 13] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::UnsignedDiv,
        Binary::SignedDiv,
        Binary::UnsignedRem,
        Binary::SignedRem,
        Binary::ShiftLeft,
        Binary::ShiftRight,
        Binary::ShiftRightSigned,
        Binary::And,
        Binary::Or,
        Binary::Xor,
    ];
    let (a, b) = (pool[numbers.below(pool.len())], pool[numbers.below(pool.len())]);
    let width = terms.width(a);
    match numbers.below(8) {
        0..=2 => {
            let operation = numbers.one_of(&ALL);
            pool.push(terms.binary(operation, a, b));
        }
        3 => bits.push(terms.equal(a, b)),
        4 => bits.push(terms.unsigned_less(a, b)),
        5 => bits.push(terms.signed_less(a, b)),
        6 if !bits.is_empty() => {
            let condition = bits[numbers.below(bits.len())];
            pool.push(terms.choose(condition, a, b));
        }
        _ => {
            // Taken apart and put together in another way.
            let at = numbers.below(width as usize) as u32;
            if at == 0 {
                return;
            }
            let (low, high) = (terms.extract(a, 0, at), terms.extract(b, at, width - at));
            let made = match numbers.below(3) {
                0 => terms.concat(low, high),
                1 => terms.sign_extend(low, width),
                _ => terms.zero_extend(high, width),
            };
            pool.push(made);
        }
    }
}

/// Tells a solver everything, in two parts, and asks it after each.
fn play(problem: &Problem, solver: &mut impl Solver, seed: u64) -> Result<Vec<Outcome>, String> {
    let moments: Vec<Moment> = (0..problem.moments).map(|_| solver.moment()).collect();
    let free: Vec<Literal> = (0..problem.free).map(|_| solver.fresh()).collect();
    for &(first, second) in &problem.ordered {
        solver.order(moments[first], moments[second]);
    }
    let mut outcomes = Vec::new();
    let half = problem.clauses.len() / 2;
    let parts = [(0, half), (half, problem.clauses.len())];
    for (begin, end) in parts {
        for clause in &problem.clauses[begin..end] {
            let literals: Vec<Literal> =
                clause.iter().map(|&part| literal(problem, solver, &moments, &free, part)).collect();
            solver.clause(&literals);
        }
        for question in &problem.questions {
            let assumed: Vec<Literal> =
                question.iter().map(|&part| literal(problem, solver, &moments, &free, part)).collect();
            let outcome = solver.check(&assumed);
            outcomes.push(outcome);
            match outcome {
                Outcome::Sat => {
                    let mut sorted = moments.clone();
                    solver.sort(&mut sorted);
                    let place = |moment: usize| sorted.iter().position(|&other| other == moments[moment]);
                    let holds = |&(atom, positive): &(Atom, bool)| {
                        positive
                            == match atom {
                                Atom::Term(term) => solver.value(&problem.terms, term) == 1,
                                Atom::Before(first, second) => place(first) < place(second),
                                Atom::Free(number) => solver.holds(free[number]),
                            }
                    };
                    let clauses = problem.clauses[..end].iter().all(|clause| clause.iter().any(&holds));
                    let order = problem.ordered.iter().all(|&(first, second)| place(first) < place(second));
                    if !clauses || !order || !question.iter().all(holds) {
                        return Err(format!("seed {seed}: what is said to be a solution is none"));
                    }
                }
                Outcome::Unsat => {
                    let core = solver.core().to_vec();
                    if solver.check(&core) == Outcome::Sat {
                        return Err(format!("seed {seed}: the core {core:?} can hold"));
                    }
                }
                Outcome::Unknown => {}
            }
        }
    }
    Ok(outcomes)
}

fn literal(
    problem: &Problem,
    solver: &mut impl Solver,
    moments: &[Moment],
    free: &[Literal],
    (atom, positive): (Atom, bool),
) -> Literal {
    let literal = match atom {
        Atom::Term(term) => solver.term(&problem.terms, term),
        Atom::Before(first, second) => {
            let before = solver.before(moments[first], moments[second]);
            solver.choice(before)
        }
        Atom::Free(number) => free[number],
    };
    if positive { literal } else { !literal }
}
