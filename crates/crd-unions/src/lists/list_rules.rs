//! Analysis of the rules of lists: evaluates each rule for small lists and deduces relations.

use crate::report::serialize::serialize_as_json;
use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, EvalError, Evaluator, Program};
use serde_json::{Map, Value, json};

use crate::bounds::{LEVELS, LIST_RULE_COST};
use crate::lists::item_relations::{
    DeducedRelations, FieldValues, ItemClass, ItemRelation, classify_items, deduce_relations,
    small_lists,
};
use crate::lists::representative_items::{self, ItemField, RepresentativeItems, TargetList};
use crate::reader::analyze::{RuleAtSchema, cel_rules, for_each_rule};
use crate::terms::conjuncts;
use k8s_json_internals::deep::{in_key_order, is_deeper};

/// A rule of a list, and the relations between items that it requires.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListRule {
    /// The JSON pointer of the list, relative to the analyzed schema.
    pub pointer: String,
    /// The path for users: `spec.rules[*].filters`.
    pub path: String,
    /// The fields of items that the rule reads. Empty if the rule reads the items themselves.
    pub fields: Vec<String>,
    /// The relations that the rule requires in lists of up to three items.
    pub relations: Vec<ItemRelation>,
    /// True if `relations` is equivalent to the rule for such lists.
    pub exact: bool,
    /// The CEL expression.
    pub expression: String,
}

impl ListRule {
    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        json!({
            "pointer": self.pointer,
            "path": self.path,
            "by": self.fields,
            "says": self.relations,
            "exact": self.exact,
            "rule": self.expression,
        })
    }
}

/// Returns the rules of all lists of a schema that relate several items, in schema order. A union,
/// in contrast, relates the fields of one object.
///
/// ```
/// use crd_unions::ItemRelation;
/// use serde_json::json;
///
/// let rules = crd_unions::analyze_lists(&json!({
///     "type": "array",
///     "items": {"type": "string", "enum": ["Reboot", "Drain", "None"]},
///     "x-kubernetes-validations": [{
///         "rule": "self.exists(x, x == 'Reboot') ? size(self) == 1 : true",
///     }],
/// }));
/// assert!(matches!(&*rules[0].relations, [ItemRelation::OnlyItem(_)]) && rules[0].exact);
/// ```
///
/// The relations are deduced by evaluating the rule for all lists of up to three items, with one
/// item for each class that the rule may distinguish. A rule is skipped if it reads fields outside
/// the list, if it distinguishes too many classes, or if it costs too much: see
/// [`bounds`](crate::bounds).
#[must_use]
pub fn analyze_lists(schema: &Value) -> Vec<ListRule> {
    let mut rules: Vec<ListRule> = Vec::new();
    if is_deeper(schema, LEVELS) {
        return rules;
    }
    let schema = &*in_key_order(schema, LEVELS);
    let mut cost_left = LIST_RULE_COST;
    for_each_rule(schema, &mut |rule_at_schema| {
        if let Some(rule) = analyze_rule(rule_at_schema, &mut cost_left)
            // Some schemas contain the same rule twice in a row.
            && rules.last() != Some(&rule)
        {
            rules.push(rule);
        }
    });
    rules
}

/// Returns the relations that a rule requires. Returns `None` if the rule is not about a single
/// list, relates no items, or exceeds a bound.
fn analyze_rule(rule: &RuleAtSchema<'_, '_>, cost_left: &mut u64) -> Option<ListRule> {
    let ast = rule.ast?;
    if conjuncts::is_transition_rule(ast) {
        return None;
    }
    let list = representative_items::target_list(ast, rule.schema)?;
    let mut items = representative_items::representative_items(ast, &list, &mut |items, field| {
        let (_, accepted) = evaluate_small_lists(rule.expression, &list, items, cost_left)?;
        Some(are_distinguished(items, field, &accepted))
    })?;
    items.keep_accepted(list.items, cost_left)?;
    let (lists, accepted) = evaluate_small_lists(rule.expression, &list, &items, cost_left)?;
    let relations = deduce_relations(&lists, &accepted, items.values.len())?;
    let fields = items.fields.iter().map(|field| field.path.join("."));
    let path = rule.path.clone();
    let path = list
        .path
        .iter()
        .fold(path, |path, name| path.property(name));
    Some(ListRule {
        pointer: path.to_string(),
        path: path.to_field_notation(),
        fields: fields.filter(|name| !name.is_empty()).collect(),
        relations: relations.item_relations(&|class| describe_class(&items, &relations, class)),
        exact: relations.exact && items.is_complete,
        expression: rule.expression.to_owned(),
    })
}

