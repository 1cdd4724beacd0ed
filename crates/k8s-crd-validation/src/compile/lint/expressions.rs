//! The errors in CEL expressions for which an API server rejects a schema, and the cost limits of
//! the expressions.

use core::cmp::Reverse;

use serde_json::json;

use super::validation_options::ValidationOptions;
use crate::rules::limits::{max_cardinality, max_children};
use crate::schema::crd_path::CrdPath;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRule, CompiledRules};
use crate::schema::{AdditionalProperties, ListType, NodeId, Rule, StructuralSchema};
use k8s_cel::cost::{STATIC_ESTIMATED_COST_LIMIT, STATIC_ESTIMATED_CRD_COST_LIMIT};
use k8s_cel::declared::DeclaredKind;
use k8s_json_internals::print::GoJson;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The maximum number of reported rules if the total cost is too high, as in `TotalCost` of
/// `k8s.io/apiextensions-apiserver`.
const MAX_REPORTED_RULES: usize = 4;

impl CompiledRules {
    /// Returns the errors in the rules of the schema at `path`. `other_error_paths` are the paths
    /// of other errors.
    pub(crate) fn lint(
        &self,
        schema: &StructuralSchema,
        path: &FieldPath,
        options: ValidationOptions,
        mut other_error_paths: Vec<FieldPath>,
    ) -> Vec<Violation> {
        other_error_paths.sort_unstable();
        let mut lint = RuleLint {
            schema,
            compiled_rules: self,
            other_error_paths: &other_error_paths,
            options,
            errors: Vec::new(),
            total_cost: 0,
            expensive_rules: Vec::new(),
        };
        if schema.facts.rule_count > 0 {
            let path = CrdPath::root(path);
            let context = CelContext {
                max_occurrences: Some(1),
                uncorrelatable: None,
                has_rules: false,
                is_untyped: false,
                loses_type: false,
            };
            lint.visit(StructuralSchema::ROOT, &path, context);
            lint.check_total(&path);
        }
        lint.errors
    }
}

/// A walk over a schema that checks the expressions of its rules.
struct RuleLint<'a> {
    schema: &'a StructuralSchema,
    compiled_rules: &'a CompiledRules,
    /// The paths of other errors, sorted.
    other_error_paths: &'a [FieldPath],
    options: ValidationOptions,
    errors: Vec<Violation>,
    total_cost: u64,
    /// The costs and paths of the most expensive rules.
    expensive_rules: Vec<(u64, FieldPath)>,
}

/// Facts about the schemas around a node.
#[derive(Clone, Copy)]
struct CelContext<'a> {
    /// The largest number of occurrences of the node in an object, if it is bounded.
    max_occurrences: Option<u64>,
    /// The path of the outermost schema around the node in which values have no old values, such as
    /// the schema of a list without keys. Rules in that schema must not use `oldSelf`.
    uncorrelatable: Option<&'a FieldPath>,
    /// True if a schema around the node has rules.
    has_rules: bool,
    /// True if a schema has no type in CEL: the outermost schema with rules around the node, or a
    /// schema from there down to the node.
    is_untyped: bool,
    /// True if the node is the schema of elements or entries in a schema whose CEL type is neither
    /// a list nor a map, so that CEL does not know their type.
    loses_type: bool,
}

