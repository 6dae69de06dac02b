//! Lines of indented text.

/// Text that is written line by line.
#[derive(Default)]
pub struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// Adds a line.
    pub fn add(&mut self, line: impl AsRef<str>) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a line after which others are indented.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.add(line);
        self.depth += 1;
    }

    /// Adds a line that ends what was opened.
    pub fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.add(line);
    }

    /// Adds a line that ends what was opened and opens something else.
    pub fn close_open(&mut self, line: &str) {
        self.close(line);
        self.depth += 1;
    }

    /// Adds lines that were written elsewhere.
    pub fn append(&mut self, other: Lines) {
        other.text.lines().for_each(|line| self.add(line));
    }

    /// All of it.
    pub fn text(self) -> String {
        self.text
    }
}

/// Whether a name occurs as a whole word.
pub fn mentions(text: &str, name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    text.match_indices(name).any(|(at, _)| {
        let before = at.checked_sub(1).is_none_or(|before| !is_word(bytes[before]));
        before && bytes.get(at + name.len()).is_none_or(|&after| !is_word(after))
    })
}

/// A thread's result: four bits of each register that its text uses.
pub fn masked(text: &str) -> String {
    let parts: Vec<String> = (0..super::ast::REGISTERS)
        .filter(|number| mentions(text, &format!("r{number}")))
        .map(|number| match number {
            0 => "(r0 & 15)".to_owned(),
            _ => format!("(r{number} & 15) << {}", 4 * number),
        })
        .collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
}
