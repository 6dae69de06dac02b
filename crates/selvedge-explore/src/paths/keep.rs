//! Checkpoints of the search over paths: the executions that were asked for.
//!
//! A search that goes on performs them again, which takes a fraction of the time that it took to find them. What they
//! show is known then, and not asked for again; other questions are.

use crate::kit::checkpoint::{Checkpoint, KeptMove, KeptPaths, KeptRequest, KeptSymbol};
use selvedge_paths::{Move, Request};
use selvedge_terms::{Source, Symbol};

/// A checkpoint of these executions.
pub(crate) fn checkpoint(requests: &[KeptRequest]) -> Checkpoint {
    Checkpoint { paths: Some(KeptPaths { requests: requests.to_vec() }), ..Checkpoint::default() }
}

/// The executions; nothing if they are none.
pub(crate) fn requests(kept: &KeptPaths) -> Option<Vec<Request>> {
    kept.requests.iter().map(request).collect()
}

/// An execution that was asked for, as plain data.
pub(crate) fn keep_request(request: &Request) -> KeptRequest {
    let symbol = |symbol: &Symbol| -> Option<KeptSymbol> {
        Some(match symbol {
            Symbol::Input { thread, occurrence } => ("input".to_owned(), thread.to_string(), *occurrence),
            Symbol::Choice { thread, occurrence } => ("choice".to_owned(), thread.to_string(), *occurrence),
            Symbol::Byte { source, offset } => {
                let (kind, name) = match source {
                    Source::Argument(number) => ("argument", number.to_string()),
                    Source::StandardInput => ("stdin", String::new()),
                    Source::File(name) => ("file", name.clone()),
                    Source::Environment(name) => ("environment", name.clone()),
                };
                (kind.to_owned(), name, *offset)
            }
            Symbol::Read { .. } => return None,
        })
    };
    let inputs = request.inputs.iter().filter_map(|(name, value)| Some((symbol(name)?, value.to_string())));
    let moves = request.moves.iter().map(|step| -> KeptMove {
        let thread = step.thread().to_string();
        match step {
            Move::Step { .. } => ("step".to_owned(), thread, String::new()),
            Move::Notify { woken, .. } => ("notify".to_owned(), thread, woken.to_string()),
            Move::Expire { .. } => ("expire".to_owned(), thread, String::new()),
            Move::Commit { address, .. } => ("commit".to_owned(), thread, address.to_string()),
        }
    });
    KeptRequest {
        inputs: inputs.collect(),
        moves: moves.collect(),
        then: request.then.as_ref().map(ToString::to_string),
    }
}

fn request(kept: &KeptRequest) -> Option<Request> {
    let mut request = Request::default();
    for ((kind, name, number), value) in &kept.inputs {
        let byte = |source| Symbol::Byte { source, offset: *number };
        let symbol = match kind.as_str() {
            "input" => Symbol::Input { thread: name.parse().ok()?, occurrence: *number },
            "choice" => Symbol::Choice { thread: name.parse().ok()?, occurrence: *number },
            "argument" => byte(Source::Argument(name.parse().ok()?)),
            "stdin" => byte(Source::StandardInput),
            "file" => byte(Source::File(name.clone())),
            "environment" => byte(Source::Environment(name.clone())),
            _ => return None,
        };
        request.inputs.insert(symbol, value.parse().ok()?);
    }
    for (kind, thread, other) in &kept.moves {
        let thread = thread.parse().ok()?;
        request.moves.push(match kind.as_str() {
            "step" => Move::Step { thread },
            "notify" => Move::Notify { thread, woken: other.parse().ok()? },
            "expire" => Move::Expire { thread },
            "commit" => Move::Commit { thread, address: other.parse().ok()? },
            _ => return None,
        });
    }
    request.then = match &kept.then {
        Some(thread) => Some(thread.parse().ok()?),
        None => None,
    };
    Some(request)
}

#[cfg(test)]
mod tests {
    use super::{keep_request, request};
    use selvedge_paths::{Move, Request};
    use selvedge_terms::{Source, Symbol};
    use selvedge_trace::ThreadName;

    #[test]
    fn requests_come_back_as_they_were() {
        let main = ThreadName::main();
        let child = main.child(2);
        let asked = Request {
            inputs: [
                (Symbol::Input { thread: child.clone(), occurrence: 3 }, u128::MAX),
                (Symbol::Choice { thread: main.clone(), occurrence: 0 }, 1),
                (Symbol::Byte { source: Source::File("a b".to_owned()), offset: 7 }, 255),
                (Symbol::Byte { source: Source::Argument(1), offset: 0 }, 65),
            ]
            .into(),
            moves: vec![
                Move::Step { thread: main.clone() },
                Move::Notify { thread: main.clone(), woken: child.clone() },
                Move::Expire { thread: child.clone() },
                Move::Commit { thread: child.clone(), address: 4096 },
            ],
            then: Some(child),
        };
        assert_eq!(request(&keep_request(&asked)), Some(asked));
    }
}
