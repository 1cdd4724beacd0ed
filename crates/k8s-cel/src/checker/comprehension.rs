//! Checks comprehensions: declares their variables, estimates costs and plans the loop.

use super::state::{CheckedExpr, Checker, Variable};
use crate::cost::estimate::{ContainerType, OriginStep, ValueOrigin};
use crate::functions::call_form::CallForm;
use crate::interpreter::program::{self, PlanNode, Quantifier};
use crate::syntax::{ACCUMULATOR, AstKind, Comprehension, Literal};
use crate::types::feature::Feature;
use crate::types::types::Type;

/// The types of the loop variables, and the type of the container that contains their values.
struct LoopVariables {
    first: Type,
    second: Type,
    container: ContainerType,
}

impl Checker<'_> {
    /// Checks a comprehension.
    pub(super) fn check_comprehension(&mut self, comprehension: &Comprehension) -> CheckedExpr {
        let range = self.check(&comprehension.iter_range);
        let is_bind = is_bind(comprehension);
        let init = self.check_initial_value(comprehension, is_bind);
        let loop_variables = self.loop_variables(comprehension, &range);

        self.was_in_loop = true;
        let outer_scope = self.scope.len();
        let accu = self.declare(Variable {
            name: comprehension.accu_var.clone(),
            ty: init.ty.clone(),
            origin: self.accumulator_origin(comprehension, &init),
            size: init.size(self.declared_types),
            entry_sizes: init.entry_sizes,
        });
        let loop_scope = self.scope.len();
        let (first_var, second_var) =
            self.declare_loop_variables(comprehension, &range, loop_variables);
        let condition = self.check(&comprehension.loop_condition);
        if !self.types.assign(&Type::Bool, &condition.ty) {
            self.add_type_mismatch(
                comprehension.loop_condition.offset,
                &Type::Bool,
                &condition.ty,
            );
        }
        let step = self.check(&comprehension.loop_step);
        if !self.types.assign(&init.ty, &step.ty) {
            self.add_type_mismatch(comprehension.loop_step.offset, &init.ty, &step.ty);
        }
        self.scope.truncate(loop_scope);
        let result = self.check(&comprehension.result);
        self.scope.truncate(outer_scope);

        let mut checked =
            self.comprehension_cost(comprehension, &range, &init, [&condition, &step], &result);
        let condition = match condition.node {
            PlanNode::Literal(Literal::Bool(true)) => None,
            node => Some(node),
        };
        checked.node = PlanNode::Comprehension(Box::new(program::ComprehensionPlan {
            quantifier: Quantifier::from_comprehension(
                accu,
                &init.node,
                condition.as_ref(),
                &step.node,
                &result.node,
            )
            .filter(|_| second_var.is_none()),
            iter_range: range.node,
            iter_var: first_var,
            iter_var2: second_var,
            accu_var: accu,
            accu_init: init.node,
            loop_condition: condition,
            appends: is_append(&step.node, accu),
            loop_step: step.node,
            result: result.node,
            is_bind,
        }));
        checked
    }

    /// Checks the initial value of the accumulator.
    ///
    /// For `optMap` and `optFlatMap`, the initial value is a call whose target the server has
    /// already checked, as a part of the same expansion. A server without
    /// [`OptMapOfUntypedTargets`](Feature::OptMapOfUntypedTargets) reports the parts of the target
    /// whose types differ in the second check, because their type parameters are new.
    fn check_initial_value(&mut self, comprehension: &Comprehension, is_bind: bool) -> CheckedExpr {
        let value = &comprehension.accu_init;
        if !is_bind || self.declared_types.has(Feature::OptMapOfUntypedTargets) {
            return self.check(value);
        }
        let first_new = self.types.var_count();
        let outer_types = self.checked_types.replace(Vec::new());
        let checked = self.check(value);
        let mut types =
            core::mem::replace(&mut self.checked_types, outer_types).unwrap_or_default();
        // The last type is the type of the call itself, which is not repeated.
        types.pop();
        let mut new_vars = first_new..self.types.var_count();
        for (offset, ty) in &types {
            // The server keeps the old type of a part that it reports, so the same type parameter
            // is reported once.
            if let Some(last) = ty.last_var(&new_vars) {
                new_vars.start = last + 1;
                let message =
                    format!("incompatible type already exists for expression: old:{ty}, new:{ty}");
                self.add_error(*offset, message);
            }
        }
        if let Some(outer_types) = &mut self.checked_types {
            outer_types.append(&mut types);
        }
        checked
    }

    /// Returns the origin of the accumulator's value. A server without
    /// [`ElementSizes`](Feature::ElementSizes) estimates a variable of `optMap` as `self`.
    fn accumulator_origin(&self, comprehension: &Comprehension, init: &CheckedExpr) -> ValueOrigin {
        if self.declared_types.has(Feature::ElementSizes) {
            init.origin
        } else if comprehension.accu_var == ACCUMULATOR {
            ValueOrigin::Unknown
        } else {
            ValueOrigin::Declared(self.self_declaration)
        }
    }

    /// Computes the cost of a comprehension and the maximum size of its result.
    fn comprehension_cost(
        &mut self,
        comprehension: &Comprehension,
        range: &CheckedExpr,
        init: &CheckedExpr,
        [condition, step]: [&CheckedExpr; 2],
        result: &CheckedExpr,
    ) -> CheckedExpr {
        let ty = self.types.resolve(&result.ty);
        let mut checked = CheckedExpr::new(
            PlanNode::Literal(Literal::Null),
            self.types.of_new_value(ty),
            range.cost.plus(init.cost).plus(result.cost),
        );
        let has_element_sizes = self.declared_types.has(Feature::ElementSizes);
        if is_bind(comprehension) && has_element_sizes {
            checked.size = result.size(self.declared_types);
            checked.entry_sizes = result.entry_sizes;
            return checked;
        }
        let count = range.size_or_unknown(self.declared_types);
        let iteration_cost = step.cost.plus(condition.cost);
        checked.cost = checked.cost.plus(count.times(iteration_cost));
        match &comprehension.accu_init.kind {
            _ if !self.declared_types.has(Feature::ComprehensionSizes) => {}
            _ if !has_element_sizes => checked.size = Some(count),
            AstKind::List(_) | AstKind::Map(_) => {
                checked.size = Some(count);
                checked.entry_sizes = step.entry_sizes;
            }
            _ => {}
        }
        checked
    }

    /// Adds a variable to the scope, and returns its slot.
    fn declare(&mut self, variable: Variable) -> u16 {
        self.scope.push(variable);
        self.max_slots = self.max_slots.max(self.scope.len());
        u16::try_from(self.scope.len() - 1).unwrap_or(u16::MAX)
    }

    /// Returns the types of the loop variables, or reports a range that is not a list or map.
    fn loop_variables(
        &mut self,
        comprehension: &Comprehension,
        range: &CheckedExpr,
    ) -> LoopVariables {
        let has_second = comprehension.iter_var2.is_some();
        let ty = self.types.resolve(&range.ty);
        let (first, second) = match &ty {
            Type::List(inner) if has_second => (Type::Int, (**inner).clone()),
            Type::List(inner) => ((**inner).clone(), Type::Dyn),
            Type::Map(entry) => (entry.0.clone(), entry.1.clone()),
            Type::Dyn | Type::Error | Type::Var(_) => {
                self.types.assign(&Type::Dyn, &ty);
                (Type::Dyn, self.unknown_second_type(Type::Dyn))
            }
            other => {
                let message = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.add_error(comprehension.iter_range.offset, message);
                (Type::Error, self.unknown_second_type(Type::Error))
            }
        };
        let container = match range.entry_sizes.map(|sizes| sizes.container) {
            Some(ContainerType::Map) => ContainerType::Map,
            Some(ContainerType::List | ContainerType::Unknown) => ContainerType::List,
            None if matches!(ty, Type::List(_)) => ContainerType::List,
            None if matches!(ty, Type::Map(_)) => ContainerType::Map,
            None => ContainerType::Unknown,
        };
        LoopVariables {
            first,
            second,
            container,
        }
    }

    /// Returns the type of the second variable of a loop whose range is not known to be a list or
    /// map: `ty`, or no type on a server without [`Feature::DynLoopVariables`].
    fn unknown_second_type(&mut self, ty: Type) -> Type {
        if self.declared_types.has(Feature::DynLoopVariables) {
            ty
        } else {
            self.types.fresh_missing()
        }
    }

    /// Adds the loop variables to the scope, and returns their slots.
    fn declare_loop_variables(
        &mut self,
        comprehension: &Comprehension,
        range: &CheckedExpr,
        types: LoopVariables,
    ) -> (u16, Option<u16>) {
        let keys = range.entry_sizes.map(|sizes| sizes.keys);
        let values = range.entry_sizes.map(|sizes| sizes.values);
        let has_element_sizes = self.declared_types.has(Feature::ElementSizes);
        let has_second = comprehension.iter_var2.is_some();
        let element_origin =
            |step| (range.origin).step(self.declared_types, self.self_declaration, step);
        let (origin, size) = match types.container {
            ContainerType::Unknown if !has_element_sizes => (ValueOrigin::Expression, None),
            ContainerType::List if has_second && has_element_sizes => {
                (element_origin(OriginStep::Index), keys)
            }
            ContainerType::List => (element_origin(OriginStep::Items), values),
            ContainerType::Map | ContainerType::Unknown => (element_origin(OriginStep::Keys), keys),
        };
        // A server without sizes of elements estimates the second variable as `self`.
        let second_origin = if has_element_sizes {
            element_origin(OriginStep::Items)
        } else {
            ValueOrigin::Declared(self.self_declaration)
        };
        let first = Variable {
            name: comprehension.iter_var.clone(),
            ty: types.first,
            origin,
            size,
            entry_sizes: None,
        };
        let second = comprehension.iter_var2.as_ref().map(|name| Variable {
            name: name.clone(),
            ty: types.second,
            origin: second_origin,
            size: values,
            entry_sizes: None,
        });
        let first = self.declare(first);
        let second = second.map(|second| self.declare(second));
        (first, second)
    }
}

/// Returns true if a loop step is `accu + [element]`, or `filter ? accu + [element] : accu`.
fn is_append(step: &PlanNode, accu: u16) -> bool {
    let is_accu = |node: &PlanNode| matches!(node, PlanNode::Slot(slot) if *slot == accu);
    let addition = match step {
        PlanNode::Conditional(conditional) if is_accu(&conditional.no) => &conditional.yes,
        addition => addition,
    };
    match addition {
        PlanNode::Call(call) if call.function.form == CallForm::Add => match &*call.args {
            [list, PlanNode::List(elements)] => is_accu(list) && matches!(**elements, [(_, false)]),
            _ => false,
        },
        _ => false,
    }
}

/// Returns true for an expansion of the macro `cel.bind`.
fn is_bind(comprehension: &Comprehension) -> bool {
    matches!(&comprehension.iter_range.kind, AstKind::List(elements) if elements.is_empty())
        && matches!(
            comprehension.loop_condition.kind,
            AstKind::Literal(Literal::Bool(false))
        )
}
