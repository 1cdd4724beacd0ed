//! Comprehensions.

use super::state::{CheckedExpr, Checker, Variable};
use crate::cost::estimate::{ContainerType, EstimateRange, OriginStep, ValueOrigin};
use crate::functions::call_form::CallForm;
use crate::interpreter::program::{self, PlanNode, Quantifier};
use crate::syntax::{AstKind, Comprehension, Literal};
use crate::types::types::Type;

/// The types and the steps in the schema of the variables of a loop.
struct LoopVariables {
    first: Type,
    second: Type,
    is_list: bool,
}

impl Checker<'_> {
    pub(super) fn comprehension(&mut self, fold: &Comprehension) -> CheckedExpr {
        let range = self.check(&fold.iter_range);
        let init = self.check(&fold.accu_init);
        let elements = self.loop_variables(fold, &range);
        let is_bind = is_bind(fold);

        self.was_in_loop = true;
        let before = self.scope.len();
        let accu = self.declare(Variable {
            name: fold.accu_var.clone(),
            ty: init.ty.clone(),
            origin: init.origin,
            size: init.size(self.declared),
            entries: init.entries,
        });
        let in_loop = self.scope.len();
        let (var, second) = self.declare_loop_variables(fold, &range, elements);
        let condition = self.check(&fold.loop_condition);
        if !self.types.assign(&Type::Bool, &condition.ty) {
            self.mismatch(fold.loop_condition.offset, &Type::Bool, &condition.ty);
        }
        let step = self.check(&fold.loop_step);
        if !self.types.assign(&init.ty, &step.ty) {
            let wanted = self.types.finish(&init.ty);
            self.mismatch(fold.loop_step.offset, &wanted, &step.ty);
        }
        self.scope.truncate(in_loop);
        let result = self.check(&fold.result);
        self.scope.truncate(before);

        let mut checked =
            self.comprehension_cost(fold, &range, &init, [&condition, &step], &result);
        let condition = match condition.code {
            PlanNode::Literal(Literal::Bool(true)) => None,
            code => Some(code),
        };
        checked.code = PlanNode::Comprehension(Box::new(program::ComprehensionPlan {
            quantifier: Quantifier::from_comprehension(
                accu,
                &init.code,
                condition.as_ref(),
                &step.code,
                &result.code,
            )
            .filter(|_| second.is_none()),
            iter_range: range.code,
            iter_var: var,
            iter_var2: second,
            accu_var: accu,
            accu_init: init.code,
            loop_condition: condition,
            appends: is_append(&step.code, accu),
            loop_step: step.code,
            result: result.code,
            is_bind,
        }));
        checked
    }

    /// Computes the cost of a comprehension and the maximum size of its result.
    fn comprehension_cost(
        &mut self,
        fold: &Comprehension,
        range: &CheckedExpr,
        init: &CheckedExpr,
        [condition, step]: [&CheckedExpr; 2],
        result: &CheckedExpr,
    ) -> CheckedExpr {
        let mut checked = CheckedExpr::new(
            PlanNode::Literal(Literal::Null),
            self.types.resolve(&result.ty),
            range.cost.plus(init.cost).plus(result.cost),
        );
        if is_bind(fold) {
            checked.size = result.size(self.declared);
            checked.entries = result.entries;
            return checked;
        }
        let count = range.size_or_unknown(self.declared);
        let each = step.cost.plus(condition.cost);
        checked.cost = checked.cost.plus(count.times(each));
        match &fold.accu_init.kind {
            AstKind::Literal(_) => checked.size = Some(EstimateRange::ONE),
            AstKind::List(_) | AstKind::Map(_) => {
                checked.size = Some(count);
                checked.entries = step.entries;
            }
            _ => {}
        }
        checked
    }

    fn declare(&mut self, variable: Variable) -> u16 {
        self.scope.push(variable);
        self.max_slots = self.max_slots.max(self.scope.len());
        u16::try_from(self.scope.len() - 1).unwrap_or(u16::MAX)
    }

    /// Returns the types of the variables of a loop.
    fn loop_variables(&mut self, fold: &Comprehension, range: &CheckedExpr) -> LoopVariables {
        let has_second = fold.iter_var2.is_some();
        let ty = self.types.resolve(&range.ty);
        let (first, second) = match &ty {
            Type::List(of) if has_second => (Type::Int, (**of).clone()),
            Type::List(of) => ((**of).clone(), Type::Dyn),
            Type::Map(of) => (of.0.clone(), of.1.clone()),
            Type::Dyn | Type::Error => (Type::Dyn, Type::Dyn),
            Type::Var(_) => {
                self.types.assign(&Type::Dyn, &ty);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let text = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.add_error(fold.iter_range.offset, text);
                (Type::Error, Type::Error)
            }
        };
        let is_list = match range.entries {
            Some(entries) => entries.container != ContainerType::Map,
            None => matches!(ty, Type::List(_)),
        };
        LoopVariables {
            first,
            second,
            is_list,
        }
    }

    fn declare_loop_variables(
        &mut self,
        fold: &Comprehension,
        range: &CheckedExpr,
        of: LoopVariables,
    ) -> (u16, Option<u16>) {
        let keys = range.entries.map(|entries| entries.keys);
        let values = range.entries.map(|entries| entries.values);
        let (step, size) = match (of.is_list, fold.iter_var2.is_some()) {
            (true, true) => (OriginStep::Index, keys),
            (true, false) => (OriginStep::Items, values),
            (false, _) => (OriginStep::Keys, keys),
        };
        let place = |place: ValueOrigin, step| place.step(self.declared, self.node, step);
        let first = Variable {
            name: fold.iter_var.clone(),
            ty: of.first,
            origin: place(range.origin, step),
            size,
            entries: None,
        };
        let second = fold.iter_var2.as_ref().map(|name| Variable {
            name: name.clone(),
            ty: of.second,
            origin: place(range.origin, OriginStep::Items),
            size: values,
            entries: None,
        });
        let first = self.declare(first);
        let second = second.map(|second| self.declare(second));
        (first, second)
    }
}

/// Returns true if a step is `accu + [element]`, or `filter ? accu + [element] : accu`.
fn is_append(step: &PlanNode, accu: u16) -> bool {
    let is_accu = |code: &PlanNode| matches!(code, PlanNode::Slot(slot) if *slot == accu);
    let sum = match step {
        PlanNode::Conditional(choice) if is_accu(&choice.no) => &choice.yes,
        sum => sum,
    };
    match sum {
        PlanNode::Call(call) if call.function.form == CallForm::Add => match &*call.args {
            [list, PlanNode::List(elements)] => is_accu(list) && matches!(**elements, [(_, false)]),
            _ => false,
        },
        _ => false,
    }
}

fn is_bind(fold: &Comprehension) -> bool {
    matches!(&fold.iter_range.kind, AstKind::List(elements) if elements.is_empty())
        && matches!(
            fold.loop_condition.kind,
            AstKind::Literal(Literal::Bool(false))
        )
}
