//! Evaluation of the rules of one value.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, EvalError, EvalResult, Program};

use super::{BudgetExhausted, RatchetContext, RuleNode, RuleWalk};
use crate::decode::ratchet::OldValue;
use crate::rules::rule_violation;
use crate::schema::Rule;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRule};
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::Path;

impl<'v> RuleWalk<'v> {
    pub(super) fn evaluate_rules(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        pairing: RatchetContext<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let (schema, programs) = (
            self.rule_evaluator.schema,
            self.rule_evaluator.compiled_rules,
        );
        let compiled = programs.node(visit.rules);
        if let Some(problem) = compiled.problem {
            let detail = format!("rule compiler initialization error: {problem}");
            self.report_error(visit, at, detail);
            return Ok(());
        }
        if compiled.rules.is_empty() {
            return Ok(());
        }
        let this = Binding::new(&programs.declared_types, visit.new, visit.node);
        // If no rule uses `oldSelf`, no message expression does either.
        let old = visit.old.filter(|_| compiled.uses_old_self);
        let old = old.and_then(OldValue::get).filter(|old| !old.is_null());
        let before = old.map(|old| Binding::new(&programs.declared_types, old, visit.node));
        if self.budget == 0 {
            return self.report_exhausted_budget(visit, at);
        }
        let values = RuleVariables {
            this: &this,
            old: before.as_ref(),
        };
        let rules = schema.node(visit.rules).rules.iter();
        for (rule, compiled) in rules.zip(&compiled.rules) {
            let rule_at_value = RuleAtValue {
                visit,
                rule,
                compiled,
                values: &values,
                pairing,
            };
            self.evaluate_rule(&rule_at_value, at)?;
        }
        Ok(())
    }

    fn report_error(&mut self, visit: &RuleNode<'_, 'v>, at: &Path<'_>, detail: String) {
        let node = self.rule_evaluator.schema.node(visit.node);
        self.results.errors.push(rule_violation::type_violation(
            node,
            at.to_field_path(),
            detail,
        ));
    }

    fn report_exhausted_budget(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
        self.report_error(visit, at, detail.to_owned());
        Err(BudgetExhausted)
    }

    #[inline]
    fn evaluate_rule(
        &mut self,
        rule_at_value: &RuleAtValue<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let Ok(Some(program)) = &rule_at_value.compiled.program else {
            self.report_compile_error(rule_at_value, at);
            return Ok(());
        };
        let values = rule_at_value.values;
        let optional = if program.uses_old_self() {
            let optional = rule_at_value.rule.optional_old_self == Some(true);
            if values.old.is_none() && !optional {
                return Ok(());
            }
            optional.then(|| values.optional_old())
        } else {
            None
        };
        let old = optional.as_ref().or(values.old);
        let evaluation = self
            .evaluator
            .run(program, values.this, old, PER_CALL_LIMIT);
        // Fast path: most rules evaluate to true.
        if let Ok(answer) = &evaluation.result
            && answer.as_bool() == Some(true)
            && let Some(budget) = self.budget.checked_sub(evaluation.cost)
        {
            self.budget = budget;
            return Ok(());
        }
        self.handle_evaluation(evaluation, rule_at_value, at)
    }

    /// Reports a rule that cannot be compiled. An empty rule is ignored.
    #[cold]
    fn report_compile_error(&mut self, rule_at_value: &RuleAtValue<'_, 'v>, at: &Path<'_>) {
        if let Err(problem) = &rule_at_value.compiled.program {
            let detail = format!("rule compile error: {problem}");
            self.report_error(rule_at_value.visit, at, detail);
        }
    }

    /// Handles an evaluation that did not return true within the budget.
    #[cold]
    fn handle_evaluation(
        &mut self,
        EvalResult { result, cost, .. }: EvalResult<'v>,
        rule_at_value: &RuleAtValue<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let name = rule_violation::rule_name(rule_at_value.rule);
        if let Err(EvalError::CostLimit) = result {
            // If the cost also exceeds the budget of the whole object, an API server reports only
            // the exhausted budget.
            if cost > self.budget {
                return self.report_exhausted_budget(rule_at_value.visit, at);
            }
            let detail = format!(
                "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to \
                 call cost exceeds limit for rule: {name}"
            );
            self.report_error(rule_at_value.visit, at, detail);
            return Err(BudgetExhausted);
        }
        let Some(budget) = self.budget.checked_sub(cost) else {
            return self.report_exhausted_budget(rule_at_value.visit, at);
        };
        self.budget = budget;
        let detail = match result {
            Ok(_) => return self.report_violation(rule_at_value, at),
            Err(EvalError::Expression(text)) if text.starts_with("no such overload") => format!(
                "'{text}': call arguments did not match a supported operator, function or macro signature for \
                 rule: {name}"
            ),
            Err(EvalError::Expression(text) | EvalError::ServerPanic(text)) => {
                format!("{text} evaluating rule: {name}")
            }
            Err(_) => return Err(BudgetExhausted),
        };
        let is_tolerated = self.rule_evaluator.is_deep
            && !rule_at_value.compiled.uses_old_self()
            && self.is_unchanged(rule_at_value.pairing);
        let errors = if is_tolerated {
            &mut self.results.unevaluated
        } else {
            &mut self.results.errors
        };
        let node = self.rule_evaluator.schema.node(rule_at_value.visit.node);
        errors.push(rule_violation::type_violation(
            node,
            at.to_field_path(),
            detail,
        ));
        Ok(())
    }

