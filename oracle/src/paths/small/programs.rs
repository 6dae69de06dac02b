//! Programs of the literature in the small language.

use super::{Condition, Expression, Program, Statement, Test};

fn local(local: usize) -> Expression {
    Expression::Local(local)
}

fn number(number: i16) -> Expression {
    Expression::Number(number)
}

fn plus(left: usize, right: i16) -> Expression {
    Expression::Add(Box::new(local(left)), Box::new(number(right)))
}

fn minus(left: usize, right: usize) -> Expression {
    Expression::Sub(Box::new(local(left)), Box::new(local(right)))
}

fn when(
    left: Expression,
    test: Test,
    right: i16,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
) -> Statement {
    Statement::If { condition: Condition { left, test, right: number(right) }, then, otherwise }
}

fn read(local: usize, variable: usize) -> Statement {
    Statement::Read { local, variable }
}

fn write(variable: usize, value: Expression) -> Statement {
    Statement::Write { variable, value }
}

fn input(local: usize, number: usize) -> Statement {
    Statement::Input { local, number }
}

/// Reads, adds and writes in separate steps.
fn increment(variable: usize, local: usize, by: i16) -> Vec<Statement> {
    vec![read(local, variable), write(variable, plus(local, by))]
}

fn fail() -> Statement {
    Statement::Assert { condition: Condition { left: number(0), test: Test::Equal, right: number(1) } }
}

fn locked(body: Vec<Statement>) -> Vec<Statement> {
    [vec![Statement::Lock(0)], body, vec![Statement::Unlock(0)]].concat()
}

/// Two writers of inputs and a reader.
pub fn inputs() -> Program {
    let writer =
        |input_number, last| vec![input(0, input_number), write(0, local(0)), write(0, number(last))];
    let reader = vec![read(0, 0), when(local(0), Test::Greater, 6, vec![fail()], vec![write(1, number(2))])];
    // Inputs are at most 3 here: what the reader asks for is one more than they can be, plus 4.
    let wide = |mut writer: Vec<Statement>| {
        writer[1] = write(0, plus(0, 4));
        writer
    };
    Program { threads: vec![wide(writer(0, 2)), wide(writer(1, 4)), reader], ..Program::default() }
}

/// Each thread decides by what the other one writes.
pub fn crossed() -> Program {
    let first = vec![
        read(0, 1),
        when(local(0), Test::Equal, 1, vec![write(0, number(1))], vec![write(0, number(2))]),
    ];
    let second = vec![
        read(0, 0),
        when(local(0), Test::Equal, 2, vec![write(1, number(2))], vec![write(1, number(1))]),
    ];
    Program { threads: vec![first, second], ..Program::default() }
}

/// A failure behind two inputs.
pub fn nested() -> Program {
    let inner = when(local(1), Test::Greater, 0, vec![write(0, number(2))], vec![]);
    let first = vec![input(0, 0), input(1, 1), when(local(0), Test::Greater, 0, vec![], vec![inner])];
    let second = vec![read(0, 0), when(local(0), Test::Equal, 2, vec![fail()], vec![])];
    Program { threads: vec![first, second], ..Program::default() }
}

/// The flag that is taken back while its setter looks at it again.
pub fn taken_back() -> Program {
    let first = vec![read(0, 0), when(local(0), Test::Greater, 0, vec![write(0, number(0))], vec![])];
    let second = vec![write(0, number(1)), read(0, 0), when(local(0), Test::Equal, 1, vec![], vec![])];
    Program { threads: vec![first, second], ..Program::default() }
}

/// A decision inside of a section.
pub fn inside() -> Program {
    let first = locked(vec![write(0, number(1))]);
    let second = locked(vec![read(0, 0), when(local(0), Test::NotEqual, 0, vec![], vec![])]);
    Program { threads: vec![first, second], ..Program::default() }
}

/// Inputs decide inside of sections.
pub fn inputs_inside() -> Program {
    let thread = |n| locked(vec![input(0, n), when(local(0), Test::Greater, 0, vec![], vec![])]);
    Program { threads: vec![thread(0), thread(1)], ..Program::default() }
}

