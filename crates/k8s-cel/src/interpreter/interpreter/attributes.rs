//! Evaluates attributes: field selections and index expressions that start at a variable or a
//! computed value.

use serde_json::{Map, Value};

use super::boolean::BoolResult;
use super::{Interpreter, SlotValue, missing_attribute};
use crate::cost::hidden_cost::HiddenCost;
use crate::functions::access;
use crate::interpreter::program::{Conditional, FieldChain, Index, PlanNode, Select, SelectMode};
use crate::types::feature::Feature;
use crate::values::equal;
use crate::values::from_json;
use crate::values::value::{EvalError, Str, Val};

/// The value of an attribute, whose start value is not charged yet.
struct ResolvedAttribute<'v> {
    /// The value, or `None` if an optional value is absent.
    value: Option<Val<'v>>,
    /// True if the result is an optional value.
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

    /// Returns the value. An invalid element is returned as [`Val::Error`].
    fn into_value_or_invalid(self) -> Val<'v> {
        match self.value {
            None => Val::Optional(None),
            Some(value) if self.is_optional => Val::some(value),
            Some(value) => value,
        }
    }

    /// Returns the value, or the error of an invalid element.
    fn into_value(self) -> SlotValue<'v> {
        match self.into_value_or_invalid() {
            Val::Error(message) => Err(EvalError::Expression(message)),
            value => Ok(value),
        }
    }
}

