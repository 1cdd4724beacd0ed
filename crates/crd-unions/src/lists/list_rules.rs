//! Rules of lists: statements about several items, found by evaluating the rules for small lists.

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

/// A rule of a list, and its statements about several items.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListRule {
    /// The JSON pointer of the list, from the schema that was read.
    pub pointer: String,
    /// The same path for users: `spec.rules[].filters`.
    pub path: String,
    /// The fields of items that the rule reads. Empty if the rule reads the items themselves.
    pub fields: Vec<String>,
    /// The statements of the rule about lists of up to three items.
    pub relations: Vec<ItemRelation>,
    /// True if `says` contains everything that the rule requires of such lists.
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

/// Reads the rules of all lists of a schema that relate several items, in schema order. Such rules
/// are not unions, which relate the fields of an object.
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
/// The statements are found by evaluating the rule for all lists of up to three items, with an item
/// of each sort that the rule may distinguish. A rule is not read if it reads other fields too, if
/// it distinguishes too many sorts, or if it costs too much: see [`bounds`](crate::bounds).
#[must_use]
pub fn analyze_lists(schema: &Value) -> Vec<ListRule> {
    let mut rules: Vec<ListRule> = Vec::new();
    if is_deeper(schema, LEVELS) {
        return rules;
    }
    let schema = &*in_key_order(schema, LEVELS);
    let mut steps = LIST_RULE_COST;
    for_each_rule(schema, &mut |found| {
        if let Some(rule) = analyze_rule(found, &mut steps)
            // Some schemas contain a rule twice.
            && rules.last() != Some(&rule)
        {
            rules.push(rule);
        }
    });
    rules
}

fn analyze_rule(found: &RuleAtSchema<'_, '_>, steps: &mut u64) -> Option<ListRule> {
    let ast = found.ast?;
    if conjuncts::is_transition_rule(ast) {
        return None;
    }
    let list = representative_items::target_list(ast, found.schema)?;
    let mut items = representative_items::representative_items(ast, &list, &mut |items, field| {
        let (_, accepted) = answers(found.expression, &list, items, steps)?;
        Some(are_distinguished(items, field, &accepted))
    })?;
    items.keep_accepted(list.items, steps)?;
    let (all, accepted) = answers(found.expression, &list, &items, steps)?;
    let said = deduce_relations(&all, &accepted, items.values.len())?;
    let by = items.fields.iter().map(|field| field.names.join("."));
    let path = found.path.clone();
    let path = list
        .path
        .iter()
        .fold(path, |path, name| path.property(name));
    Some(ListRule {
        pointer: path.to_string(),
        path: path.to_field_notation(),
        fields: by.filter(|name| !name.is_empty()).collect(),
        relations: said.item_relations(&|sort| describe_class(&items, &said, sort)),
        exact: said.exact && items.is_complete,
        expression: found.expression.to_owned(),
    })
}

/// Returns true if the values that represent others in a field are of several sorts.
fn are_distinguished(items: &RepresentativeItems<'_>, field: usize, accepted: &[bool]) -> bool {
    let Some(field) = items.fields.get(field) else {
        return false;
    };
    let sorts = classify_items(accepted, items.values.len());
    let without = |item: &Value| -> Vec<Option<Value>> {
        let others = items
            .fields
            .iter()
            .filter(|other| other.names != field.names);
        others.map(|other| at(item, other).cloned()).collect()
    };
    let is_other =
        |item: &Value| at(item, field).is_some_and(|value| field.other_values.contains(value));
    let all: Vec<(Vec<Option<Value>>, Option<usize>)> = items
        .values
        .iter()
        .zip(sorts)
        .filter(|(item, _)| is_other(item))
        .map(|(item, sort)| (without(item), sort))
        .collect();
    all.iter()
        .any(|(one, sort)| all.iter().any(|(other, of)| one == other && sort != of))
}

impl RepresentativeItems<'_> {
    /// Removes the items that the rules of the items reject, as far as these rules are about the
    /// fields.
    fn keep_accepted(&mut self, schema: &Map<String, Value>, steps: &mut u64) -> Option<()> {
        let types = self.cel_type.clone().build().ok()?;
        let environment = Environment::new(&types, DeclaredTypes::ROOT);
        for (text, _) in cel_rules(schema) {
            let Ok(program) = environment.compile(text) else {
                continue;
            };
            let mut kept = Vec::new();
            for item in std::mem::take(&mut self.values) {
                if evaluate(&types, &program, &item, steps)? != RuleOutcome::False {
                    kept.push(item);
                }
            }
            self.values = kept;
        }
        Some(())
    }
}

/// The number of steps that each evaluation counts in addition to its cost, because its value is
/// built first.
const STEPS_PER_EVALUATION: u64 = 10;

/// The result of a rule for a value.
#[derive(PartialEq)]
enum RuleOutcome {
    True,
    False,
    /// The evaluation fails.
    Error,
}

/// Evaluates a rule. Returns `None` if the evaluation costs too much.
fn evaluate(
    types: &DeclaredTypes,
    program: &Program,
    value: &Value,
    steps: &mut u64,
) -> Option<RuleOutcome> {
    let this = Binding::new(types, value, DeclaredTypes::ROOT);
    let limit = PER_CALL_LIMIT.min(*steps);
    let evaluation = Evaluator::new(types).run(program, &this, None, limit);
    *steps = steps.saturating_sub(evaluation.cost + STEPS_PER_EVALUATION);
    if *steps == 0 {
        return None;
    }
    match evaluation.result.map(|answer| answer.as_bool()) {
        Ok(Some(true)) => Some(RuleOutcome::True),
        Ok(Some(false)) => Some(RuleOutcome::False),
        Ok(None) | Err(EvalError::Expression(_)) => Some(RuleOutcome::Error),
        Err(_) => None,
    }
}

