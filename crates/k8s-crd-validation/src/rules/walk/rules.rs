//! Evaluation of the rules of one value.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, EvalError, EvalResult, Feature, Program};

use super::{BudgetExhausted, KeptReason, KeptViolation, RatchetContext, RuleNode, RuleWalk};
use crate::decode::ratchet::OldValue;
use crate::rules::rule_violation;
use crate::schema::Rule;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRule};
use crate::validate::errors::origin::ErrorOrigin;
use crate::validate::errors::sink::ErrorScope;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::Violation;
use union_runtime::path::{FieldPath, Path, PathStep};

impl<'v> RuleWalk<'v> {
    pub(super) fn evaluate_rules(
        &mut self,
        rule_node: &RuleNode<'_, 'v>,
        context: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let mut path = RulePath {
            value: path,
            extended: None,
        };
        let schema = self.rule_evaluator.schema;
        let compiled_rules = self.rule_evaluator.compiled_rules;
        let node_rules = compiled_rules.node(rule_node.rules);
        if let Some(problem) = node_rules.problem {
            let detail = format!("rule compiler initialization error: {problem}");
            self.report_error(rule_node, None, &path, detail);
            return Ok(());
        }
        if node_rules.rules.is_empty() {
            return Ok(());
        }
        let self_value = Binding::new(
            &compiled_rules.declared_types,
            rule_node.new,
            rule_node.node,
        );
        // If no rule uses `oldSelf`, no message expression does either.
        let old = rule_node.old.filter(|_| node_rules.uses_old_self);
        let old = old.and_then(OldValue::get).filter(|old| !old.is_null());
        let old_self =
            old.map(|old| Binding::new(&compiled_rules.declared_types, old, rule_node.node));
        if self.budget == 0 {
            return self.report_exhausted_budget(rule_node, &path);
        }
        let variables = RuleVariables {
            self_value: &self_value,
            old_self: old_self.as_ref(),
        };
        let rules = schema.node(rule_node.rules).rules.iter();
        for (index, (rule, compiled)) in rules.zip(&node_rules.rules).enumerate() {
            let rule_at_value = RuleAtValue {
                rule_node,
                index,
                rule,
                compiled,
                variables: &variables,
                context,
            };
            self.evaluate_rule(&rule_at_value, &mut path)?;
        }
        Ok(())
    }

    /// Reports an error of the rule with this index, or of all rules of the value.
    fn report_error(
        &mut self,
        rule_node: &RuleNode<'_, 'v>,
        rule_index: Option<usize>,
        path: &RulePath<'_>,
        detail: String,
    ) {
        let node = self.rule_evaluator.schema.node(rule_node.node);
        let violation = rule_violation::type_violation(node, path.to_field_path(), detail);
        self.record_origin(&violation, rule_index, path);
        self.results.errors.push(violation);
    }

    /// Records the rule that reports an error, if the evaluation explains errors.
    fn record_origin(
        &mut self,
        violation: &Violation,
        rule_index: Option<usize>,
        path: &RulePath<'_>,
    ) {
        if !self.rule_evaluator.explains {
            return;
        }
        let value_steps = path.value.to_field_path().steps().count();
        let origin = ErrorOrigin {
            rule_index,
            steps_below: violation.path().steps().count().saturating_sub(value_steps),
            ..ErrorOrigin::of_keyword("x-kubernetes-validations")
        };
        self.results.origins.push((violation.clone(), origin));
    }

    fn report_exhausted_budget(
        &mut self,
        rule_node: &RuleNode<'_, 'v>,
        path: &RulePath<'_>,
    ) -> Result<(), BudgetExhausted> {
        let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
        self.report_error(rule_node, None, path, detail.to_owned());
        Err(BudgetExhausted)
    }

    #[inline]
    fn evaluate_rule(
        &mut self,
        rule_at_value: &RuleAtValue<'_, 'v>,
        path: &mut RulePath<'_>,
    ) -> Result<(), BudgetExhausted> {
        let Ok(Some(program)) = &rule_at_value.compiled.program else {
            self.report_compile_error(rule_at_value, path);
            return Ok(());
        };
        let variables = rule_at_value.variables;
        let optional_old_self = if program.uses_old_self() {
            let is_optional = rule_at_value.rule.optional_old_self == Some(true);
            // A server evaluates `optionalOldSelf` rules without an old value only if the feature
            // gate is on.
            let needs_old_self =
                !is_optional || !self.rule_evaluator.version.has(Feature::Ratcheting);
            if variables.old_self.is_none() && needs_old_self {
                return Ok(());
            }
            is_optional.then(|| variables.optional_old_self())
        } else {
            None
        };
        let old_self = optional_old_self.as_ref().or(variables.old_self);
        let evaluation =
            self.evaluator
                .run(program, variables.self_value, old_self, PER_CALL_LIMIT);
        // Fast path: most rules evaluate to true.
        if let Ok(answer) = &evaluation.result
            && answer.as_bool() == Some(true)
            && let Some(budget) = self.budget.checked_sub(evaluation.cost)
        {
            self.budget = budget;
            return Ok(());
        }
        self.handle_evaluation(evaluation, rule_at_value, path)
    }

