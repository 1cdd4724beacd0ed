//! Evaluation of the rules of one value.

use k8s_cel::cost::CALL_LIMIT;
use k8s_cel::{Evaluation, Fault, Operand, Program};

use super::{Pairing, Stop, Visit, Walk};
use crate::decode::correlate::Before;
use crate::rules::failure;
use crate::schema::Rule;
use crate::schema::programs::{Compiled, Message};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;

impl<'v> Walk<'v> {
    pub(super) fn rules(
        &mut self,
        visit: &Visit<'_, 'v>,
        pairing: Pairing<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let (schema, programs) = (self.judge.schema, self.judge.programs);
        let compiled = programs.node(visit.rules);
        if let Some(problem) = compiled.problem {
            let detail = format!("rule compiler initialization error: {problem}");
            self.error(visit, at, detail);
            return Ok(());
        }
        if compiled.rules.is_empty() {
            return Ok(());
        }
        let this = Operand::new(&programs.declared, visit.new, visit.node);
        // If no rule uses `oldSelf`, no message expression does either.
        let old = visit.old.filter(|_| compiled.uses_old_self);
        let old = old.and_then(Before::get).filter(|old| !old.is_null());
        let before = old.map(|old| Operand::new(&programs.declared, old, visit.node));
        if self.budget == 0 {
            return self.out_of_budget(visit, at);
        }
        let values = Values {
            this: &this,
            old: before.as_ref(),
        };
        let rules = schema.node(visit.rules).rules.iter();
        for (rule, compiled) in rules.zip(&compiled.rules) {
            let judged = Judged {
                visit,
                rule,
                compiled,
                values: &values,
                pairing,
            };
            self.rule(&judged, at)?;
        }
        Ok(())
    }

    fn error(&mut self, visit: &Visit<'_, 'v>, at: &Path<'_>, detail: String) {
        let node = self.judge.schema.node(visit.node);
        self.found
            .errors
            .push(failure::about_type(node, at.to_field_path(), detail));
    }

    fn out_of_budget(&mut self, visit: &Visit<'_, 'v>, at: &Path<'_>) -> Result<(), Stop> {
        let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
        self.error(visit, at, detail.to_owned());
        Err(Stop)
    }

    #[inline]
    fn rule(&mut self, judged: &Judged<'_, 'v>, at: &Path<'_>) -> Result<(), Stop> {
        let Ok(Some(program)) = &judged.compiled.program else {
            self.without_program(judged, at);
            return Ok(());
        };
        let values = judged.values;
        let optional = if program.uses_old_self() {
            let optional = judged.rule.optional_old_self == Some(true);
            if values.old.is_none() && !optional {
                return Ok(());
            }
            optional.then(|| values.optional_old())
        } else {
            None
        };
        let old = optional.as_ref().or(values.old);
        let evaluation = self.evaluator.run(program, values.this, old, CALL_LIMIT);
        // A fast path, because most rules hold.
        if let Ok(answer) = &evaluation.result
            && answer.as_bool() == Some(true)
            && let Some(budget) = self.budget.checked_sub(evaluation.cost)
        {
            self.budget = budget;
            return Ok(());
        }
        self.answered(evaluation, judged, at)
    }

    /// Reports a rule that cannot be compiled. An empty rule is ignored.
    #[cold]
    fn without_program(&mut self, judged: &Judged<'_, 'v>, at: &Path<'_>) {
        if let Err(problem) = &judged.compiled.program {
            let detail = format!("rule compile error: {problem}");
            self.error(judged.visit, at, detail);
        }
    }

