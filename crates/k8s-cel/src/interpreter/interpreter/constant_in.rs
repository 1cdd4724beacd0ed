//! Evaluates `in` with a list of constants.

use super::Interpreter;
use super::boolean::BoolResult;
use super::constant::literal_value;
use crate::functions::access;
use crate::interpreter::program::{ConstantIn, PlanNode};
use crate::syntax::Literal;
use crate::values::equal;
use crate::values::value::{EvalError, Val};

impl<'v> Interpreter<'v> {
    /// Returns true if the list of constants contains the value.
    #[inline(never)]
    pub(super) fn eval_constant_in(&mut self, node: &'v ConstantIn) -> BoolResult {
        let ConstantIn { value, list, .. } = node;
        let literals = literals(list);
        if let Some(literals) = literals
            && let Some(is_contained) = self.is_string_one_of(node, literals)?
        {
            return Ok(is_contained);
        }
        let value = self.eval(value);
        let value = self.store_if_error(value)?;
        let hashable = equal::check_hashable(&value).map_err(EvalError::from);
        self.store_if_error(hashable)?;
        if let Some(literals) = literals {
            return self.is_one_of(&value, literals);
        }
        let cost_before = self.tracker.cost();
        let is_contained = self.is_in(&value, list);
        self.tracker.reset_to(cost_before);
        self.store_if_error(is_contained)
    }

    /// Compares the value with each literal, without creating a list.
    fn is_one_of(&mut self, value: &Val<'v>, literals: &'v [(PlanNode, bool)]) -> BoolResult {
        self.check_literal_list_cost(literals)?;
        for (node, _) in literals {
            let PlanNode::Literal(literal) = node else {
                continue;
            };
            let is_equal = match (literal, value) {
                (Literal::String(string), Val::String(value)) => Ok(string == value.as_str()),
                (literal, value) => {
                    equal::equal(self.tracker.declared_types, value, &literal_value(literal))
                }
            };
            match is_equal {
                Ok(true) => return Ok(true),
                Err(fatal @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => {
                    return self.store_if_error(Err(fatal));
                }
                // A value that cannot be compared is not equal.
                Ok(false) | Err(EvalError::Expression(_)) => {}
            }
        }
        Ok(false)
    }

    fn is_in(&mut self, value: &Val<'v>, list: &'v PlanNode) -> Result<bool, EvalError> {
        let list = self.eval(list)?;
        // Eight elements count as one step.
        self.tracker.charge_hidden(list.size() / 8)?;
        access::list_contains(&self.tracker, &list, value)
    }
}

/// Returns the elements of a list, if all of them are literals.
fn literals(list: &PlanNode) -> Option<&[(PlanNode, bool)]> {
    let PlanNode::PrecomputedConstant(list) = list else {
        return None;
    };
    match &**list {
        PlanNode::List(elements) => {
            let mut iter = elements.iter();
            iter.all(|(element, is_optional)| {
                matches!(element, PlanNode::Literal(_)) && !is_optional
            })
            .then_some(&**elements)
        }
        _ => None,
    }
}
