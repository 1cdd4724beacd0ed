//! The errors in CEL expressions for which an API server rejects a schema, and the cost limits of
//! the expressions.

use serde_json::json;

use super::enforced_rules::EnforcedRules;
use crate::rules::limits::{cardinality, max_children};
use crate::schema::crd_path::CrdPath;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRule, CompiledRules};
use crate::schema::{AdditionalProperties, ListType, NodeId, Rule, StructuralSchema};
use k8s_cel::cost::{STATIC_ESTIMATED_COST_LIMIT, STATIC_ESTIMATED_CRD_COST_LIMIT};
use k8s_json_internals::print::GoJson;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The maximum number of reported rules if the total cost is too high.
const MAX_REPORTED_RULES: usize = 4;

impl CompiledRules {
    /// Returns the errors in the rules of the schema at `path`. `wrong` contains the paths of other
    /// errors.
    pub(crate) fn lint(
        &self,
        schema: &StructuralSchema,
        path: &FieldPath,
        enforced_rules: EnforcedRules,
        mut wrong: Vec<FieldPath>,
    ) -> Vec<Violation> {
        wrong.sort_unstable();
        let mut lint = RuleLint {
            schema,
            programs: self,
            wrong: &wrong,
            enforced_rules,
            errors: Vec::new(),
            total: 0,
            expensive: Vec::new(),
        };
        if schema.facts.rule_count > 0 {
            let at = CrdPath::root(path);
            let context = CelContext {
                times: Some(1),
                list: None,
                has_rules: false,
                is_untyped: false,
                loses_type: false,
            };
            lint.visit(StructuralSchema::ROOT, &at, context);
            lint.check_total(&at);
        }
        lint.errors
    }
}

struct RuleLint<'a> {
    schema: &'a StructuralSchema,
    programs: &'a CompiledRules,
    /// The paths of other errors, sorted.
    wrong: &'a [FieldPath],
    enforced_rules: EnforcedRules,
    errors: Vec<Violation>,
    total: u64,
    /// The costs and paths of the most expensive rules.
    expensive: Vec<(u64, FieldPath)>,
}

/// The facts about the schemas around a schema.
#[derive(Clone, Copy)]
struct CelContext<'a> {
    /// The largest number of occurrences of the node in an object, if it is bounded.
    times: Option<u64>,
    /// The path of a value whose parts are not correlated with old values.
    list: Option<&'a FieldPath>,
    /// True if a schema around the node has rules.
    has_rules: bool,
    /// True if a schema with rules, or a schema inside it, has no type in CEL.
    is_untyped: bool,
    /// True if the value around the node may be a number or a string, so that its elements have no
    /// type in CEL.
    loses_type: bool,
}

