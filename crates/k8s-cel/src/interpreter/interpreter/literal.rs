//! Lists and maps that an expression contains as literals.

use super::Interpreter;
use crate::interpreter::program::PlanNode;
use crate::values::equal;
use crate::values::value::{EvalError, Val};

/// The cost of creating a list.
pub(super) const LIST_CREATE_COST: u64 = 10;

impl<'v> Interpreter<'v> {
    pub(super) fn list(&mut self, elements: &'v [(PlanNode, bool)]) -> Result<Val<'v>, EvalError> {
        self.tracker.charge_hidden(elements.len() as u64 / 4)?;
        let mut values = Vec::with_capacity(elements.len());
        for (element, optional) in elements {
            let value = match self.eval(element) {
                Ok(value) => value,
                Err(fault) => {
                    if let EvalError::Expression(_) = fault {
                        self.tracker.charge(LIST_CREATE_COST)?;
                    }
                    return Err(fault);
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

    pub(super) fn map(
        &mut self,
        entries: &'v [(PlanNode, PlanNode, bool)],
    ) -> Result<Val<'v>, EvalError> {
        let made = self.entries(entries);
        // A map with an error costs as much.
        if let Ok(_) | Err(EvalError::Expression(_)) = made {
            self.tracker.charge(30)?;
        }
        made
    }

    fn entries(&mut self, entries: &'v [(PlanNode, PlanNode, bool)]) -> Result<Val<'v>, EvalError> {
        // This code compares each key with all keys before it.
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
                // The server removes the key.
                None if values.is_empty() => unhashable.into_empty_map_error(),
                _ => unhashable.into(),
            })?;
            // The last entry of a key counts, even if its optional value is absent.
            let before = values
                .iter()
                .position(|(other, _)| is_same_key(other, &key));
            match (before, value) {
                (Some(at), Some(value)) => {
                    if let Some(entry) = values.get_mut(at) {
                        *entry = (key, value);
                    }
                }
                (Some(at), None) => drop(values.remove(at)),
                (None, Some(value)) => values.push((key, value)),
                (None, None) => {}
            }
        }
        Ok(Val::map(values))
    }
}

/// Returns true if two keys are equal. Values that are pointers on a server are not compared by
/// Returns true if two keys are equal: by value, or by identity if a server compares pointers.
fn is_same_key(one: &Val<'_>, other: &Val<'_>) -> bool {
    match (one, other) {
        (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Bool(one), Val::Bool(other)) => one == other,
        (Val::Int(one), Val::Int(other)) | (Val::Duration(one), Val::Duration(other)) => {
            one == other
        }
        (Val::Uint(one), Val::Uint(other)) => one == other,
        #[expect(clippy::float_cmp, reason = "both zeros are one key, and NaN is none")]
        (Val::Double(one), Val::Double(other)) => one == other,
        (Val::String(one), Val::String(other)) => one.as_str() == other.as_str(),
        (Val::Timestamp(one), Val::Timestamp(other)) => one == other,
        (Val::Type(one), Val::Type(other)) => one == other,
        (Val::Opaque(one), Val::Opaque(other)) => {
            let is_value = matches!(one.type_name(), "net.IP" | "net.CIDR");
            is_value && one.equals(other) == Some(true) || one.is_same_instance(other)
        }
        (one, other) => one.is_same_instance(other),
    }
}
