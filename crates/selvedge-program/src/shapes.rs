//! What variables are made of, for people: members, elements, names of values. From debug information, as far as there is
//! some; nothing that is executed depends on it.

/// Number of a shape in [`crate::Program::shapes`]; 0 is what is not known.
pub type ShapeId = u32;

/// How the bytes of a number are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    Float,
    Character,
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty for base classes and members without a name.
    pub name: Box<str>,
    /// Bytes from the compound's beginning.
    pub offset: u64,
    pub shape: ShapeId,
}

/// What a shape is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShapeKind {
    /// Bytes.
    #[default]
    Opaque,
    Number(Encoding),
    /// The shape of what it points to.
    Pointer(ShapeId),
    Struct(Box<[Member]>),
    /// Members that lie over each other.
    Union(Box<[Member]>),
    Array {
        element: ShapeId,
        count: u64,
    },
    /// Values and their names.
    Enum(Box<[(i128, Box<str>)]>),
    /// One of several compounds, as Rust's enums are.
    Variants(Box<Variants>),
}

/// One of several compounds: a number says which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The number.
    pub tag: Member,
    /// The compounds by that number; the one without is meant by all other numbers.
    pub cases: Box<[(Option<i128>, Member)]>,
}

impl Variants {
    /// The compound that is meant by a number of so many bytes.
    pub fn case(&self, tag: u64, bytes: u64) -> Option<&Member> {
        let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
        let signed = ((tag << unused) as i64) >> unused;
        let is = |number: i128| number == i128::from(tag) || number == i128::from(signed);
        let exact = self.cases.iter().find(|(number, _)| number.is_some_and(is));
        exact.or_else(|| self.cases.iter().find(|(number, _)| number.is_none())).map(|(_, member)| member)
    }
}

/// A type as people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Its name, without the paths of modules and namespaces.
    pub name: Box<str>,
    /// Bytes.
    pub size: u64,
    pub kind: ShapeKind,
    /// It is a library's: names of its members mean nothing to users.
    pub library: bool,
}

/// What lies at an offset of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What to write behind the name of the whole: `.balance`, `[3].next`, or nothing.
    pub path: String,
    pub shape: ShapeId,
    /// Bytes from the beginning of that part.
    pub offset: u64,
}

/// Compounds within compounds are followed as deep as this.
const DEEPEST: usize = 64;

/// The part of a shape that an access of `size` bytes at an offset is about; 0 asks for the innermost part. Parts of what
/// is a library's have no names of their own: a lock is called what the user calls it.
pub fn part_at(shapes: &[Shape], shape: ShapeId, offset: u64, size: u64) -> Part {
    let mut part = Part { path: String::new(), shape, offset };
    for _ in 0..DEEPEST {
        let Some(whole) = shapes.get(part.shape as usize) else { break };
        let fits = |id: ShapeId| shapes.get(id as usize).map_or(0, |shape| shape.size);
        let inside = |member: &&Member| {
            let room = fits(member.shape);
            member.offset <= part.offset && part.offset - member.offset < room && size <= room
        };
        match &whole.kind {
            ShapeKind::Struct(members) => {
                let Some(member) = members.iter().find(inside) else { break };
                step(&mut part, whole, member);
            }
            ShapeKind::Union(members) => {
                // Which of them is meant is not known, unless there is only one that fits.
                let mut fitting = members.iter().filter(inside);
                let (Some(member), None) = (fitting.next(), fitting.next()) else { break };
                step(&mut part, whole, member);
            }
            &ShapeKind::Array { element, .. } => {
                let room = fits(element);
                if room == 0 || size > room {
                    break;
                }
                if !whole.library {
                    part.path.push_str(&format!("[{}]", part.offset / room));
                }
                (part.shape, part.offset) = (element, part.offset % room);
            }
            ShapeKind::Opaque
            | ShapeKind::Number(_)
            | ShapeKind::Pointer(_)
            | ShapeKind::Enum(_)
            | ShapeKind::Variants(_) => break,
        }
    }
    part
}

fn step(part: &mut Part, whole: &Shape, member: &Member) {
    if !whole.library && !member.name.is_empty() {
        part.path.push('.');
        part.path.push_str(&member.name);
    }
    part.shape = member.shape;
    part.offset -= member.offset;
}

