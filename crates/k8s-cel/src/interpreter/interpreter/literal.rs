//! Evaluates list literals and map literals.

use super::Interpreter;
use crate::interpreter::program::PlanNode;
use crate::values::equal;
use crate::values::value::{EvalError, Val};

/// The cost of creating a list.
pub(super) const LIST_CREATE_COST: u64 = 10;

impl<'v> Interpreter<'v> {
    /// Evaluates a list literal.
    pub(super) fn eval_list(
        &mut self,
        elements: &'v [(PlanNode, bool)],
    ) -> Result<Val<'v>, EvalError> {
        self.tracker.charge_hidden(elements.len() as u64 / 4)?;
        let mut values = Vec::with_capacity(elements.len());
        for (element, optional) in elements {
            let value = match self.eval(element) {
                Ok(value) => value,
                Err(error) => {
                    if let EvalError::Expression(_) = error {
                        self.tracker.charge(LIST_CREATE_COST)?;
                    }
                    return Err(error);
                }
            };
            match value {
                Val::Optional(inner) if *optional => {
                    values.extend(inner.map(|inner| (*inner).clone()));
                }
                value => values.push(value),
            }
        }
        self.tracker.charge(LIST_CREATE_COST)?;
        Ok(Val::list(values))
    }

    /// Evaluates a map literal.
    pub(super) fn eval_map(
        &mut self,
        entries: &'v [(PlanNode, PlanNode, bool)],
    ) -> Result<Val<'v>, EvalError> {
        let map = self.eval_map_entries(entries);
        // Creating a map costs 30, even if an entry fails.
        if let Ok(_) | Err(EvalError::Expression(_)) = map {
            self.tracker.charge(30)?;
        }
        map
    }

    /// Evaluates a map literal, and charges only for its keys and values.
    fn eval_map_entries(
        &mut self,
        entries: &'v [(PlanNode, PlanNode, bool)],
    ) -> Result<Val<'v>, EvalError> {
        // This implementation compares each key with all earlier keys, so the work is quadratic.
        let count = entries.len() as u64;
        self.tracker
            .charge_hidden(count.saturating_mul(count) / 8)?;
        let mut values: Vec<(Val<'v>, Val<'v>)> = Vec::with_capacity(entries.len());
        for (key, value, optional) in entries {
            let key = self.eval(key)?;
            let value = match self.eval(value)? {
                Val::Optional(None) if *optional => None,
                Val::Optional(Some(inner)) if *optional => Some((*inner).clone()),
                value => Some(value),
            };
            equal::check_hashable(&key).map_err(|unhashable| match &value {
                // The server removes the key from an empty map, which fails with a different
                // message.
                None if values.is_empty() => unhashable.into_empty_map_error(),
                _ => unhashable.into(),
            })?;
            // The last entry with a key determines the value, even if its optional value is absent.
            let previous = values
                .iter()
                .position(|(other, _)| is_same_key(other, &key));
            match (previous, value) {
                (Some(index), Some(value)) => {
                    if let Some(entry) = values.get_mut(index) {
                        *entry = (key, value);
                    }
                }
                (Some(index), None) => drop(values.remove(index)),
                (None, Some(value)) => values.push((key, value)),
                (None, None) => {}
            }
        }
        Ok(Val::map(values))
    }
}

/// Returns true if two keys of a map literal are equal: by value, or by identity for types that a
/// server compares as pointers.
fn is_same_key(left: &Val<'_>, right: &Val<'_>) -> bool {
    match (left, right) {
        (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Bool(left), Val::Bool(right)) => left == right,
        (Val::Int(left), Val::Int(right)) | (Val::Duration(left), Val::Duration(right)) => {
            left == right
        }
        (Val::Uint(left), Val::Uint(right)) => left == right,
        #[expect(clippy::float_cmp, reason = "both zeros are one key, and NaN is none")]
        (Val::Double(left), Val::Double(right)) => left == right,
        (Val::String(left), Val::String(right)) => left.as_str() == right.as_str(),
        (Val::Timestamp(left), Val::Timestamp(right)) => left == right,
        (Val::Type(left), Val::Type(right)) => left == right,
        (Val::Opaque(left), Val::Opaque(right)) => {
            let is_value = matches!(left.type_name(), "net.IP" | "net.CIDR");
            is_value && left.equals(right) == Some(true) || left.is_same_instance(right)
        }
        (left, right) => left.is_same_instance(right),
    }
}
