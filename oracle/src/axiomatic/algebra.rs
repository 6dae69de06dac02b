//! Relations over few events, as matrices of bits.

/// A relation over `0..count`, at most 64 events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    rows: Vec<u64>,
}

impl Relation {
    /// The relation of all pairs for which `holds`.
    pub fn new(count: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        assert!(count <= 64, "the enumerator is for small tests");
        let row = |a| (0..count).filter(|&b| holds(a, b)).fold(0, |row, b| row | 1 << b);
        Relation { rows: (0..count).map(row).collect() }
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    /// Whether two events are related.
    pub fn holds(&self, a: usize, b: usize) -> bool {
        self.rows[a] >> b & 1 != 0
    }

    /// `self ∪ other`
    pub fn or(&self, other: &Relation) -> Relation {
        Relation { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| a | b).collect() }
    }

    /// `self ∩ other`
    pub fn and(&self, other: &Relation) -> Relation {
        Relation { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| a & b).collect() }
    }

    /// `self \ other`
    pub fn without(&self, other: &Relation) -> Relation {
        Relation { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| a & !b).collect() }
    }

    /// `self ; other`
    pub fn then(&self, other: &Relation) -> Relation {
        let through =
            |row: &u64| (0..self.count()).filter(|b| row >> b & 1 != 0).fold(0, |all, b| all | other.rows[b]);
        Relation { rows: self.rows.iter().map(through).collect() }
    }

    /// `self⁻¹`
    pub fn inverse(&self) -> Relation {
        Relation::new(self.count(), |a, b| self.holds(b, a))
    }

    /// `self⁺`
    pub fn closure(&self) -> Relation {
        let mut closed = self.clone();
        for middle in 0..self.count() {
            let further = closed.rows[middle];
            closed.rows.iter_mut().filter(|row| **row >> middle & 1 != 0).for_each(|row| *row |= further);
        }
        closed
    }

    /// `self?`
    pub fn maybe(&self) -> Relation {
        Relation::new(self.count(), |a, b| a == b || self.holds(a, b))
    }

    /// Whether no event is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        (0..self.count()).all(|a| !self.holds(a, a))
    }

    /// Whether there is no circle.
    pub fn is_acyclic(&self) -> bool {
        self.closure().is_irreflexive()
    }

    /// Whether nothing is related.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| *row == 0)
    }
}
