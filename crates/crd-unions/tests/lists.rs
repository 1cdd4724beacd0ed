//! Statements of list rules about several items.

use crd_unions::{analyze_lists, bounds};
use serde_json::{Value, json};

use crate::evaluator::Evaluator;
use crate::judged::lists::{cases, judge, said};

#[test]
fn each_rule_says_what_it_allows_and_a_server_agrees() {
    let mut lists = 0;
    for case in cases() {
        let judged = judge(&mut Evaluator, &case).unwrap();
        assert_eq!(judged.wrong().next(), None);
        lists += judged.objects;
    }
    println!("{lists} lists");
}

/// A list of objects with rules, in a field of an object.
fn with_list(items: &Value, of_list: &[&str], of_object: &[&str]) -> Value {
    let rules =
        |rules: &[&str]| -> Vec<Value> { rules.iter().map(|rule| json!({"rule": rule})).collect() };
    json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": items, "x-kubernetes-validations": rules(of_list)},
            "mode": {"type": "string"},
        },
        "x-kubernetes-validations": rules(of_object),
    })
}

fn typed(values: &[&str]) -> Value {
    json!({
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "enum": values}, "a": {"type": "object"}},
    })
}

#[test]
fn a_rule_may_stand_above_its_list() {
    let items = typed(&["A", "B", "C"]);
    let rule = "self.list.exists(x, x.type == 'A') && self.list.exists(x, x.type == 'B')";
    for rule in [
        format!("!({rule})"),
        format!("!has(self.list) || !({rule})"),
        format!("has(self.list) ? !({rule}) : true"),
    ] {
        let rules = analyze_lists(&with_list(&items, &[], &[&rule]));
        assert_eq!(said(&rules), ["apart: type A | type B"], "{rule}");
        assert_eq!(
            (&*rules[0].pointer, &*rules[0].path),
            ("/properties/list", "list")
        );
    }
    // The rule is also about another field.
    let rule = format!("self.mode == 'x' || !({rule})");
    assert_eq!(analyze_lists(&with_list(&items, &[], &[&rule])), []);
}

#[test]
fn values_of_an_enum_are_all_that_there_is() {
    let rule = "self.all(x, x.type == 'A') || self.all(x, x.type == 'B')";
    let of = |values: &[&str]| said(&analyze_lists(&with_list(&typed(values), &[rule], &[])));
    assert_eq!(of(&["B", "A"]), ["alike"]);
    // An item with another value excludes all other items, but not items with the same value.
    assert_eq!(of(&["A", "B", "C"]), ["alike"]);
    let lenient = "!self.exists(x, x.type == 'A') || !self.exists(x, x.type == 'B')";
    let said = said(&analyze_lists(&with_list(
        &typed(&["B", "A"]),
        &[lenient],
        &[],
    )));
    assert_eq!(said, ["alike"]);
}

#[test]
fn what_is_left_out_is_not_claimed() {
    // The rule compares four fields, which makes too many sorts of items.
    let names = ["a", "b", "c", "d"];
    let properties: Vec<(String, Value)> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    let items = json!({"type": "object", "properties": properties.into_iter().collect::<serde_json::Map<_, _>>()});
    let same: Vec<String> = names
        .iter()
        .map(|name| {
            format!("has(x.{name}) == has(y.{name}) && (!has(x.{name}) || x.{name} == y.{name})")
        })
        .collect();
    let rule = format!("self.all(x, self.exists_one(y, {}))", same.join(" && "));
    assert_eq!(analyze_lists(&with_list(&items, &[&rule], &[])), []);
    // A field that the rule does not compare has only one value that represents others. The
    // statements are then not exact.
    let rule = "!(self.exists(x, has(x.a) && x.a == 'A' && has(x.b) && has(x.c)) && self.exists(x, has(x.a) && x.a == 'B' && has(x.b) && has(x.c)))";
    let rules = analyze_lists(&with_list(&items, &[rule], &[]));
    assert_eq!(rules.len(), 0, "{rules:?}");
    let rule = "!(self.exists(x, has(x.a) && x.a == 'A' && has(x.b)) && self.exists(x, has(x.a) && x.a == 'B' && has(x.b)))";
    let rules = analyze_lists(&with_list(&items, &[rule], &[]));
    assert_eq!(said(&rules), ["apart: a A, b any other | a B, b any other"]);
    assert!(!rules[0].exact);
}

#[test]
fn what_lies_in_a_field_is_not_told_apart() {
    let items = json!({
        "type": "object",
        "required": ["type", "list"],
        "properties": {
            "type": {"type": "string"},
            "list": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "inner": {"type": "object", "properties": {"text": {"type": "string"}}},
        },
    });
    let apart = |more: &str| {
        format!("!(self.exists(x, x.type == 'A'{more}) && self.exists(x, x.type == 'B'))")
    };
    let of = |rule: &str| said(&analyze_lists(&with_list(&items, &[rule], &[])));
    assert_eq!(of(&apart("")), ["apart: type A | type B"]);
    // An A with a certain list or map may be in a list with a B, so the rule states nothing.
    for more in [
        " && x.list.size() == 0",
        " && x.list == []",
        " && has(x.map) && x.map.size() > 0",
    ] {
        assert_eq!(of(&apart(more)), [""; 0], "{more}");
    }
    // The presence of a field and fields below objects are distinguished.
    let of_map = of(&apart(" && has(x.map)"));
    assert_eq!(of_map, ["apart: map set, type A | type B"]);
    // This rule does not distinguish empty from unset.
    let text = "inner.?text.orValue('')";
    let rule = format!("self.all(x, self.exists_one(y, x.?{text} == y.?{text}))");
    let once = ["once: inner.text  or unset", "once: inner.text the same"];
    assert_eq!(of(&rule), once);
}

/// Rules are untrusted input.
#[test]
fn what_costs_too_much_is_not_read() {
    let many: Vec<String> = (0..bounds::LIST_ITEMS)
        .map(|number| format!("'v{number}'"))
        .collect();
    let texts = json!({"type": "string"});
    let rule = format!("self.filter(x, x in [{}]).size() <= 1", many.join(", "));
    let list = |rules: &[&str]| {
        let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
        json!({"type": "array", "items": texts, "x-kubernetes-validations": rules})
    };
    // The rule has more sorts than the limit.
    assert_eq!(analyze_lists(&list(&[&rule])), []);
    // Rules after the expensive rules are not read.
    let ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let dear = format!(
        "{ten}.all(a, {ten}.all(b, {ten}.all(c, {ten}.all(d, a + b + c + d > 0)))) && !(self.exists(x, x == 'A') && self.exists(x, x == 'B'))"
    );
    let plain = "!(self.exists(x, x == 'A') && self.exists(x, x == 'B'))";
    let mut rules = vec![plain];
    rules.extend(vec![&*dear; 300]);
    rules.push("self.exists(x, x == 'C')");
    assert_eq!(said(&analyze_lists(&list(&rules))), ["apart: A | B"]);
    // Rules that are not valid expressions, or are about unknown fields, state nothing.
    let strange = ["self.exists(", "self.exists(x, x.y == 'A')", "self", "true"];
    assert_eq!(said(&analyze_lists(&list(&strange))), [""; 0]);
    for schema in [
        json!(1),
        json!({"items": 1}),
        json!({"items": {"properties": 1}, "x-kubernetes-validations": [{"rule": "self.exists(x, x == 'A')"}]}),
    ] {
        assert_eq!(analyze_lists(&schema), [], "{schema}");
    }
}
