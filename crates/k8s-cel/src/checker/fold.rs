//! Comprehensions.

use super::state::{Checked, Checker, Variable};
use crate::cost::estimate::{Container, Place, Range, Step};
use crate::functions::form::Form;
use crate::interpreter::program::{self, Code, Goal};
use crate::syntax::{AstKind, Fold, Literal};
use crate::types::types::Type;

/// The types and the steps in the schema of the variables of a loop.
struct Elements {
    first: Type,
    second: Type,
    is_list: bool,
}

impl Checker<'_> {
    pub(super) fn fold(&mut self, fold: &Fold) -> Checked {
        let range = self.check(&fold.range);
        let init = self.check(&fold.init);
        let elements = self.elements(fold, &range);
        let is_bind = is_bind(fold);

        self.was_in_loop = true;
        let before = self.scope.len();
        let accu = self.declare(Variable {
            name: fold.accu.clone(),
            ty: init.ty.clone(),
            place: init.place,
            size: init.size(self.declared),
            entries: init.entries,
        });
        let in_loop = self.scope.len();
        let (var, second) = self.declare_elements(fold, &range, elements);
        let condition = self.check(&fold.condition);
        if !self.types.assign(&Type::Bool, &condition.ty) {
            self.mismatch(fold.condition.at, &Type::Bool, &condition.ty);
        }
        let step = self.check(&fold.step);
        if !self.types.assign(&init.ty, &step.ty) {
            let wanted = self.types.finish(&init.ty);
            self.mismatch(fold.step.at, &wanted, &step.ty);
        }
        self.scope.truncate(in_loop);
        let result = self.check(&fold.result);
        self.scope.truncate(before);

        let mut checked = self.cost_of_fold(fold, &range, &init, [&condition, &step], &result);
        let condition = match condition.code {
            Code::Literal(Literal::Bool(true)) => None,
            code => Some(code),
        };
        checked.code = Code::Fold(Box::new(program::Fold {
            goal: Goal::of(
                accu,
                &init.code,
                condition.as_ref(),
                &step.code,
                &result.code,
            )
            .filter(|_| second.is_none()),
            range: range.code,
            var,
            second,
            accu,
            init: init.code,
            condition,
            appends: appends(&step.code, accu),
            step: step.code,
            result: result.code,
            is_bind,
        }));
        checked
    }

    /// Computes the cost of a comprehension and the maximum size of its result.
    fn cost_of_fold(
        &mut self,
        fold: &Fold,
        range: &Checked,
        init: &Checked,
        [condition, step]: [&Checked; 2],
        result: &Checked,
    ) -> Checked {
        let mut checked = Checked::new(
            Code::Literal(Literal::Null),
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
        match &fold.init.kind {
            AstKind::Literal(_) => checked.size = Some(Range::ONE),
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
        self.most = self.most.max(self.scope.len());
        u16::try_from(self.scope.len() - 1).unwrap_or(u16::MAX)
    }

    /// Returns the types of the variables of a loop.
    fn elements(&mut self, fold: &Fold, range: &Checked) -> Elements {
        let has_second = fold.second.is_some();
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
                self.problem(fold.range.at, text);
                (Type::Error, Type::Error)
            }
        };
        let is_list = match range.entries {
            Some(entries) => entries.of != Container::Map,
            None => matches!(ty, Type::List(_)),
        };
        Elements {
            first,
            second,
            is_list,
        }
    }

    fn declare_elements(
        &mut self,
        fold: &Fold,
        range: &Checked,
        of: Elements,
    ) -> (u16, Option<u16>) {
        let keys = range.entries.map(|entries| entries.keys);
        let values = range.entries.map(|entries| entries.values);
        let (step, size) = match (of.is_list, fold.second.is_some()) {
            (true, true) => (Step::Index, keys),
            (true, false) => (Step::Items, values),
            (false, _) => (Step::Keys, keys),
        };
        let place = |place: Place, step| place.step(self.declared, self.node, step);
        let first = Variable {
            name: fold.var.clone(),
            ty: of.first,
            place: place(range.place, step),
            size,
            entries: None,
        };
        let second = fold.second.as_ref().map(|name| Variable {
            name: name.clone(),
            ty: of.second,
            place: place(range.place, Step::Items),
            size: values,
            entries: None,
        });
        let first = self.declare(first);
        let second = second.map(|second| self.declare(second));
        (first, second)
    }
}

/// Returns true if a step is `accu + [element]`, or `filter ? accu + [element] : accu`.
fn appends(step: &Code, accu: u16) -> bool {
    let is_accu = |code: &Code| matches!(code, Code::Slot(slot) if *slot == accu);
    let sum = match step {
        Code::Choice(choice) if is_accu(&choice.no) => &choice.yes,
        sum => sum,
    };
    match sum {
        Code::Call(call) if call.function.form == Form::Add => match &*call.args {
            [list, Code::List(elements)] => is_accu(list) && matches!(**elements, [(_, false)]),
            _ => false,
        },
        _ => false,
    }
}

fn is_bind(fold: &Fold) -> bool {
    matches!(&fold.range.kind, AstKind::List(elements) if elements.is_empty())
        && matches!(fold.condition.kind, AstKind::Literal(Literal::Bool(false)))
}
