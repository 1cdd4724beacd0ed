//! The report of the worst-case cost of rules.

use core::fmt;

use serde_json::Value;

use super::bound::{Cardinality, SuggestedBound, join_path};
use super::suggest_bounds::{RuleLocation, SearchBudget, suggest_bounds};
use crate::rules::limits::{max_cardinality, max_children, max_occurrences};
use crate::schema::crd_path::CrdPath;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRule, CompiledRules};
use crate::schema::{NodeId, Rule, SchemaType, StructuralSchema};
use k8s_cel::cost::{STATIC_ESTIMATED_COST_LIMIT, STATIC_ESTIMATED_CRD_COST_LIMIT};
use union_runtime::Report;
use union_runtime::path::FieldPath;

/// The worst-case cost of the CEL rules of a schema, as an API server estimates the cost.
///
/// `Display` prints a line for each rule, the most expensive rule first, and advice for rules that
/// a server rejects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CostReport {
    /// The rules, the most expensive rule first.
    pub rules: Vec<RuleCost>,
    /// The cost of all rules and their message expressions.
    pub total: u64,
}

/// The estimated worst-case cost of one rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleCost {
    /// The path of the rule's value in an object, with `*` for each index and each key:
    /// `spec.rules[*].labels[*]`.
    pub path: String,
    /// The path of the rule in the schema: `properties[spec].x-kubernetes-validations[0]`.
    pub schema_path: FieldPath,
    /// The expression of the rule.
    pub rule: String,
    /// The cost of one evaluation.
    pub cost_per_evaluation: u64,
    /// The number of evaluations that a server assumes for one object.
    pub max_evaluations: u64,
    /// The cost of the message expression. A server does not multiply this cost by the number of
    /// evaluations.
    pub message_cost: u64,
    /// The lists and maps around the rule's value, the outermost first.
    pub cardinalities: Vec<Cardinality>,
    /// The alternative sets of bounds that make a server accept the rule; each of them suffices. In
    /// a schema with hundreds of expensive rules, only the most expensive rules have remedies.
    pub remedies: Vec<Vec<SuggestedBound>>,
    /// The alternative sets of bounds that make a server accept the message expression.
    pub message_remedies: Vec<Vec<SuggestedBound>>,
    message_expression: String,
    /// The maximum cost of the message expression: its share of the limits.
    message_target: u64,
    is_union_rule: bool,
    /// True if the search for remedies was stopped because it would take too long.
    is_search_incomplete: bool,
    node: NodeId,
    optional_old_self: bool,
}

impl CostReport {
    /// The limit for the cost of one rule: 10,000,000, as in `apiextensions-apiserver`.
    pub const RULE_LIMIT: u64 = STATIC_ESTIMATED_COST_LIMIT;
    /// The limit for the cost of all rules of a schema: 100,000,000.
    pub const TOTAL_LIMIT: u64 = STATIC_ESTIMATED_CRD_COST_LIMIT;

    /// Estimates the cost of the rules of a compiled schema, as a server of the schema's version
    /// estimates the cost. A rule that does not compile in this version has no cost.
    #[must_use]
    pub fn from_schema(schema: &StructuralSchema) -> Self {
        let mut walk = CostWalk {
            schema,
            rules: Vec::new(),
        };
        if let Some(compiled_rules) = &schema.compiled_rules {
            let schema_path = FieldPath::root();
            let schema_path = CrdPath::root(&schema_path);
            let root = (StructuralSchema::ROOT, &schema_path);
            walk.visit(compiled_rules, root, "", &mut Vec::new());
        }
        let mut rules = walk.rules;
        let costs = rules
            .iter()
            .map(|rule| rule.cost().saturating_add(rule.message_cost));
        let total = costs.fold(0, u64::saturating_add);
        rules.sort_by_key(|rule| core::cmp::Reverse(rule.cost()));
        if let Some(compiled_rules) = &schema.compiled_rules {
            let budget = SearchBudget::new();
            for rule in &mut rules {
                rule.find_remedies(schema, compiled_rules, total, &budget);
            }
        }
        Self { rules, total }
    }

