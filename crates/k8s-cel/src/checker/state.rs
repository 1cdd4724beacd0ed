//! The state of the checker, and the data of checked expressions.

use super::pattern_compiler::PatternCompiler;
use crate::cost::call_estimate::{Arguments, ElementEstimate};
use crate::cost::estimate::{EntrySizes, EstimateRange, OriginStep, ValueOrigin};
use crate::functions::format_string::ArgumentType;
use crate::interpreter::program::PlanNode;
use crate::syntax::{Literal, SourceError};
use crate::types::assignability::Unifier;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;

/// A checker of an expression: the inferred types, the variables in scope, and the errors so far.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is independent of the others"
)]
pub(super) struct Checker<'s> {
    pub(super) declared_types: &'s DeclaredTypes,
    /// The declared type of `self`.
    pub(super) self_declaration: DeclaredId,
    pub(super) version: RuleVersions,
    pub(super) types: Unifier,
    /// The types that the first pass inferred, in the second pass.
    pub(super) first_pass_types: Option<Unifier>,
    /// True if an estimate depends on a type that is inferred later.
    pub(super) needs_second_pass: bool,
    /// The variables in scope. A variable's index is its slot in the program.
    pub(super) scope: Vec<Variable>,
    /// The maximum number of variables that are in scope at the same time.
    pub(super) max_slots: usize,
    pub(super) uses_old_self: bool,
    /// The constant parts, which are evaluated when the expression is compiled.
    pub(super) constant_parts: Vec<ConstantPart>,
    pub(super) patterns: PatternCompiler,
    /// True inside arguments of `format`, where elements of a list may have different types.
    pub(super) allows_mixed_types: bool,
    /// True after the first comprehension.
    pub(super) was_in_loop: bool,
    /// The offsets and types of the checked expressions, while they are recorded.
    pub(super) checked_types: Option<Vec<(u32, Type)>>,
    /// The element types of each list and map whose elements must have equal types.
    pub(super) element_types: Vec<ElementTypes>,
    pub(super) errors: Vec<SourceError>,
    /// The errors of literals, which are reported only if there are no other errors.
    pub(super) literal_errors: Vec<SourceError>,
}

/// A constant part of the expression.
pub(super) enum ConstantPart {
    /// A constant value, whose evaluation must not fail.
    Value(PlanNode),
    /// The error message of a regular expression.
    InvalidPattern(String),
    /// The key of an index expression.
    Key(PlanNode),
    /// A name that may denote a type, with the type of the name.
    TypeName(String, Type),
}

/// The elements of a list, or the keys or the values of a map, which must have equal types: the
/// offset and the type of each.
pub(super) struct ElementTypes {
    pub(super) types: Vec<(u32, Type)>,
    pub(super) report: MismatchReport,
}

/// The mismatches between elements that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MismatchReport {
    First,
    All,
}

/// A variable in scope.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) origin: ValueOrigin,
    pub(super) size: Option<EstimateRange>,
    pub(super) entry_sizes: Option<EntrySizes>,
}

impl Variable {
    /// Returns a variable of the environment: `self` or `oldSelf`.
    pub(super) fn root(name: &str, ty: Type, origin: ValueOrigin) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            origin,
            size: None,
            entry_sizes: None,
        }
    }
}

/// A checked expression: its node in the program, its type, and the estimates of its cost and size.
#[derive(Clone, Debug)]
pub(super) struct CheckedExpr {
    pub(super) node: PlanNode,
    pub(super) ty: Type,
    /// The type that the first pass inferred, in the second pass. Estimates use this type.
    pub(super) first_pass_type: Option<Type>,
    pub(super) cost: EstimateRange,
    /// The size, if it is known without the origin.
    pub(super) size: Option<EstimateRange>,
    /// The size that applies if neither the origin nor the type determines one.
    pub(super) fallback_size: Option<EstimateRange>,
    pub(super) entry_sizes: Option<EntrySizes>,
    pub(super) origin: ValueOrigin,
    /// The element types, if the expression is a list or map that is an argument of `format`.
    pub(super) argument_types: Vec<ArgumentType>,
}

impl CheckedExpr {
    pub(super) fn new(node: PlanNode, ty: Type, cost: EstimateRange) -> Self {
        Self {
            node,
            ty,
            first_pass_type: None,
            cost,
            size: None,
            fallback_size: None,
            entry_sizes: None,
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
        self.first_pass_type.as_ref().unwrap_or(&self.ty)
    }

    /// Returns the size for estimates, or `None` if the size is unknown.
    pub(super) fn size(&self, declared_types: &DeclaredTypes) -> Option<EstimateRange> {
        let is_scalar = || match self.type_for_estimate() {
            Type::Optional(inner) => inner.is_scalar() && declared_types.has(Feature::ElementSizes),
            ty => ty.is_scalar(),
        };
        self.size
            .or_else(|| self.origin.size(declared_types))
            .or_else(|| is_scalar().then_some(EstimateRange::ONE))
            .or(self.fallback_size)
    }

    pub(super) fn size_or_unknown(&self, declared_types: &DeclaredTypes) -> EstimateRange {
        self.size(declared_types).unwrap_or(EstimateRange::UNKNOWN)
    }
}

/// Checked arguments, with the declared types that determine their sizes.
pub(super) struct CheckedArguments<'a> {
    pub(super) args: &'a [CheckedExpr],
    pub(super) declared_types: &'a DeclaredTypes,
}

impl Arguments for CheckedArguments<'_> {
    fn count(&self) -> usize {
        self.args.len()
    }

    fn ty(&self, index: usize) -> Option<&Type> {
        self.args.get(index).map(|arg| &arg.ty)
    }

    fn known_size(&self, index: usize) -> Option<EstimateRange> {
        self.args.get(index)?.size(self.declared_types)
    }

    fn computed_size(&self, index: usize) -> Option<EstimateRange> {
        let arg = self.args.get(index)?;
        if self.declared_types.has(Feature::ElementSizes) {
            arg.size(self.declared_types)
        } else {
            arg.size
        }
    }

    fn elements(&self, index: usize) -> Option<ElementEstimate> {
        let list = self.args.get(index)?;
        // As on a server, the first parameter of each type counts as the type of elements.
        let inner = match list.type_for_estimate() {
            Type::List(inner) | Type::Optional(inner) | Type::Type(inner) => &**inner,
            Type::Map(entry) => &entry.0,
            _ => return None,
        };
        let origin = match list.origin {
            ValueOrigin::Expression => ValueOrigin::Unknown,
            origin => origin.step(self.declared_types, 0, OriginStep::Items),
        };
        Some(ElementEstimate {
            are_strings: matches!(inner, Type::String | Type::Bytes),
            size: origin
                .size(self.declared_types)
                .unwrap_or(EstimateRange::UNKNOWN),
        })
    }

    fn int_literal(&self, index: usize) -> Option<i64> {
        match self.args.get(index).map(|arg| &arg.node) {
            Some(PlanNode::Literal(Literal::Int(value))) => Some(*value),
            _ => None,
        }
    }
}