impl RuleLint<'_> {
    fn visit(&mut self, id: NodeId, at: &CrdPath<'_>, mut context: CelContext<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.subtree.has_rules {
            return;
        }
        context.has_rules |= !node.rules.is_empty();
        context.is_untyped |= context.has_rules && !self.programs.declared_types.get(id).is_exposed;
        // An API server compiles rules only if their schema and the schemas inside have no other
        // errors.
        if node.rules.is_empty() || self.has_other_errors(&at.to_field_path()) {
            return self.visit_children(id, at, context);
        }
        if context.is_untyped || context.loses_type {
            let detail = if context.is_untyped {
                "internal error: failed to construct type information for x-kubernetes-validations rules: \
                 unable to convert structural schema to CEL declarations"
            } else {
                "failed to convert to declType for CEL validation rules"
            };
            let path = at.field("x-kubernetes-validations");
            self.errors
                .push(path.violation(ViolationKind::Internal, BadValue::Omitted, detail));
            return self.visit_children(id, at, context);
        }
        let compiled = self.programs.for_node(schema, id);
        let worst = self.programs.declared_types.get(id).min_size;
        let cardinality = cardinality(context.times, worst);
        for (i, (rule, compiled)) in node.rules.iter().zip(&compiled.rules).enumerate() {
            let at = at.index("x-kubernetes-validations", i);
            self.check_rule(rule, compiled, &at, cardinality, context.list);
        }
        self.visit_children(id, at, context);
    }

    /// Returns true if a schema, or a schema inside the schema, has another error.
    fn has_other_errors(&self, at: &FieldPath) -> bool {
        // In sorted order, the paths that begin with `at` follow `at`.
        let first = self.wrong.partition_point(|path| path < at);
        let first = self.wrong.get(first);
        first.is_some_and(|path| path.starts_with(at))
    }

    fn visit_children(&mut self, id: NodeId, at: &CrdPath<'_>, context: CelContext<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        let times = context
            .times
            .zip(max_children(node))
            .map(|(times, count)| times.saturating_mul(count));
        let is_list = node.items.is_some() && node.list_type() != ListType::Map;
        let is_odd = node.has_unknown_map_type && !node.properties.is_empty();
        let own = (is_list || is_odd).then(|| at.to_field_path());
        let context = CelContext {
            times,
            list: context.list.or(own.as_ref()),
            ..context
        };
        schema.for_each_child(id, at, &mut |child, at| {
            let is_property = node.items != Some(child)
                && node.additional_properties != AdditionalProperties::Schema(child);
            let loses_type = context.has_rules && node.int_or_string && !is_property;
            self.visit(
                child,
                at,
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
        compiled: &CompiledRule,
        at: &CrdPath<'_>,
        cardinality: u64,
        list: Option<&FieldPath>,
    ) {
        let at_rule = at.field("rule");
        let at_message = at.field("messageExpression");
        let invalid = |at: &CrdPath<'_>, detail: &str| {
            at.violation(
                ViolationKind::Invalid,
                BadValue::Formatted(to_go_string(rule)),
                detail,
            )
        };
        let cost = compiled.max_cost.saturating_mul(cardinality);
        self.add_cost(&at_rule, "estimated rule cost", cost);
        if let Err(problem) = &compiled.program {
            self.errors.push(invalid(&at_rule, problem));
        }
        match &compiled.message {
            CompiledMessage::None => {}
            CompiledMessage::Error(problem) => self.errors.push(invalid(&at_message, problem)),
            CompiledMessage::Program(_) => {
                self.add_cost(
                    &at_message,
                    "estimated messageExpression cost",
                    compiled.message_max_cost,
                );
            }
        }
        if !compiled.uses_old_self() {
            if let Some(value) = rule.optional_old_self {
                let found = BadValue::Formatted(value.to_string());
                let at = at.field("optionalOldSelf");
                let detail = "may not be set if oldSelf is not used in rule";
                self.errors
                    .push(at.violation(ViolationKind::Invalid, found, detail));
            }
        } else if let Some(list) = list {
            let found = BadValue::Quoted(rule.rule.to_string());
            let detail = format!(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within {list}"
            );
            self.errors
                .push(at_rule.violation(ViolationKind::Invalid, found, &detail));
        }
    }

    fn add_cost(&mut self, at: &CrdPath<'_>, what: &str, cost: u64) {
        if self.enforced_rules.rule_costs && cost > STATIC_ESTIMATED_COST_LIMIT {
            self.errors
                .push(at.forbidden(&too_expensive(what, cost, STATIC_ESTIMATED_COST_LIMIT)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= STATIC_ESTIMATED_CRD_COST_LIMIT / 100 {
            self.expensive.push((cost, at.to_field_path()));
        }
    }

    fn check_total(&mut self, at: &CrdPath<'_>) {
        if self.total <= STATIC_ESTIMATED_CRD_COST_LIMIT {
            return;
        }
        self.expensive.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (_, path) in self.expensive.drain(..).take(MAX_REPORTED_RULES) {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            let kind = ViolationKind::Forbidden;
            self.errors.push(Violation::from_parts(
                kind,
                path,
                BadValue::Omitted,
                detail.to_owned(),
            ));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        self.errors.push(at.forbidden(&too_expensive(
            what,
            self.total,
            STATIC_ESTIMATED_CRD_COST_LIMIT,
        )));
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the factor is printed with few digits"
)]
fn too_expensive(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}

/// Returns a rule as errors print it: with the fields in the order of their declaration in Go.
fn to_go_string(rule: &Rule) -> String {
    let text = |text: &str| GoJson(&json!(text)).to_string();
    let reason = rule
        .reason
        .as_deref()
        .map_or_else(|| "null".to_owned(), text);
    let optional = rule
        .optional_old_self
        .map_or_else(|| "null".to_owned(), |value| value.to_string());
    format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{reason},\"FieldPath\":{},\"OptionalOldSelf\":{optional}}}",
        text(&rule.rule),
        text(&rule.message),
        text(&rule.message_expression),
        text(&rule.field_path),
    )
}