    /// Returns true if an API server accepts the costs of the schema.
    #[must_use]
    pub fn is_within_limits(&self) -> bool {
        self.total <= STATIC_ESTIMATED_CRD_COST_LIMIT
            && self.rules.iter().all(RuleCost::is_within_limit)
    }
}

impl RuleCost {
    /// Finds the bounds that reduce the costs of the rule and of its message expression to their
    /// shares of the limits. `total` is the cost of all rules.
    fn find_remedies(
        &mut self,
        schema: &StructuralSchema,
        compiled_rules: &CompiledRules,
        total: u64,
        budget: &SearchBudget,
    ) {
        let is_exhausted = || budget.is_exhausted();
        let find = |expression: &str, cardinalities: Option<&[Cardinality]>, target_cost: u64| {
            let location = RuleLocation {
                node: self.node,
                path: &self.path,
                rule: expression,
                optional_old_self: self.optional_old_self,
                is_message: cardinalities.is_none(),
            };
            let cardinalities = cardinalities.unwrap_or_default();
            let remedies = suggest_bounds(
                schema,
                compiled_rules,
                &location,
                cardinalities,
                target_cost,
                budget,
            );
            // Remedies may be wrong if the search ran out of estimates.
            if is_exhausted() { Vec::new() } else { remedies }
        };
        let rule_target = target_cost(self.cost(), total);
        let message_target = target_cost(self.message_cost, total);
        let is_rule_expensive = self.cost() > rule_target;
        let is_message_expensive = self.message_cost > message_target;
        let mut remedies = Vec::new();
        let mut message_remedies = Vec::new();
        if is_rule_expensive {
            remedies = find(&self.rule, Some(&self.cardinalities), rule_target);
        }
        if is_message_expensive {
            message_remedies = find(&self.message_expression, None, message_target);
        }
        self.is_search_incomplete = (is_rule_expensive || is_message_expensive) && is_exhausted();
        self.remedies = remedies;
        self.message_remedies = message_remedies;
        self.message_target = message_target;
    }

    /// Returns the cost of all evaluations of the rule.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.cost_per_evaluation
            .saturating_mul(self.max_evaluations)
    }

    /// Returns true if an API server accepts the costs of the rule and its message expression.
    #[must_use]
    pub const fn is_within_limit(&self) -> bool {
        self.cost() <= STATIC_ESTIMATED_COST_LIMIT
            && self.message_cost <= STATIC_ESTIMATED_COST_LIMIT
    }

    /// Returns true if the rule belongs to a union. `#[union(enforce = "one_of")]` avoids such
    /// rules.
    #[must_use]
    pub fn is_union_rule(&self) -> bool {
        self.is_union_rule
    }
}

/// Estimates the cost of the CEL rules of a schema, as an API server does when a CRD is created or
/// updated: with the largest values that the bounds of the schema allow, and the largest number of
/// evaluations that the lists and maps around a rule allow.
///
/// `schema` is the value of `openAPIV3Schema`. Other errors for which a server rejects the schema
/// are ignored.
///
/// ```
/// use serde_json::json;
/// use k8s_crd_validation::cost_report;
///
/// let report = cost_report(&json!({"type": "object", "properties": {
///     "names": {"type": "array", "items": {
///         "type": "string",
///         "x-kubernetes-validations": [{"rule": "self.contains('x')"}],
///     }},
/// }}))?;
/// assert!(!report.is_within_limits());
/// assert_eq!(report.rules[0].path, "names[*]");
/// assert_eq!(report.rules[0].cardinalities[0].path, "names");
/// # Ok::<(), union_runtime::Report>(())
/// ```
///
/// # Errors
///
/// Returns an error if the schema cannot be decoded.
pub fn cost_report(schema: &Value) -> Result<CostReport, Report> {
    let schema = StructuralSchema::compiler().stored().schema(schema)?;
    Ok(CostReport::from_schema(&schema))
}

