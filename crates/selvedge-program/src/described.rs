//! Reads what variables are made of from debug information.

use crate::llvm::{Context, Metadata, MetadataKind};
use crate::positions::is_library_file;
use crate::shapes::{Encoding, Member, Shape, ShapeId, ShapeKind, Variants, shortened};
use rustc_hash::FxHashMap;

// Tags of DWARF.
const ARRAY: u16 = 0x01;
const CLASS: u16 = 0x02;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const REFERENCE: u16 = 0x10;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;
const INHERITANCE: u16 = 0x1c;
const CONSTANT: u16 = 0x26;
const VARIANT_PART: u16 = 0x33;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const RVALUE_REFERENCE: u16 = 0x42;
const ATOMIC: u16 = 0x47;

// Where operands of nodes are.
const FILE: usize = 0;
const SCOPE: usize = 1;
const NAME: usize = 2;
/// Of a variable.
const TYPE: usize = 3;
/// Of a type that is made from another.
const BASE: usize = 5;
/// Of a compound.
const ELEMENTS: usize = 6;
/// Of a compound of variants: the member that says which of them is there.
const DISCRIMINATOR: usize = 10;
/// Of a member that is a variant: the number that means it.
const NUMBER: usize = 6;

/// More than this is not read: it only helps to name things.
const MOST: usize = 20_000;
/// Namespaces within namespaces; malformed debug information may be cyclic.
const DEEPEST: usize = 50;
/// Namespaces of standard libraries.
const STANDARD: [&str; 4] = ["std", "core", "alloc", "__gnu_cxx"];

/// The shapes of the types of one program.
pub struct Described {
    pub shapes: Vec<Shape>,
    known: FxHashMap<Metadata, ShapeId>,
}

impl Default for Described {
    fn default() -> Self {
        Described { shapes: vec![Shape::default()], known: FxHashMap::default() }
    }
}

impl Described {
    /// The shape of a variable's type.
    pub fn of_variable(&mut self, context: &Context, variable: Metadata) -> ShapeId {
        let operands = context.metadata_operands(variable);
        self.of_type(context, operand(&operands, TYPE))
    }

    fn of_type(&mut self, context: &Context, ty: Option<Metadata>) -> ShapeId {
        let mut waiting = Vec::new();
        let id = self.number(ty, &mut waiting);
        while let Some((id, ty)) = waiting.pop() {
            let shape = self.read(context, ty, &mut waiting);
            self.shapes[id as usize] = shape;
        }
        id
    }

    /// The number of a type, which is read later if it is new.
    fn number(&mut self, ty: Option<Metadata>, waiting: &mut Vec<(ShapeId, Metadata)>) -> ShapeId {
        let Some(ty) = ty.filter(|ty| ty.is_type()) else { return 0 };
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        if self.shapes.len() >= MOST {
            return 0;
        }
        let id = self.shapes.len() as ShapeId;
        self.shapes.push(Shape::default());
        self.known.insert(ty, id);
        waiting.push((id, ty));
        id
    }

    fn read(&mut self, context: &Context, ty: Metadata, waiting: &mut Vec<(ShapeId, Metadata)>) -> Shape {
        let operands = context.metadata_operands(ty);
        let own = text(context, &operands, NAME);
        let (name, size) = (shortened(own).into_boxed_str(), ty.type_bits().div_ceil(8));
        let library = is_library(context, &operands);
        let shape = Shape { name, size, kind: ShapeKind::Opaque, library };
        match ty.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => {
                Shape { kind: encoding(context, ty).map_or(ShapeKind::Opaque, ShapeKind::Number), ..shape }
            }
            MetadataKind::LLVMDIDerivedTypeMetadataKind => {
                self.derived(context, ty, &operands, shape, waiting)
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => {
                self.compound(context, ty, &operands, shape, waiting)
            }
            _ => shape,
        }
    }

