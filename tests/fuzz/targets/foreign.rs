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
        1 => serde_json::from_str(&source.rest()).unwrap_or_default(),
        _ => by_rules(&mut source),
    };
    let places = crd_unions::analyze_schema(&schema);
    assert_eq!(places, crd_unions::analyze_schema(&schema));
    assert_eq!(
        crd_unions::analyze_lists(&schema),
        crd_unions::analyze_lists(&schema)
    );
    for place in &places {
        let again = crd_unions::analyze_at(&schema, &place.pointer).expect("a valid pointer");
        assert_eq!(again, place.analysis);
        assert!(serde_json::json!(place.analysis).is_object());
    }
    let Ok(server) = StructuralSchema::compiler()
        .stored()
        .schema(&around(&schema))
    else {
        return;
    };
    // A server does not enforce a union that is declared only by `x-kubernetes-unions`.
    let json_schema = union_json::SchemaSource::Schema(&schema);
    let own = Unions::compiler().lenient().compile(json_schema);
    if own.is_ok_and(|own| !own.is_empty()) {
        return;
    }
    let compiler = crd_unions::add_unions_to(Unions::compiler(), &places);
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

fn around(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"spec": schema}})
}

/// Returns an object schema with a discriminator, members, and rules about them.
fn by_rules(source: &mut Source<'_>) -> Value {
    let mut rules = Vec::new();
    for _ in 0..1 + source.below(4) {
        let mut text = atom(source);
        for _ in 0..source.below(4) {
            let other = atom(source);
            text = match source.below(5) {
                0 => format!("({text}) && {other}"),
                1 => format!("({text}) || {other}"),
                2 => format!("({text}) ? {other} : {}", atom(source)),
                3 => format!("({text}) == ({other})"),
                _ => format!("!({text})"),
            };
        }
        rules.push(json!({"rule": text, "message": "at most one of a, b"}));
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

fn atom(source: &mut Source<'_>) -> String {
    source.word(&RULES).to_owned()
}
