//! The number of analysis steps for large and hostile schemas.

use crd_unions::{UnionModel, bounds};
use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};

fn field_names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("field{index:03}")).collect()
}

fn object_schema(names: &[String], rules: &[String]) -> Value {
    let properties = names
        .iter()
        .map(|name| (name.clone(), json!({"type": "object"})));
    let properties: Map<String, Value> = properties.collect();
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({"type": "object", "properties": properties, "x-kubernetes-validations": rules})
}

/// The maximum number of steps of an analysis.
const MAX_STEPS: u64 = bounds::SOLVER_STEPS + bounds::EVALUATION_STEPS;

#[test]
fn a_union_of_43_members_is_inferred_in_few_steps() {
    let names = field_names(43);
    let values: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
    let rules = names.iter().zip(&values);
    let rules: Vec<String> = rules
        .map(|(name, value)| {
            format!("self.type == '{value}' ? has(self.{name}) : !has(self.{name})")
        })
        .collect();
    let mut schema = object_schema(&names, &rules);
    schema["properties"]["type"] = json!({"type": "string", "enum": values});
    schema["required"] = json!(["type"]);
    let analysis = crd_unions::analyze_object(&schema);
    assert_eq!(analysis.unions.len(), 1);
    assert_eq!(analysis.unions[0].members.len(), 43);
    assert!(analysis.unions[0].exact);
    println!("43 members by value: {} steps", analysis.steps);
    assert!(analysis.steps < 150_000, "{} steps", analysis.steps);
    assert_eq!(analysis, crd_unions::analyze_object(&schema));

    // The same fields as a count, and as a `oneOf`.
    let sum: Vec<String> = names
        .iter()
        .map(|name| format!("(has(self.{name}) ? 1 : 0)"))
        .collect();
    let sum_schema = object_schema(&names, &[format!("{} <= 1", sum.join(" + "))]);
    let branches: Vec<Value> = names
        .iter()
        .map(|name| json!({"required": [name]}))
        .collect();
    let mut one_of_schema = object_schema(&names, &[]);
    one_of_schema["oneOf"] = branches.into();
    for (schema, arity) in [
        (sum_schema, UnionModel::AtMostOne),
        (one_of_schema, UnionModel::ExactlyOne),
    ] {
        let analysis = crd_unions::analyze_object(&schema);
        assert_eq!(analysis.unions.len(), 1);
        assert_eq!(
            (analysis.unions[0].members.len(), analysis.unions[0].arity),
            (43, arity)
        );
        println!("43 members counted: {} steps", analysis.steps);
        assert!(analysis.steps < 20_000, "{} steps", analysis.steps);
    }
}

/// Returns a schema whose rules connect 256 fields in one component: hard to search, and without
/// unions.
fn hostile_schema() -> Value {
    let names = field_names(bounds::COMPONENT_FIELDS);
    let mut rules = Vec::new();
    for position in 0..names.len() {
        let name = |distance: usize| {
            &names[(position * 7 + distance * distance * 3 + distance) % names.len()]
        };
        let sum: Vec<String> = (0..9)
            .map(|distance| format!("(has(self.{}) ? 1 : 0)", name(distance)))
            .collect();
        rules.push(format!(
            "({}) != 4 && ({}) != 2",
            sum.join(" + "),
            sum.join(" + ")
        ));
        let has: Vec<String> = (1..4)
            .map(|distance| format!("has(self.{})", name(distance * 5)))
            .collect();
        rules.push(format!("({} != {}) != {}", has[0], has[1], has[2]));
    }
    object_schema(&names, &rules)
}

#[test]
fn a_component_of_256_fields_stays_within_the_bounds() {
    let analysis = crd_unions::analyze_object(&hostile_schema());
    println!(
        "hostile: {} steps, {} unions",
        analysis.steps,
        analysis.unions.len()
    );
    assert!(analysis.steps <= MAX_STEPS, "{} steps", analysis.steps);
    assert!(
        analysis.steps > 100_000,
        "the schema is too easy: {} steps",
        analysis.steps
    );
}

