//! Generates Rust from arbitrary CRDs: the result is valid Rust, in one file and in several, or an
//! error with a path.

#![no_main]

use crd_to_rust::{SchemaOutput, Settings, StringEnums, UnionStyle, generate};
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use union_fuzz::Source;

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let mut settings = Settings::default();
    settings.unions = match source.below(3) {
        0 => UnionStyle::Enum,
        1 => UnionStyle::Struct,
        _ => UnionStyle::Off,
    };
    match source.below(4) {
        1 => settings.enums = StringEnums::Closed,
        2 => settings.kubernetes = Some("1.37".to_owned()),
        _ => {}
    }
    if source.below(4) == 1 {
        settings.schema = SchemaOutput::Disabled;
    }
    let schema = match source.below(4) {
        0 => serde_json::from_str(&source.remaining_text()).unwrap_or_default(),
        1 => union_fuzz::union_schema(&mut source),
        _ => union_fuzz::schema(&mut source),
    };
    for schema in [
        schema.clone(),
        json!({"type": "object", "properties": {"spec": schema}, "required": ["spec"]}),
    ] {
        let crd = json!({"spec": {"group": "g.example.com", "names": {"kind": "K", "plural": "ks"}, "versions": [
            {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}},
        ]}});
        match generate(&[crd], &settings) {
            Ok(generated) => {
                let code = generated.to_source().unwrap();
                syn::parse_file(&code).unwrap();
                let kind_count = generated.kinds().count();
                assert_eq!(generated.files().unwrap().len(), kind_count + 1);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