/// Returns true if the rule distinguishes the representative values of a field. These values
/// represent all values that the rule does not name.
fn are_distinguished(items: &RepresentativeItems<'_>, field: usize, accepted: &[bool]) -> bool {
    let Some(field) = items.fields.get(field) else {
        return false;
    };
    let classes = classify_items(accepted, items.values.len());
    let values_of_other_fields = |item: &Value| -> Vec<Option<Value>> {
        let other_fields = items.fields.iter().filter(|other| other.path != field.path);
        other_fields
            .map(|other| field_value(item, other).cloned())
            .collect()
    };
    let is_representative = |item: &Value| {
        field_value(item, field).is_some_and(|value| field.representatives.contains(value))
    };
    let values_and_classes: Vec<(Vec<Option<Value>>, Option<usize>)> = items
        .values
        .iter()
        .zip(classes)
        .filter(|(item, _)| is_representative(item))
        .map(|(item, class)| (values_of_other_fields(item), class))
        .collect();
    values_and_classes.iter().any(|(values, class)| {
        values_and_classes
            .iter()
            .any(|(other_values, other_class)| values == other_values && class != other_class)
    })
}

impl RepresentativeItems<'_> {
    /// Removes the items that the rules in the item schema reject. Ignores rules that do not
    /// compile, because they read fields that `cel_type` does not declare.
    fn keep_accepted(&mut self, schema: &Map<String, Value>, cost_left: &mut u64) -> Option<()> {
        let types = self.cel_type.clone().build().ok()?;
        let environment = Environment::new(&types, DeclaredTypes::ROOT);
        for (expression, _) in cel_rules(schema) {
            let Ok(program) = environment.compile(expression) else {
                continue;
            };
            let mut accepted = Vec::new();
            for item in std::mem::take(&mut self.values) {
                if evaluate(&types, &program, &item, cost_left)? != RuleOutcome::False {
                    accepted.push(item);
                }
            }
            self.values = accepted;
        }
        Some(())
    }
}

/// The steps that an evaluation needs to build the value, in addition to its cost.
const STEPS_PER_EVALUATION: u64 = 10;

/// The result of a rule for a value.
#[derive(PartialEq)]
enum RuleOutcome {
    True,
    False,
    /// The evaluation fails with an error.
    Error,
}

/// Evaluates a rule, and subtracts its cost from `cost_left`. Returns `None` if the evaluation
/// costs too much.
fn evaluate(
    types: &DeclaredTypes,
    program: &Program,
    value: &Value,
    cost_left: &mut u64,
) -> Option<RuleOutcome> {
    let self_binding = Binding::new(types, value, DeclaredTypes::ROOT);
    let limit = PER_CALL_LIMIT.min(*cost_left);
    let evaluation = Evaluator::new(types).run(program, &self_binding, None, limit);
    *cost_left = cost_left.saturating_sub(evaluation.cost + STEPS_PER_EVALUATION);
    if *cost_left == 0 {
        return None;
    }
    match evaluation.result.map(|value| value.as_bool()) {
        Ok(Some(true)) => Some(RuleOutcome::True),
        Ok(Some(false)) => Some(RuleOutcome::False),
        Ok(None) | Err(EvalError::Expression(_)) => Some(RuleOutcome::Error),
        Err(_) => None,
    }
}

/// Returns all small lists, and for each list true if the rule accepts the list.
fn evaluate_small_lists(
    expression: &str,
    list: &TargetList<'_>,
    items: &RepresentativeItems<'_>,
    cost_left: &mut u64,
) -> Option<(Vec<Vec<usize>>, Vec<bool>)> {
    let lists = small_lists(items.values.len());
    let path = list.path.iter().rev();
    let declared = path.fold(
        DeclaredType::list(items.cel_type.clone()),
        |inner_type, name| DeclaredType::object([(*name, inner_type)]),
    );
    let types = declared.build().ok()?;
    let program = Environment::new(&types, DeclaredTypes::ROOT)
        .compile(expression)
        .ok()?;
    let mut results = Vec::with_capacity(lists.len());
    for item_positions in &lists {
        let values = item_positions
            .iter()
            .filter_map(|item| items.values.get(*item));
        let values: Value = values.cloned().collect();
        let value = list.path.iter().rev().fold(values, |inner_value, name| {
            let mut object = Map::new();
            object.insert((*name).to_owned(), inner_value);
            Value::Object(object)
        });
        // As on an API server, an error rejects the list.
        results.push(evaluate(&types, &program, &value, cost_left)? == RuleOutcome::True);
    }
    Some((lists, results))
}

