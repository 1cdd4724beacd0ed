//! The rules of one value.

use k8s_cel::cost::CALL_LIMIT;
use k8s_cel::{Answer, Evaluation, Fault, Operand, Program};

use super::{Pairing, Stop, Visit, Walk};
use crate::rules::failure;
use crate::schema::Rule;
use crate::schema::programs::{Compiled, Message};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;

impl<'v> Walk<'v> {
    pub(super) fn rules(
        &mut self,
        visit: &Visit<'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let (schema, programs) = (self.judge.schema, self.judge.programs);
        let compiled = programs.node(visit.rules);
        let node = schema.node(visit.node);
        if let Some(problem) = compiled.problem {
            let detail = format!("rule compiler initialization error: {problem}");
            self.found
                .errors
                .push(failure::about_type(node, at.to_string(), detail));
            return Ok(());
        }
        if compiled.rules.is_empty() {
            return Ok(());
        }
        let old = visit.old.filter(|old| !old.is_null());
        let this = Operand::new(&programs.declared, visit.new, visit.node);
        // Where no rule has it, no message has it either.
        let before = old.filter(|_| compiled.uses_old_self);
        let before = before.map(|old| Operand::new(&programs.declared, old, visit.node));
        if self.budget == 0 {
            return self.out_of_budget(visit, at);
        }
        let rules = schema.node(visit.rules).rules.iter();
        for (rule, compiled) in rules.zip(&compiled.rules) {
            let values = Values {
                this: &this,
                old: before.as_ref(),
                has_old: old.is_some(),
            };
            self.rule(visit, rule, compiled, &values, pairing, at)?;
        }
        Ok(())
    }

    fn error(&mut self, visit: &Visit<'v>, at: &Path<'_>, detail: String) {
        let node = self.judge.schema.node(visit.node);
        self.found
            .errors
            .push(failure::about_type(node, at.to_string(), detail));
    }

    fn out_of_budget(&mut self, visit: &Visit<'v>, at: &Path<'_>) -> Result<(), Stop> {
        let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
        self.error(visit, at, detail.to_owned());
        Err(Stop)
    }

    fn rule(
        &mut self,
        visit: &Visit<'v>,
        rule: &'v Rule,
        compiled: &'v Compiled,
        values: &Values<'_, 'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let program = match &compiled.program {
            Ok(Some(program)) => program,
            Ok(None) => return Ok(()),
            Err(problem) => {
                self.error(visit, at, format!("rule compile error: {problem}"));
                return Ok(());
            }
        };
        let optional = rule.optional_old_self == Some(true);
        if program.uses_old_self() && !values.has_old && !optional {
            return Ok(());
        }
        let old = match (optional, values.old) {
            (false, old) => old.cloned(),
            (true, Some(old)) => Some(old.clone().into_optional()),
            (true, None) => Some(Operand::none()),
        };
        let Evaluation { result, cost, .. } =
            self.evaluator.run(program, values.this, old, CALL_LIMIT);
        if let Err(Fault::Cost) = result {
            let name = failure::name(rule);
            let detail = format!(
                "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to \
                 call cost exceeds limit for rule: {name}"
            );
            // An expression that is too expensive may be so for the whole object first.
            return if cost > self.budget {
                self.out_of_budget(visit, at)
            } else {
                self.error(visit, at, detail);
                Err(Stop)
            };
        }
        let Some(budget) = self.budget.checked_sub(cost) else {
            return self.out_of_budget(visit, at);
        };
        self.budget = budget;
        let rule = Judged {
            visit,
            rule,
            compiled,
        };
        self.answered(result, &rule, values, pairing, at)
    }

    /// What happens to a rule that was evaluated within its costs.
    fn answered(
        &mut self,
        result: Result<Answer<'_>, Fault>,
        judged: &Judged<'_, 'v>,
        values: &Values<'_, 'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        if let Ok(answer) = &result
            && answer.as_bool() == Some(true)
        {
            return Ok(());
        }
        let name = failure::name(judged.rule);
        let detail = match result {
            Ok(_) => return self.unmet(judged, values, pairing, at),
            Err(Fault::Error(text)) if text.starts_with("no such overload") => format!(
                "'{text}': call arguments did not match a supported operator, function or macro signature for \
                 rule: {name}"
            ),
            Err(Fault::Error(text) | Fault::Crash(text)) => {
                format!("{text} evaluating rule: {name}")
            }
            Err(_) => return Err(Stop),
        };
        self.error(judged.visit, at, detail);
        Ok(())
    }

    /// A rule that is not met: an error, or a warning where the value is unchanged.
    fn unmet(
        &mut self,
        rule: &Judged<'_, 'v>,
        values: &Values<'_, 'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let Judged {
            visit,
            rule,
            compiled,
        } = *rule;
        let judge = self.judge;
        let node = judge.schema.node(visit.node);
        let is_ratcheted = !compiled.uses_old_self() && self.is_unchanged(pairing);
        let (message, stop) = match &compiled.message {
            Message::Program(program) => self.message(program, rule, values),
            Message::None | Message::Error(_) => (None, None),
        };
        let violation = match &stop {
            Some(detail) => {
                let path = failure::path(compiled, at.to_string());
                failure::about_type(node, path, detail.clone())
            }
            None => failure::unmet(
                rule,
                compiled,
                node,
                visit.new,
                at.to_string(),
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

    fn is_unchanged(&self, pairing: Pairing<'v>) -> bool {
        let judge = self.judge;
        pairing
            .paired
            .or(pairing.nearest)
            .is_some_and(|(id, new, old)| judge.equality.is_equal(judge.schema.at(id), new, old))
    }

    /// What a message expression says, or why nothing more is evaluated.
    fn message(
        &mut self,
        program: &'v Program,
        rule: &Rule,
        values: &Values<'_, 'v>,
    ) -> (Option<String>, Option<String>) {
        let old = values.old.cloned();
        let Evaluation { result, cost, .. } =
            self.evaluator.run(program, values.this, old, CALL_LIMIT);
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

/// A rule, and the value that it is about.
struct Judged<'a, 'v> {
    visit: &'a Visit<'v>,
    rule: &'v Rule,
    compiled: &'v Compiled,
}

/// The values that the rules of a node are about.
struct Values<'a, 'v> {
    this: &'a Operand<'v>,
    old: Option<&'a Operand<'v>>,
    has_old: bool,
}