    /// Handles an evaluation that did not return true within the budget.
    #[cold]
    fn answered(
        &mut self,
        Evaluation { result, cost, .. }: Evaluation<'v>,
        judged: &Judged<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let name = failure::name(judged.rule);
        if let Err(Fault::Cost) = result {
            // The cost of one expression may also exceed the budget of the whole object, which is
            // reported first.
            if cost > self.budget {
                return self.out_of_budget(judged.visit, at);
            }
            let detail = format!(
                "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to \
                 call cost exceeds limit for rule: {name}"
            );
            self.error(judged.visit, at, detail);
            return Err(Stop);
        }
        let Some(budget) = self.budget.checked_sub(cost) else {
            return self.out_of_budget(judged.visit, at);
        };
        self.budget = budget;
        let detail = match result {
            Ok(_) => return self.unmet(judged, at),
            Err(Fault::Error(text)) if text.starts_with("no such overload") => format!(
                "'{text}': call arguments did not match a supported operator, function or macro signature for \
                 rule: {name}"
            ),
            Err(Fault::Error(text) | Fault::Crash(text)) => {
                format!("{text} evaluating rule: {name}")
            }
            Err(_) => return Err(Stop),
        };
        let is_tolerated = self.judge.is_deep
            && !judged.compiled.uses_old_self()
            && self.is_unchanged(judged.pairing);
        let errors = if is_tolerated {
            &mut self.found.unevaluated
        } else {
            &mut self.found.errors
        };
        let node = self.judge.schema.node(judged.visit.node);
        errors.push(failure::about_type(node, at.to_field_path(), detail));
        Ok(())
    }

    /// Reports a rule that is violated: as an error, or as a warning if the value is unchanged.
    fn unmet(&mut self, judged: &Judged<'_, 'v>, at: &Path<'_>) -> Result<(), Stop> {
        let Judged {
            visit,
            rule,
            compiled,
            values,
            pairing,
        } = *judged;
        let judge = self.judge;
        let node = judge.schema.node(visit.node);
        let is_ratcheted = !compiled.uses_old_self() && self.is_unchanged(pairing);
        let (message, stop) = match &compiled.message {
            Message::Program(program) => self.message(program, rule, values),
            Message::None | Message::Error(_) => (None, None),
        };
        let violation = match &stop {
            Some(detail) => {
                let path = failure::path(compiled, &at.to_field_path());
                failure::about_type(node, path, detail.clone())
            }
            None => failure::unmet(
                rule,
                compiled,
                node,
                visit.new,
                &at.to_field_path(),
                message.unwrap_or_else(|| failure::message(rule)),
                judge.shows_values,
            ),
        };
        if is_ratcheted {
            self.found.ratcheted.push(violation);
        } else {
            self.found.errors.push(violation);
        }
        if stop.is_some() { Err(Stop) } else { Ok(()) }
    }

    fn is_unchanged(&self, pairing: Pairing<'_, 'v>) -> bool {
        let mut nearest = pairing.nearest;
        while let Some(paired) = nearest {
            if let Some(old) = paired.before.get() {
                let schema = self.judge.schema.at(paired.id);
                let is_equal = paired.before.equality().is_equal(schema, paired.new, old);
                // Deep equality pairs elements by position, so a list may be equal although an
                // element is not equal to its old element.
                if is_equal || !self.judge.is_deep {
                    return is_equal;
                }
            }
            nearest = paired.above;
        }
        false
    }

    /// Returns the result of a message expression, and the reason to stop the evaluation.
    fn message(
        &mut self,
        program: &'v Program,
        rule: &Rule,
        values: &Values<'_, 'v>,
    ) -> (Option<String>, Option<String>) {
        let Evaluation { result, cost, .. } =
            self.evaluator
                .run(program, values.this, values.old, CALL_LIMIT);
        let Some(budget) = self.budget.checked_sub(cost) else {
            let detail = "messageExpression evaluation failed due to running out of cost budget, no further \
                          validation rules will be run";
            return (None, Some(detail.to_owned()));
        };
        if let Err(Fault::Cost) = result {
            let source = Quoted(&rule.message_expression);
            let detail = format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {source}"
            );
            return (None, Some(detail));
        }
        self.budget = budget;
        (failure::evaluated(&result), None)
    }
}

/// A rule, and the value to evaluate it on.
struct Judged<'a, 'v> {
    visit: &'a Visit<'a, 'v>,
    rule: &'v Rule,
    compiled: &'v Compiled,
    values: &'a Values<'a, 'v>,
    pairing: Pairing<'a, 'v>,
}

/// The values of `self` and `oldSelf` for the rules of a node.
struct Values<'a, 'v> {
    this: &'a Operand<'v>,
    old: Option<&'a Operand<'v>>,
}

impl<'v> Values<'_, 'v> {
    /// Returns `oldSelf` as an optional value.
    fn optional_old(&self) -> Operand<'v> {
        match self.old {
            Some(old) => old.clone().into_optional(),
            None => Operand::none(),
        }
    }
}