/// Returns the maximum cost of a rule: the limit of one rule, or the share of the rule in the total
/// limit if that is lower.
fn target_cost(cost: u64, total: u64) -> u64 {
    if total <= STATIC_ESTIMATED_CRD_COST_LIMIT {
        return STATIC_ESTIMATED_COST_LIMIT;
    }
    let share = u128::from(cost) * u128::from(STATIC_ESTIMATED_CRD_COST_LIMIT) / u128::from(total);
    u64::try_from(share)
        .unwrap_or(STATIC_ESTIMATED_COST_LIMIT)
        .min(STATIC_ESTIMATED_COST_LIMIT)
}

/// A walk over a schema that collects the costs of its rules.
struct CostWalk<'a> {
    schema: &'a StructuralSchema,
    rules: Vec<RuleCost>,
}

impl CostWalk<'_> {
    fn visit(
        &mut self,
        compiled_rules: &CompiledRules,
        (id, schema_path): (NodeId, &CrdPath<'_>),
        path: &str,
        cardinalities: &mut Vec<Cardinality>,
    ) {
        let node = self.schema.node(id);
        if !node.subtree.has_rules {
            return;
        }
        let bounds = cardinalities.iter().map(|cardinality| cardinality.bound);
        let max_evaluations = max_cardinality(
            max_occurrences(bounds),
            compiled_rules.declared_types.get(id).min_size,
        );
        let rules = node.rules.iter().zip(&compiled_rules.node(id).rules);
        for (index, (rule, compiled)) in rules.enumerate() {
            let schema_path = schema_path.index("x-kubernetes-validations", index);
            self.rules.push(RuleCost {
                path: path.to_owned(),
                schema_path: schema_path.to_field_path(),
                max_evaluations,
                cardinalities: cardinalities.clone(),
                ..rule_cost(rule, compiled, id)
            });
        }
        let keyword = match node.schema_type {
            Some(SchemaType::Array) => "maxItems",
            _ => "maxProperties",
        };
        for property in &node.properties {
            let path = join_path(path, &property.name);
            let schema_path = schema_path.key("properties", &property.name);
            let child = (property.id, &schema_path);
            self.visit(compiled_rules, child, &path, cardinalities);
        }
        let child_and_step = node.items.map(|items| (items, "items", "[*]"));
        let child_and_step = child_and_step.or(node
            .additional_properties_schema()
            .map(|values| (values, "additionalProperties", "[*]")));
        if let Some((child, field, step)) = child_and_step {
            cardinalities.push(Cardinality {
                path: path.to_owned(),
                bound: max_children(node),
                keyword,
                node: id,
            });
            let schema_path = schema_path.field(field);
            self.visit(
                compiled_rules,
                (child, &schema_path),
                &format!("{path}{step}"),
                cardinalities,
            );
            cardinalities.pop();
        }
    }
}

/// Returns the costs of a rule, without its location.
fn rule_cost(rule: &Rule, compiled_rule: &CompiledRule, node: NodeId) -> RuleCost {
    let has_message = matches!(compiled_rule.message, CompiledMessage::Program(_));
    RuleCost {
        path: String::new(),
        schema_path: FieldPath::root(),
        rule: rule.rule.to_string(),
        cost_per_evaluation: compiled_rule.max_cost,
        max_evaluations: 1,
        message_cost: if has_message {
            compiled_rule.message_max_cost
        } else {
            0
        },
        cardinalities: Vec::new(),
        remedies: Vec::new(),
        message_remedies: Vec::new(),
        message_expression: rule.message_expression.to_string(),
        message_target: u64::MAX,
        is_union_rule: union_runtime::is_union_message(&rule.message),
        is_search_incomplete: false,
        node,
        optional_old_self: rule.optional_old_self == Some(true),
    }
}

