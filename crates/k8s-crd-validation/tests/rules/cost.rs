//! Tests of the estimated costs of rules, and of the bounds that reduce them.
#![expect(
    clippy::needless_pass_by_value,
    reason = "schemas are written down as values"
)]

use k8s_crd_validation::{CostReport, StructuralSchema, cost_report};
use serde_json::{Value, json};

const MEMBER: &str = "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";
const MESSAGE: &str = "has(self.alpha) ? 'may only be specified when `type` is \"Alpha\"' : 'must be specified when `type` is \"Alpha\"'";

/// Returns the schema of an object with these rules.
fn object_with_rules(rules: Value) -> Value {
    json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["Alpha", "Beta"]},
            "text": {"type": "string"},
            "alpha": {"type": "integer"},
            "beta": {"type": "integer"},
            "gamma": {"type": "integer"},
            "delta": {"type": "integer"},
        },
        "x-kubernetes-validations": rules,
    })
}

fn in_spec(schema: Value) -> Value {
    json!({"type": "object", "properties": {"spec": schema}})
}

fn report(schema: &Value) -> CostReport {
    cost_report(schema).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Returns the cost of rules in one object, including message expressions.
fn cost(rules: Value) -> u64 {
    report(&in_spec(object_with_rules(rules))).total
}

/// `attributes.md` mentions these costs. They are the reason for the form of the generated rules.
#[test]
fn one_rule_with_two_messages_is_cheaper_than_two_rules() {
    let report_of_one = report(&in_spec(object_with_rules(
        json!([{"rule": MEMBER, "message": "m", "messageExpression": MESSAGE}]),
    )));
    assert_eq!(
        (
            report_of_one.rules[0].cost_per_evaluation,
            report_of_one.rules[0].message_cost
        ),
        (6, 1)
    );
    let cost_of_two = cost(json!([
        {"rule": "!has(self.alpha) || has(self.type) && self.type == 'Alpha'"},
        {"rule": "has(self.alpha) || !has(self.type) || self.type != 'Alpha'"},
    ]));
    assert_eq!(cost_of_two, 12);
}

#[test]
fn a_sum_is_cheaper_than_exists_one_and_filter() {
    let members = ["alpha", "beta", "gamma", "delta"];
    let list = members.map(|name| format!("has(self.{name})")).join(", ");
    let sum = members.map(|name| format!("(has(self.{name}) ? 1 : 0)"));
    let sum = format!("{} <= 1", sum.join(" + "));
    assert_eq!(cost(json!([{ "rule": sum }])), 8);
    assert_eq!(
        cost(json!([{"rule": format!("[{list}].exists_one(x, x)")}])),
        28
    );
    let filter = format!("[{list}].filter(x, x).size() <= 1");
    assert_eq!(cost(json!([{ "rule": filter }])), 83);
}

/// Returns nested lists around a schema. `bounds` are the `maxItems` of the lists, the outermost
/// list first.
fn nested_lists(bounds: &[Option<u64>], inner: Value) -> Value {
    let list = bounds.iter().rev().fold(inner, |items, bound| {
        let mut list = json!({"type": "array", "items": items});
        if let Some(bound) = bound {
            list["maxItems"] = json!(bound);
        }
        list
    });
    in_spec(json!({"type": "object", "properties": {"rules": list}}))
}

fn union_schema() -> Value {
    object_with_rules(
        json!([{"rule": MEMBER, "message": "may only be specified when `type` is \"Alpha\""}]),
    )
}

#[test]
fn evaluations_in_an_unbounded_list_are_limited_by_the_smallest_element() {
    let report = report(&nested_lists(&[None], union_schema()));
    let rule = &report.rules[0];
    assert_eq!(rule.path, "spec.rules[*]");
    assert_eq!(rule.cost_per_evaluation, 6);
    // {"type":""} and a comma.
    assert_eq!(rule.max_evaluations, 3 * 1024 * 1024 / 13);
    assert!(report.is_within_limits());
    assert!(rule.remedies.is_empty());
    assert_eq!(rule.cardinalities[0].path, "spec.rules");
    assert_eq!(rule.cardinalities[0].bound, None);
}

/// Returns true if the crate accepts a schema. The reference runs compare the result with a real
/// server.
fn is_accepted(schema: &Value) -> bool {
    StructuralSchema::compile(schema).is_ok()
}

/// The suggested bound is the largest bound with which the schema is accepted.
#[test]
fn the_remedy_for_a_large_bound_is_the_largest_accepted_bound() {
    let schema = nested_lists(&[Some(10_000), Some(1_000)], union_schema());
    assert!(!is_accepted(&schema));
    let report = report(&schema);
    assert!(!report.is_within_limits());
    let rule = &report.rules[0];
    assert_eq!(rule.cost(), 60_000_000);
    assert!(rule.is_union_rule());
    let remedy = &rule.remedies[0][0];
    assert_eq!(
        (remedy.path.as_str(), remedy.keyword),
        ("spec.rules", "maxItems")
    );
    assert_eq!(remedy.max, 1666);
    assert!(is_accepted(&nested_lists(
        &[Some(1666), Some(1000)],
        union_schema()
    )));
    assert!(!is_accepted(&nested_lists(
        &[Some(1667), Some(1000)],
        union_schema()
    )));
    assert_eq!(
        report.to_string(),
        format!(
            "all rules together: 60000000 of 100000000 at most\n\
             spec.rules[*][*]: 60000000 = 6 x 10000000 times, of 10000000 at most: {MEMBER}\n  \
             set maxItems of `spec.rules` to 1666 or less\n  \
             or write `#[union(enforce = \"one_of\")]`, which costs nothing\n"
        )
    );
}

#[test]
fn the_remedies_for_an_unbounded_string_include_max_length() {
    let schema_with_text = |text: Value| {
        let mut schema = object_with_rules(json!([{"rule": "self.text.contains('x')"}]));
        schema["properties"]["text"] = text;
        json!({"type": "object", "properties": {
            "spec": {"type": "object", "additionalProperties": schema},
        }})
    };
    let unbounded = schema_with_text(json!({"type": "string"}));
    assert!(!is_accepted(&unbounded));
    let report = report(&unbounded);
    let rule = &report.rules[0];
    assert_eq!(rule.path, "spec[*]");
    assert_eq!(rule.cardinalities[0].keyword, "maxProperties");
    assert!(!rule.is_union_rule());
    // A bound for the map or a bound for the string is enough.
    let [map_bounds, text_bounds] = &rule.remedies[..] else {
        panic!("{rule}");
    };
    assert_eq!(map_bounds[0].path, "spec");
    assert_eq!(
        (text_bounds[0].path.as_str(), text_bounds[0].keyword),
        ("spec[*].text", "maxLength")
    );
    let bounded = schema_with_text(json!({"type": "string", "maxLength": text_bounds[0].max}));
    assert!(is_accepted(&bounded));
    let mut bounded = unbounded;
    bounded["properties"]["spec"]["maxProperties"] = json!(map_bounds[0].max);
    assert!(is_accepted(&bounded));
    assert!(
        rule.to_string().contains("`spec` has no maxProperties"),
        "{rule}"
    );
}

/// If neither a bound of the list nor a bound of its strings is enough, the report suggests both
/// bounds.
#[test]
fn a_remedy_has_two_bounds_if_one_bound_is_not_enough() {
    let list = |item_keywords: Value| {
        let rule = json!([{"rule": "self.all(a, self.exists(b, a == b))"}]);
        let mut list =
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-validations": rule});
        for (key, value) in item_keywords.as_object().into_iter().flatten() {
            list["items"][key] = value.clone();
        }
        list
    };
    let unbounded = list(json!({}));
    let report = report(&in_spec(unbounded));
    let [remedy] = &report.rules[0].remedies[..] else {
        panic!("{report}");
    };
    let [items_bound, length_bound] = &remedy[..] else {
        panic!("{report}");
    };
    assert_eq!(
        (items_bound.path.as_str(), items_bound.keyword),
        ("spec", "maxItems")
    );
    assert_eq!(
        (length_bound.path.as_str(), length_bound.keyword),
        ("spec[*]", "maxLength")
    );
    let mut bounded = list(json!({"maxLength": length_bound.max}));
    bounded["maxItems"] = json!(items_bound.max);
    assert!(is_accepted(&in_spec(bounded.clone())));
    bounded["maxItems"] = json!(items_bound.max * 2);
    assert!(!is_accepted(&in_spec(bounded)));
}

#[test]
fn the_advice_for_a_rule_that_no_bound_helps_is_to_simplify_it() {
    let rules: Vec<Value> = (0..3).map(|_| json!({"rule": MEMBER})).collect();
    let schema = nested_lists(&[Some(20_000_000)], object_with_rules(json!(rules)));
    let report = report(&schema);
    assert!(!report.is_within_limits());
    assert!(report.rules.iter().all(|rule| !rule.remedies.is_empty()));
    let expensive_rule = "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, a+b+c+d+e+f+g > 0)))))))";
    let report = cost_report(&in_spec(object_with_rules(
        json!([{ "rule": expensive_rule }]),
    )));
    let report = report.unwrap_or_else(|errors| panic!("{errors}"));
    assert!(
        report
            .to_string()
            .ends_with("no bound helps; simplify the rule\n"),
        "{report}"
    );
}

/// The total cost exceeds its limit, but the cost of each rule is within its own limit.
#[test]
fn the_remedies_of_each_rule_keep_the_total_cost_within_the_limit() {
    let rules: Vec<Value> = (0..30)
        .map(|number| json!({"rule": format!("{MEMBER} || {number} < 0")}))
        .collect();
    let schema = nested_lists(&[Some(1_000_000)], object_with_rules(json!(rules)));
    let report = report(&schema);
    assert!(!is_accepted(&schema));
    assert!(!report.is_within_limits() && report.total > CostReport::TOTAL_LIMIT);
    assert!(
        report
            .rules
            .iter()
            .all(|rule| rule.cost() <= CostReport::RULE_LIMIT)
    );
    let bounds: Vec<u64> = report
        .rules
        .iter()
        .map(|rule| rule.remedies[0][0].max)
        .collect();
    let smallest_bound = bounds.iter().min().copied();
    assert!(
        is_accepted(&nested_lists(
            &[smallest_bound],
            object_with_rules(json!(rules))
        )),
        "{smallest_bound:?}"
    );
}

#[test]
fn a_schema_without_rules_costs_nothing() {
    let report = report(&in_spec(json!({"type": "object"})));
    assert_eq!((report.total, report.rules.len()), (0, 0));
    assert!(report.is_within_limits());
}

#[test]
fn rules_within_the_limits_need_no_advice() {
    let rule = || object_with_rules(json!([{"rule": "has(self.alpha)"}]));
    let message = || {
        object_with_rules(json!([
            {"rule": "has(self.alpha)", "messageExpression": "self.type"},
        ]))
    };
    for schema in [rule(), message(), union_schema()] {
        let report = report(&in_spec(schema));
        let rule = &report.rules[0];
        assert_eq!(rule.advice(), [""; 0]);
        assert_eq!(rule.message_advice(), [""; 0]);
    }
    // The cost is exactly the limit.
    let schema = nested_lists(&[Some(10_000), Some(1_000)], rule());
    assert!(is_accepted(&schema));
    let report = report(&schema);
    assert_eq!(report.rules[0].cost(), CostReport::RULE_LIMIT);
    assert_eq!(report.rules[0].advice(), [""; 0]);
}

/// The advice for an expensive message has bounds, or the reason that no bound helps.
#[test]
fn the_advice_for_an_expensive_message_has_bounds_or_a_reason() {
    let use_message = "write a `message` in place of `messageExpression`";
    let no_bound = |reason: &str| vec![format!("no bound helps, because {reason}; {use_message}")];
    for (message, expected) in [
        (
            "self.text.matches(self.text) ? 'a' : 'b'",
            vec![
                "set maxLength of `spec.text` to 4999 or less".to_owned(),
                format!("or {use_message}, which costs nothing"),
            ],
        ),
        (
            "string(self.alpha).matches(string(self.beta)) ? 'a' : 'b'",
            no_bound("the estimate assumes an unlimited length for `string()` of a number"),
        ),
        (
            "[self.text].join('my_string(').matches([self.text].join('mystring(')) ? 'a' : 'b'",
            no_bound("the estimate does not know the length of a part of the expression"),
        ),
    ] {
        let rule = json!([{"rule": "has(self.alpha)", "messageExpression": message}]);
        let schema = in_spec(object_with_rules(rule));
        assert!(!is_accepted(&schema));
        assert_eq!(
            report(&schema).rules[0].message_advice(),
            expected,
            "{message}"
        );
    }
}

/// Returns the advice for the first rule of a `spec`.
fn advice_for(spec: Value) -> Vec<String> {
    report(&in_spec(spec)).rules[0].advice()
}

/// Returns an unbounded list of objects with a rule.
fn list_of_objects(rule: Value) -> Value {
    json!({"type": "array", "items": {
        "type": "object",
        "properties": {"other": {"type": "string"}, "text": {"type": "string"}},
        "x-kubernetes-validations": [rule],
    }})
}

/// Only values that the rule reads get a bound. A bounded list keeps its bound if another list is
/// larger.
#[test]
fn a_remedy_has_the_values_that_increase_the_cost() {
    let text_advice = |max_length: u32| {
        vec![
            "set maxItems of `spec` to 31 or less".to_owned(),
            format!("or set maxLength of `spec[*].text` to {max_length} or less"),
        ]
    };
    let rule = "!oldSelf.hasValue() || self.text.contains('x')";
    let map = json!({
        "type": "object", "additionalProperties": {"type": "string", "maxLength": 10},
        "x-kubernetes-validations": [{"rule": "self.all(a, self.all(b, self[a] == self[b]))"}],
    });
    for (spec, expected) in [
        (
            list_of_objects(json!({"rule": "self.text.contains('x')"})),
            text_advice(17),
        ),
        (
            list_of_objects(json!({"rule": rule, "optionalOldSelf": true})),
            text_advice(10),
        ),
        (
            map,
            vec!["set maxProperties of `spec` to 876 or less".to_owned()],
        ),
    ] {
        assert_eq!(advice_for(spec.clone()), expected, "{spec}");
    }
    let schema = nested_lists(&[Some(10_000), Some(5_000)], union_schema());
    assert_eq!(report(&schema).rules[0].remedies[0][0].max, 333);
}

/// A bound of zero would forbid the value.
#[test]
fn no_remedy_has_a_bound_of_zero() {
    for (max_items, expected) in [
        (700_000, "set maxLength of `spec[*]` to 1 or less"),
        (800_000, "no bound helps; simplify the rule"),
    ] {
        let rules = json!([{"rule": "self.all(a, (a + a + a + a).size() > 0)"}]);
        let spec = json!({
            "type": "array", "maxItems": max_items, "items": {"type": "string"},
            "x-kubernetes-validations": rules,
        });
        assert_eq!(advice_for(spec), [expected]);
    }
}

/// The search ends after the first 1000 values: the object and 999 of its fields.
#[test]
fn a_remedy_has_only_values_that_are_examined() {
    let fields = (0..1001).map(|i| (format!("f{i:04}"), json!({"type": "string"})));
    let fields: serde_json::Map<String, Value> = fields.collect();
    for (field, expected_count) in [("f0998", 2), ("f0999", 1)] {
        let rules = json!([{"rule": format!("self.{field}.contains('x')")}]);
        let items =
            json!({"type": "object", "properties": fields, "x-kubernetes-validations": rules});
        let spec = json!({"type": "array", "items": items});
        assert_eq!(advice_for(spec).len(), expected_count, "{field}");
    }
}

/// The cost of the message is exactly the limit, so a bound of its string is not suggested.
#[test]
fn a_message_whose_cost_is_the_limit_needs_no_bound() {
    let list = json!({"type": "array", "maxItems": 3_228_474, "items": {"type": "integer"}});
    let message = "self.text.contains('x') && self.list.all(x, true) ? 'a' : 'b'";
    let report = report(&in_spec(json!({
        "type": "object", "properties": {"text": {"type": "string"}, "list": list},
        "x-kubernetes-validations": [{"rule": "true", "messageExpression": message}],
    })));
    assert_eq!(report.rules[0].message_cost, CostReport::RULE_LIMIT);
    assert!(report.rules[0].message_remedies.is_empty());
}

/// Returns the report of an unbounded list of objects with 300 rules.
fn report_of_many_rules(text: Value) -> CostReport {
    let rules = (0..300).map(|i| json!({"rule": format!("self.text.contains('x') || {i} < 0")}));
    let rules: Vec<Value> = rules.collect();
    let items = json!({
        "type": "object", "properties": {"text": text}, "x-kubernetes-validations": rules,
    });
    report(&in_spec(json!({"type": "array", "items": items})))
}

/// The search for bounds is limited, so the least expensive rules of many have no bounds.
#[test]
fn the_advice_for_the_last_of_many_rules_is_to_change_the_first_rules() {
    let report = report_of_many_rules(json!({"type": "string"}));
    let advice = |index: usize| report.rules[index].advice();
    assert_eq!(advice(0), ["set maxItems of `spec` to 1 or less"]);
    assert_eq!(
        advice(299),
        ["simplify or bound the rules above first; bounds for this rule were not computed"]
    );
}

/// The search for one bound takes 23 of 4000 estimates: there is no search for bounds of bounded
/// values.
#[test]
fn the_search_for_bounds_ends_after_4000_estimates() {
    let report = report_of_many_rules(json!({"type": "string", "maxLength": 9}));
    let mut rules = report.rules.iter();
    assert_eq!(rules.position(|rule| rule.remedies.is_empty()), Some(173));
}

/// The rule of a union may be replaced even if its own cost is within the limit of one rule.
#[test]
fn the_advice_for_rules_of_unions_is_to_enforce_the_union() {
    let enforce = "write `#[union(enforce = \"one_of\")]`, which costs nothing";
    let union_rule = |rule: &str| json!({"rule": rule, "message": "may only be specified when `type` is \"Alpha\""});
    let rules: Vec<Value> = (0..30)
        .map(|i| union_rule(&format!("{MEMBER} || {i} < 0")))
        .collect();
    let schema = nested_lists(&[Some(1_000_000)], object_with_rules(json!(rules)));
    let report = report(&schema);
    assert!(report.rules[0].cost() <= CostReport::RULE_LIMIT);
    assert_eq!(
        report.rules[0].advice(),
        [
            "set maxItems of `spec.rules` to 476190 or less".to_owned(),
            format!("or {enforce}"),
        ]
    );
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let expensive = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .iter()
        .fold("true".to_owned(), |inner, name| {
            format!("{list}.all({name}, {inner})")
        });
    let spec = object_with_rules(json!([union_rule(&expensive)]));
    assert_eq!(advice_for(spec), [enforce]);
}
