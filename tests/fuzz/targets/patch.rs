//! Computes and applies strategic merge patches: if the objects have no directives, the result has
//! none either, and every patch has a result.

#![no_main]

use k8s_strategic_merge_patch::{OnConflict, PatchSchema};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use union_fuzz::Source;

/// The keys and strings of a patch.
const WORDS: [&str; 22] = [
    "a",
    "b",
    "type",
    "name",
    "spec",
    "items",
    "$patch",
    "$retainKeys",
    "$setElementOrder/items",
    "$setElementOrder/a",
    "$setElementOrder",
    "$deleteFromPrimitiveList/items",
    "$deleteFromPrimitiveList/b",
    "$deleteFromPrimitiveList/",
    "replace",
    "delete",
    "merge",
    "x",
    "",
    "1",
    "true",
    "$other",
];

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let schema = union_fuzz::schema(&mut source);
    let Ok(patch_schema) = PatchSchema::compile(&schema) else {
        return;
    };
    let original = union_fuzz::object(&mut source, &schema);
    let mut modified = original.clone();
    union_fuzz::mutate(&mut source, &mut modified, &schema);
    let mut current = original.clone();
    union_fuzz::mutate(&mut source, &mut current, &schema);

    if let Ok(patch) = patch_schema.diff(&original, &modified) {
        let result = patch_schema.apply(original.clone(), &patch);
        assert_no_directives(result.ok(), &[&original, &modified]);
    }
    for on_conflict in [OnConflict::Overwrite, OnConflict::Fail] {
        if let Ok(patch) = patch_schema.three_way(&original, &modified, &current, on_conflict) {
            let result = patch_schema.apply(current.clone(), &patch);
            assert_no_directives(result.ok(), &[&original, &modified, &current]);
        }
    }

    let (first_patch, second_patch) = (source.json(&WORDS), source.json(&WORDS));
    let _ = patch_schema.apply(current, &first_patch);
    if let Ok(composed_patch) = patch_schema.compose([&first_patch, &second_patch]) {
        let _ = patch_schema.apply(original, &composed_patch);
    }
    let _ = patch_schema.sort_merge_lists(modified);
});

/// Checks that a result has no directives, if the objects had none.
fn assert_no_directives(result: Option<Value>, inputs: &[&Value]) {
    let has_directives = |value: &Value| value.to_string().contains("\"$");
    if let Some(result) = result
        && !inputs.iter().any(|value| has_directives(value))
    {
        assert!(!has_directives(&result), "{result}");
    }
}
