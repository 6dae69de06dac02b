//! Names of symbols for people, where there is no debug information.

/// The last part of a Rust or C++ symbol's path; other names as they are.
pub fn readable(symbol: &str) -> String {
    let parts = match (symbol.strip_prefix("_R"), symbol.strip_prefix("_ZN")) {
        (Some(rest), _) => parts(rest),
        (_, Some(rest)) => parts(rest.trim_start_matches(['K', 'V', 'r'])),
        _ => return symbol.to_owned(),
    };
    // The older form of Rust's symbols ends with a hash.
    let hash = |part: &&str| part.len() == 17 && part.starts_with('h');
    match parts.iter().rev().find(|part| !hash(part)) {
        Some(last) => (*last).to_owned(),
        None => symbol.to_owned(),
    }
}

/// The identifiers of a symbol: each is preceded by its length. What makes crates distinct (`s8kQ_`) is no identifier.
fn parts(mut rest: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some(first) = rest.chars().next() {
        if first == 's'
            && let Some(end) = rest.find('_')
            && rest[1..end].bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            rest = &rest[end + 1..];
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (length, after) = rest.split_at(digits);
        let after = after.strip_prefix('_').unwrap_or(after);
        let Some(part) = length.parse().ok().and_then(|length: usize| after.get(..length)) else { break };
        if !part.is_empty() {
            parts.push(part);
        }
        rest = &after[part.len()..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn the_last_part_is_left() {
        assert_eq!(readable("counter"), "counter");
        assert_eq!(
            readable("_RNvNtNtCs8kQ1x_3std9panicking11panic_count18GLOBAL_PANIC_COUNT"),
            "GLOBAL_PANIC_COUNT"
        );
        assert_eq!(readable("_ZN3std9panicking11panic_count17h0123456789abcdefE"), "panic_count");
        assert_eq!(readable("_ZN4bank7balanceE"), "balance");
        assert_eq!(readable("_R"), "_R");
    }
}
