//! Evaluates arbitrary CEL rules on arbitrary objects: evaluation must end in bounded time.

#![no_main]

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use union_fuzz::Source;

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let mut spec = union_fuzz::schema(&mut source);
    let rule = union_fuzz::rule(&mut source);
    let message = union_fuzz::rule(&mut source);
    spec["x-kubernetes-validations"] = json!([
        {"rule": rule, "messageExpression": message, "optionalOldSelf": source.chance(60)},
    ]);
    let root = json!({"type": "object", "properties": {"spec": spec}});
    let new_schema = StructuralSchema::compile(&root);
    // Also evaluates rules that a server rejects in a new CRD. A CRD that is already stored may
    // have such rules.
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": root}},
    ]}});
    let stored_schema = StructuralSchema::compiler().stored().crd(&crd, Some("v1"));
    let object = json!({
        "apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "namespace": "n", "resourceVersion": "1"},
        "spec": union_fuzz::object(&mut source, &root["properties"]["spec"]),
    });
    let mut new_object = object.clone();
    union_fuzz::mutate(
        &mut source,
        &mut new_object["spec"],
        &root["properties"]["spec"],
    );
    for schema in new_schema.into_iter().chain(stored_schema) {
        let settings = ServerSettings::default();
        drop(schema.create(&mut object.clone(), &settings));
        drop(schema.update(&mut new_object.clone(), &object, &settings));
    }
});
