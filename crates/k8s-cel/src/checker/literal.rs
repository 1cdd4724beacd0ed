//! Checks literals: scalars, lists and maps.

use super::state::{CheckedExpr, Checker, ElementTypes, MismatchReport};
use crate::cost::estimate::{EntrySizes, EstimateRange};
use crate::functions::format_string::ArgumentType;
use crate::interpreter::program::PlanNode;
use crate::syntax::{Element, Entry, Literal};
use crate::types::assignability::is_as_general;
use crate::types::feature::Feature;
use crate::types::types::Type;

impl Checker<'_> {
    /// Returns the more general type of `common` and `ty`, or `dyn` if the types do not match.
    /// Without `common`, returns `ty`. A server without
    /// [`ElementTypeValidation`](Feature::ElementTypeValidation) reports types that do not match.
    fn common_type(&mut self, common: Option<Type>, offset: u32, ty: &Type) -> Type {
        let Some(common) = common.filter(|common| !is_missing(common)) else {
            return ty.clone();
        };
        if !self.types.assign(&common, ty) {
            if !self.version.has(Feature::ElementTypeValidation) {
                self.add_type_mismatch(offset, &common, ty);
                return Type::Error;
            }
            return Type::Dyn;
        }
        if is_as_general(&common, ty) {
            common
        } else {
            ty.clone()
        }
    }

    /// Records types that must be equal, unless mixed types are allowed.
    fn record_element_types(&mut self, types: Vec<(u32, Type)>, report: MismatchReport) {
        if !self.allows_mixed_types && self.version.has(Feature::ElementTypeValidation) {
            self.element_types.push(ElementTypes { types, report });
        }
    }

    /// Records the type of an argument of a format string.
    fn record_argument_type(
        &self,
        types: &mut Vec<ArgumentType>,
        offset: u32,
        checked: &mut CheckedExpr,
    ) {
        if self.allows_mixed_types {
            types.push(ArgumentType {
                offset,
                ty: checked.ty.clone(),
                nested: core::mem::take(&mut checked.argument_types),
            });
        }
    }

    /// Returns the type of the value in an optional element or entry (`?value`), or reports a type
    /// that is not optional.
    fn unwrap_optional(&mut self, offset: u32, ty: &Type) -> Type {
        match self.types.resolve(ty) {
            Type::Optional(inner) => *inner,
            ty => {
                if ty != Type::Dyn {
                    self.add_type_mismatch(offset, &Type::optional(ty.clone()), &ty);
                }
                ty
            }
        }
    }

    /// Checks a list literal.
    pub(super) fn check_list(&mut self, elements: &[Element]) -> CheckedExpr {
        let mut common = None;
        let mut types = Vec::with_capacity(elements.len());
        let mut nodes = Vec::with_capacity(elements.len());
        let mut sizes = Vec::with_capacity(elements.len());
        let mut argument_types = Vec::new();
        // The cost of creating a list.
        let mut cost = EstimateRange::exact(10);
        for element in elements {
            let mut checked = self.check(&element.value);
            self.record_argument_type(&mut argument_types, element.value.offset, &mut checked);
            cost = cost.plus(checked.cost);
            sizes.push(checked.size_or_unknown(self.declared_types));
            let ty = if element.optional {
                self.unwrap_optional(element.value.offset, &checked.ty)
            } else {
                checked.ty
            };
            common = Some(self.common_type(common, element.value.offset, &ty));
            types.push((element.value.offset, ty));
            nodes.push((checked.node, element.optional));
        }
        // As on a server, elements without a type do not count.
        let first = types.iter().position(|(_, ty)| !is_missing(ty));
        types.drain(..first.unwrap_or(types.len()));
        self.record_element_types(types, MismatchReport::First);
        let common = common.filter(|ty| !is_missing(ty));
        let element_type = common.unwrap_or_else(|| self.types.fresh_var());
        let count = nodes.len() as u64;
        let is_constant = nodes
            .iter()
            .all(|(node, optional)| !optional && node.is_constant());
        let node = precomputed_if(PlanNode::List(nodes.into()), is_constant);
        CheckedExpr {
            size: Some(EstimateRange::exact(count)),
            entry_sizes: Some(EntrySizes::from_list(sizes.into_iter())),
            argument_types,
            ..CheckedExpr::new(node, Type::list(element_type), cost)
        }
    }

    /// Checks a map literal.
    pub(super) fn check_map(&mut self, entries: &[Entry]) -> CheckedExpr {
        let (mut key_type, mut value_type) = (None, None);
        let (mut key_types, mut value_types) = (Vec::new(), Vec::new());
        let mut nodes = Vec::with_capacity(entries.len());
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        let mut argument_types = Vec::new();
        // The cost of creating a map.
        let mut cost = EstimateRange::exact(30);
        for entry in entries {
            let mut key = self.check(&entry.key);
            self.record_argument_type(&mut argument_types, entry.key.offset, &mut key);
            key_type = Some(self.common_type(key_type, entry.key.offset, &key.ty));
            key_types.push((entry.key.offset, key.ty.clone()));
            let mut value = self.check(&entry.value);
            self.record_argument_type(&mut argument_types, entry.value.offset, &mut value);
            let ty = if entry.optional {
                self.unwrap_optional(entry.value.offset, &value.ty)
            } else {
                value.ty.clone()
            };
            value_type = Some(self.common_type(value_type, entry.value.offset, &ty));
            value_types.push((entry.value.offset, ty));
            cost = cost.plus(key.cost).plus(value.cost);
            keys.push(key.size_or_unknown(self.declared_types));
            values.push(value.size_or_unknown(self.declared_types));
            nodes.push((key.node, value.node, entry.optional));
        }
        // As on a server, entries without types do not count, and a map without a type of keys has
        // no type of values.
        let types = key_types.iter().zip(&value_types);
        let first = types.map(|((_, key), (_, value))| is_missing(key) && is_missing(value));
        let first = first.take_while(|is_missing| *is_missing).count();
        key_types.drain(..first);
        value_types.drain(..first);
        self.record_element_types(key_types, MismatchReport::All);
        self.record_element_types(value_types, MismatchReport::All);
        let (key_type, value_type) = match key_type.filter(|ty| !is_missing(ty)).zip(value_type) {
            Some((key, value)) if is_missing(&value) => (key, self.types.fresh_missing()),
            Some((key, value)) => (key, value),
            None => (self.types.fresh_var(), self.types.fresh_var()),
        };
        let count = nodes.len() as u64;
        let is_constant = nodes
            .iter()
            .all(|(key, value, optional)| !optional && key.is_constant() && value.is_constant());
        let node = precomputed_if(PlanNode::Map(nodes.into()), is_constant);
        CheckedExpr {
            size: Some(EstimateRange::exact(count)),
            entry_sizes: Some(EntrySizes::from_map(keys.into_iter(), values.into_iter())),
            argument_types,
            ..CheckedExpr::new(node, Type::map(key_type, value_type), cost)
        }
    }
}

/// Returns true for the missing type of a variable.
const fn is_missing(ty: &Type) -> bool {
    matches!(ty, Type::Missing(_))
}

/// Returns the node as a precomputed constant if `is_constant` is true.
fn precomputed_if(node: PlanNode, is_constant: bool) -> PlanNode {
    if is_constant {
        PlanNode::PrecomputedConstant(Box::new(node))
    } else {
        node
    }
}

/// Checks a scalar literal, whose cost is zero.
pub(super) fn check_literal(literal: &Literal) -> CheckedExpr {
    let (ty, size) = match literal {
        Literal::Null => (Type::Null, 1),
        Literal::Bool(_) => (Type::Bool, 1),
        Literal::Int(_) => (Type::Int, 1),
        Literal::Uint(_) => (Type::Uint, 1),
        Literal::Double(_) => (Type::Double, 1),
        Literal::String(string) => (Type::String, string.chars().count() as u64),
        Literal::Bytes(bytes) => (Type::Bytes, bytes.len() as u64),
    };
    CheckedExpr {
        size: Some(EstimateRange::exact(size)),
        ..CheckedExpr::new(PlanNode::Literal(literal.clone()), ty, EstimateRange::ZERO)
    }
}