impl RuleLint<'_> {
    fn visit(&mut self, id: NodeId, path: &CrdPath<'_>, mut context: CelContext<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.subtree.has_rules {
            return;
        }
        context.has_rules |= !node.rules.is_empty();
        context.is_untyped |=
            context.has_rules && !self.compiled_rules.declared_types.get(id).is_exposed;
        // An API server compiles rules only if their schema and the schemas inside have no other
        // errors.
        if node.rules.is_empty() || self.has_other_errors(&path.to_field_path()) {
            return self.visit_children(id, path, context);
        }
        if context.is_untyped || context.loses_type {
            let detail = if context.is_untyped {
                "internal error: failed to construct type information for x-kubernetes-validations rules: \
                 unable to convert structural schema to CEL declarations"
            } else {
                "failed to convert to declType for CEL validation rules"
            };
            let rules_path = path.field("x-kubernetes-validations");
            self.errors.push(rules_path.violation(
                ViolationKind::Internal,
                BadValue::Omitted,
                detail,
            ));
            return self.visit_children(id, path, context);
        }
        let node_rules = self.compiled_rules.for_node(schema, id);
        let min_size = self.compiled_rules.declared_types.get(id).min_size;
        let max_evaluations = max_cardinality(context.max_occurrences, min_size);
        for (i, (rule, compiled)) in node.rules.iter().zip(&node_rules.rules).enumerate() {
            let path = path.index("x-kubernetes-validations", i);
            self.check_rule(
                rule,
                compiled,
                &path,
                max_evaluations,
                context.uncorrelatable,
            );
        }
        self.visit_children(id, path, context);
    }

    /// Returns true if the schema at `path`, or a schema inside it, has an error other than an
    /// error in an expression.
    fn has_other_errors(&self, path: &FieldPath) -> bool {
        // In sorted order, the paths that begin with `path` follow `path`.
        let next_index = self
            .other_error_paths
            .partition_point(|error_path| error_path < path);
        let next_path = self.other_error_paths.get(next_index);
        next_path.is_some_and(|error_path| error_path.starts_with(path))
    }

    fn visit_children(&mut self, id: NodeId, path: &CrdPath<'_>, context: CelContext<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        let max_occurrences = context.max_occurrences.zip(max_children(node)).map(
            |(max_occurrences, max_children_count)| {
                max_occurrences.saturating_mul(max_children_count)
            },
        );
        let is_uncorrelatable_list = node.items.is_some() && node.list_type() != ListType::Map;
        let is_uncorrelatable_map = node.has_unknown_map_type && !node.properties.is_empty();
        let uncorrelatable =
            (is_uncorrelatable_list || is_uncorrelatable_map).then(|| path.to_field_path());
        let context = CelContext {
            max_occurrences,
            uncorrelatable: context.uncorrelatable.or(uncorrelatable.as_ref()),
            ..context
        };
        let declared_kind = &self.compiled_rules.declared_types.get(id).kind;
        let has_elements = matches!(
            declared_kind,
            DeclaredKind::List { .. } | DeclaredKind::Map(_)
        );
        schema.for_each_child(id, path, &mut |child, path| {
            let is_property = node.items != Some(child)
                && node.additional_properties != AdditionalProperties::Schema(child);
            let loses_type = context.has_rules && !has_elements && !is_property;
            self.visit(
                child,
                path,
                CelContext {
                    loses_type,
                    ..context
                },
            );
        });
    }

    fn check_rule(
        &mut self,
        rule: &Rule,
        compiled_rule: &CompiledRule,
        path: &CrdPath<'_>,
        max_evaluations: u64,
        uncorrelatable: Option<&FieldPath>,
    ) {
        let rule_path = path.field("rule");
        let message_path = path.field("messageExpression");
        let invalid = |path: &CrdPath<'_>, detail: &str| {
            path.violation(
                ViolationKind::Invalid,
                BadValue::Formatted(to_go_string(rule)),
                detail,
            )
        };
        let cost = compiled_rule.max_cost.saturating_mul(max_evaluations);
        self.add_cost(&rule_path, "estimated rule cost", cost);
        if let Err(problem) = &compiled_rule.program {
            self.errors.push(invalid(&rule_path, problem));
        }
        match &compiled_rule.message {
            CompiledMessage::None => {}
            CompiledMessage::Error(problem) => self.errors.push(invalid(&message_path, problem)),
            CompiledMessage::Program(_) => {
                self.add_cost(
                    &message_path,
                    "estimated messageExpression cost",
                    compiled_rule.message_max_cost,
                );
            }
        }
        if !compiled_rule.uses_old_self() {
            if let Some(value) = rule.optional_old_self {
                let bad_value = BadValue::Formatted(value.to_string());
                let path = path.field("optionalOldSelf");
                let detail = "may not be set if oldSelf is not used in rule";
                self.errors
                    .push(path.violation(ViolationKind::Invalid, bad_value, detail));
            }
        } else if let Some(uncorrelatable) = uncorrelatable {
            let bad_value = BadValue::Quoted(rule.rule.to_string());
            let detail = format!(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within {uncorrelatable}"
            );
            self.errors
                .push(rule_path.violation(ViolationKind::Invalid, bad_value, &detail));
        }
    }

    fn add_cost(&mut self, path: &CrdPath<'_>, cost_name: &str, cost: u64) {
        if self.options.rule_costs && cost > STATIC_ESTIMATED_COST_LIMIT {
            self.errors.push(path.forbidden(&too_expensive_detail(
                cost_name,
                cost,
                STATIC_ESTIMATED_COST_LIMIT,
            )));
        }
        self.total_cost = self.total_cost.saturating_add(cost);
        // A server never reports a rule below 1% of the limit, as `TotalCost` documents.
        if cost >= STATIC_ESTIMATED_CRD_COST_LIMIT / 100 {
            self.expensive_rules.push((cost, path.to_field_path()));
        }
    }

    fn check_total(&mut self, path: &CrdPath<'_>) {
        if self.total_cost <= STATIC_ESTIMATED_CRD_COST_LIMIT {
            return;
        }
        self.expensive_rules.sort_by_key(|(cost, _)| Reverse(*cost));
        for (_, path) in self.expensive_rules.drain(..).take(MAX_REPORTED_RULES) {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            let kind = ViolationKind::Forbidden;
            self.errors.push(Violation::from_parts(
                kind,
                path,
                BadValue::Omitted,
                detail.to_owned(),
            ));
        }
        let cost_name =
            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        self.errors.push(path.forbidden(&too_expensive_detail(
            cost_name,
            self.total_cost,
            STATIC_ESTIMATED_CRD_COST_LIMIT,
        )));
    }
}

/// Returns the message for a cost above a limit.
#[expect(
    clippy::cast_precision_loss,
    reason = "the factor is printed with few digits"
)]
fn too_expensive_detail(cost_name: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{cost_name} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}

/// Returns a rule as errors print it: with the fields in the order of their declaration in Go.
fn to_go_string(rule: &Rule) -> String {
    let to_json = |string: &str| GoJson(&json!(string)).to_string();
    let reason = rule
        .reason
        .as_deref()
        .map_or_else(|| "null".to_owned(), to_json);
    let optional_old_self = rule
        .optional_old_self
        .map_or_else(|| "null".to_owned(), |value| value.to_string());
    format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{reason},\"FieldPath\":{},\"OptionalOldSelf\":{optional_old_self}}}",
        to_json(&rule.rule),
        to_json(&rule.message),
        to_json(&rule.message_expression),
        to_json(&rule.field_path),
    )
}