/// Describes a class by the fields that distinguish it from other classes.
fn describe_class(
    items: &RepresentativeItems<'_>,
    relations: &DeducedRelations,
    class: usize,
) -> ItemClass {
    let is_in_class = |item: usize, only_class: Option<usize>| {
        let item_class = relations.classes.get(item).copied().flatten();
        item_class.is_some() && (only_class.is_none() || item_class == only_class)
    };
    let values = |only_class: Option<usize>| {
        let values = items.values.iter().enumerate();
        let values = values.filter(move |(item, _)| is_in_class(*item, only_class));
        values.map(|(_, value)| value).collect::<Vec<_>>()
    };
    let (class_items, all_items) = (values(Some(class)), values(None));
    let is_representative = |value: &&&Value| {
        let mut fields = items
            .fields
            .iter()
            .filter(|field| !field.representatives.is_empty());
        fields.all(|field| {
            field_value(value, field).is_some_and(|value| field.representatives.contains(value))
        })
    };
    let has_others = items
        .fields
        .iter()
        .any(|field| !field.representatives.is_empty());
    let count_representatives =
        |counted_items: &[&Value]| counted_items.iter().filter(is_representative).count();
    let others = has_others
        && count_representatives(&class_items) > 0
        && count_representatives(&class_items) == count_representatives(&all_items);
    let pattern = |described_items: &[&Value]| -> Vec<FieldValues> {
        let fields = items
            .fields
            .iter()
            .map(|field| (field, distinct_values(field, described_items)));
        let fields = fields
            .filter(|(field, values)| values.len() < distinct_values(field, &all_items).len());
        fields
            .map(|(field, values)| FieldValues {
                field: field.path.join("."),
                values: labels(field, &values),
            })
            .collect()
    };
    let common_pattern = pattern(&class_items);
    // One pattern describes the class if the items that match this pattern are exactly the items of
    // the class. An item matches if each field has a value that occurs in the class.
    let matches_common_pattern = |value: &&&Value| {
        let mut fields = items.fields.iter();
        fields.all(|field| {
            distinct_values(field, &class_items).contains(&field_value(value, field).cloned())
        })
    };
    let patterns = if all_items.iter().filter(matches_common_pattern).count() == class_items.len() {
        vec![common_pattern]
    } else {
        class_items.iter().map(|value| pattern(&[*value])).collect()
    };
    ItemClass { patterns, others }
}

/// Returns the different values of a field in some items. `None` means that the field is absent.
fn distinct_values(field: &ItemField<'_>, items: &[&Value]) -> Vec<Option<Value>> {
    let mut values: Vec<Option<Value>> = Vec::new();
    for item in items {
        let value = field_value(item, field).cloned();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Returns the value of a field, if the field is present.
fn field_value<'v>(item: &'v Value, field: &ItemField<'_>) -> Option<&'v Value> {
    field
        .path
        .iter()
        .try_fold(item, |value, name| value.get(*name))
}

impl ItemField<'_> {
    /// Returns the label of a representative value: a value that does not occur in the rule, but
    /// stands for other values. An integer stands for an interval next to the named integers.
    fn representative_label(&self, representative: &Value) -> String {
        let Some(number) = representative.as_i64() else {
            return "the same".to_owned();
        };
        let named_values = self.values.iter().flatten();
        let named_values = named_values.filter(|value| !self.representatives.contains(value));
        let (smaller, larger): (Vec<i64>, Vec<i64>) = named_values
            .filter_map(Value::as_i64)
            .partition(|named| *named < number);
        match (smaller.last(), larger.first()) {
            (Some(lower), Some(upper)) => format!("between {lower} and {upper}"),
            (Some(lower), None) => format!("above {lower}"),
            (None, Some(upper)) => format!("below {upper}"),
            (None, None) => "the same".to_owned(),
        }
    }
}

/// Returns the labels of the values of a field.
fn labels(field: &ItemField<'_>, values: &[Option<Value>]) -> Vec<String> {
    let (representatives, named_values): (Vec<_>, Vec<_>) = values.iter().partition(|value| {
        value
            .as_ref()
            .is_some_and(|value| field.representatives.contains(value))
    });
    let named_values = named_values.into_iter();
    let mut labels: Vec<String> = named_values
        .map(|value| match value {
            None => "unset".to_owned(),
            Some(Value::String(string)) => string.clone(),
            Some(Value::Array(_) | Value::Object(_)) => "set".to_owned(),
            Some(value) => value.to_string(),
        })
        .collect();
    if representatives.is_empty() {
        return labels;
    }
    if representatives.len() == field.representatives.len() {
        labels.push("any other".to_owned());
    } else {
        let representatives = representatives.into_iter().flatten();
        labels.extend(representatives.map(|value| field.representative_label(value)));
    }
    labels
}

serialize_as_json!(ListRule);
