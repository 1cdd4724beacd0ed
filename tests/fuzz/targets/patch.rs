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
    let Ok(patches) = PatchSchema::compile(&schema) else {
        return;
    };
    let original = union_fuzz::object(&mut source, &schema);
    let mut modified = original.clone();
    union_fuzz::change(&mut source, &mut modified, &schema);
    let mut current = original.clone();
    union_fuzz::change(&mut source, &mut current, &schema);

    if let Ok(patch) = patches.diff(&original, &modified) {
        let applied = patches.apply(original.clone(), &patch);
        assert_plain(applied.ok(), &[&original, &modified]);
    }
    for on_conflict in [OnConflict::Overwrite, OnConflict::Fail] {
        if let Ok(patch) = patches.three_way(&original, &modified, &current, on_conflict) {
            let applied = patches.apply(current.clone(), &patch);
            assert_plain(applied.ok(), &[&original, &modified, &current]);
        }
    }

    let (one, other) = (source.json(&WORDS), source.json(&WORDS));
    let _ = patches.apply(current, &one);
    if let Ok(both) = patches.compose([&one, &other]) {
        let _ = patches.apply(original, &both);
    }
    let _ = patches.sort_merge_lists(modified);
});

/// Checks that a result has no directives, if the objects had none.
fn assert_plain(result: Option<Value>, from: &[&Value]) {
    let has_directives = |value: &Value| value.to_string().contains("\"$");
    if let Some(result) = result
        && !from.iter().any(|value| has_directives(value))
    {
        assert!(!has_directives(&result), "{result}");
    }
}