/// All pointers in a shape: offsets, and shapes of what they point to. At most `most` are told.
pub fn pointers(shapes: &[Shape], shape: ShapeId, most: usize, tell: &mut dyn FnMut(u64, ShapeId)) {
    let mut waiting = vec![(shape, 0, 0)];
    let mut looked = 0;
    while let Some((id, offset, depth)) = waiting.pop() {
        looked += 1;
        let Some(shape) = shapes.get(id as usize).filter(|_| looked <= most && depth < DEEPEST) else {
            continue;
        };
        match &shape.kind {
            &ShapeKind::Pointer(to) => tell(offset, to),
            ShapeKind::Struct(members) | ShapeKind::Union(members) => {
                let inner = members.iter().rev();
                waiting.extend(inner.map(|member| (member.shape, offset + member.offset, depth + 1)));
            }
            &ShapeKind::Array { element, count } => {
                let room = shapes.get(element as usize).map_or(0, |shape| shape.size);
                let count = count.min(most as u64);
                waiting.extend((0..count).rev().map(|index| (element, offset + index * room, depth + 1)));
            }
            // Which variant is there is not known here.
            ShapeKind::Opaque | ShapeKind::Number(_) | ShapeKind::Enum(_) | ShapeKind::Variants(_) => {}
        }
    }
}

/// A name without the paths that lead to it, also of what stands in brackets: `Arc<Mutex<Account>>`.
pub fn shortened(name: &str) -> String {
    let mut short = String::new();
    // Where the path that is being read begins.
    let mut begin = 0;
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        if character == ':' && rest.peek() == Some(&':') {
            rest.next();
            // What is a path within brackets of its own, as in `<A as B>::C`, stays.
            if short.ends_with(['>', ')', ']']) {
                short.push_str("::");
                begin = short.len();
            } else {
                short.truncate(begin);
            }
            continue;
        }
        short.push(character);
        if !(character.is_alphanumeric() || "_{}#$".contains(character)) {
            begin = short.len();
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: u64, shape: ShapeId) -> Member {
        Member { name: name.into(), offset, shape }
    }

    fn shape(name: &str, size: u64, kind: ShapeKind) -> Shape {
        Shape { name: name.into(), size, kind, library: false }
    }

    /// A lock of a library, an account with such a lock and an array, and a union.
    fn shapes() -> Vec<Shape> {
        let lock = ShapeKind::Struct([member("word", 0, 1)].into());
        let account =
            ShapeKind::Struct([member("lock", 0, 2), member("log", 4, 4), member("next", 16, 5)].into());
        let either = ShapeKind::Union([member("whole", 0, 1), member("either", 0, 1)].into());
        vec![
            Shape::default(),
            shape("int", 4, ShapeKind::Number(Encoding::Signed)),
            Shape { library: true, ..shape("mutex", 4, lock) },
            shape("account", 24, account),
            shape("", 12, ShapeKind::Array { element: 1, count: 3 }),
            shape("", 8, ShapeKind::Pointer(3)),
            shape("either", 4, either),
        ]
    }

    fn path(offset: u64, size: u64) -> (String, ShapeId) {
        let part = part_at(&shapes(), 3, offset, size);
        (part.path, part.shape)
    }

    #[test]
    fn parts_have_names() {
        assert_eq!(path(0, 0), (".lock".into(), 1), "an object of a library's");
        assert_eq!(path(0, 4), (".lock".into(), 1), "its members have no names");
        assert_eq!(path(12, 4), (".log[2]".into(), 1));
        assert_eq!(path(16, 8), (".next".into(), 5));
        assert_eq!(path(4, 8), (".log".into(), 4), "more than an element");
        assert_eq!(path(0, 24), (String::new(), 3));
        assert_eq!(part_at(&shapes(), 6, 0, 4).path, "", "which one is not known");
        assert_eq!(part_at(&shapes(), 0, 8, 4), Part { path: String::new(), shape: 0, offset: 8 });
    }

    #[test]
    fn pointers_are_found() {
        let mut found = Vec::new();
        pointers(&shapes(), 3, 100, &mut |offset, to| found.push((offset, to)));
        assert_eq!(found, [(16, 3)]);
    }

    #[test]
    fn numbers_choose_variants() {
        let tag = member("tag", 0, 1);
        let cases =
            [(Some(0), member("None", 0, 1)), (Some(-1), member("Lost", 0, 1)), (None, member("Some", 0, 1))];
        let variants = Variants { tag, cases: cases.into() };
        let name = |tag, bytes| variants.case(tag, bytes).map(|member| &*member.name);
        assert_eq!(name(0, 4), Some("None"));
        assert_eq!(name(0xff, 1), Some("Lost"));
        assert_eq!(name(0xff, 4), Some("Some"));
    }

    #[test]
    fn names_are_shortened() {
        let check = |name, expected| assert_eq!(shortened(name), expected);
        check("balance", "balance");
        check("bank::HITS", "HITS");
        check(
            "alloc::sync::Arc<std::sync::Mutex<bank::Account>, alloc::alloc::Global>",
            "Arc<Mutex<Account>, Global>",
        );
        check("std::vector<std::pair<int, a::b>>", "vector<pair<int, b>>");
        check("<a::B as c::D>::run", "<B as D>::run");
        check("<a::B>::c::d", "<B>::d");
        check("&mut [core::cell::Cell<u8>]", "&mut [Cell<u8>]");
    }
}