#[test]
fn a_rule_beyond_a_bound_is_unknown_with_a_reason() {
    let names = field_names(bounds::TABLE_FIELDS + 1);
    let has: Vec<String> = names
        .iter()
        .map(|name| format!("has(self.{name})"))
        .collect();
    let too_many_fields = format!("!({})", has.join(" && "));
    let analysis = crd_unions::analyze_object(&object_schema(
        &names,
        &[too_many_fields, format!("!{} || !{}", has[0], has[1])],
    ));
    assert_eq!(
        analysis.rules[0].unknown_reason,
        Some("it reads too many fields")
    );
    assert_eq!(analysis.rules[1].unknown_reason, None);
    // The unknown rule may reject more objects than the union, so the union is not exact.
    let [union] = &*analysis.unions else {
        panic!("one union");
    };
    assert_eq!((union.exact, &*union.remaining_rules), (false, &[0][..]));

    // The number of fields is within the limit of a table, but the number of rows is not.
    let names_with_many_states = field_names(6);
    let mut schema = object_schema(&names_with_many_states, &[]);
    let values: Vec<String> = (0..20).map(|index| format!("v{index}")).collect();
    let comparisons: Vec<String> = names_with_many_states
        .iter()
        .map(|name| format!("self.{name} == 'v1'"))
        .collect();
    for name in &names_with_many_states {
        schema["properties"][name] = json!({"type": "string", "enum": values});
    }
    schema["x-kubernetes-validations"] = json!([{"rule": comparisons.join(" || ")}]);
    let analysis = crd_unions::analyze_object(&schema);
    assert_eq!(analysis.unions, []);
    let too_deep = json!({"rule": format!("{}{}", "(".repeat(500), ")".repeat(500))});
    schema["x-kubernetes-validations"] = json!([too_deep]);
    assert_eq!(crd_unions::analyze_object(&schema).unions, []);

    // The component has more fields than the limit.
    let too_many_names = field_names(bounds::COMPONENT_FIELDS + 1);
    let chain: Vec<String> = too_many_names
        .windows(2)
        .map(|pair| format!("!has(self.{}) || !has(self.{})", pair[0], pair[1]))
        .collect();
    assert_eq!(
        crd_unions::analyze_object(&object_schema(&too_many_names, &chain)).unions,
        []
    );
}

#[test]
fn nested_macros_stay_within_the_bounds() {
    let list = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
    let mut rule = "has(self.field000)".to_owned();
    for variable in ["a", "b", "c", "d", "e", "f"] {
        rule = format!("{list}.all({variable}, {rule})");
    }
    let analysis = crd_unions::analyze_object(&object_schema(&field_names(1), &[rule]));
    println!("nested: {} steps", analysis.steps);
    assert!(analysis.steps <= MAX_STEPS);
}

#[test]
fn all_objects_of_a_schema_with_a_thousand_objects_are_analyzed() {
    let rule = json!([{"rule": "has(self.a) != has(self.b)"}]);
    let object = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "x-kubernetes-validations": rule,
    });
    let properties = field_names(1_000)
        .into_iter()
        .map(|name| (name, object.clone()));
    let schema = json!({"type": "object", "properties": properties.collect::<Map<_, _>>()});
    let objects = crd_unions::analyze_schema(&schema);
    assert_eq!(objects.len(), 1_000);
    assert!(
        objects
            .iter()
            .all(|object| object.analysis.unions.len() == 1)
    );
    assert!(objects.is_sorted_by_key(|object| &object.pointer));
}

#[test]
fn all_unions_of_an_object_with_two_thousand_unions_are_inferred() {
    let names = field_names(4_000);
    let pairs = names.chunks(2);
    let rules: Vec<String> = pairs
        .map(|pair| format!("has(self.{}) != has(self.{})", pair[0], pair[1]))
        .collect();
    let analysis = crd_unions::analyze_object(&object_schema(&names, &rules));
    println!("2,000 unions: {} steps", analysis.steps);
    assert_eq!(analysis.unions.len(), 2_000);
    assert!(analysis.unions.iter().all(|union| union.exact));
    assert!(analysis.steps < 200_000, "{} steps", analysis.steps);
}

/// A union of more members cannot be compiled, and would prevent the use of all other unions.
#[test]
fn a_union_of_more_members_than_can_be_compiled_is_not_trusted() {
    let small = json!({
        "type": "object", "properties": {"a": {}, "b": {}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    for (count, is_trusted) in [(64, true), (65, false)] {
        let names = field_names(count);
        let mut schema = object_schema(&names, &[]);
        let alternatives = names.iter().map(|name| json!({"required": [name]}));
        schema["oneOf"] = alternatives.collect();
        schema["properties"]["small"] = small.clone();
        let objects = crd_unions::analyze_schema(&schema);
        let large = &objects[0].analysis.unions[0];
        assert_eq!(
            (large.members.len(), large.is_trusted()),
            (count, is_trusted)
        );
        let compiler = crd_unions::add_unions_to(Unions::compiler(), &objects);
        let unions = compiler
            .compile(SchemaSource::Schema(&schema))
            .expect("unions");
        let report = unions.validate(&json!({"small": {"a": 1, "b": 1}, "field000": {}}));
        assert!(!report.is_accepted(), "{count} members");
    }
}