/// Returns all small lists, and true for each list that the rule accepts.
fn answers(
    text: &str,
    list: &TargetList<'_>,
    items: &RepresentativeItems<'_>,
    steps: &mut u64,
) -> Option<(Vec<Vec<usize>>, Vec<bool>)> {
    let all = small_lists(items.values.len());
    let path = list.path.iter().rev();
    let declared = path.fold(DeclaredType::list(items.cel_type.clone()), |below, name| {
        DeclaredType::object([(*name, below)])
    });
    let types = declared.build().ok()?;
    let program = Environment::new(&types, DeclaredTypes::ROOT)
        .compile(text)
        .ok()?;
    let mut answers = Vec::with_capacity(all.len());
    for positions in &all {
        let values = positions.iter().filter_map(|item| items.values.get(*item));
        let values: Value = values.cloned().collect();
        let value = list.path.iter().rev().fold(values, |below, name| {
            let mut around = Map::new();
            around.insert((*name).to_owned(), below);
            Value::Object(around)
        });
        // A rule whose result is an error rejects the list.
        answers.push(evaluate(&types, &program, &value, steps)? == RuleOutcome::True);
    }
    Some((all, answers))
}

/// Describes a sort by the fields that distinguish it from other sorts.
fn describe_class(
    items: &RepresentativeItems<'_>,
    said: &DeducedRelations,
    sort: usize,
) -> ItemClass {
    let is_of = |at: usize, wanted: Option<usize>| {
        let of = said.classes.get(at).copied().flatten();
        of.is_some() && (wanted.is_none() || of == wanted)
    };
    let values = |wanted: Option<usize>| {
        let values = items.values.iter().enumerate();
        let values = values.filter(move |(at, _)| is_of(*at, wanted));
        values.map(|(_, value)| value).collect::<Vec<_>>()
    };
    let (own, every) = (values(Some(sort)), values(None));
    let stands_for_others = |value: &&&Value| {
        let mut fields = items
            .fields
            .iter()
            .filter(|field| !field.other_values.is_empty());
        fields.all(|field| at(value, field).is_some_and(|value| field.other_values.contains(value)))
    };
    let has_others = items
        .fields
        .iter()
        .any(|field| !field.other_values.is_empty());
    let among = |of: &[&Value]| of.iter().filter(stands_for_others).count();
    let others = has_others && among(&own) > 0 && among(&own) == among(&every);
    let found = |field: &ItemField<'_>, of: &[&Value]| -> Vec<Option<Value>> {
        let mut found: Vec<Option<Value>> = Vec::new();
        for value in of {
            let value = at(value, field).cloned();
            if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    };
    let way = |of: &[&Value]| -> Vec<FieldValues> {
        let fields = items.fields.iter().map(|field| (field, found(field, of)));
        let fields = fields.filter(|(field, own)| own.len() < found(field, &every).len());
        fields
            .map(|(field, own)| FieldValues {
                field: field.names.join("."),
                values: labels(field, &own),
            })
            .collect()
    };
    let whole = way(&own);
    // Returns true if each field of a value has a value that the sort has.
    let has = |value: &&&Value| {
        let mut fields = items.fields.iter();
        fields.all(|field| found(field, &own).contains(&at(value, field).cloned()))
    };
    let ways = if every.iter().filter(has).count() == own.len() {
        vec![whole]
    } else {
        own.iter().map(|value| way(&[*value])).collect()
    };
    ItemClass {
        patterns: ways,
        others,
    }
}

/// Returns the value of a field, if the field is present.
fn at<'v>(item: &'v Value, field: &ItemField<'_>) -> Option<&'v Value> {
    field.names.iter().try_fold(item, |at, name| at.get(*name))
}

impl ItemField<'_> {
    /// Returns the label of a value that represents others.
    fn other(&self, values: &[Option<Value>]) -> String {
        let is_other = |value: &&Value| self.other_values.contains(value);
        let mut others = values.iter().flatten().filter(is_other);
        let number = others.find_map(Value::as_i64);
        let named = self.values.iter().flatten();
        let named = named.filter(|value| !is_other(value));
        let named: Vec<i64> = named.filter_map(Value::as_i64).collect();
        match (number, &*named) {
            (Some(number), [first, ..]) if number < *first => format!("below {first}"),
            (Some(_), [.., last]) => format!("above {last}"),
            _ => "the same".to_owned(),
        }
    }
}

/// Returns the labels of the values of a field.
fn labels(field: &ItemField<'_>, values: &[Option<Value>]) -> Vec<String> {
    let is_other = |value: &&Value| field.other_values.contains(value);
    let others = values.iter().flatten().filter(is_other).count();
    let named = values.iter().filter(|value| {
        !value
            .as_ref()
            .is_some_and(|value| field.other_values.contains(value))
    });
    let mut labels: Vec<String> = named
        .map(|value| match value {
            None => "unset".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(_) | Value::Object(_)) => "set".to_owned(),
            Some(value) => value.to_string(),
        })
        .collect();
    if others == field.other_values.len() && others > 0 {
        labels.push("any other".to_owned());
    } else if others > 0 {
        labels.push(field.other(values));
    }
    labels
}

serialize_as_json!(ListRule);
