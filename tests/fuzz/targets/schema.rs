//! Compiles arbitrary schemas: the result is tables or an error with a path, and never a panic.

#![no_main]

use k8s_crd_validation::StructuralSchema;
use k8s_strategic_merge_patch::PatchSchema;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::Source;
use union_json::Unions;

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let schema = match source.below(3) {
        0 => serde_json::from_str(&source.remaining_text()).unwrap_or_default(),
        _ => union_fuzz::schema(&mut source),
    };
    compile_in_all_ways(&schema);
    compile_in_all_ways(
        &json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
            {"name": "v1", "storage": true, "schema": {"openAPIV3Schema": schema}},
        ]}}),
    );
});

fn compile_in_all_ways(schema: &Value) {
    if let Err(error) = Unions::compile(union_json::SchemaSource::Schema(schema)) {
        assert!(!error.to_string().is_empty());
    }
    let crd = union_json::SchemaSource::Crd(schema, None);
    if let Err(error) = Unions::compile(crd) {
        assert!(!error.to_string().is_empty());
    }
    for result in [
        StructuralSchema::compile(schema),
        StructuralSchema::compiler().crd(schema, None),
        StructuralSchema::compiler().stored().crd(schema, None),
    ] {
        if let Err(errors) = result {
            let mut errors = errors.errors().iter();
            assert!(errors.all(|error| !error.to_string().is_empty()));
        }
    }
    if let Err(error) = PatchSchema::compile(schema) {
        assert!(!error.to_string().is_empty());
    }
}