impl fmt::Display for CostReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "all rules together: {} of {STATIC_ESTIMATED_CRD_COST_LIMIT} at most",
            self.total
        )?;
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RuleCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "the root"
        } else {
            &self.path
        };
        write!(
            f,
            "{path}: {} = {} x {} times, of {STATIC_ESTIMATED_COST_LIMIT} at most: {}",
            self.cost(),
            self.cost_per_evaluation,
            self.max_evaluations,
            self.rule
        )?;
        let unbounded = self
            .cardinalities
            .iter()
            .filter(|cardinality| cardinality.bound.is_none());
        for cardinality in unbounded {
            write!(
                f,
                "\n  `{}` has no {}",
                cardinality.path, cardinality.keyword
            )?;
        }
        for advice in self.advice().into_iter().chain(self.message_advice()) {
            write!(f, "\n  {advice}")?;
        }
        Ok(())
    }
}

impl RuleCost {
    /// Returns advice for a rule that a server rejects, as `Display` prints it: a line for each
    /// alternative. The list is empty if the rule needs no change.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let mut advice = bounds_advice(&self.remedies);
        if self.is_union_rule && !self.needs_no_change() {
            let or = if self.remedies.is_empty() { "" } else { "or " };
            advice.push(format!(
                "{or}write `#[union(enforce = \"one_of\")]`, which costs nothing"
            ));
        } else if self.remedies.is_empty() && self.cost() > STATIC_ESTIMATED_COST_LIMIT {
            let simplification = if self.is_search_incomplete {
                "simplify or bound the rules above first; bounds for this rule were not computed"
            } else {
                "no bound helps; simplify the rule"
            };
            advice.push(simplification.to_owned());
        }
        advice
    }

    /// Returns advice for a message expression that costs too much, as `Display` prints it. The
    /// list is empty if the message expression needs no change.
    #[must_use]
    pub fn message_advice(&self) -> Vec<String> {
        if self.message_cost <= self.message_target {
            return Vec::new();
        }
        let mut advice = bounds_advice(&self.message_remedies);
        if advice.is_empty() && self.is_search_incomplete {
            advice.push(
                "simplify or bound the rules above first; bounds for this message were not computed"
                    .to_owned(),
            );
        } else if advice.is_empty() {
            let reason = if converts_to_string(&self.message_expression) {
                "the estimate assumes an unlimited length for `string()` of a number"
            } else {
                "the estimate does not know the length of a part of the expression"
            };
            advice.push(format!(
                "no bound helps, because {reason}; write a `message` in place of `messageExpression`"
            ));
        } else {
            advice.push(
                "or write a `message` in place of `messageExpression`, which costs nothing"
                    .to_owned(),
            );
        }
        advice
    }

    /// Returns true if the rule has no remedies and does not exceed the limit.
    fn needs_no_change(&self) -> bool {
        self.remedies.is_empty() && self.cost() <= STATIC_ESTIMATED_COST_LIMIT
    }
}

/// Returns true if an expression calls `string()`.
fn converts_to_string(expression: &str) -> bool {
    let is_call = |start: usize| {
        let before = expression.get(..start).unwrap_or_default();
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    let mut calls = expression.match_indices("string(");
    calls.any(|(start, _)| is_call(start))
}

/// Returns a line for each alternative set of bounds.
fn bounds_advice(remedies: &[Vec<SuggestedBound>]) -> Vec<String> {
    let alternatives = remedies.iter().enumerate();
    let alternatives = alternatives.map(|(index, bounds)| {
        let bounds: Vec<String> = bounds.iter().map(ToString::to_string).collect();
        let or = if index == 0 { "" } else { "or " };
        format!("{or}set {}", bounds.join(" and "))
    });
    alternatives.collect()
}