/// Three threads, of which one must stop between its decisions.
pub fn between() -> Program {
    let first = vec![read(0, 0), when(local(0), Test::Equal, 2, vec![], vec![]), write(1, number(1))];
    let second = vec![read(0, 1), when(local(0), Test::Equal, 1, vec![], vec![])];
    let third = vec![write(0, number(2)), read(0, 1), when(local(0), Test::Greater, 0, vec![], vec![])];
    Program { threads: vec![first, second, third], ..Program::default() }
}

/// A crash that needs two inputs and a certain order, with more threads that may help.
pub fn crash(more: usize) -> Program {
    let section = locked(increment(1, 2, -1));
    let body = [increment(0, 1, 1), section].concat();
    let first = vec![
        input(0, 0),
        write(0, number(2)),
        write(1, number(5)),
        when(local(0), Test::Equal, 3, body, vec![]),
    ];
    let twice = when(local(0), Test::Greater, 1, locked(increment(1, 1, 1)), vec![]);
    let once = when(local(0), Test::Greater, 0, [locked(increment(1, 1, 1)), vec![twice]].concat(), vec![]);
    let second = vec![write(0, number(100)), input(0, 1), once];
    let deep = vec![read(1, 1), when(local(1), Test::Equal, 2, vec![fail()], vec![])];
    let third = vec![
        write(0, number(5)),
        write(1, number(0)),
        read(0, 0),
        when(local(0), Test::Equal, 101 + more as i16, deep, vec![]),
    ];
    let mut threads = vec![first, second, third];
    for n in 0..more {
        threads.push(vec![input(0, 2 + n), when(local(0), Test::Equal, 3, increment(0, 1, 1), vec![])]);
    }
    Program { threads, ..Program::default() }
}

/// A loop that writes and looks, a loop that increments, and a thread that looks at the end.
pub fn loops(rounds: usize) -> Program {
    let mut first = Vec::new();
    let mut second = Vec::new();
    for _ in 0..rounds {
        first.extend([read(0, 0), write(0, plus(0, 1)), read(1, 0)]);
        let same = Expression::Sub(Box::new(local(1)), Box::new(plus(0, 1)));
        first.push(when(same, Test::Equal, 0, vec![write(0, number(0))], vec![]));
        second.extend(increment(0, 0, 1));
    }
    let last = vec![
        Statement::Join(0),
        Statement::Join(1),
        read(0, 0),
        when(local(0), Test::NotEqual, 2 * rounds as i16, vec![], vec![]),
    ];
    Program { threads: vec![first, second, last], ..Program::default() }
}

/// Threads that count down together and then spin.
pub fn racey(spins: usize) -> Program {
    fn spin(left: usize) -> Vec<Statement> {
        let again = if left == 0 { vec![] } else { spin(left - 1) };
        vec![read(1, 0), when(local(1), Test::NotEqual, 0, again, vec![])]
    }
    let count =
        vec![read(0, 0), write(0, plus(0, -1)), read(0, 0), when(local(0), Test::Equal, 0, vec![], vec![])];
    let thread = [locked(count), spin(spins)].concat();
    Program { threads: vec![thread; 3], initial: vec![3], ..Program::default() }
}

/// Two threads that give way to each other.
pub fn dekker(rounds: usize) -> Program {
    // Variables: turn, flags, the counter.
    fn wait(other: usize, mine: i16, left: usize) -> Vec<Statement> {
        if left == 0 {
            return vec![];
        }
        let turn = when(local(1), Test::Equal, mine, wait(other, mine, left - 1), vec![]);
        vec![read(0, other), when(local(0), Test::Equal, 1, vec![read(1, 0), turn], vec![])]
    }
    let thread = |me: usize, other: usize, mine: i16| {
        let begin = vec![write(me, number(1)), write(0, number(mine))];
        [begin, wait(other, mine, rounds), increment(3, 2, 1), vec![write(me, number(0))]].concat()
    };
    Program { threads: vec![thread(1, 2, 2), thread(2, 1, 1)], initial: vec![1], ..Program::default() }
}