    /// Reports a violated rule: as an error, or as a ratcheted error if the value is unchanged.
    fn report_violation(
        &mut self,
        rule_at_value: &RuleAtValue<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let RuleAtValue {
            visit,
            rule,
            compiled,
            values,
            pairing,
        } = *rule_at_value;
        let evaluator = self.rule_evaluator;
        let node = evaluator.schema.node(visit.node);
        let is_ratcheted = !compiled.uses_old_self() && self.is_unchanged(pairing);
        let (message, stop) = match &compiled.message {
            CompiledMessage::Program(program) => self.evaluate_message(program, rule, values),
            CompiledMessage::None | CompiledMessage::Error(_) => (None, None),
        };
        let violation = match &stop {
            Some(detail) => {
                let path = rule_violation::violation_path(compiled, &at.to_field_path());
                rule_violation::type_violation(node, path, detail.clone())
            }
            None => rule_violation::violation(
                rule,
                compiled,
                node,
                visit.new,
                &at.to_field_path(),
                message.unwrap_or_else(|| rule_violation::rule_message(rule)),
                evaluator.shows_values,
            ),
        };
        if is_ratcheted {
            self.results.ratcheted.push(violation);
        } else {
            self.results.errors.push(violation);
        }
        if stop.is_some() {
            Err(BudgetExhausted)
        } else {
            Ok(())
        }
    }

    fn is_unchanged(&self, pairing: RatchetContext<'_, 'v>) -> bool {
        let mut nearest = pairing.nearest;
        while let Some(paired) = nearest {
            if let Some(old) = paired.old.get() {
                let schema = self.rule_evaluator.schema.comparator_schema(paired.id);
                let is_equal = paired.old.equality().is_equal(schema, paired.new, old);
                // Deep equality pairs elements by position, so a list may be equal although an
                // element is not equal to its old element.
                if is_equal || !self.rule_evaluator.is_deep {
                    return is_equal;
                }
            }
            nearest = paired.parent;
        }
        false
    }

    /// Returns the result of a message expression, and the reason to stop the evaluation.
    fn evaluate_message(
        &mut self,
        program: &'v Program,
        rule: &Rule,
        values: &RuleVariables<'_, 'v>,
    ) -> (Option<String>, Option<String>) {
        let EvalResult { result, cost, .. } =
            self.evaluator
                .run(program, values.this, values.old, PER_CALL_LIMIT);
        let Some(budget) = self.budget.checked_sub(cost) else {
            let detail = "messageExpression evaluation failed due to running out of cost budget, no further \
                          validation rules will be run";
            return (None, Some(detail.to_owned()));
        };
        if let Err(EvalError::CostLimit) = result {
            let source = GoQuoted(&rule.message_expression);
            let detail = format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {source}"
            );
            return (None, Some(detail));
        }
        self.budget = budget;
        (rule_violation::evaluated_message(&result), None)
    }
}

/// A rule, and the value to evaluate it on.
struct RuleAtValue<'a, 'v> {
    visit: &'a RuleNode<'a, 'v>,
    rule: &'v Rule,
    compiled: &'v CompiledRule,
    values: &'a RuleVariables<'a, 'v>,
    pairing: RatchetContext<'a, 'v>,
}

/// The values of `self` and `oldSelf` for the rules of a node.
struct RuleVariables<'a, 'v> {
    this: &'a Binding<'v>,
    old: Option<&'a Binding<'v>>,
}

impl<'v> RuleVariables<'_, 'v> {
    /// Returns `oldSelf` as an optional value.
    fn optional_old(&self) -> Binding<'v> {
        match self.old {
            Some(old) => old.clone().into_optional(),
            None => Binding::none(),
        }
    }
}
