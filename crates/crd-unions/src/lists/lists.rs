//! Rules of lists: statements about several items, found by evaluating the rules for small lists.

use crate::report::serialize::serialize_as_json;
use k8s_cel::cost::CALL_LIMIT;
use k8s_cel::{DeclaredType, DeclaredTypes, Environment, Evaluator, Fault, Operand, Program};
use serde_json::{Map, Value, json};

use crate::bounds::{LEVELS, LIST_STEPS};
use crate::lists::items::{self, ItemField, Items, List};
use crate::lists::together::{FieldValues, Said, Sort, Together, lists, said, sorts};
use crate::reader::places::{Found, each_rule, validations};
use crate::terms::gather;
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
    pub by: Vec<String>,
    /// The statements of the rule about lists of up to three items.
    pub says: Vec<Together>,
    /// True if `says` contains everything that the rule requires of such lists.
    pub exact: bool,
    /// The CEL expression.
    pub text: String,
}

impl ListRule {
    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        json!({
            "pointer": self.pointer,
            "path": self.path,
            "by": self.by,
            "says": self.says,
            "exact": self.exact,
            "rule": self.text,
        })
    }
}

/// Reads the rules of all lists of a schema that relate several items, in schema order. Such rules
/// are not unions, which relate the fields of an object.
///
/// ```
/// use crd_unions::Together;
/// use serde_json::json;
///
/// let rules = crd_unions::read_lists(&json!({
///     "type": "array",
///     "items": {"type": "string", "enum": ["Reboot", "Drain", "None"]},
///     "x-kubernetes-validations": [{
///         "rule": "self.exists(x, x == 'Reboot') ? size(self) == 1 : true",
///     }],
/// }));
/// assert!(matches!(&*rules[0].says, [Together::Alone(_)]) && rules[0].exact);
/// ```
///
/// The statements are found by evaluating the rule for all lists of up to three items, with an item
/// of each sort that the rule may distinguish. A rule is not read if it reads other fields too, if
/// it distinguishes too many sorts, or if it costs too much: see [`bounds`](crate::bounds).
#[must_use]
pub fn read_lists(schema: &Value) -> Vec<ListRule> {
    let mut rules: Vec<ListRule> = Vec::new();
    if is_deeper(schema, LEVELS) {
        return rules;
    }
    let schema = &*in_key_order(schema, LEVELS);
    let mut steps = LIST_STEPS;
    each_rule(schema, &mut |found| {
        if let Some(rule) = read(found, &mut steps)
            // Some schemas contain a rule twice.
            && rules.last() != Some(&rule)
        {
            rules.push(rule);
        }
    });
    rules
}

fn read(found: &Found<'_, '_>, steps: &mut u64) -> Option<ListRule> {
    let ast = found.ast?;
    if gather::is_transition(ast) {
        return None;
    }
    let list = items::list(ast, found.schema)?;
    let mut items = items::items(ast, &list, &mut |items, field| {
        let (_, accepted) = answers(found.text, &list, items, steps)?;
        Some(are_told_apart(items, field, &accepted))
    })?;
    items.keep_accepted(list.items, steps)?;
    let (all, accepted) = answers(found.text, &list, &items, steps)?;
    let said = said(&all, &accepted, items.values.len())?;
    let by = items.fields.iter().map(|field| field.names.join("."));
    let path = found.path.clone();
    let path = list
        .path
        .iter()
        .fold(path, |path, name| path.property(name));
    Some(ListRule {
        pointer: path.to_string(),
        path: path.to_fields(),
        by: by.filter(|name| !name.is_empty()).collect(),
        says: said.statements(&|sort| of_sort(&items, &said, sort)),
        exact: said.exact && items.whole,
        text: found.text.to_owned(),
    })
}