/// So many rounds as an input says, at most `most`; with one more class of inputs that does nothing.
fn rounds(most: usize, body: &dyn Fn() -> Vec<Statement>) -> Vec<Statement> {
    fn from(round: usize, most: usize, body: &dyn Fn() -> Vec<Statement>) -> Vec<Statement> {
        let inner = if round < most { [body(), from(round + 1, most, body)].concat() } else { vec![] };
        vec![when(local(0), Test::Greater, round as i16, inner, vec![])]
    }
    vec![when(local(0), Test::Greater, most as i16, vec![], from(0, most, body))]
}

/// Threads that try to get a spin lock.
pub fn spinlock(threads: usize, most: usize) -> Program {
    let body = || {
        let free = vec![write(0, number(1)), Statement::Unlock(0), write(0, number(0))];
        vec![Statement::Lock(0), read(1, 0), when(local(1), Test::Equal, 0, free, vec![Statement::Unlock(0)])]
    };
    let thread = |n| [wide_input(0, n), rounds(most, &body)].concat();
    Program { threads: (0..threads).map(thread).collect(), ..Program::default() }
}

/// An input of at least 0 to 7: two inputs of two bits.
fn wide_input(to: usize, n: usize) -> Vec<Statement> {
    let both = Expression::Add(Box::new(local(to)), Box::new(local(22)));
    let twice = Expression::Add(Box::new(both), Box::new(local(22)));
    vec![input(to, 2 * n), input(22, 2 * n + 1), Statement::Assign { local: to, value: twice }]
}

/// A lock that is counted down and up.
pub fn linux_lock(threads: usize, most: usize) -> Program {
    let change = |to, by| locked(vec![read(to, 0), write(0, plus(to, by))]);
    let body = move || {
        let back = change(2, 1);
        [change(1, -1), vec![when(local(1), Test::Equal, 1, back.clone(), back)]].concat()
    };
    let thread = |n| [wide_input(0, n), rounds(most, &body)].concat();
    Program { threads: (0..threads).map(thread).collect(), initial: vec![1], ..Program::default() }
}

/// One thread writes, two read and look whether they were disturbed.
pub fn seqlock(most: usize) -> Program {
    // Variables: the sequence, the data.
    let odd = || Expression::Rem(Box::new(local(1)), 2);
    let writer = || {
        let done = [
            vec![write(0, plus(1, 1)), Statement::Unlock(0), write(1, number(3))],
            locked(vec![read(2, 0), write(0, plus(2, 1))]),
        ]
        .concat();
        let exchange = when(minus(2, 1), Test::Equal, 0, done, vec![Statement::Unlock(0)]);
        let even = vec![Statement::Lock(0), read(2, 0), exchange];
        vec![read(1, 0), when(odd(), Test::Equal, 1, vec![], even)]
    };
    let reader = || {
        let even = vec![read(3, 1), read(2, 0), when(minus(2, 1), Test::Equal, 0, vec![], vec![])];
        vec![read(1, 0), when(odd(), Test::Equal, 1, vec![], even)]
    };
    let threads = vec![
        [wide_input(0, 0), rounds(most, &writer)].concat(),
        [wide_input(0, 1), rounds(most, &reader)].concat(),
        [wide_input(0, 2), rounds(most, &reader)].concat(),
    ];
    Program { threads, ..Program::default() }
}

/// Each thread stores, then looks for the other one's store.
pub fn store_buffering() -> Program {
    let thread = |mine, other| {
        vec![write(mine, number(1)), read(0, other), when(local(0), Test::Equal, 0, vec![], vec![])]
    };
    Program { threads: vec![thread(0, 1), thread(1, 0)], ..Program::default() }
}

/// Data and a flag, and a thread that looks at the data when the flag is set.
pub fn message_passing() -> Program {
    let sender = vec![write(0, number(1)), write(1, number(1))];
    let data = vec![read(1, 0), when(local(1), Test::Equal, 1, vec![], vec![])];
    let receiver = vec![read(0, 1), when(local(0), Test::Equal, 1, data, vec![])];
    Program { threads: vec![sender, receiver], ..Program::default() }
}
