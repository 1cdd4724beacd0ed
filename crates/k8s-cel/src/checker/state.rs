//! The state of a check, and the parts of an expression that are checked.

use super::pattern_compiler::PatternCompiler;
use crate::cost::call_estimate::{Arguments, ElementEstimate};
use crate::cost::estimate::{EntrySizes, EstimateRange, OriginStep, ValueOrigin};
use crate::functions::format_string::ArgumentType;
use crate::interpreter::program::PlanNode;
use crate::syntax::{Literal, SourceError};
use crate::types::assignability::Unifier;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::feature::RuleVersions;
use crate::types::types::Type;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing of its own that was seen"
)]
pub(super) struct Checker<'s> {
    pub(super) declared: &'s DeclaredTypes,
    pub(super) node: DeclaredId,
    pub(super) version: RuleVersions,
    pub(super) types: Unifier,
    /// The final types, in the second round.
    pub(super) final_types: Option<Unifier>,
    /// True if a size depends on a type that is not known yet.
    pub(super) needs_second_pass: bool,
    /// The variables, with their numbers as slots.
    pub(super) scope: Vec<Variable>,
    /// The most variables at once.
    pub(super) max_slots: usize,
    pub(super) uses_old_self: bool,
    /// The parts that are evaluated when the expression is compiled.
    pub(super) constant_parts: Vec<ConstantPart>,
    pub(super) patterns: PatternCompiler,
    /// True if lists may have elements of several types.
    pub(super) allows_mixed_types: bool,
    /// True once a loop was checked.
    pub(super) was_in_loop: bool,
    /// The lists and maps whose elements must have one type.
    pub(super) element_types: Vec<ElementTypes>,
    pub(super) errors: Vec<SourceError>,
    /// The problems of literals. They are reported only if there are no others.
    pub(super) literal_errors: Vec<SourceError>,
}

/// A part that is evaluated when the expression is compiled.
pub(super) enum ConstantPart {
    Value(PlanNode),
    /// The problem of a regular expression.
    InvalidPattern(String),
    /// The key of an index expression.
    Key(PlanNode),
    /// The name of a type, with the type of the name.
    TypeName(String, Type),
}

/// The elements of a list, or the keys or the values of a map, which must have one type: the
/// position and the type of each.
pub(super) struct ElementTypes {
    pub(super) types: Vec<(u32, Type)>,
    /// True if every mismatch is reported, not only the first.
    pub(super) reports_all: bool,
}

pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) origin: ValueOrigin,
    pub(super) size: Option<EstimateRange>,
    pub(super) entries: Option<EntrySizes>,
}

impl Variable {
    pub(super) fn root(name: &str, ty: Type, place: ValueOrigin) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            origin: place,
            size: None,
            entries: None,
        }
    }
}

/// An expression that was checked.
#[derive(Clone, Debug)]
pub(super) struct CheckedExpr {
    pub(super) code: PlanNode,
    pub(super) ty: Type,
    /// The final type, if it is known already. Estimates use it.
    pub(super) final_type: Option<Type>,
    pub(super) cost: EstimateRange,
    /// The size, if it is known without the place.
    pub(super) size: Option<EstimateRange>,
    /// The size, if neither the place nor the type determines it.
    pub(super) fallback: Option<EstimateRange>,
    pub(super) entries: Option<EntrySizes>,
    pub(super) origin: ValueOrigin,
    /// The parts of a list or map that is the argument of `format`.
    pub(super) argument_types: Vec<ArgumentType>,
}

impl CheckedExpr {
    pub(super) fn new(code: PlanNode, ty: Type, cost: EstimateRange) -> Self {
        Self {
            code,
            ty,
            final_type: None,
            cost,
            size: None,
            fallback: None,
            entries: None,
            origin: ValueOrigin::Expression,
            argument_types: Vec::new(),
        }
    }

    pub(super) fn error() -> Self {
        Self::new(
            PlanNode::Literal(Literal::Null),
            Type::Error,
            EstimateRange::ZERO,
        )
    }

    /// Returns the type that estimates use.
    pub(super) fn type_for_estimate(&self) -> &Type {
        self.final_type.as_ref().unwrap_or(&self.ty)
    }

    pub(super) fn size(&self, declared: &DeclaredTypes) -> Option<EstimateRange> {
        self.size
            .or_else(|| self.origin.size(declared))
            .or_else(|| {
                self.type_for_estimate()
                    .is_scalar()
                    .then_some(EstimateRange::ONE)
            })
            .or(self.fallback)
    }

    pub(super) fn size_or_unknown(&self, declared: &DeclaredTypes) -> EstimateRange {
        self.size(declared).unwrap_or(EstimateRange::UNKNOWN)
    }
}

/// Checked arguments, with the types of the schema that determine their sizes.
pub(super) struct CheckedArguments<'a> {
    pub(super) args: &'a [CheckedExpr],
    pub(super) declared: &'a DeclaredTypes,
}

impl Arguments for CheckedArguments<'_> {
    fn count(&self) -> usize {
        self.args.len()
    }

    fn ty(&self, at: usize) -> Option<&Type> {
        self.args.get(at).map(|arg| &arg.ty)
    }

    fn known_size(&self, at: usize) -> Option<EstimateRange> {
        self.args.get(at)?.size(self.declared)
    }

    fn elements(&self, at: usize) -> Option<ElementEstimate> {
        let list = self.args.get(at)?;
        let Type::List(of) = list.type_for_estimate() else {
            return None;
        };
        let place = match list.origin {
            ValueOrigin::Expression => ValueOrigin::Unknown,
            place => place.step(self.declared, 0, OriginStep::Items),
        };
        Some(ElementEstimate {
            are_strings: matches!(**of, Type::String | Type::Bytes),
            size: place.size(self.declared).unwrap_or(EstimateRange::UNKNOWN),
        })
    }

    fn int_literal(&self, at: usize) -> Option<i64> {
        match self.args.get(at).map(|arg| &arg.code) {
            Some(PlanNode::Literal(Literal::Int(value))) => Some(*value),
            _ => None,
        }
    }
}
