//! Random schemas with rules, and all small objects of these schemas.

use serde_json::{Map, Value, json};
use union_random::Random;

const FIELDS: [&str; 4] = ["a", "b", "c", "list"];

/// Returns a schema with fields of several types, and random rules.
pub(crate) fn random_schema(random: &mut Random) -> Value {
    let mut kind = json!({"type": "string", "enum": ["A", "B", "C"]});
    let mut required: Vec<&str> = Vec::new();
    match random.below(4) {
        0 => required.push("kind"),
        1 => kind["default"] = "A".into(),
        2 => kind = json!({"type": "string"}),
        _ => {}
    }
    let mut schema = json!({
        "type": "object",
        "properties": {
            "kind": kind,
            "a": {"type": "object", "properties": {"x": {"type": "boolean"}}},
            "b": {"type": "string"},
            "c": {"type": "integer", "nullable": random.below(2) == 0},
            "list": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "flag": {"type": "boolean"},
        },
        "required": required,
    });
    let rules: Vec<Value> = (0..=random.below(5))
        .map(|_| json!({"rule": random_rule(random, 0)}))
        .collect();
    schema["x-kubernetes-validations"] = rules.into();
    match random.below(8) {
        0 => schema["oneOf"] = random_branches(random),
        1 => schema["anyOf"] = random_branches(random),
        2 => {
            schema["not"] = json!({"required": [FIELDS[random.below(4)], FIELDS[random.below(4)]]});
        }
        _ => {}
    }
    schema
}

fn random_branches(random: &mut Random) -> Value {
    let branch = |random: &mut Random| match random.below(4) {
        0 => json!({"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}),
        1 => {
            json!({"properties": {"kind": {"enum": ["A", "B"]}}, "required": [FIELDS[random.below(4)]]})
        }
        _ => json!({"required": [FIELDS[random.below(4)]]}),
    };
    (0..2 + random.below(2)).map(|_| branch(random)).collect()
}

fn random_has(random: &mut Random) -> String {
    format!("has(self.{})", FIELDS[random.below(4)])
}

/// Returns a boolean expression.
fn random_rule(random: &mut Random, depth: usize) -> String {
    if depth > 2 {
        return random_atom(random);
    }
    let operand = |random: &mut Random| random_rule(random, depth + 1);
    match random.below(9) {
        0 => format!("({} && {})", operand(random), operand(random)),
        1 => format!("({} || {})", operand(random), operand(random)),
        2 => format!("!({})", operand(random)),
        3 => format!(
            "({} ? {} : {})",
            operand(random),
            operand(random),
            operand(random)
        ),
        4 => format!("({} != {})", random_has(random), random_has(random)),
        5 => {
            let value = ["A", "B"][random.below(2)];
            let field = FIELDS[random.below(4)];
            format!(
                "(has(self.kind) && self.kind == '{value}' ? has(self.{field}) : !has(self.{field}))"
            )
        }
        6 => format!(
            "(({0} ? 1 : 0) + ({1} ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1)",
            random_has(random),
            random_has(random)
        ),
        _ => random_atom(random),
    }
}

fn random_atom(random: &mut Random) -> String {
    let value = ["A", "B", "Z"][random.below(3)];
    match random.below(14) {
        0 => "has(self.kind)".to_owned(),
        1 => format!("self.kind == '{value}'"),
        2 => format!("self.kind != '{value}'"),
        3 => format!("self.kind in ['{value}', 'C']"),
        4 => "size(self.list) > 0".to_owned(),
        5 => "self.b == ''".to_owned(),
        6 => "self.flag".to_owned(),
        7 => "has(self.a.x)".to_owned(),
        8 => format!("self.?kind.orValue('A') == '{value}'"),
        9 => "self.list.all(x, x == 'A')".to_owned(),
        10 => "self.c > 1".to_owned(),
        11 => "[has(self.a), has(self.b), has(self.c)].filter(x, x).size() == 1".to_owned(),
        _ => random_has(random),
    }
}

/// Returns an object for each combination of small field values, with fields unset or set.
pub(crate) fn small_objects() -> Vec<Value> {
    let fields: [(&str, Vec<Value>); 6] = [
        ("kind", vec![json!("A"), json!("B"), json!("C"), json!("Z")]),
        ("a", vec![json!({}), json!({"x": true})]),
        ("b", vec![json!(""), json!("x")]),
        ("c", vec![json!(1), json!(2), Value::Null]),
        ("list", vec![json!([]), json!(["A"]), json!(["x"])]),
        ("flag", vec![json!(true), json!(false)]),
    ];
    let mut objects = vec![Map::new()];
    for (name, values) in fields {
        let without_field = objects.clone();
        for value in values {
            objects.extend(without_field.iter().map(|object| {
                let mut object = object.clone();
                object.insert(name.to_owned(), value.clone());
                object
            }));
        }
    }
    objects.into_iter().map(Value::from).collect()
}