    /// Reports a rule that cannot be compiled. An empty rule is ignored.
    #[cold]
    fn report_compile_error(&mut self, rule_at_value: &RuleAtValue<'_, 'v>, path: &RulePath<'_>) {
        if let Err(problem) = &rule_at_value.compiled.program {
            let detail = format!("rule compile error: {problem}");
            let index = Some(rule_at_value.index);
            self.report_error(rule_at_value.rule_node, index, path, detail);
        }
    }

    /// Handles an evaluation that did not return true within the budget.
    #[cold]
    fn handle_evaluation(
        &mut self,
        EvalResult { result, cost, .. }: EvalResult<'v>,
        rule_at_value: &RuleAtValue<'_, 'v>,
        path: &mut RulePath<'_>,
    ) -> Result<(), BudgetExhausted> {
        let name = rule_violation::rule_name(rule_at_value.rule);
        if let Err(EvalError::CostLimit) = result {
            // If the cost also exceeds the budget of the whole object, an API server reports only
            // the exhausted budget.
            if cost > self.budget {
                return self.report_exhausted_budget(rule_at_value.rule_node, path);
            }
            let detail = format!(
                "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to \
                 call cost exceeds limit for rule: {name}"
            );
            let index = Some(rule_at_value.index);
            self.report_error(rule_at_value.rule_node, index, path, detail);
            return Err(BudgetExhausted);
        }
        let Some(budget) = self.budget.checked_sub(cost) else {
            return self.report_exhausted_budget(rule_at_value.rule_node, path);
        };
        self.budget = budget;
        let detail = match result {
            Ok(_) => return self.report_violation(rule_at_value, path),
            Err(EvalError::Expression(message)) if message.starts_with("no such overload") => {
                format!(
                    "'{message}': call arguments did not match a supported operator, function or macro signature for \
                 rule: {name}"
                )
            }
            Err(EvalError::Expression(message) | EvalError::ServerPanic(message)) => {
                format!("{message} evaluating rule: {name}")
            }
            Err(_) => return Err(BudgetExhausted),
        };
        let is_tolerated = self.rule_evaluator.is_deep
            && !rule_at_value.compiled.uses_old_self()
            && self.is_unchanged(rule_at_value.context);
        let node = self
            .rule_evaluator
            .schema
            .node(rule_at_value.rule_node.node);
        let violation = rule_violation::type_violation(node, path.to_field_path(), detail);
        self.record_origin(&violation, Some(rule_at_value.index), path);
        let errors = if is_tolerated {
            &mut self.results.unevaluated
        } else {
            &mut self.results.errors
        };
        errors.push(violation);
        Ok(())
    }

    /// Reports a violated rule: as an error, or as a ratcheted error if the value is unchanged.
    fn report_violation(
        &mut self,
        rule_at_value: &RuleAtValue<'_, 'v>,
        path: &mut RulePath<'_>,
    ) -> Result<(), BudgetExhausted> {
        let RuleAtValue {
            rule_node,
            index,
            rule,
            compiled,
            variables,
            context,
        } = *rule_at_value;
        let evaluator = self.rule_evaluator;
        let node = evaluator.schema.node(rule_node.node);
        let is_ratcheted = !compiled.uses_old_self() && self.is_unchanged(context);
        let (message, stop_detail) = match &compiled.message {
            CompiledMessage::Program(program) => self.evaluate_message(program, rule, variables),
            CompiledMessage::None | CompiledMessage::Error(_) => (None, None),
        };
        let violation_path = rule_violation::violation_path(compiled, &path.to_field_path());
        if !evaluator.version.has(Feature::OwnFieldPaths) {
            path.extended = Some(violation_path.clone());
        }
        let violation = match &stop_detail {
            Some(detail) => rule_violation::type_violation(node, violation_path, detail.clone()),
            None => rule_violation::violation(
                rule,
                node,
                rule_node.new,
                violation_path,
                message.unwrap_or_else(|| rule_violation::rule_message(rule)),
                evaluator.version.has(Feature::QuotedValues),
            ),
        };
        self.record_origin(&violation, Some(index), path);
        if is_ratcheted {
            self.results.ratcheted.push(violation);
        } else {
            if evaluator.explains
                && let Some(reason) = self.kept_reason(rule_at_value, path.value)
            {
                let violation = violation.clone();
                self.results.kept.push(KeptViolation { violation, reason });
            }
            self.results.errors.push(violation);
        }
        if stop_detail.is_some() {
            Err(BudgetExhausted)
        } else {
            Ok(())
        }
    }

