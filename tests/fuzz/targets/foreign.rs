//! Reads unions that arbitrary rules declare: the result must be the same each time, in bounded
//! time, and the unions must accept each object that a server accepts.

#![no_main]

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::Source;
use union_json::Unions;

/// The CEL expressions that rules combine.
const RULES: [&str; 18] = [
    "has(self.a)",
    "has(self.b)",
    "has(self.c)",
    "self.type == 'A'",
    "self.type == 'B'",
    "self.type in ['A', 'B']",
    "has(self.type)",
    "self.a.size() > 0",
    "self.b == ''",
    "self.on",
    "[has(self.a), has(self.b)].exists_one(x, x)",
    "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
    "oldSelf.type == self.type",
    "self.other.all(x, x == self.type)",
    "self.other.exists(x, x == 'A')",
    "self.other.filter(x, x == 'B').size() < 2",
    "1 / 0 == 0",
    "false",
];

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let schema = match source.below(4) {
        0 => union_fuzz::schema(&mut source),
        1 => serde_json::from_str(&source.remaining_text()).unwrap_or_default(),
        _ => schema_with_rules(&mut source),
    };
    let analyzed_objects = crd_unions::analyze_schema(&schema);
    assert_eq!(analyzed_objects, crd_unions::analyze_schema(&schema));
    assert_eq!(
        crd_unions::analyze_lists(&schema),
        crd_unions::analyze_lists(&schema)
    );
    for analyzed in &analyzed_objects {
        let repeated_analysis =
            crd_unions::analyze_at(&schema, &analyzed.pointer).expect("a valid pointer");
        assert_eq!(repeated_analysis, analyzed.analysis);
        assert!(serde_json::json!(analyzed.analysis).is_object());
    }
    let Ok(server) = StructuralSchema::compiler()
        .stored()
        .schema(&as_spec(&schema))
    else {
        return;
    };
    // A server does not enforce a union that is declared only by `x-kubernetes-unions`.
    let json_schema = union_json::SchemaSource::Schema(&schema);
    let declared_unions = Unions::compiler().lenient().compile(json_schema);
    if declared_unions.is_ok_and(|declared_unions| !declared_unions.is_empty()) {
        return;
    }
    let compiler = crd_unions::add_unions_to(Unions::compiler(), &analyzed_objects);
    let Ok(unions) = compiler.lenient().compile(json_schema) else {
        return;
    };
    for _ in 0..4 {
        let mut object = json!({"spec": union_fuzz::object(&mut source, &schema)});
        let report = server.create(&mut object, &ServerSettings::default());
        if report.is_accepted() {
            let report = unions.validate(&object["spec"]);
            assert!(report.is_accepted(), "{schema}\n{object}\n{report}");
        }
    }
});

fn as_spec(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"spec": schema}})
}

/// Returns an object schema with a discriminator, members, and rules about them.
fn schema_with_rules(source: &mut Source<'_>) -> Value {
    let mut rules = Vec::new();
    for _ in 0..1 + source.below(4) {
        let mut rule = atomic_rule(source);
        for _ in 0..source.below(4) {
            let other_rule = atomic_rule(source);
            rule = match source.below(5) {
                0 => format!("({rule}) && {other_rule}"),
                1 => format!("({rule}) || {other_rule}"),
                2 => format!("({rule}) ? {other_rule} : {}", atomic_rule(source)),
                3 => format!("({rule}) == ({other_rule})"),
                _ => format!("!({rule})"),
            };
        }
        rules.push(json!({"rule": rule, "message": "at most one of a, b"}));
    }
    let mut object = json!({
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "a": {"type": "string", "maxLength": 4},
            "b": {"type": "string", "maxLength": 4},
            "c": {"type": "object", "properties": {"d": {"type": "string"}}},
            "on": {"type": "boolean"},
            "other": {"type": "array", "maxItems": 4, "items": {"type": "string"}},
        },
        "x-kubernetes-validations": rules,
    });
    if source.chance(128) {
        object["properties"]["type"]["enum"] = json!(["A", "B", "C"]);
    }
    if source.chance(60) {
        object["properties"]["type"]["default"] = json!("A");
    }
    if source.chance(60) {
        object["required"] = json!(["type"]);
    }
    if source.chance(40) {
        object["properties"]["c"]["nullable"] = json!(true);
    }
    match source.below(6) {
        0 => object["oneOf"] = json!([{"required": ["a"]}, {"required": ["b"]}]),
        1 => object["not"] = json!({"required": ["a", "c"]}),
        2 => object["minProperties"] = json!(1),
        _ => {}
    }
    object
}

fn atomic_rule(source: &mut Source<'_>) -> String {
    source.word(&RULES).to_owned()
}
