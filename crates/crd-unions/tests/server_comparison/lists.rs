//! Rules of lists with the expected relations, and the lists that satisfy each relation.

use std::error::Error;

use crd_unions::{FieldValues, ItemClass, ItemRelation, ListRule};
use serde_json::{Number, Value, json};

use super::{Server, ServerComparison};

/// A rule, and the expected relations.
pub(crate) struct ListCase {
    rule: &'static str,
    items: Value,
    /// The items from which lists are built.
    pool: Vec<Value>,
    /// The relations, as [`format_relation`] prints them.
    expected: &'static [&'static str],
}

fn short_string() -> Value {
    json!({"type": "string", "maxLength": 9})
}

fn string_case(rule: &'static str, expected: &'static [&'static str]) -> ListCase {
    ListCase {
        rule,
        items: short_string(),
        pool: vec![json!("A"), json!("B"), json!("C"), json!("x"), json!("y")],
        expected,
    }
}

fn condition_case(rule: &'static str, expected: &'static [&'static str]) -> ListCase {
    let pool = ["A", "B", "C", "x"].into_iter();
    let pool = pool.flat_map(|type_name| {
        ["True", "x", "y"].map(|status| json!({"type": type_name, "status": status}))
    });
    ListCase {
        rule,
        items: json!({
            "type": "object",
            "required": ["type", "status"],
            "properties": {"type": short_string(), "status": short_string()},
        }),
        pool: pool.collect(),
        expected,
    }
}

fn field_case(rule: &'static str, expected: &'static [&'static str]) -> ListCase {
    ListCase {
        rule,
        items: json!({
            "type": "object",
            "properties": {"a": {"type": "object"}, "b": {"type": "object"}, "count": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "has(self.a) != has(self.b)"}],
        }),
        pool: vec![
            json!({"a": {}}),
            json!({"b": {}}),
            json!({"a": {}, "count": 1}),
            json!({"b": {}, "count": 2}),
            json!({"a": {}, "count": 3}),
            json!({"a": {}, "count": 0}),
            json!({"b": {}, "count": 4}),
        ],
        expected,
    }
}

pub(crate) fn cases() -> Vec<ListCase> {
    let mut cases = rules_of_real_crds();
    cases.extend(equivalent_rules());
    cases.extend(rules_without_relations());
    cases
}

/// Returns rules as real CRDs contain them.
fn rules_of_real_crds() -> Vec<ListCase> {
    vec![
        // gateway-api
        condition_case(
            "!(self.exists(f, f.type == 'A') && self.exists(f, f.type == 'B'))",
            &["apart: type A | type B"],
        ),
        condition_case(
            "self.filter(f, f.type == 'A').size() <= 1",
            &["once: type A"],
        ),
        condition_case(
            "self.all(l, self.exists_one(m, l.type == m.type && l.status == m.status))",
            &["distinct"],
        ),
        condition_case(
            "self.all(a, a.type == 'A' ? self.exists_one(b, b.type == a.type && b.status == a.status) : true)",
            &["once: status the same, type A"],
        ),
        // openshift/api
        string_case(
            "self.exists(x, x == 'Reboot') ? size(self) == 1 : true",
            &["alone: Reboot"],
        ),
        string_case("!('A' in self) || self.size() == 1", &["alone: A"]),
        // envoyproxy/gateway
        field_case("self.all(f, has(f.a)) || self.all(f, has(f.b))", &["alike"]),
        field_case(
            "self.all(f, has(f.a)) || !self.exists(f, has(f.a))",
            &["alike"],
        ),
        condition_case("self.all(c, c.type == self[0].type)", &["alike"]),
        // Conditions
        condition_case("self.exists(c, c.type == 'A')", &["required: type A"]),
        condition_case(
            "self.exists_one(c, c.type == 'A' && c.status == 'True')",
            &["once: status True, type A", "required: status True, type A"],
        ),
        condition_case(
            "!self.exists(c, c.type == 'A') || self.exists(c, c.type == 'B' && c.status == 'True')",
            &["needs: type A | status True, type B"],
        ),
    ]
}

fn equivalent_rules() -> Vec<ListCase> {
    vec![
        string_case(
            "[self.exists(x, x == 'A'), self.exists(x, x == 'B'), self.exists(x, x == 'C')].filter(e, e).size() <= 1",
            &["apart: A | B | C"],
        ),
        string_case(
            "self.all(x, x in ['A', 'B']) || self.all(x, !(x in ['A', 'B']))",
            &["apart: A or B | others"],
        ),
        string_case(
            "self.filter(x, x == 'A' || x == 'B').size() < 2",
            &["once: A or B"],
        ),
        string_case(
            "self.all(x, x != 'A') || self.all(x, x != 'B' && x != 'C')",
            &["apart: A | B or C"],
        ),
        field_case(
            "self.filter(f, has(f.count) && f.count > 1).size() <= 1",
            &["once: count above 1"],
        ),
        field_case(
            "self.filter(f, has(f.count) && f.count > 1 && f.count < 4).size() <= 1",
            &["once: count between 1 and 4"],
        ),
        field_case(
            "self.filter(f, has(f.count) && (f.count < 1 || f.count >= 3)).size() <= 1",
            &["once: count 3 or below 1 or above 3"],
        ),
        condition_case(
            "self.exists(c, c.type == 'A' && c.type.matches('^A')) || size(self) == 0",
            &["needs: others | type A"],
        ),
    ]
}

/// Returns rules about single items, about lengths, and rules that always hold. They have no
/// relations.
fn rules_without_relations() -> Vec<ListCase> {
    vec![
        string_case("self.all(x, x != 'A')", &[]),
        string_case("!self.exists(x, x == 'A')", &[]),
        string_case("size(self) <= 2", &[]),
        string_case("self.size() > 0", &[]),
        string_case("self.exists(x, x == 'A') || true", &[]),
        string_case("self == oldSelf || self.exists(x, x == 'A')", &[]),
    ]
}

impl ListCase {
    pub(crate) fn schema(&self) -> Value {
        json!({
            "type": "array",
            "maxItems": 5,
            "items": self.items,
            "x-kubernetes-validations": [{"rule": self.rule}],
        })
    }

    /// Returns all lists of up to three items.
    fn lists(&self) -> Vec<Value> {
        let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
        let mut first_extended = 0;
        for _ in 0..3 {
            let longer_lists: Vec<Vec<Value>> = lists[first_extended..]
                .iter()
                .flat_map(|list| {
                    self.pool.iter().map(move |item| {
                        let mut list = list.clone();
                        list.push(item.clone());
                        list
                    })
                })
                .collect();
            first_extended = lists.len();
            lists.extend(longer_lists);
        }
        lists.into_iter().map(Value::from).collect()
    }
}

/// Returns the relations of rules, as [`format_relation`] prints them.
pub(crate) fn formatted_relations(rules: &[ListRule]) -> Vec<String> {
    let relations = rules.iter().flat_map(|rule| &rule.relations);
    relations.map(format_relation).collect()
}

fn format_relation(relation: &ItemRelation) -> String {
    let class = |class: &ItemClass| {
        if class.others {
            return "others".to_owned();
        }
        let patterns = class.patterns.iter().map(|pattern| {
            let fields = pattern.iter().map(|FieldValues { field, values, .. }| {
                let values = values.join(" or ");
                format!("{field} {values}").trim_start().to_owned()
            });
            fields.collect::<Vec<_>>().join(", ")
        });
        patterns.collect::<Vec<_>>().join("; ")
    };
    let classes: Vec<String> = relation.classes().into_iter().map(class).collect();
    match &*classes {
        [] => relation.name().to_owned(),
        classes => format!("{}: {}", relation.name(), classes.join(" | ")),
    }
}

/// Returns true if a list satisfies a relation.
fn is_satisfied(rule: &ListRule, relation: &ItemRelation, list: &[Value]) -> bool {
    let compared_values = |item: &Value| -> Vec<Value> {
        match &*rule.fields {
            [] => vec![item.clone()],
            fields => fields.iter().map(|field| item[field].clone()).collect(),
        }
    };
    let items_of = |class: &ItemClass| -> Vec<&Value> {
        list.iter()
            .filter(|item| is_in_class(&rule.expression, class, item))
            .collect()
    };
    let pairs = || {
        let indexed_items = list.iter().enumerate();
        indexed_items.flat_map(|(index, item)| {
            let later_items = list[index + 1..].iter();
            later_items.map(move |later_item| (item, later_item))
        })
    };
    match relation {
        ItemRelation::AllEqual => {
            pairs().all(|(item, later_item)| compared_values(item) == compared_values(later_item))
        }
        ItemRelation::AllDistinct => {
            pairs().all(|(item, later_item)| compared_values(item) != compared_values(later_item))
        }
        ItemRelation::OnlyItem(class) => items_of(class).is_empty() || list.len() == 1,
        ItemRelation::MutuallyExclusive(classes) => {
            classes
                .iter()
                .filter(|class| !items_of(class).is_empty())
                .count()
                < 2
        }
        ItemRelation::AtMostOne(class) => {
            let items = items_of(class);
            let is_distinguished_by_value = class
                .patterns
                .iter()
                .flatten()
                .any(|field_values| field_values.values == ["the same"]);
            let mut pairs = items.iter().enumerate().flat_map(|(index, item)| {
                let later_items = items[index + 1..].iter();
                later_items.map(move |later_item| (item, later_item))
            });
            // Each of these values occurs at most once.
            pairs.all(|(item, later_item)| {
                is_distinguished_by_value && compared_values(item) != compared_values(later_item)
            })
        }
        ItemRelation::AtLeastOne(class) => !items_of(class).is_empty(),
        ItemRelation::Requires(class, required_class) => {
            items_of(class).is_empty() || !items_of(required_class).is_empty()
        }
        _ => false,
    }
}

fn is_in_class(rule: &str, class: &ItemClass, item: &Value) -> bool {
    class.patterns.iter().any(|pattern| {
        pattern.iter().all(|FieldValues { field, values, .. }| {
            let value = if field.is_empty() {
                Some(item)
            } else {
                item.get(field)
            };
            values.iter().any(|expected| match (&**expected, value) {
                ("unset", value) => value.is_none(),
                ("set" | "the same", value) => value.is_some(),
                (interval, Some(Value::Number(number))) => is_in_interval(interval, number),
                ("any other", Some(Value::String(string))) => {
                    !rule.contains(&format!("'{string}'"))
                }
                (expected, value) => value.and_then(Value::as_str) == Some(expected),
            })
        })
    })
}

/// Returns true if a number has a label: `above 1`, `below 1`, `between 1 and 4`, or the number.
fn is_in_interval(label: &str, number: &Number) -> bool {
    let number = number.as_i64();
    let bound = |text: &str| Some(text.parse().expect("an integer"));
    match *label.split(' ').collect::<Vec<_>>() {
        ["above", lower] => number > bound(lower),
        ["below", upper] => number < bound(upper),
        ["between", lower, "and", upper] => number > bound(lower) && number < bound(upper),
        _ => label == number.map_or_else(String::new, |number| number.to_string()),
    }
}

/// Compares the results of a rule's relations with the results of a server, for all small lists.
pub(crate) fn compare_with_server(
    server: &mut impl Server,
    case: &ListCase,
) -> Result<ServerComparison, Box<dyn Error>> {
    let schema = case.schema();
    let lists = case.lists();
    let mut comparison = ServerComparison {
        object_count: lists.len(),
        ..ServerComparison::default()
    };
    let rules = crd_unions::analyze_lists(&schema);
    let relations = formatted_relations(&rules);
    if relations != case.expected || rules.iter().any(|rule| !rule.exact) {
        let difference = format!("{} has the relations {relations:?}", case.rule);
        comparison.inexact.push(difference);
    }
    for (list, stored) in lists.iter().zip(server.create(&schema, &lists)?) {
        comparison.accepted_count += usize::from(stored.is_some());
        for rule in &rules {
            let items = list.as_array().ok_or("a list is a list")?;
            let satisfies_all = rule
                .relations
                .iter()
                .all(|relation| is_satisfied(rule, relation, items));
            let difference = format!("{}: {list}, of {}", json!(rule), case.rule);
            if stored.is_some() && !satisfies_all {
                comparison.unsound.push(difference);
            } else if stored.is_none() && satisfies_all && rule.exact {
                comparison.inexact.push(difference);
            }
        }
    }
    Ok(comparison)
}