    /// Returns true if the nearest correlated value is equal to its old value. With deep equality,
    /// one equal value around the visited value is enough.
    fn is_unchanged(&self, context: RatchetContext<'_, 'v>) -> bool {
        let mut nearest = context.nearest;
        while let Some(pair) = nearest {
            if let Some(old) = pair.old.get() {
                let schema = self.rule_evaluator.schema.comparator_schema(pair.id);
                let is_equal = pair.old.equality().is_equal(schema, pair.new, old);
                // Deep equality pairs elements by position, so a list may be equal although an
                // element is not equal to its old element.
                if is_equal || !self.rule_evaluator.is_deep {
                    return is_equal;
                }
            }
            nearest = pair.parent;
        }
        false
    }

    /// Returns the reason why a violation is not tolerated; `None` if its value is new or changed.
    fn kept_reason(
        &self,
        rule_at_value: &RuleAtValue<'_, 'v>,
        path: &Path<'_>,
    ) -> Option<KeptReason> {
        let context = rule_at_value.context;
        if self.is_unchanged(context) {
            return Some(KeptReason::OldSelf);
        }
        let compared = core::iter::successors(context.nearest, |pair| pair.parent)
            .find(|pair| pair.old.get().is_some())?;
        if core::ptr::eq(compared.new, rule_at_value.rule_node.new) {
            return Some(KeptReason::Changed(path.to_field_path(), ErrorScope::Value));
        }
        // The compared value is around the value of the rule.
        let root = core::iter::successors(context.nearest, |pair| pair.parent).last()?;
        let mut value = root.new;
        let mut compared_path = FieldPath::root();
        for step in path.to_field_path().steps() {
            if core::ptr::eq(value, compared.new) {
                let is_element = matches!(step, PathStep::Index(_));
                let scope = if is_element {
                    ErrorScope::Elements
                } else {
                    ErrorScope::Combinator
                };
                return Some(KeptReason::Changed(compared_path, scope));
            }
            value = step.find(value)?;
            compared_path = compared_path.step(step);
        }
        Some(KeptReason::Changed(
            compared_path.parent()?,
            ErrorScope::Combinator,
        ))
    }

    /// Returns the result of a message expression, if it is usable, and the detail of the error
    /// that stops the evaluation of rules, if there is one.
    fn evaluate_message(
        &mut self,
        program: &'v Program,
        rule: &Rule,
        variables: &RuleVariables<'_, 'v>,
    ) -> (Option<String>, Option<String>) {
        let EvalResult { result, cost, .. } = self.evaluator.run(
            program,
            variables.self_value,
            variables.old_self,
            PER_CALL_LIMIT,
        );
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

/// A rule, and the value on which the rule is evaluated.
struct RuleAtValue<'a, 'v> {
    rule_node: &'a RuleNode<'a, 'v>,
    /// The position in the list of rules.
    index: usize,
    rule: &'v Rule,
    compiled: &'v CompiledRule,
    variables: &'a RuleVariables<'a, 'v>,
    context: RatchetContext<'a, 'v>,
}

/// The path of a value, for the errors of its rules.
struct RulePath<'a> {
    value: &'a Path<'a>,
    /// The path of the value and of all violated rules so far, on a server without
    /// [`Feature::OwnFieldPaths`].
    extended: Option<FieldPath>,
}

impl RulePath<'_> {
    fn to_field_path(&self) -> FieldPath {
        let extended = self.extended.clone();
        extended.unwrap_or_else(|| self.value.to_field_path())
    }
}

/// The values of `self` and `oldSelf` for the rules of a node.
struct RuleVariables<'a, 'v> {
    self_value: &'a Binding<'v>,
    old_self: Option<&'a Binding<'v>>,
}

impl<'v> RuleVariables<'_, 'v> {
    /// Returns `oldSelf` as an optional value.
    fn optional_old_self(&self) -> Binding<'v> {
        match self.old_self {
            Some(old_self) => old_self.clone().into_optional(),
            None => Binding::none(),
        }
    }
}
