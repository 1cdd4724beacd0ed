//! Tests that the engine, which has only the schema, returns the same results as the struct for any
//! object.

use std::sync::LazyLock;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::{Ratchet, Report, RestoreUnaware, Settings, Union, schema_for};

use crate::unions::unknown::objects::{choice, choices, config, nested_unions};
use crate::unions::unknown::types::{Choice, Element, KeptInHashMap, KeptInJsonMap, NestedUnions};
use crate::unions::unknown::{read, to_json};

fn compile_schema<T: JsonSchema>() -> Unions {
    Unions::compile(SchemaSource::Schema(&to_json(&schema_for::<T>()))).expect("the schema is ours")
}

static CHOICE_ENGINE: LazyLock<Unions> = LazyLock::new(compile_schema::<Choice>);
static HASH_MAP_ENGINE: LazyLock<Unions> = LazyLock::new(compile_schema::<KeptInHashMap>);
static JSON_MAP_ENGINE: LazyLock<Unions> = LazyLock::new(compile_schema::<KeptInJsonMap>);
static ELEMENT_ENGINE: LazyLock<Unions> = LazyLock::new(compile_schema::<Element>);
static NESTED_ENGINE: LazyLock<Unions> = LazyLock::new(compile_schema::<NestedUnions>);

/// Returns the result of a request as lines: the object, the changes, the errors and the tolerated
/// violations.
fn result_lines(report: &Report, object: &Value) -> Vec<String> {
    let mut lines = vec![object.to_string()];
    lines.extend(report.changes().iter().map(ToString::to_string));
    let (errors, tolerated) = (report.errors().iter(), report.tolerated().iter());
    lines.extend(errors.map(|line| format!("refused {line}")));
    lines.extend(tolerated.map(|line| format!("tolerated {line}")));
    lines
}

/// Returns settings with every ratchet, each with restored members on and off.
fn settings() -> impl Iterator<Item = Settings> {
    [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off]
        .into_iter()
        .flat_map(|ratchet| {
            [RestoreUnaware::Off, RestoreUnaware::All].map(|restore| {
                Settings::default()
                    .ratchet(ratchet)
                    .restore_unaware(restore)
            })
        })
}

/// Sends a request to the struct and to the engine, and asserts that the results are equal.
#[track_caller]
fn assert_same_result<T>(unions: &Unions, old: Option<&Value>, new: &Value)
where
    T: Union + Serialize + DeserializeOwned,
{
    for settings in settings() {
        let typed_old: Option<T> = old.map(read);
        let mut typed_object: T = read(new);
        let typed_report = typed_object.admit_unions(typed_old.as_ref(), &settings);
        let mut json_object = new.clone();
        let json_report = unions.admit(&mut json_object, old, &settings);
        assert_eq!(
            result_lines(&typed_report, &to_json(&typed_object)),
            result_lines(&json_report, &json_object),
            "typed, and by schema: {old:?} to {new}"
        );
    }
}

/// Sends a server-side apply to the struct and to the engine, and asserts that the results are
/// equal.
#[track_caller]
fn assert_same_apply_result<T>(unions: &Unions, applied: &Value, live: &Value, merged: &Value)
where
    T: Union + Serialize + DeserializeOwned,
{
    let settings = Settings::default();
    let (typed_applied, typed_live): (T, T) = (read(applied), read(live));
    let mut typed_object: T = read(merged);
    let typed_report =
        typed_object.normalize_unions_apply(&typed_applied, Some(&typed_live), &settings);
    let mut json_object = merged.clone();
    let json_report = unions.normalize_apply(&mut json_object, applied, Some(live), &settings);
    assert_eq!(typed_report, json_report);
    assert_eq!(to_json(&typed_object), json_object);
}

#[test]
fn an_update_from_an_unknown_value_clears_its_member() {
    let old = json!({ "kind": "Gamma", "gamma": 1 });
    let mut new = json!({ "kind": "Alpha", "alpha": 1, "gamma": 1, "delta": 1 });
    assert_same_result::<Choice>(&CHOICE_ENGINE, Some(&old), &new);
    let report = CHOICE_ENGINE.admit(&mut new, Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the object is valid");
    assert_eq!(report.changes().to_string(), "gamma: cleared");
    assert_eq!(new, json!({ "kind": "Alpha", "alpha": 1, "delta": 1 }));
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn updates_of_any_object_match_the_struct((old, new) in choices()) {
        assert_same_result::<Choice>(&CHOICE_ENGINE, Some(&old), &new);
        assert_same_result::<KeptInHashMap>(&HASH_MAP_ENGINE, Some(&old), &new);
        assert_same_result::<KeptInJsonMap>(&JSON_MAP_ENGINE, Some(&old), &new);
    }

    #[test]
    fn creates_of_any_object_match_the_struct(new in choice()) {
        assert_same_result::<Choice>(&CHOICE_ENGINE, None, &new);
    }

    #[test]
    fn updates_of_any_flattened_object_match_the_struct((mut old, mut new) in choices()) {
        for object in [&mut old, &mut new] {
            object["name"] = "a".into();
            object["note"] = "b".into();
        }
        assert_same_result::<Element>(&ELEMENT_ENGINE, Some(&old), &new);
    }

    #[test]
    fn updates_of_nested_objects_match_the_struct(old in nested_unions(), new in nested_unions()) {
        assert_same_result::<NestedUnions>(&NESTED_ENGINE, Some(&old), &new);
    }

    #[test]
    fn applies_of_any_object_match_the_struct((live, merged) in choices(), applied in choice()) {
        assert_same_apply_result::<Choice>(&CHOICE_ENGINE, &applied, &live, &merged);
    }
}