impl<'v> Interpreter<'v> {
    /// Evaluates an attribute: a start value with selections and indices. The cost of the start
    /// value is charged last, even after an error.
    pub(super) fn eval_attribute(
        &mut self,
        node: &'v PlanNode,
        has_start_cost: bool,
    ) -> SlotValue<'v> {
        let result = match node {
            PlanNode::Select(select) if select.mode == SelectMode::Select => {
                match self.eval_chain(select) {
                    Ok(None) => self
                        .resolve_select_step(select)
                        .and_then(ResolvedAttribute::into_value),
                    Ok(Some(value)) => Ok(value),
                    Err(error) => Err(error),
                }
            }
            node => self
                .resolve_attribute(node)
                .and_then(ResolvedAttribute::into_value),
        };
        if let Ok(_) | Err(EvalError::Expression(_)) = result {
            self.tracker.charge(u64::from(has_start_cost))?;
        }
        result
    }

    /// Returns the value of a variable.
    pub(super) fn variable(&mut self, slot: u16) -> SlotValue<'v> {
        if !self.lazy_variables.is_empty() {
            self.eval_lazy_variable(slot)?;
        }
        self.slot(slot).clone()
    }

    /// Resolves an attribute without charging for the start value.
    fn resolve_attribute(
        &mut self,
        node: &'v PlanNode,
    ) -> Result<ResolvedAttribute<'v>, EvalError> {
        match node {
            PlanNode::Slot(slot) => {
                let value = self.variable(*slot)?;
                self.start_attribute(value)
            }
            // A missing name, like other start values, is not charged here.
            PlanNode::MissingAttribute(name) => Err(missing_attribute(name)),
            PlanNode::Select(select) if select.mode != SelectMode::Has => {
                self.resolve_select(select)
            }
            PlanNode::Index(index) => self.resolve_index(index),
            PlanNode::Conditional(conditional) => self.resolve_conditional(conditional),
            computed => {
                let value = self.eval(computed)?;
                self.start_attribute(value)
            }
        }
    }

    /// Returns the attribute that consists of a start value only. An optional value is unwrapped.
    /// On an older server, its content becomes a value without a declared type.
    fn start_attribute(&mut self, value: Val<'v>) -> Result<ResolvedAttribute<'v>, EvalError> {
        Ok(match value {
            Val::Optional(None) => ResolvedAttribute::absent(),
            Val::Optional(Some(inner)) if self.has(Feature::OptionalResults) => ResolvedAttribute {
                value: Some((*inner).clone()),
                is_optional: true,
            },
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

    /// Resolves an attribute that starts with a conditional.
    fn resolve_conditional(
        &mut self,
        conditional: &'v Conditional,
    ) -> Result<ResolvedAttribute<'v>, EvalError> {
        let branch = if self.eval_bool(&conditional.condition)? {
            &conditional.yes
        } else {
            &conditional.no
        };
        self.resolve_attribute(branch)
    }

    /// Charges for a qualifier (a field or an index). If the attribute is optional, an absent value
    /// is free.
    fn charge_qualifier(
        &mut self,
        result: Result<Option<SlotValue<'v>>, EvalError>,
        is_optional: bool,
    ) -> Result<Option<Val<'v>>, EvalError> {
        match &result {
            Ok(None) | Err(EvalError::Expression(_)) if is_optional => {}
            Err(EvalError::CostLimit | EvalError::ServerPanic(_)) => {}
            _ => self.tracker.charge(1)?,
        }
        match result? {
            // An invalid element is a value on a server: the next qualifier fails, and is charged.
            Some(Err(error @ EvalError::Expression(_))) => Ok(Some(error.as_value())),
            result => result.transpose(),
        }
    }

    /// Resolves an attribute that ends with an index.
    fn resolve_index(&mut self, index: &'v Index) -> Result<ResolvedAttribute<'v>, EvalError> {
        let ResolvedAttribute { value, is_optional } = self.resolve_attribute(&index.operand)?;
        let Some(value) = value else {
            // As on a server, the key is not evaluated.
            return Ok(ResolvedAttribute::absent());
        };
        let is_optional = is_optional || index.optional;
        let result = self.qualify_by_key(&value, &index.key, is_optional);
        let value = self.charge_qualifier(result, is_optional)?;
        Ok(ResolvedAttribute { value, is_optional })
    }

    /// Returns the value of a key in a container. The start value of the key is free, because the
    /// qualifier is charged.
    fn qualify_by_key(
        &mut self,
        container: &Val<'v>,
        key: &'v PlanNode,
        is_optional: bool,
    ) -> Result<Option<SlotValue<'v>>, EvalError> {
        let key = self.resolve_attribute(key)?.into_value_or_invalid();
        self.charge_search(container)?;
        access::index(&self.tracker, container, &key, is_optional)
    }

    /// Returns the object that a field chain selects, starting at an object variable, without
    /// charging.
    #[inline]
    fn chain_object(&mut self, node: &'v PlanNode) -> Option<&'v Map<String, Value>> {
        match node {
            PlanNode::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::JsonObject(object, _))) => Some(object),
                _ => None,
            },
            PlanNode::Select(select) => self.chain_object_of_select(select),
            _ => None,
        }
    }

    /// Returns the object that the last field of a chain selects; see
    /// [`chain_object`](Self::chain_object).
    #[inline(never)]
    fn chain_object_of_select(&mut self, select: &'v Select) -> Option<&'v Map<String, Value>> {
        match self.chain_value(select, select.chain?) {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Returns the value that a field chain selects, without charging.
    #[inline]
    pub(super) fn chain_value(
        &mut self,
        select: &'v Select,
        chain: FieldChain,
    ) -> Option<&'v Value> {
        let object = self.chain_object(&select.operand)?;
        self.field_cache.get(object, &select.name, chain.name_hash)
    }

    /// Returns the value of a field chain, and charges for the chain. Returns `None` without
    /// charging if the field is absent, or if the attribute is not a field chain.
    fn eval_chain(&mut self, select: &'v Select) -> Result<Option<Val<'v>>, EvalError> {
        let (Some(declaration), Some(chain)) = (select.declaration, select.chain) else {
            return Ok(None);
        };
        let field = self.chain_value(select, chain);
        let Some(result) = from_json::field_value(self.tracker.declared_types, field, declaration)
        else {
            return Ok(None);
        };
        self.tracker.charge_steps(chain.length)?;
        result.map(Some)
    }

    /// Resolves an attribute that ends with a field.
    fn resolve_select(&mut self, select: &'v Select) -> Result<ResolvedAttribute<'v>, EvalError> {
        if select.mode == SelectMode::Select
            && let Some(value) = self.eval_chain(select)?
        {
            return Ok(ResolvedAttribute::present(value));
        }
        self.resolve_select_step(select)
    }

    /// Resolves an attribute like [`resolve_select`](Self::resolve_select), for an attribute that
    /// is not a present field chain.
    fn resolve_select_step(
        &mut self,
        select: &'v Select,
    ) -> Result<ResolvedAttribute<'v>, EvalError> {
        let ResolvedAttribute { value, is_optional } = match &select.operand {
            PlanNode::Select(operand) if operand.mode != SelectMode::Has => {
                self.resolve_select_step(operand)?
            }
            operand => self.resolve_attribute(operand)?,
        };
        let Some(value) = value else {
            return Ok(ResolvedAttribute::absent());
        };
        let is_optional = is_optional || select.mode == SelectMode::Optional;
        let result = match self.field_value(&value, select) {
            Ok(None) if !is_optional => Err(EvalError::new(format!(
                "no such key: {}",
                select.source_name
            ))),
            result => result,
        };
        let value = self.charge_qualifier(result, is_optional)?;
        Ok(ResolvedAttribute { value, is_optional })
    }

    /// Evaluates `has(operand.name)`. The start value of the attribute is free.
    #[inline(never)]
    pub(super) fn eval_has(&mut self, select: &'v Select) -> BoolResult {
        if let (Some(declaration), Some(chain)) = (select.declaration, select.chain)
            && let Some(object) = self.chain_object(&select.operand)
        {
            let field = self.field_cache.get(object, &select.name, chain.name_hash);
            let charged = self.tracker.charge_steps(chain.length);
            self.store_if_error(charged)?;
            let is_present = from_json::is_present(self.tracker.declared_types, field, declaration);
            return self.store_if_error(is_present);
        }
        let result = self.eval_has_by_steps(select);
        self.store_if_error(result)
    }

    /// Evaluates [`eval_has`](Self::eval_has) for an operand that is not a field chain.
    fn eval_has_by_steps(&mut self, select: &'v Select) -> Result<bool, EvalError> {
        let ResolvedAttribute { value, is_optional } = self.resolve_attribute(&select.operand)?;
        let Some(value) = value else {
            return Ok(false);
        };
        let result = self.field_value(&value, select);
        let result = self.charge_qualifier(result, is_optional)?;
        Ok(result.is_some())
    }

    /// Returns the value of a field of the operand.
    fn field_value(
        &mut self,
        operand: &Val<'v>,
        select: &'v Select,
    ) -> Result<Option<SlotValue<'v>>, EvalError> {
        let result = match (operand, select.declaration) {
            (Val::JsonObject(object, _), Some(declaration)) => from_json::get_field(
                self.tracker.declared_types,
                object,
                &select.name,
                declaration,
            ),
            (Val::JsonObject(..) | Val::Map(_), _) => {
                self.charge_search(operand)?;
                let key = Val::String(Str::Borrowed(&select.source_name));
                equal::entry(self.tracker.declared_types, operand, &key)
            }
            (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_), _) => {
                return Err(access::unsupported_index_type("string"));
            }
            (Val::Error(message), _) => return Err(EvalError::Expression(message.clone())),
            // As on a server, selecting a field of a scalar finds nothing and is not an error.
            _ => None,
        };
        Ok(result.transpose()?.map(Ok))
    }

    /// Charges the hidden cost of the search for a key in a computed map. Eight entries count as
    /// one step.
    fn charge_search(&mut self, map: &Val<'v>) -> Result<(), EvalError> {
        match map {
            Val::Map(entries) => self.tracker.charge_hidden(entries.len() as u64 / 8),
            _ => Ok(()),
        }
    }
}
