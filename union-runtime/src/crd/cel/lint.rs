//! What an API server refuses in the rules of a schema, beyond their texts: errors in expressions, and their costs.

use serde_json::json;

use super::field_path;
use super::programs::{Compiled, Message, Programs};
use super::shapes::MAX_REQUEST;
use crate::crd::lint::Place;
use crate::crd::print::Json;
use crate::crd::schema::{Additional, Kind, ListType, Node, NodeId, Rule, StructuralSchema};
use crate::violation::{Found, Violation, ViolationKind};

/// What one rule may cost at worst, in all the places where it may run.
pub(super) const RULE_LIMIT: u64 = 10_000_000;
/// What all rules of a schema may cost.
pub(super) const TOTAL_LIMIT: u64 = 100_000_000;
/// How many rules are named where all together cost too much.
const NAMED: usize = 4;

impl Programs {
    /// What is wrong with the rules of the schema at `path`.
    pub(crate) fn lint(&self, schema: &StructuralSchema, path: &str) -> Vec<Violation> {
        let mut lint = Lint {
            schema,
            programs: self,
            errors: Vec::new(),
            total: 0,
            expensive: Vec::new(),
        };
        if schema.facts.rules > 0 {
            let at = Place::root(path);
            lint.visit(StructuralSchema::ROOT, &at, Some(1), None);
            lint.check_total(&at);
        }
        lint.errors
    }
}

struct Lint<'a> {
    schema: &'a StructuralSchema,
    programs: &'a Programs,
    errors: Vec<Violation>,
    total: u64,
    /// The most expensive ones, and where they are.
    expensive: Vec<(u64, String)>,
}

impl Lint<'_> {
    /// `times`: how often the node may be in an object, if that is bounded. `list`: the list above whose items have no
    /// old values.
    fn visit(&mut self, id: NodeId, at: &Place<'_>, times: Option<u64>, list: Option<&str>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.below.has_rules {
            return;
        }
        for (i, rule) in node.rules.iter().enumerate() {
            if !rule.field_path.is_empty()
                && field_path::normalized(schema, id, &rule.field_path).is_none()
            {
                let at = at.index("x-kubernetes-validations", i);
                let found = Found::Text(rule.field_path.to_string());
                let at = at.field("fieldPath");
                self.errors
                    .push(at.found(ViolationKind::Invalid, found, "must be a valid path"));
            }
        }
        let compiled = self.programs.node(id);
        if !node.rules.is_empty() && !self.programs.shapes.get(id).is_exposed {
            let detail = "internal error: failed to construct type information for x-kubernetes-validations rules: \
                          unable to convert structural schema to CEL declarations";
            let at = at.field("x-kubernetes-validations");
            self.errors
                .push(at.found(ViolationKind::Internal, Found::Nothing, detail));
        }
        let worst = self.programs.shapes.get(id).min_size;
        let cardinality = cardinality(times, worst);
        for (i, (rule, compiled)) in node.rules.iter().zip(&compiled.rules).enumerate() {
            let at = at.index("x-kubernetes-validations", i);
            self.rule(rule, compiled, &at, cardinality, list);
        }
        self.children(id, at, times, list);
    }

    fn children(&mut self, id: NodeId, at: &Place<'_>, times: Option<u64>, list: Option<&str>) {
        let schema = self.schema;
        let node = schema.node(id);
        let most = most_below(node);
        let times = times
            .zip(most)
            .map(|(times, most)| times.saturating_mul(most));
        let own = (node.kind == Some(Kind::Array) && node.list_type() != ListType::Map)
            .then(|| at.to_string());
        let list = list.or(own.as_deref());
        schema.each_child(id, at, &mut |child, at| self.visit(child, at, times, list));
    }

    fn rule(
        &mut self,
        rule: &Rule,
        compiled: &Compiled,
        at: &Place<'_>,
        cardinality: u64,
        list: Option<&str>,
    ) {
        let at_rule = at.field("rule");
        let at_message = at.field("messageExpression");
        let invalid = |at: &Place<'_>, detail: &str| {
            at.found(
                ViolationKind::Invalid,
                Found::Printed(printed(rule)),
                detail,
            )
        };
        let cost = compiled.max_cost.saturating_mul(cardinality);
        self.cost(&at_rule, "estimated rule cost", cost);
        if let Err(problem) = &compiled.program {
            self.errors.push(invalid(&at_rule, problem));
        }
        match &compiled.message {
            Message::None => {}
            Message::Error(problem) => self.errors.push(invalid(&at_message, problem)),
            Message::Program(_) => {
                self.cost(
                    &at_message,
                    "estimated messageExpression cost",
                    compiled.message_max_cost,
                );
            }
        }
        if !compiled.uses_old_self() {
            if let Some(value) = rule.optional_old_self {
                let found = Found::Printed(value.to_string());
                let at = at.field("optionalOldSelf");
                let detail = "may not be set if oldSelf is not used in rule";
                self.errors
                    .push(at.found(ViolationKind::Invalid, found, detail));
            }
        } else if let Some(list) = list {
            let found = Found::Text(rule.rule.to_string());
            let detail = format!(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within {list}"
            );
            self.errors
                .push(at_rule.found(ViolationKind::Invalid, found, &detail));
        }
    }

    fn cost(&mut self, at: &Place<'_>, what: &str, cost: u64) {
        if cost > RULE_LIMIT {
            self.errors
                .push(at.forbidden(&too_expensive(what, cost, RULE_LIMIT)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= TOTAL_LIMIT / 100 {
            self.expensive.push((cost, at.to_string()));
        }
    }

    fn check_total(&mut self, at: &Place<'_>) {
        if self.total <= TOTAL_LIMIT {
            return;
        }
        self.expensive.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (_, path) in self.expensive.drain(..).take(NAMED) {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            let kind = ViolationKind::Forbidden;
            self.errors.push(Violation::found(
                kind,
                path,
                Found::Nothing,
                detail.to_owned(),
            ));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        self.errors
            .push(at.forbidden(&too_expensive(what, self.total, TOTAL_LIMIT)));
    }
}

/// How many values a value holds at most; `None` where there is no bound.
pub(super) fn most_below(node: &Node) -> Option<u64> {
    let most = match node.kind {
        Some(Kind::Object) if !matches!(node.additional, Additional::Nothing) => {
            node.max_properties
        }
        Some(Kind::Array) => node.list.as_ref().and_then(|list| list.max_items),
        _ => Some(1),
    };
    most.map(|most| u64::try_from(most).unwrap_or_default())
}

/// The product of the bounds above a node; `None` where one is missing.
pub(super) fn product(mut bounds: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    bounds.try_fold(1_u64, |product, bound| Some(product.saturating_mul(bound?)))
}

/// How often a node is in an object at most: as often as its bounds allow, or as often as its smallest value fits into a
/// request.
pub(super) fn cardinality(times: Option<u64>, smallest: u64) -> u64 {
    times.unwrap_or(MAX_REQUEST / (smallest + 1))
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

/// A rule as errors print it: fields in the order of their declaration.
fn printed(rule: &Rule) -> String {
    let text = |text: &str| Json(&json!(text)).to_string();
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