/// Returns true if the values that represent others in a field are of several sorts.
fn are_told_apart(items: &Items<'_>, field: usize, accepted: &[bool]) -> bool {
    let Some(field) = items.fields.get(field) else {
        return false;
    };
    let sorts = sorts(accepted, items.values.len());
    let without = |item: &Value| -> Vec<Option<Value>> {
        let others = items
            .fields
            .iter()
            .filter(|other| other.names != field.names);
        others.map(|other| at(item, other).cloned()).collect()
    };
    let is_other = |item: &Value| at(item, field).is_some_and(|value| field.others.contains(value));
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

impl Items<'_> {
    /// Removes the items that the rules of the items reject, as far as these rules are about the
    /// fields.
    fn keep_accepted(&mut self, schema: &Map<String, Value>, steps: &mut u64) -> Option<()> {
        let types = self.declared.clone().declare().ok()?;
        let environment = Environment::new(&types, DeclaredTypes::ROOT);
        for (text, _) in validations(schema) {
            let Ok(program) = environment.compile(text) else {
                continue;
            };
            let mut kept = Vec::new();
            for item in std::mem::take(&mut self.values) {
                if ask(&types, &program, &item, steps)? != Says::False {
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
const OF_A_RUN: u64 = 10;

/// The result of a rule for a value.
#[derive(PartialEq)]
enum Says {
    True,
    False,
    /// The evaluation fails.
    Error,
}

/// Evaluates a rule. Returns `None` if the evaluation costs too much.
fn ask(types: &DeclaredTypes, program: &Program, value: &Value, steps: &mut u64) -> Option<Says> {
    let this = Operand::new(types, value, DeclaredTypes::ROOT);
    let limit = CALL_LIMIT.min(*steps);
    let evaluation = Evaluator::new(types).run(program, &this, None, limit);
    *steps = steps.saturating_sub(evaluation.cost + OF_A_RUN);
    if *steps == 0 {
        return None;
    }
    match evaluation.result.map(|answer| answer.as_bool()) {
        Ok(Some(true)) => Some(Says::True),
        Ok(Some(false)) => Some(Says::False),
        Ok(None) | Err(Fault::Error(_)) => Some(Says::Error),
        Err(_) => None,
    }
}

/// Returns all small lists, and true for each list that the rule accepts.
fn answers(
    text: &str,
    list: &List<'_>,
    items: &Items<'_>,
    steps: &mut u64,
) -> Option<(Vec<Vec<usize>>, Vec<bool>)> {
    let all = lists(items.values.len());
    let path = list.path.iter().rev();
    let declared = path.fold(DeclaredType::list(items.declared.clone()), |below, name| {
        DeclaredType::object([(*name, below)])
    });
    let types = declared.declare().ok()?;
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
        answers.push(ask(&types, &program, &value, steps)? == Says::True);
    }
    Some((all, answers))
}

/// Describes a sort by the fields that distinguish it from other sorts.
fn of_sort(items: &Items<'_>, said: &Said, sort: usize) -> Sort {
    let is_of = |at: usize, wanted: Option<usize>| {
        let of = said.sorts.get(at).copied().flatten();
        of.is_some() && (wanted.is_none() || of == wanted)
    };
    let values = |wanted: Option<usize>| {
        let values = items.values.iter().enumerate();
        let values = values.filter(move |(at, _)| is_of(*at, wanted));
        values.map(|(_, value)| value).collect::<Vec<_>>()
    };
    let (own, every) = (values(Some(sort)), values(None));
    let stands_for_others = |value: &&&Value| {
        let mut fields = items.fields.iter().filter(|field| !field.others.is_empty());
        fields.all(|field| at(value, field).is_some_and(|value| field.others.contains(value)))
    };
    let has_others = items.fields.iter().any(|field| !field.others.is_empty());
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
    Sort { ways, others }
}

/// Returns the value of a field, if the field is present.
fn at<'v>(item: &'v Value, field: &ItemField<'_>) -> Option<&'v Value> {
    field.names.iter().try_fold(item, |at, name| at.get(*name))
}

impl ItemField<'_> {
    /// Returns the label of a value that represents others.
    fn other(&self, values: &[Option<Value>]) -> String {
        let is_other = |value: &&Value| self.others.contains(value);
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
    let is_other = |value: &&Value| field.others.contains(value);
    let others = values.iter().flatten().filter(is_other).count();
    let named = values.iter().filter(|value| {
        !value
            .as_ref()
            .is_some_and(|value| field.others.contains(value))
    });
    let mut labels: Vec<String> = named
        .map(|value| match value {
            None => "unset".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(_) | Value::Object(_)) => "set".to_owned(),
            Some(value) => value.to_string(),
        })
        .collect();
    if others == field.others.len() && others > 0 {
        labels.push("any other".to_owned());
    } else if others > 0 {
        labels.push(field.other(values));
    }
    labels
}

serialize_as_json!(ListRule);
