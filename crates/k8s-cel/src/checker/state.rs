//! The state of a check, and the parts of an expression that are checked.

use super::patterns::Patterns;
use crate::cost::estimate::{Entries, Place, Range};
use crate::functions::format_string::Part;
use crate::interpreter::program::Code;
use crate::syntax::{Literal, Problem};
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::types::Type;
use crate::types::unify::Unifier;
use crate::types::version::Version;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing of its own that was seen"
)]
pub(super) struct Checker<'s> {
    pub(super) declared: &'s DeclaredTypes,
    pub(super) node: DeclaredId,
    pub(super) version: Version,
    pub(super) types: Unifier,
    /// What is known of types in the end, where that is known.
    pub(super) settled: Option<Unifier>,
    /// Whether the size of something depends on a type that was not known yet.
    pub(super) is_open: bool,
    /// The variables, with their numbers as slots.
    pub(super) scope: Vec<Variable>,
    /// The most variables at once.
    pub(super) most: usize,
    pub(super) uses_old_self: bool,
    /// What is computed in advance.
    pub(super) constants: Vec<Constant>,
    pub(super) patterns: Patterns,
    /// Whether lists may have elements of several types.
    pub(super) may_mix: bool,
    /// Whether anything was looked at inside of a loop so far.
    pub(super) was_in_loop: bool,
    /// What has to be of one type.
    pub(super) rows: Vec<Row>,
    pub(super) problems: Vec<Problem>,
    /// What is wrong with literals, which counts where nothing else is wrong.
    pub(super) later: Vec<Problem>,
}

/// What is computed in advance.
pub(super) enum Constant {
    Value(Code),
    /// What is wrong with a regular expression.
    Wrong(String),
    /// What something is looked up by.
    Key(Code),
    /// A name, and the type of what it stands for.
    Name(String, Type),
}

/// Values that have to be of one type, with their places: the elements of a list, or the keys or values of a map.
pub(super) struct Row {
    pub(super) types: Vec<(u32, Type)>,
    /// Whether every other type is told, or the first one only.
    pub(super) tells_all: bool,
}

pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) place: Place,
    pub(super) size: Option<Range>,
    pub(super) entries: Option<Entries>,
}

impl Variable {
    pub(super) fn root(name: &str, ty: Type, place: Place) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            place,
            size: None,
            entries: None,
        }
    }
}

/// A part that is checked.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) code: Code,
    pub(super) ty: Type,
    /// What its type turns out to be, where that is known already: estimates go by it.
    pub(super) settled: Option<Type>,
    pub(super) cost: Range,
    /// The size, where it is known otherwise than by the place.
    pub(super) size: Option<Range>,
    /// The size, where nothing else says it.
    pub(super) fallback: Option<Range>,
    pub(super) entries: Option<Entries>,
    pub(super) place: Place,
    /// What a list or map for a template is made of.
    pub(super) parts: Vec<Part>,
}

impl Checked {
    pub(super) fn new(code: Code, ty: Type, cost: Range) -> Self {
        Self {
            code,
            ty,
            settled: None,
            cost,
            size: None,
            fallback: None,
            entries: None,
            place: Place::Nowhere,
            parts: Vec::new(),
        }
    }

    pub(super) fn error() -> Self {
        Self::new(Code::Literal(Literal::Null), Type::Error, Range::ZERO)
    }

    /// Its type, as estimates see it.
    pub(super) fn seen(&self) -> &Type {
        self.settled.as_ref().unwrap_or(&self.ty)
    }

    pub(super) fn size(&self, declared: &DeclaredTypes) -> Option<Range> {
        self.size
            .or_else(|| self.place.size(declared))
            .or_else(|| self.seen().is_scalar().then_some(Range::ONE))
            .or(self.fallback)
    }

    pub(super) fn size_or_unknown(&self, declared: &DeclaredTypes) -> Range {
        self.size(declared).unwrap_or(Range::UNKNOWN)
    }
}
