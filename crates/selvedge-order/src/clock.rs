//! For every node, how much of every track must come before it.

use crate::prepare::Node;

/// Rows of counts, one row a node and one count a track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    pub width: usize,
    data: Vec<u16>,
    row: Vec<u16>,
}

impl Clocks {
    pub fn new(nodes: usize, width: usize) -> Self {
        Clocks { width, data: vec![0; nodes * width], row: vec![0; width] }
    }

    /// Becomes a copy, keeping its memory.
    pub fn copy_from(&mut self, other: &Clocks) {
        self.width = other.width;
        self.data.clear();
        self.data.extend_from_slice(&other.data);
        self.row.clear();
        self.row.resize(other.width, 0);
    }

    pub fn row(&self, node: u32) -> &[u16] {
        let start = node as usize * self.width;
        &self.data[start..start + self.width]
    }

    pub fn row_mut(&mut self, node: u32) -> &mut [u16] {
        let start = node as usize * self.width;
        &mut self.data[start..start + self.width]
    }

    /// Whether `earlier` must come before `node`.
    pub fn has(&self, node: u32, earlier: &Node) -> bool {
        self.data[node as usize * self.width + earlier.track as usize] > earlier.index
    }

    /// Raises a row to at least these counts.
    pub fn raise(&mut self, node: u32, counts: &[u16]) -> bool {
        raise(self.row_mut(node), counts)
    }

    /// Raises one count of a row.
    pub fn raise_one(&mut self, node: u32, track: usize, count: u16) -> bool {
        let value = &mut self.row_mut(node)[track];
        let changed = *value < count;
        *value = (*value).max(count);
        changed
    }

    /// `earlier`, and all that must come before it, comes before `node`.
    pub fn add(&mut self, node: u32, earlier: u32, description: &Node) -> bool {
        let mut row = std::mem::take(&mut self.row);
        row.copy_from_slice(self.row(earlier));
        let own = &mut row[description.track as usize];
        *own = (*own).max(description.index + 1);
        let changed = self.raise(node, &row);
        self.row = row;
        changed
    }
}

/// Raises counts; whether any was lower.
pub(crate) fn raise(row: &mut [u16], counts: &[u16]) -> bool {
    let mut difference = 0;
    for (value, &count) in row.iter_mut().zip(counts) {
        let raised = (*value).max(count);
        difference |= raised ^ *value;
        *value = raised;
    }
    difference != 0
}

/// Lowers counts.
pub(crate) fn lower(row: &mut [u16], counts: &[u16]) {
    for (value, &count) in row.iter_mut().zip(counts) {
        *value = (*value).min(count);
    }
}
