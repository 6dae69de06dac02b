//! How values of LLVM's types lie in slots and in memory.

use crate::code::{FloatFormat, Leaf, Part};
use crate::llvm::{DataLayout, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// One scalar of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafAt {
    /// Byte offset in memory.
    pub offset: u32,
    /// Its class.
    pub leaf: Leaf,
    /// First slot, relative to the value's first slot.
    pub slot: u32,
    /// The vector that it is an element of, if it is one.
    pub part: Part,
}

/// The leaves of a type, in order.
#[derive(Debug, Default)]
pub struct Layout {
    /// The scalars.
    pub leaves: Vec<LeafAt>,
    /// Slots of the whole value.
    pub slots: u32,
    /// Bytes that a load or a store touches.
    pub bytes: u32,
    /// A vector whose elements do not lie on byte borders in memory.
    pub bit_packed: bool,
    /// The value is made of something that has no slots (scalable vectors, target types).
    pub unsupported: bool,
}

impl Layout {
    /// The leaf, if there is exactly one.
    pub fn scalar(&self) -> Option<Leaf> {
        match self.leaves[..] {
            [only] if !self.unsupported => Some(only.leaf),
            _ => None,
        }
    }
}

/// Layouts of the types of one program.
pub struct Types {
    data: DataLayout,
    layouts: RefCell<FxHashMap<Type, Rc<Layout>>>,
}

/// First-class values with more leaves than this are not worth slots; nothing real has them.
const MOST_LEAVES: u64 = 4096;

impl Types {
    /// Layouts under the given rules of size and alignment.
    pub fn new(data: DataLayout) -> Self {
        Types { data, layouts: RefCell::default() }
    }

    /// Sizes and offsets in memory.
    pub fn data(&self) -> DataLayout {
        self.data
    }

    /// The layout of a first-class type.
    pub fn layout(&self, ty: Type) -> Rc<Layout> {
        if let Some(layout) = self.layouts.borrow().get(&ty) {
            return layout.clone();
        }
        let mut layout = Layout::default();
        self.collect(ty, 0, &mut layout);
        if ty.is_sized() && !layout.unsupported {
            layout.bytes = self.data.store_size(ty) as u32;
        }
        let layout = Rc::new(layout);
        self.layouts.borrow_mut().insert(ty, layout.clone());
        layout
    }

    /// Number of slots of a value.
    pub fn slots(&self, ty: Type) -> u32 {
        self.layout(ty).slots
    }

    /// The class of a scalar type.
    pub fn scalar(&self, ty: Type) -> Option<Leaf> {
        Some(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => Leaf::Int(ty.int_bits()),
            TypeKind::LLVMPointerTypeKind => Leaf::Ptr,
            TypeKind::LLVMHalfTypeKind => Leaf::Float(FloatFormat::Half),
            TypeKind::LLVMBFloatTypeKind => Leaf::Float(FloatFormat::BFloat),
            TypeKind::LLVMFloatTypeKind => Leaf::Float(FloatFormat::Single),
            TypeKind::LLVMDoubleTypeKind => Leaf::Float(FloatFormat::Double),
            TypeKind::LLVMX86_FP80TypeKind => Leaf::Float(FloatFormat::X87),
            TypeKind::LLVMFP128TypeKind => Leaf::Float(FloatFormat::Quad),
            _ => return None,
        })
    }

    fn collect(&self, ty: Type, offset: u64, layout: &mut Layout) {
        if let Some(leaf) = self.scalar(ty) {
            let (offset, part) = (offset as u32, Part::whole(leaf));
            layout.leaves.push(LeafAt { offset, leaf, slot: layout.slots, part });
            layout.slots += leaf.slots();
            return;
        }
        match ty.kind() {
            TypeKind::LLVMStructTypeKind if ty.is_sized() => {
                for member in 0..ty.member_count() {
                    self.collect(ty.member(member), offset + self.data.offset(ty, member), layout);
                }
            }
            TypeKind::LLVMArrayTypeKind if ty.array_length() <= MOST_LEAVES => {
                let size = self.data.size(ty.element());
                for index in 0..ty.array_length() {
                    self.collect(ty.element(), offset + index * size, layout);
                    if layout.leaves.len() as u64 > MOST_LEAVES {
                        layout.unsupported = true;
                        return;
                    }
                }
            }
            TypeKind::LLVMVectorTypeKind if u64::from(ty.vector_length()) <= MOST_LEAVES => {
                let bits = self.data.bits(ty.element());
                layout.bit_packed |= !bits.is_multiple_of(8);
                let first = layout.leaves.len();
                for index in 0..u64::from(ty.vector_length()) {
                    self.collect(ty.element(), offset + index * bits / 8, layout);
                }
                let bytes = (u64::from(ty.vector_length()) * bits).div_ceil(8) as u32;
                for leaf in &mut layout.leaves[first..] {
                    leaf.part = Part { offset: leaf.offset - offset as u32, bytes, vector: true };
                }
            }
            TypeKind::LLVMVoidTypeKind => {}
            _ => layout.unsupported = true,
        }
    }

    /// Type and first slot (relative) of the member that a path of constant indices names.
    pub fn member(&self, mut ty: Type, path: &[u32]) -> (Type, u32) {
        let mut slot = 0;
        for &index in path {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    slot += (0..index).map(|before| self.slots(ty.member(before))).sum::<u32>();
                    ty = ty.member(index);
                }
                _ => {
                    ty = ty.element();
                    slot += index * self.slots(ty);
                }
            }
        }
        (ty, slot)
    }
}
