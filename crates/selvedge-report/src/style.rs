//! Colours, or none.

/// How text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Characters in a line.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { colour: false, width: 100 }
    }
}

impl Style {
    /// Something bad.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Something good.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Something doubtful.
    pub fn doubtful(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Something to be seen first.
    pub fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Something of little weight.
    pub fn weak(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
