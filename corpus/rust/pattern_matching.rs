// selvedge: run
// expect: exit 0
// native: same
// stdout: 1 + 2 * 3 = Some(7.0)
// stdout: (1 + 2) * 3 = Some(9.0)
// stdout: 8 / (4 - 4) = None
// stdout: 2 ^ 3 = None
// stdout: ((7)) = Some(7.0)
// stdout: 10 - 4 - 3 = Some(3.0)
// stdout: [] empty
// stdout: [-1] negative
// stdout: [5] single
// stdout: [2, 9, 2] closed
// stdout: [1, 2, 3] from one
// stdout: [4, 5] other
// stdout: small 3
// stdout: (7, 6)

//! Patterns: enums with data, ranges, bindings, slices, nested options, guards, let-else, labels.

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Operator(char),
    Group(Vec<Token>),
}

fn tokenize(input: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    while let Some(&c) = input.peek() {
        match c {
            '0'..='9' | '.' => {
                let mut text = String::new();
                while let Some(d @ ('0'..='9' | '.')) = input.peek().copied() {
                    text.push(d);
                    input.next();
                }
                tokens.push(Token::Number(text.parse().ok()?));
            }
            '(' => {
                input.next();
                tokens.push(Token::Group(tokenize(input)?));
            }
            ')' => {
                input.next();
                return Some(tokens);
            }
            '+' | '-' | '*' | '/' => {
                input.next();
                tokens.push(Token::Operator(c));
            }
            _ if c.is_whitespace() => {
                input.next();
            }
            _ => return None,
        }
    }
    Some(tokens)
}

fn evaluate(tokens: &[Token]) -> Option<f64> {
    let split = |wanted: [char; 2]| {
        tokens.iter().rposition(|t| matches!(t, Token::Operator(c) if wanted.contains(c)))
    };
    let Some(at) = split(['+', '-']).or_else(|| split(['*', '/'])) else {
        return match tokens {
            [Token::Number(value)] => Some(*value),
            [Token::Group(inner)] => evaluate(inner),
            _ => None,
        };
    };
    let (left, right) = (evaluate(&tokens[..at])?, evaluate(&tokens[at + 1..])?);
    match tokens[at] {
        Token::Operator('+') => Some(left + right),
        Token::Operator('-') => Some(left - right),
        Token::Operator('*') => Some(left * right),
        Token::Operator('/') if right != 0.0 => Some(left / right),
        _ => None,
    }
}

fn classify(values: &[i32]) -> &'static str {
    match values {
        [] => "empty",
        [x] if *x < 0 => "negative",
        [_] => "single",
        [first, .., last] if first == last => "closed",
        [1, rest @ ..] if rest.len() > 1 => "from one",
        [_, ..] => "other",
    }
}

fn main() {
    for text in ["1 + 2 * 3", "(1 + 2) * 3", "8 / (4 - 4)", "2 ^ 3", "((7))", "10 - 4 - 3"] {
        let tokens = tokenize(&mut text.chars().peekable());
        println!("{text} = {:?}", tokens.as_deref().and_then(evaluate));
    }
    for values in [&[][..], &[-1], &[5], &[2, 9, 2], &[1, 2, 3], &[4, 5]] {
        println!("{values:?} {}", classify(values));
    }
    let nested = Some(Some(3u8));
    if let Some(Some(n @ 1..=5)) = nested {
        println!("small {n}");
    }
    let found = 'search: {
        for i in 1.. {
            for j in 1..i {
                if i * j == 42 {
                    break 'search (i, j);
                }
            }
        }
        (0, 0)
    };
    println!("{found:?}");
}
