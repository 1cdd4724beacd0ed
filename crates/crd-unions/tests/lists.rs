//! Relations between items that list rules require.

use crd_unions::{analyze_lists, bounds};
use serde_json::{Value, json};

use crate::evaluator::Evaluator;
use crate::server_comparison::lists::{cases, compare_with_server, formatted_relations};

#[test]
fn relations_accept_the_same_lists_as_a_server() {
    let mut list_count = 0;
    for case in cases() {
        let comparison = compare_with_server(&mut Evaluator, &case).unwrap();
        assert_eq!(comparison.differences().next(), None);
        list_count += comparison.object_count;
    }
    println!("{list_count} lists");
}

/// Returns the schema of an object with a list, with rules of the list and of the object.
fn object_with_list_schema(items: &Value, list_rules: &[&str], object_rules: &[&str]) -> Value {
    let rules =
        |rules: &[&str]| -> Vec<Value> { rules.iter().map(|rule| json!({"rule": rule})).collect() };
    json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": items, "x-kubernetes-validations": rules(list_rules)},
            "mode": {"type": "string"},
        },
        "x-kubernetes-validations": rules(object_rules),
    })
}

fn item_schema(values: &[&str]) -> Value {
    json!({
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "enum": values}, "a": {"type": "object"}},
    })
}

#[test]
fn a_rule_may_be_in_the_schema_above_its_list() {
    let items = item_schema(&["A", "B", "C"]);
    let rule = "self.list.exists(x, x.type == 'A') && self.list.exists(x, x.type == 'B')";
    for rule in [
        format!("!({rule})"),
        format!("!has(self.list) || !({rule})"),
        format!("has(self.list) ? !({rule}) : true"),
    ] {
        let rules = analyze_lists(&object_with_list_schema(&items, &[], &[&rule]));
        assert_eq!(
            formatted_relations(&rules),
            ["apart: type A | type B"],
            "{rule}"
        );
        assert_eq!(
            (&*rules[0].pointer, &*rules[0].path),
            ("/properties/list", "list")
        );
    }
    // The rule is also about another field.
    let rule = format!("self.mode == 'x' || !({rule})");
    assert_eq!(
        analyze_lists(&object_with_list_schema(&items, &[], &[&rule])),
        []
    );
}

#[test]
fn an_enum_lists_all_values() {
    let rule = "self.all(x, x.type == 'A') || self.all(x, x.type == 'B')";
    let relations = |values: &[&str]| {
        formatted_relations(&analyze_lists(&object_with_list_schema(
            &item_schema(values),
            &[rule],
            &[],
        )))
    };
    assert_eq!(relations(&["B", "A"]), ["alike"]);
    // An item with another value excludes all other items, but not items with the same value.
    assert_eq!(relations(&["A", "B", "C"]), ["alike"]);
    let equivalent_rule = "!self.exists(x, x.type == 'A') || !self.exists(x, x.type == 'B')";
    let relations = formatted_relations(&analyze_lists(&object_with_list_schema(
        &item_schema(&["B", "A"]),
        &[equivalent_rule],
        &[],
    )));
    assert_eq!(relations, ["alike"]);
}

#[test]
fn incomplete_items_are_never_exact() {
    // The rule compares four fields, which makes too many classes of items.
    let names = ["a", "b", "c", "d"];
    let properties: Vec<(String, Value)> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    let items = json!({"type": "object", "properties": properties.into_iter().collect::<serde_json::Map<_, _>>()});
    let equalities: Vec<String> = names
        .iter()
        .map(|name| {
            format!("has(x.{name}) == has(y.{name}) && (!has(x.{name}) || x.{name} == y.{name})")
        })
        .collect();
    let rule = format!(
        "self.all(x, self.exists_one(y, {}))",
        equalities.join(" && ")
    );
    assert_eq!(
        analyze_lists(&object_with_list_schema(&items, &[&rule], &[])),
        []
    );
    // A field that the rule does not compare has only one representative. The relations are then
    // not exact.
    let rule = "!(self.exists(x, has(x.a) && x.a == 'A' && has(x.b) && has(x.c)) && self.exists(x, has(x.a) && x.a == 'B' && has(x.b) && has(x.c)))";
    let rules = analyze_lists(&object_with_list_schema(&items, &[rule], &[]));
    assert_eq!(rules.len(), 0, "{rules:?}");
    let rule = "!(self.exists(x, has(x.a) && x.a == 'A' && has(x.b)) && self.exists(x, has(x.a) && x.a == 'B' && has(x.b)))";
    let rules = analyze_lists(&object_with_list_schema(&items, &[rule], &[]));
    assert_eq!(
        formatted_relations(&rules),
        ["apart: a A, b any other | a B, b any other"]
    );
    assert!(!rules[0].exact);
}

