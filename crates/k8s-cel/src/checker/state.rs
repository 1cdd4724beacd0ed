//! The state of a check, and the parts of an expression that are checked.

use super::patterns::Patterns;
use crate::cost::call::{Arguments, Elements};
use crate::cost::estimate::{Entries, Place, Range, Step};
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
    /// The final types, in the second round.
    pub(super) settled: Option<Unifier>,
    /// True if a size depends on a type that is not known yet.
    pub(super) is_open: bool,
    /// The variables, with their numbers as slots.
    pub(super) scope: Vec<Variable>,
    /// The most variables at once.
    pub(super) most: usize,
    pub(super) uses_old_self: bool,
    /// The parts that are evaluated when the expression is compiled.
    pub(super) constants: Vec<Constant>,
    pub(super) patterns: Patterns,
    /// True if lists may have elements of several types.
    pub(super) may_mix: bool,
    /// True once a loop was checked.
    pub(super) was_in_loop: bool,
    /// The lists and maps whose elements must have one type.
    pub(super) rows: Vec<Row>,
    pub(super) problems: Vec<Problem>,
    /// The problems of literals. They are reported only if there are no others.
    pub(super) later: Vec<Problem>,
}

/// A part that is evaluated when the expression is compiled.
pub(super) enum Constant {
    Value(Code),
    /// The problem of a regular expression.
    Wrong(String),
    /// The key of an index expression.
    Key(Code),
    /// The name of a type, with the type of the name.
    Name(String, Type),
}

/// The elements of a list, or the keys or the values of a map, which must have one type: the
/// position and the type of each.
pub(super) struct Row {
    pub(super) types: Vec<(u32, Type)>,
    /// True if every mismatch is reported, not only the first.
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

/// An expression that was checked.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) code: Code,
    pub(super) ty: Type,
    /// The final type, if it is known already. Estimates use it.
    pub(super) settled: Option<Type>,
    pub(super) cost: Range,
    /// The size, if it is known without the place.
    pub(super) size: Option<Range>,
    /// The size, if neither the place nor the type determines it.
    pub(super) fallback: Option<Range>,
    pub(super) entries: Option<Entries>,
    pub(super) place: Place,
    /// The parts of a list or map that is the argument of `format`.
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

    /// Returns the type that estimates use.
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

/// Checked arguments, with the types of the schema that determine their sizes.
pub(super) struct CheckedArguments<'a> {
    pub(super) args: &'a [Checked],
    pub(super) declared: &'a DeclaredTypes,
}

impl Arguments for CheckedArguments<'_> {
    fn count(&self) -> usize {
        self.args.len()
    }

    fn ty(&self, at: usize) -> Option<&Type> {
        self.args.get(at).map(|arg| &arg.ty)
    }

    fn known_size(&self, at: usize) -> Option<Range> {
        self.args.get(at)?.size(self.declared)
    }

    fn elements(&self, at: usize) -> Option<Elements> {
        let list = self.args.get(at)?;
        let Type::List(of) = list.seen() else {
            return None;
        };
        let place = match list.place {
            Place::Nowhere => Place::Unknown,
            place => place.step(self.declared, 0, Step::Items),
        };
        Some(Elements {
            are_strings: matches!(**of, Type::Text | Type::Bytes),
            size: place.size(self.declared).unwrap_or(Range::UNKNOWN),
        })
    }

    fn int_literal(&self, at: usize) -> Option<i64> {
        match self.args.get(at).map(|arg| &arg.code) {
            Some(Code::Literal(Literal::Int(value))) => Some(*value),
            _ => None,
        }
    }
}