    fn derived(
        &mut self,
        context: &Context,
        ty: Metadata,
        operands: &[Option<Metadata>],
        shape: Shape,
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Shape {
        let base = operand(operands, BASE);
        match ty.tag() {
            POINTER | REFERENCE | RVALUE_REFERENCE => {
                Shape { kind: ShapeKind::Pointer(self.number(base, waiting)), ..shape }
            }
            TYPEDEF | CONSTANT | VOLATILE | RESTRICT | ATOMIC => self.renamed(context, ty, waiting),
            _ => shape,
        }
    }

    /// What a type is that is another one under another name: the first name is the one that the program uses.
    fn renamed(
        &mut self,
        context: &Context,
        mut ty: Metadata,
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Shape {
        let mut library = false;
        let mut name: Box<str> = "".into();
        for _ in 0..DEEPEST {
            if !matches!(ty.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
                || !matches!(ty.tag(), TYPEDEF | CONSTANT | VOLATILE | RESTRICT | ATOMIC)
            {
                let shape = self.read(context, ty, waiting);
                let compound = matches!(shape.kind, ShapeKind::Struct(_) | ShapeKind::Union(_));
                let name = if name.is_empty() { shape.name } else { name };
                return Shape { name, library: shape.library || (library && compound), ..shape };
            }
            let operands = context.metadata_operands(ty);
            library |= is_library(context, &operands);
            if name.is_empty() {
                name = shortened(text(context, &operands, NAME)).into();
            }
            match operand(&operands, BASE).filter(|base| base.is_type()) {
                Some(base) => ty = base,
                None => break,
            }
        }
        Shape { name, ..Shape::default() }
    }

    fn compound(
        &mut self,
        context: &Context,
        ty: Metadata,
        operands: &[Option<Metadata>],
        shape: Shape,
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Shape {
        let elements = operand(operands, ELEMENTS).map_or(Vec::new(), |list| list_of(context, list));
        match ty.tag() {
            STRUCTURE if let Some(variants) = self.variants(context, &elements, waiting) => {
                Shape { kind: ShapeKind::Variants(Box::new(variants)), ..shape }
            }
            STRUCTURE | CLASS => {
                Shape { kind: ShapeKind::Struct(self.members(context, &elements, waiting)), ..shape }
            }
            UNION => Shape { kind: ShapeKind::Union(self.members(context, &elements, waiting)), ..shape },
            ARRAY => self.array(context, operand(operands, BASE), &elements, shape, waiting),
            ENUMERATION => {
                let values = elements.iter().filter_map(|&element| enumerator(context, element));
                Shape { kind: ShapeKind::Enum(values.collect()), ..shape }
            }
            _ => shape,
        }
    }

    /// The variants of an enum of Rust's, if it is one.
    fn variants(
        &mut self,
        context: &Context,
        elements: &[Metadata],
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Option<Variants> {
        let [part] = elements else { return None };
        let composite = matches!(part.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind);
        if !composite || part.tag() != VARIANT_PART {
            return None;
        }
        let operands = context.metadata_operands(*part);
        let discriminator = operand(&operands, DISCRIMINATOR).filter(|node| node.is_type())?;
        let tag = self.members(context, &[discriminator], waiting).into_iter().next()?;
        let mut cases = Vec::new();
        for variant in list_of(context, operand(&operands, ELEMENTS)?) {
            let member = self.members(context, &[variant], waiting).into_iter().next()?;
            let operands = context.metadata_operands(variant);
            let number = operand(&operands, NUMBER).and_then(|_| context.metadata_integer(variant, NUMBER));
            cases.push((number.map(i128::from), member));
        }
        Some(Variants { tag, cases: cases.into() })
    }

    fn members(
        &mut self,
        context: &Context,
        elements: &[Metadata],
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Box<[Member]> {
        let mut members = Vec::new();
        for &element in elements {
            let derived = matches!(element.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind);
            if !derived || !matches!(element.tag(), MEMBER | INHERITANCE) || element.is_static_member() {
                continue;
            }
            let operands = context.metadata_operands(element);
            let inherited = element.tag() == INHERITANCE;
            let name = if inherited { "" } else { text(context, &operands, NAME) };
            let shape = self.number(operand(&operands, BASE), waiting);
            members.push(Member { name: name.into(), offset: element.offset_bits() / 8, shape });
        }
        members.into()
    }

    /// Arrays of several dimensions are arrays of arrays.
    fn array(
        &mut self,
        context: &Context,
        base: Option<Metadata>,
        elements: &[Metadata],
        shape: Shape,
        waiting: &mut Vec<(ShapeId, Metadata)>,
    ) -> Shape {
        let counts: Option<Vec<u64>> = elements
            .iter()
            .map(|&element| {
                let range = matches!(element.kind(), MetadataKind::LLVMDISubrangeMetadataKind);
                range.then(|| context.metadata_integer(element, 0)).flatten()?.try_into().ok()
            })
            .collect();
        let all = counts
            .as_ref()
            .map_or(0, |counts| counts.iter().fold(1_u64, |all, &one| all.saturating_mul(one)));
        let Some((counts, false)) = counts.map(|counts| (counts, all == 0)) else { return shape };
        let mut element = self.number(base, waiting);
        let mut room = shape.size / all;
        // The innermost dimension comes last; all but the outermost are shapes of their own.
        for &count in counts.iter().skip(1).rev() {
            room *= count;
            let inner = Shape { size: room, kind: ShapeKind::Array { element, count }, ..Shape::default() };
            element = self.shapes.len() as ShapeId;
            self.shapes.push(inner);
        }
        Shape { kind: ShapeKind::Array { element, count: counts[0] }, library: false, ..shape }
    }
}

fn operand(operands: &[Option<Metadata>], index: usize) -> Option<Metadata> {
    operands.get(index).copied().flatten()
}

fn text<'c>(context: &'c Context, operands: &[Option<Metadata>], index: usize) -> &'c str {
    operand(operands, index).map_or("", |node| context.metadata_string(node))
}

fn list_of(context: &Context, list: Metadata) -> Vec<Metadata> {
    match list.kind() {
        MetadataKind::LLVMMDTupleMetadataKind => {
            context.metadata_operands(list).into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a type was declared by a library: in one of its files, or in a namespace of a standard library.
fn is_library(context: &Context, operands: &[Option<Metadata>]) -> bool {
    let file = operand(operands, FILE).and_then(Metadata::as_file);
    if file.is_some_and(|file| is_library_file(file.file_path())) {
        return true;
    }
    let mut scope = operand(operands, SCOPE);
    let mut outermost = "";
    for _ in 0..DEEPEST {
        let Some(current) = scope else { break };
        let named = matches!(
            current.kind(),
            MetadataKind::LLVMDINamespaceMetadataKind | MetadataKind::LLVMDICompositeTypeMetadataKind
        );
        if !named {
            break;
        }
        let operands = context.metadata_operands(current);
        outermost = text(context, &operands, NAME);
        scope = operand(&operands, SCOPE);
    }
    STANDARD.contains(&outermost)
}

/// What debug information says of a number, which LLVM's interface tells only as text.
fn encoding(context: &Context, ty: Metadata) -> Option<Encoding> {
    let printed = context.printed(ty);
    let word = printed.split("encoding: DW_ATE_").nth(1)?;
    Some(
        match word.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').next()? {
            "boolean" => Encoding::Boolean,
            "signed" => Encoding::Signed,
            "unsigned" => Encoding::Unsigned,
            "float" => Encoding::Float,
            "signed_char" | "unsigned_char" | "UTF" => Encoding::Character,
            _ => return None,
        },
    )
}

fn enumerator(context: &Context, element: Metadata) -> Option<(i128, Box<str>)> {
    if !matches!(element.kind(), MetadataKind::LLVMDIEnumeratorMetadataKind) {
        return None;
    }
    let printed = context.printed(element);
    let value = printed.rsplit("value: ").next()?;
    let end =
        value.find(|character: char| !character.is_ascii_digit() && character != '-').unwrap_or(value.len());
    let operands = context.metadata_operands(element);
    let name =
        operands.iter().flatten().map(|&node| context.metadata_string(node)).find(|name| !name.is_empty())?;
    Some((value[..end].parse().ok()?, name.into()))
}