/// A rule with comparisons distinguishes the integers between the integers that it names.
#[test]
fn integers_between_the_named_integers_are_distinguished() {
    let items = json!({
        "type": "object",
        "required": ["port"],
        "properties": {"port": {"type": "integer"}, "a": {"type": "object"}},
    });
    let relations = |rule: &str| {
        let rules = analyze_lists(&object_with_list_schema(&items, &[rule], &[]));
        formatted_relations(&rules)
    };
    let between = "x.port > 1 && x.port < 5";
    let rule = format!("!(self.exists(x, {between}) && self.exists(x, x.port == 9))");
    assert_eq!(relations(&rule), ["apart: port 9 | port between 1 and 5"]);
}

#[test]
fn contents_of_lists_and_maps_are_not_distinguished() {
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
    let exclusion = |condition: &str| {
        format!("!(self.exists(x, x.type == 'A'{condition}) && self.exists(x, x.type == 'B'))")
    };
    let relations = |rule: &str| {
        formatted_relations(&analyze_lists(&object_with_list_schema(
            &items,
            &[rule],
            &[],
        )))
    };
    assert_eq!(relations(&exclusion("")), ["apart: type A | type B"]);
    // The rule depends on the contents of a list or map, so it is skipped.
    for condition in [
        " && x.list.size() == 0",
        " && x.list == []",
        " && has(x.map) && x.map.size() > 0",
    ] {
        assert_eq!(relations(&exclusion(condition)), [""; 0], "{condition}");
    }
    // The presence of a field and fields below objects are distinguished.
    let map_relations = relations(&exclusion(" && has(x.map)"));
    assert_eq!(map_relations, ["apart: map set, type A | type B"]);
    // This rule does not distinguish empty from unset.
    let inner_field = "inner.?text.orValue('')";
    let rule = format!("self.all(x, self.exists_one(y, x.?{inner_field} == y.?{inner_field}))");
    let at_most_once = ["once: inner.text  or unset", "once: inner.text the same"];
    assert_eq!(relations(&rule), at_most_once);
}

/// Rules are untrusted input.
#[test]
fn expensive_and_invalid_rules_are_skipped() {
    let values: Vec<String> = (0..bounds::LIST_ITEMS)
        .map(|index| format!("'v{index}'"))
        .collect();
    let items = json!({"type": "string"});
    let rule = format!("self.filter(x, x in [{}]).size() <= 1", values.join(", "));
    let list_schema = |rules: &[&str]| {
        let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
        json!({"type": "array", "items": items, "x-kubernetes-validations": rules})
    };
    // The rule distinguishes more classes than the limit.
    assert_eq!(analyze_lists(&list_schema(&[&rule])), []);
    // Rules after the expensive rules are skipped.
    let ten_numbers = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let expensive_rule = format!(
        "{ten_numbers}.all(a, {ten_numbers}.all(b, {ten_numbers}.all(c, {ten_numbers}.all(d, a + b + c + d > 0)))) && !(self.exists(x, x == 'A') && self.exists(x, x == 'B'))"
    );
    let cheap_rule = "!(self.exists(x, x == 'A') && self.exists(x, x == 'B'))";
    let mut rules = vec![cheap_rule];
    rules.extend(vec![&*expensive_rule; 300]);
    rules.push("self.exists(x, x == 'C')");
    assert_eq!(
        formatted_relations(&analyze_lists(&list_schema(&rules))),
        ["apart: A | B"]
    );
    // Rules that are not valid expressions, or are about unknown fields, have no relations.
    let invalid_rules = ["self.exists(", "self.exists(x, x.y == 'A')", "self", "true"];
    assert_eq!(
        formatted_relations(&analyze_lists(&list_schema(&invalid_rules))),
        [""; 0]
    );
    for schema in [
        json!(1),
        json!({"items": 1}),
        json!({"items": {"properties": 1}, "x-kubernetes-validations": [{"rule": "self.exists(x, x == 'A')"}]}),
    ] {
        assert_eq!(analyze_lists(&schema), [], "{schema}");
    }
}
