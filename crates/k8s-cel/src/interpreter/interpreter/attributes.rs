//! Look-ups: names and indexes, one after the other, from a variable or a computed value.

use serde_json::{Map, Value};

use super::boolean::BoolResult;
use super::{Interpreter, SlotValue};
use crate::cost::hidden_cost::HiddenCost;
use crate::functions::access;
use crate::interpreter::program::{Conditional, FieldChain, Index, PlanNode, Select, SelectMode};
use crate::values::equal;
use crate::values::from_json;
use crate::values::value::{EvalError, Str, Val};

/// The result of a look-up so far.
struct ResolvedAttribute<'v> {
    /// The value; `None` if it is absent and may be absent.
    value: Option<Val<'v>>,
    /// True if the values from here on may be absent.
    is_optional: bool,
}

impl<'v> ResolvedAttribute<'v> {
    const fn present(value: Val<'v>) -> Self {
        Self {
            value: Some(value),
            is_optional: false,
        }
    }

    const fn absent() -> Self {
        Self {
            value: None,
            is_optional: true,
        }
    }

    fn into_value(self) -> Val<'v> {
        match self.value {
            None => Val::Optional(None),
            Some(value) if self.is_optional => Val::some(value),
            Some(value) => value,
        }
    }
}

impl<'v> Interpreter<'v> {
    /// Evaluates a look-up. The start is paid for at the end, even if the look-up fails.
    pub(super) fn eval_attribute(
        &mut self,
        code: &'v PlanNode,
        pays_for_start: bool,
    ) -> SlotValue<'v> {
        let found = match code {
            PlanNode::Select(select) if select.mode == SelectMode::Select => {
                match self.eval_chain(select) {
                    Ok(None) => self.select_step(select).map(ResolvedAttribute::into_value),
                    Ok(Some(value)) => Ok(value),
                    Err(fault) => Err(fault),
                }
            }
            code => self.resolve(code).map(ResolvedAttribute::into_value),
        };
        if let Ok(_) | Err(EvalError::Expression(_)) = found {
            self.tracker.charge(u64::from(pays_for_start))?;
        }
        found
    }

    /// Returns the value of a variable.
    pub(super) fn variable(&mut self, slot: u16) -> SlotValue<'v> {
        if !self.lazy_variables.is_empty() {
            self.eval_lazy_variable(slot)?;
        }
        self.slot(slot).clone()
    }

    /// Evaluates a look-up, and does not pay for the start.
    fn resolve(&mut self, code: &'v PlanNode) -> Result<ResolvedAttribute<'v>, EvalError> {
        match code {
            PlanNode::Slot(slot) => {
                let value = self.variable(*slot)?;
                self.start_attribute(value)
            }
            PlanNode::Select(select) if select.mode != SelectMode::Has => self.select(select),
            PlanNode::Index(index) => self.index(index),
            PlanNode::Conditional(choice) => self.resolve_conditional(choice),
            computed => {
                let value = self.eval(computed)?;
                self.start_attribute(value)
            }
        }
    }

    /// Starts a look-up. Only the start unwraps an optional value, and converts its content to a
    /// plain value.
    fn start_attribute(&mut self, value: Val<'v>) -> Result<ResolvedAttribute<'v>, EvalError> {
        Ok(match value {
            Val::Optional(None) => ResolvedAttribute::absent(),
            Val::Optional(Some(inner)) => {
                self.tracker
                    .charge_hidden(HiddenCost::All.of_arguments(core::slice::from_ref(&*inner)))?;
                ResolvedAttribute {
                    value: Some(from_json::unwrap_to_native(&inner)),
                    is_optional: true,
                }
            }
            value => ResolvedAttribute::present(value),
        })
    }

    fn resolve_conditional(
        &mut self,
        choice: &'v Conditional,
    ) -> Result<ResolvedAttribute<'v>, EvalError> {
        let side = if self.eval_bool(&choice.condition)? {
            &choice.yes
        } else {
            &choice.no
        };
        self.resolve(side)
    }

    /// Pays for a step of a look-up. If the value may be absent, only a present value costs.
    fn charge_qualifier(
        &mut self,
        found: Result<Option<SlotValue<'v>>, EvalError>,
        need_not_be: bool,
    ) -> Result<Option<Val<'v>>, EvalError> {
        match &found {
            Ok(None) | Err(EvalError::Expression(_)) if need_not_be => {}
            Err(EvalError::CostLimit | EvalError::ServerPanic(_)) => {}
            _ => self.tracker.charge(1)?,
        }
        match found? {
            // An invalid value is present, and only its presence matters here.
            Some(Err(fault @ EvalError::Expression(_))) if need_not_be => {
                Ok(Some(fault.as_value()))
            }
            found => found.transpose(),
        }
    }

    fn index(&mut self, index: &'v Index) -> Result<ResolvedAttribute<'v>, EvalError> {
        let ResolvedAttribute { value, is_optional } = self.resolve(&index.operand)?;
        let Some(value) = value else {
            // The key is not evaluated.
            return Ok(ResolvedAttribute::absent());
        };
        let is_optional = is_optional || index.optional;
        let found = self.qualify_by_key(&value, &index.key, is_optional);
        let value = self.charge_qualifier(found, is_optional)?;
        Ok(ResolvedAttribute { value, is_optional })
    }

    /// Returns the value under a key. The key does not pay for its start, as the step does.
    fn qualify_by_key(
        &mut self,
        of: &Val<'v>,
        key: &'v PlanNode,
        is_optional: bool,
    ) -> Result<Option<SlotValue<'v>>, EvalError> {
        let key = self.resolve(key)?.into_value();
        self.charge_search(of)?;
        access::index(&self.tracker, of, &key, is_optional)
    }

    /// Returns the object that plain names lead to, from a variable that is an object, without a
    /// charge.
    #[inline]
    fn chain_object(&mut self, code: &'v PlanNode) -> Option<&'v Map<String, Value>> {
        match code {
            PlanNode::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::JsonObject(object, _))) => Some(object),
                _ => None,
            },
            PlanNode::Select(select) => self.chain_object_under(select),
            _ => None,
        }
    }

    /// Returns the object under a name in another object: see [`object`](Self::object).
    #[inline(never)]
    fn chain_object_under(&mut self, select: &'v Select) -> Option<&'v Map<String, Value>> {
        match self.chain_value(select, select.chain?) {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Returns the value that plain names lead to, without a charge.
    #[inline]
    pub(super) fn chain_value(
        &mut self,
        select: &'v Select,
        plain: FieldChain,
    ) -> Option<&'v Value> {
        let object = self.chain_object(&select.operand)?;
        self.field_cache.get(object, &select.name, plain.name_hash)
    }

    /// Returns a present field of an object that plain names lead to. Returns `None`, without a
    /// charge, for other look-ups.
    fn eval_chain(&mut self, select: &'v Select) -> Result<Option<Val<'v>>, EvalError> {
        let (Some(declaration), Some(plain)) = (select.declaration, select.chain) else {
            return Ok(None);
        };
        let found = self.chain_value(select, plain);
        let Some(found) = from_json::field_value(self.tracker.declared, found, declaration) else {
            return Ok(None);
        };
        self.tracker.charge_steps(plain.names)?;
        found.map(Some)
    }

    fn select(&mut self, select: &'v Select) -> Result<ResolvedAttribute<'v>, EvalError> {
        if select.mode == SelectMode::Select
            && let Some(value) = self.eval_chain(select)?
        {
            return Ok(ResolvedAttribute::present(value));
        }
        self.select_step(select)
    }

    /// Looks up a name like [`select`](Self::select), step by step: a path that is not plain is
    /// tried as a plain path only once.
    fn select_step(&mut self, select: &'v Select) -> Result<ResolvedAttribute<'v>, EvalError> {
        let ResolvedAttribute { value, is_optional } = match &select.operand {
            PlanNode::Select(operand) if operand.mode != SelectMode::Has => {
                self.select_step(operand)?
            }
            operand => self.resolve(operand)?,
        };
        let Some(value) = value else {
            return Ok(ResolvedAttribute::absent());
        };
        let is_optional = is_optional || select.mode == SelectMode::Optional;
        let found = match self.field_value(&value, select) {
            Ok(None) if !is_optional => Err(EvalError::new(format!(
                "no such key: {}",
                select.source_name
            ))),
            found => found,
        };
        let value = self.charge_qualifier(found, is_optional)?;
        Ok(ResolvedAttribute { value, is_optional })
    }

    /// Evaluates `has(operand.name)`. The look-up does not pay for its start.
    #[inline(never)]
    pub(super) fn has_field(&mut self, select: &'v Select) -> BoolResult {
        if let (Some(declaration), Some(plain)) = (select.declaration, select.chain)
            && let Some(object) = self.chain_object(&select.operand)
        {
            let found = self.field_cache.get(object, &select.name, plain.name_hash);
            let paid = self.tracker.charge_steps(plain.names);
            self.store_if_error(paid)?;
            let is_there = from_json::is_present(self.tracker.declared, found, declaration);
            return self.store_if_error(is_there);
        }
        let found = self.has_field_by_steps(select);
        self.store_if_error(found)
    }

    /// Evaluates [`test`](Self::test) for an operand that plain names do not lead to.
    fn has_field_by_steps(&mut self, select: &'v Select) -> Result<bool, EvalError> {
        let ResolvedAttribute { value, is_optional } = self.resolve(&select.operand)?;
        let Some(value) = value else {
            return Ok(false);
        };
        let found = self.field_value(&value, select);
        let found = self.charge_qualifier(found, is_optional)?;
        Ok(found.is_some())
    }

    /// Returns the value under a name.
    fn field_value(
        &mut self,
        of: &Val<'v>,
        select: &'v Select,
    ) -> Result<Option<SlotValue<'v>>, EvalError> {
        let found = match (of, select.declaration) {
            (Val::JsonObject(object, _), Some(declaration)) => {
                from_json::get_field(self.tracker.declared, object, &select.name, declaration)
            }
            (Val::JsonObject(..) | Val::Map(_), _) => {
                self.charge_search(of)?;
                let key = Val::String(Str::Borrowed(&select.source_name));
                equal::entry(self.tracker.declared, of, &key)
            }
            (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_), _) => {
                return Err(access::no_index("string"));
            }
            (Val::Error(text), _) => return Err(EvalError::Expression(text.clone())),
            // A scalar does not have fields, but the look-up is not an error.
            _ => None,
        };
        Ok(found.transpose()?.map(Ok))
    }

    /// Counts the search for a key in a map that an expression created.
    fn charge_search(&mut self, map: &Val<'v>) -> Result<(), EvalError> {
        match map {
            Val::Map(entries) => self.tracker.charge_hidden(entries.len() as u64 / 8),
            _ => Ok(()),
        }
    }
}
