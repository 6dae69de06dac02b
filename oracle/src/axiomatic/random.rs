//! Random litmus tests.

use super::{Statement, Term, Test};
use selvedge_trace::MemoryOrder;

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// What a test is made of: each test has little of everything, or much of something.
struct Taste {
    locations: u32,
    updates: u64,
    fences: u64,
    sequential: u64,
    conditions: u64,
    plain: u64,
    mutexes: bool,
}

/// A test that a number stands for.
pub fn random(seed: u64) -> Test {
    let mut numbers = Numbers(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let taste = Taste {
        locations: numbers.pick(&[1, 2, 2, 2, 3]),
        updates: numbers.pick(&[0, 20, 70]),
        fences: numbers.pick(&[0, 15, 30]),
        sequential: numbers.pick(&[0, 30, 80]),
        conditions: numbers.pick(&[0, 20]),
        plain: numbers.pick(&[0, 0, 0, 15]),
        mutexes: numbers.chance(20),
    };
    let threads = numbers.pick(&[2, 2, 3, 3, 4]);
    let mut test = Test::default();
    test.locations.extend(["x", "y", "z"][..taste.locations as usize].iter().map(|name| name.to_string()));
    if taste.mutexes {
        test.locations.extend(["m".to_string(), "n".to_string()]);
    }
    // Few enough accesses for the enumerator.
    let mut budget = 8_usize;
    for thread in 0..threads {
        let left = threads - thread;
        let most = (budget as u64 / left).clamp(1, 4);
        let count = 1 + numbers.below(most);
        let mut statements = Vec::new();
        let mut registers = Vec::new();
        for _ in 0..count {
            let statement = statement(&mut numbers, &taste, &mut test, &mut registers);
            let cost = if matches!(statement, Statement::Fence { .. }) { 0 } else { 1 };
            budget = budget.saturating_sub(cost);
            statements.push(statement);
        }
        if taste.mutexes && numbers.chance(70) {
            protect(&mut numbers, taste.locations, &mut statements);
        }
        test.threads.push(statements);
    }
    test
}

/// Classic tests, with a fence between any two accesses.
const CLASSIC: [&str; 12] = [
    "x.rlx = 1; fence.sc; a = y.rlx\ny.rlx = 1; fence.sc; b = x.rlx",
    "x.rlx = 1; fence.sc; y.rlx = 1\na = y.rlx; fence.sc; b = x.rlx",
    "x.rlx = 1; fence.sc; y.rlx = 1\ny.rlx = 2; fence.sc; a = x.rlx",
    "x.rlx = 2; fence.sc; y.rlx = 1\na = y.rlx; fence.sc; x.rlx = 1",
    "x.rlx = 1; fence.sc; y.rlx = 2\ny.rlx = 1; fence.sc; x.rlx = 2",
    "x.rlx = 1\na = x.rlx; fence.sc; y.rlx = 1\nb = y.rlx; fence.sc; c = x.rlx",
    "x.rlx = 1; fence.sc; y.rlx = 1\na = y.rlx; fence.sc; z.rlx = 1\nb = z.rlx; fence.sc; c = x.rlx",
    "x.rlx = 1; fence.sc; y.rlx = 1\ny.rlx = 2; fence.sc; z.rlx = 1\na = z.rlx; fence.sc; b = x.rlx",
    "x.rlx = 1; fence.sc; y.rlx = 1\na = y.rlx; fence.sc; b = z.rlx\nz.rlx = 1; fence.sc; c = x.rlx",
    "x.rlx = 1\na = x.rlx; fence.sc; b = y.rlx\ny.rlx = 1; fence.sc; c = x.rlx",
    "x.rlx = 1; fence.sc; a = y.rlx\ny.rlx = 1; fence.sc; b = z.rlx\nz.rlx = 1; fence.sc; c = x.rlx",
    "x.rlx = 1\ny.rlx = 1\na = x.rlx; fence.sc; b = y.rlx\nc = y.rlx; fence.sc; d = x.rlx",
];

/// A classic test that a number stands for, with some of its fences, and some accesses stronger than relaxed.
pub fn random_with_fences(seed: u64) -> Test {
    let mut numbers = Numbers(seed.wrapping_mul(0x9fb2_1c65_1e98_df25));
    let mut test = super::parse(numbers.pick(&CLASSIC)).unwrap_or_default();
    let (fences, strong) = (numbers.pick(&[50, 70, 90]), numbers.pick(&[0, 0, 20, 50]));
    for statements in &mut test.threads {
        statements.retain(|one| !matches!(one, Statement::Fence { .. }) || numbers.chance(fences));
        for one in statements {
            match one {
                Statement::Store { order, .. } if numbers.chance(strong) => {
                    *order = numbers.pick(&[MemoryOrder::Release, MemoryOrder::SeqCst]);
                }
                Statement::Load { order, .. } if numbers.chance(strong) => {
                    *order = numbers.pick(&[MemoryOrder::Acquire, MemoryOrder::SeqCst]);
                }
                _ => {}
            }
        }
    }
    test
}

/// Puts some of the statements between a lock and its unlock.
fn protect(numbers: &mut Numbers, first: u32, statements: &mut Vec<Statement>) {
    let mutex = first + numbers.below(2) as u32;
    let start = numbers.below(statements.len() as u64 + 1) as usize;
    let end = start + numbers.below((statements.len() - start) as u64 + 1) as usize;
    // Sometimes the mutex is not given back.
    if numbers.chance(90) {
        statements.insert(end, Statement::Unlock { mutex });
    }
    statements.insert(start, Statement::Lock { mutex });
    if numbers.chance(30) {
        let mutex = first + (mutex + 1 - first) % 2;
        statements.insert(start + 1, Statement::Unlock { mutex });
        statements.insert(start + 1, Statement::Lock { mutex });
    }
}

fn statement(numbers: &mut Numbers, taste: &Taste, test: &mut Test, own: &mut Vec<usize>) -> Statement {
    use MemoryOrder::*;
    let location = numbers.below(u64::from(taste.locations)) as u32;
    let sequential = numbers.chance(taste.sequential);
    let plain = numbers.chance(taste.plain);
    let mut order = |orders: &[MemoryOrder]| match (plain, sequential) {
        (true, _) => NotAtomic,
        (_, true) => SeqCst,
        _ => numbers.pick(orders),
    };
    let (load, store, fence) =
        (order(&[Relaxed, Acquire]), order(&[Relaxed, Release]), order(&[Acquire, Release, AcqRel]));
    let both = if sequential { SeqCst } else { numbers.pick(&[Relaxed, Acquire, Release, AcqRel]) };
    let new_register = |test: &mut Test| {
        test.registers.push(format!("r{}", test.registers.len()));
        test.registers.len() - 1
    };
    if numbers.chance(taste.fences) {
        return Statement::Fence { order: if fence == NotAtomic { SeqCst } else { fence } };
    }
    if !own.is_empty() && numbers.chance(taste.conditions) {
        let register = numbers.pick(own);
        let value = numbers.below(2);
        if numbers.chance(30) {
            return Statement::Assume { register, value };
        }
        let calm = Taste { conditions: 0, ..*taste };
        let then = vec![statement(numbers, &calm, test, own)];
        return Statement::If { register, equal: numbers.chance(50), value, then };
    }
    let register = if !own.is_empty() && numbers.chance(25) { Some(numbers.pick(own)) } else { None };
    let depends = register.filter(|_| numbers.chance(50));
    let value = Term { register, constant: 1 + numbers.below(2) };
    if numbers.chance(taste.updates) {
        let register = new_register(test);
        let statement = match numbers.below(4) {
            0 => Statement::Add { register, location, order: both, operand: value },
            1 => Statement::Exchange { register, location, order: both, operand: value },
            _ => {
                let orders = [both, numbers.pick(&[Relaxed, Acquire, SeqCst])];
                let expected = Term { register: None, constant: numbers.below(2) };
                Statement::CompareExchange { register, location, orders, expected, desired: value }
            }
        };
        own.push(register);
        return statement;
    }
    if numbers.chance(50) {
        return Statement::Store { location, order: store, value, depends };
    }
    let register = new_register(test);
    own.push(register);
    Statement::Load { register, location, order: load, depends }
}
