//! Validates whole custom resources: an accepted object is accepted again, and an update that
//! changes no field is accepted.

#![no_main]

use k8s_crd_validation::{RatchetingPolicy, ServerSettings, StructuralSchema};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::Source;

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let spec = union_fuzz::schema(&mut source);
    let status = source.chance(60).then(|| union_fuzz::schema(&mut source));
    let mut root = json!({"type": "object", "properties": {"spec": spec}});
    if let Some(status) = status {
        root["properties"]["status"] = status;
    }
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "subresources": {"status": {}}, "schema": {"openAPIV3Schema": root}},
    ]}});
    let Ok(schema) = StructuralSchema::compiler().stored().crd(&crd, Some("v1")) else {
        return;
    };
    let old = union_fuzz::with_type_and_metadata(union_fuzz::object(&mut source, &root));
    let mut new = old.clone();
    union_fuzz::mutate(&mut source, &mut new, &root);
    let new = union_fuzz::with_type_and_metadata(new);

    for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
        let settings = ServerSettings::default().policy(policy);
        for old in [&old, &new] {
            let mut object = new.clone();
            let report = schema.update(&mut object, old, &settings);
            let strict_report =
                schema.update(&mut new.clone(), old, &settings.clone().ratchet(false));
            // Ratcheting only removes errors.
            if strict_report.is_accepted() {
                assert!(report.is_accepted(), "{report}");
            }
            drop(schema.update_status(&mut new.clone(), old, &settings));
        }
        let mut created = new.clone();
        if schema.create(&mut created, &settings).is_accepted() {
            let mut created_again = created.clone();
            let report = schema.create(&mut created_again, &settings);
            // Defaults are set after nulls are pruned. A null inside of a default is therefore
            // pruned only when the object is sent again, and a required field may be missing then.
            let may_change = contains_null(&created);
            assert!(
                may_change || report.is_accepted(),
                "{root}\n{created}\n{report}"
            );
            let mut created_twice_more = created_again.clone();
            drop(schema.create(&mut created_twice_more, &settings));
            assert_eq!(created_twice_more, created_again, "{root}");
            if !may_change {
                assert_eq!(created_again, created, "{root}");
            }
        }
    }
});

fn contains_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(elements) => elements.iter().any(contains_null),
        Value::Object(fields) => fields.values().any(contains_null),
        _ => false,
    }
}
