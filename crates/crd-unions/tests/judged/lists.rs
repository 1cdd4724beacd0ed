//! Rules of lists with the expected statements, and the lists that satisfy each statement.

use std::error::Error;

use crd_unions::{FieldValues, ItemClass, ItemRelation, ListRule};
use serde_json::{Value, json};

use super::{Judged, Server};

/// A rule, and the expected statements.
pub(crate) struct ListCase {
    rule: &'static str,
    items: Value,
    /// The items from which lists are built.
    pool: Vec<Value>,
    /// The statements, as [`words`] prints them.
    says: &'static [&'static str],
}

fn texts() -> Value {
    json!({"type": "string", "maxLength": 9})
}

fn of_texts(rule: &'static str, says: &'static [&'static str]) -> ListCase {
    ListCase {
        rule,
        items: texts(),
        pool: vec![json!("A"), json!("B"), json!("C"), json!("x"), json!("y")],
        says,
    }
}

fn of_conditions(rule: &'static str, says: &'static [&'static str]) -> ListCase {
    let pool = ["A", "B", "C", "x"].into_iter();
    let pool =
        pool.flat_map(|of| ["True", "x", "y"].map(|status| json!({"type": of, "status": status})));
    ListCase {
        rule,
        items: json!({
            "type": "object",
            "required": ["type", "status"],
            "properties": {"type": texts(), "status": texts()},
        }),
        pool: pool.collect(),
        says,
    }
}

fn of_fields(rule: &'static str, says: &'static [&'static str]) -> ListCase {
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
        ],
        says,
    }
}

pub(crate) fn cases() -> Vec<ListCase> {
    let mut cases = as_they_are_found();
    cases.extend(written_otherwise());
    cases.extend(of_each_item());
    cases
}

/// Returns rules as real CRDs contain them.
fn as_they_are_found() -> Vec<ListCase> {
    vec![
        // gateway-api
        of_conditions(
            "!(self.exists(f, f.type == 'A') && self.exists(f, f.type == 'B'))",
            &["apart: type A | type B"],
        ),
        of_conditions(
            "self.filter(f, f.type == 'A').size() <= 1",
            &["once: type A"],
        ),
        of_conditions(
            "self.all(l, self.exists_one(m, l.type == m.type && l.status == m.status))",
            &["distinct"],
        ),
        of_conditions(
            "self.all(a, a.type == 'A' ? self.exists_one(b, b.type == a.type && b.status == a.status) : true)",
            &["once: status the same, type A"],
        ),
        // openshift/api
        of_texts(
            "self.exists(x, x == 'Reboot') ? size(self) == 1 : true",
            &["alone: Reboot"],
        ),
        of_texts("!('A' in self) || self.size() == 1", &["alone: A"]),
        // envoyproxy/gateway
        of_fields("self.all(f, has(f.a)) || self.all(f, has(f.b))", &["alike"]),
        of_fields(
            "self.all(f, has(f.a)) || !self.exists(f, has(f.a))",
            &["alike"],
        ),
        of_conditions("self.all(c, c.type == self[0].type)", &["alike"]),
        // Conditions
        of_conditions("self.exists(c, c.type == 'A')", &["required: type A"]),
        of_conditions(
            "self.exists_one(c, c.type == 'A' && c.status == 'True')",
            &["once: status True, type A", "required: status True, type A"],
        ),
        of_conditions(
            "!self.exists(c, c.type == 'A') || self.exists(c, c.type == 'B' && c.status == 'True')",
            &["needs: type A | status True, type B"],
        ),
    ]
}

fn written_otherwise() -> Vec<ListCase> {
    vec![
        of_texts(
            "[self.exists(x, x == 'A'), self.exists(x, x == 'B'), self.exists(x, x == 'C')].filter(e, e).size() <= 1",
            &["apart: A | B | C"],
        ),
        of_texts(
            "self.all(x, x in ['A', 'B']) || self.all(x, !(x in ['A', 'B']))",
            &["apart: A or B | others"],
        ),
        of_texts(
            "self.filter(x, x == 'A' || x == 'B').size() < 2",
            &["once: A or B"],
        ),
        of_texts(
            "self.all(x, x != 'A') || self.all(x, x != 'B' && x != 'C')",
            &["apart: A | B or C"],
        ),
        of_fields(
            "self.filter(f, has(f.count) && f.count > 1).size() <= 1",
            &["once: count above 1"],
        ),
        of_conditions(
            "self.exists(c, c.type == 'A' && c.type.matches('^A')) || size(self) == 0",
            &["needs: others | type A"],
        ),
    ]
}

/// Returns rules about single items, about lengths, and rules that always hold. They state nothing
/// about several items.
fn of_each_item() -> Vec<ListCase> {
    vec![
        of_texts("self.all(x, x != 'A')", &[]),
        of_texts("!self.exists(x, x == 'A')", &[]),
        of_texts("size(self) <= 2", &[]),
        of_texts("self.size() > 0", &[]),
        of_texts("self.exists(x, x == 'A') || true", &[]),
        of_texts("self == oldSelf || self.exists(x, x == 'A')", &[]),
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
        let mut start = 0;
        for _ in 0..3 {
            let longer: Vec<Vec<Value>> = lists[start..]
                .iter()
                .flat_map(|list| {
                    self.pool.iter().map(move |item| {
                        let mut list = list.clone();
                        list.push(item.clone());
                        list
                    })
                })
                .collect();
            start = lists.len();
            lists.extend(longer);
        }
        lists.into_iter().map(Value::from).collect()
    }
}

/// Returns the statements of rules, in short form.
pub(crate) fn said(rules: &[ListRule]) -> Vec<String> {
    let says = rules.iter().flat_map(|rule| &rule.relations);
    says.map(words).collect()
}

fn words(says: &ItemRelation) -> String {
    let sort = |sort: &ItemClass| {
        if sort.others {
            return "others".to_owned();
        }
        let ways = sort.patterns.iter().map(|way| {
            let fields = way.iter().map(|FieldValues { field, values, .. }| {
                let values = values.join(" or ");
                format!("{field} {values}").trim_start().to_owned()
            });
            fields.collect::<Vec<_>>().join(", ")
        });
        ways.collect::<Vec<_>>().join("; ")
    };
    let sorts: Vec<String> = says.classes().into_iter().map(sort).collect();
    match &*sorts {
        [] => says.name().to_owned(),
        sorts => format!("{}: {}", says.name(), sorts.join(" | ")),
    }
}

/// Returns true if a list satisfies a statement.
fn holds(rule: &ListRule, says: &ItemRelation, list: &[Value]) -> bool {
    let looked_at = |item: &Value| -> Vec<Value> {
        match &*rule.fields {
            [] => vec![item.clone()],
            fields => fields.iter().map(|field| item[field].clone()).collect(),
        }
    };
    let of = |sort: &ItemClass| -> Vec<&Value> {
        list.iter()
            .filter(|item| is_of(&rule.expression, sort, item))
            .collect()
    };
    let pairs = || {
        let ways = list.iter().enumerate();
        ways.flat_map(|(at, one)| list[at + 1..].iter().map(move |other| (one, other)))
    };
    match says {
        ItemRelation::AllEqual => pairs().all(|(one, other)| looked_at(one) == looked_at(other)),
        ItemRelation::AllDistinct => pairs().all(|(one, other)| looked_at(one) != looked_at(other)),
        ItemRelation::OnlyItem(one) => of(one).is_empty() || list.len() == 1,
        ItemRelation::MutuallyExclusive(sorts) => {
            sorts.iter().filter(|one| !of(one).is_empty()).count() < 2
        }
        ItemRelation::AtMostOne(one) => {
            let of = of(one);
            let is_same = one
                .patterns
                .iter()
                .flatten()
                .any(|wanted| wanted.values == ["the same"]);
            let mut pairs = of
                .iter()
                .enumerate()
                .flat_map(|(at, one)| of[at + 1..].iter().map(move |other| (one, other)));
            // Each of these values occurs at most once.
            pairs.all(|(one, other)| is_same && looked_at(one) != looked_at(other))
        }
        ItemRelation::AtLeastOne(one) => !of(one).is_empty(),
        ItemRelation::Requires(one, other) => of(one).is_empty() || !of(other).is_empty(),
        _ => false,
    }
}

fn is_of(text_of: &str, sort: &ItemClass, item: &Value) -> bool {
    sort.patterns.iter().any(|way| {
        way.iter().all(|FieldValues { field, values, .. }| {
            let value = if field.is_empty() {
                Some(item)
            } else {
                item.get(field)
            };
            values.iter().any(|wanted| match (&**wanted, value) {
                ("unset", value) => value.is_none(),
                ("set" | "the same", value) => value.is_some(),
                ("above 1", Some(Value::Number(number))) => number.as_i64() > Some(1),
                ("any other", Some(Value::String(text))) => !text_of.contains(&format!("'{text}'")),
                (wanted, value) => value.and_then(Value::as_str) == Some(wanted),
            })
        })
    })
}

/// Compares the statements of a rule with a server, for all small lists.
pub(crate) fn judge(server: &mut impl Server, case: &ListCase) -> Result<Judged, Box<dyn Error>> {
    let schema = case.schema();
    let lists = case.lists();
    let mut judged = Judged {
        objects: lists.len(),
        ..Judged::default()
    };
    let rules = crd_unions::analyze_lists(&schema);
    let said = said(&rules);
    if said != case.says || rules.iter().any(|rule| !rule.exact) {
        let read = format!("{} is read as {said:?}", case.rule);
        judged.inexact.push(read);
    }
    for (list, stored) in lists.iter().zip(server.create(&schema, &lists)?) {
        judged.accepted += usize::from(stored.is_some());
        for rule in &rules {
            let items = list.as_array().ok_or("a list is a list")?;
            let is_held = rule.relations.iter().all(|says| holds(rule, says, items));
            let wrong = format!("{}: {list}, of {}", json!(rule), case.rule);
            if stored.is_some() && !is_held {
                judged.unsound.push(wrong);
            } else if stored.is_none() && is_held && rule.exact {
                judged.inexact.push(wrong);
            }
        }
    }
    Ok(judged)
}
