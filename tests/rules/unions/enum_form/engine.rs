//! Tests that an enum and the engine return the same result for every pair of small objects, with
//! each setting.
//!
//! By default the tests check only a part of the pairs, but every pair of an object with itself.
//! With `ENUM_WORLDS=all` they check every pair.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde_json::Value;
use union_json::Unions;
use union_runtime::{Ratchet, Report, RestoreUnaware, Settings, Union, UnionEnum};

use crate::unions::enum_form::kinds::{self, VisitEnum, compile_engine};
use crate::unions::enum_form::small_objects::objects;

const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

const RESTORES: [RestoreUnaware; 3] = [
    RestoreUnaware::Off,
    RestoreUnaware::Required,
    RestoreUnaware::All,
];

/// The step between checked requests. It is a prime, so that the skipped requests do not always
/// have the same settings.
const STEP: usize = 61;

/// Returns the step between checked requests in this run.
fn step() -> usize {
    match std::env::var("ENUM_WORLDS") {
        Ok(_) => 1,
        Err(_) => STEP,
    }
}

fn read<T: UnionEnum>(object: &Value) -> T {
    serde_json::from_value(object.clone()).expect("any object is readable")
}

fn to_json<T: UnionEnum>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// A value of the enum that was read, and the JSON that the value is written as.
struct ReadObject<T> {
    value: T,
    json: Value,
}

/// Reads every small object, and checks that the enum and the engine have the same result for each
/// object alone.
fn read_all<T: UnionEnum + PartialEq + Debug>(unions: &Unions) -> Vec<ReadObject<T>> {
    let objects = objects::<T>().into_iter().map(Value::from);
    let read_objects = objects.map(|object| {
        let value: T = read(&object);
        let json = to_json(&value);
        if value.raw().is_some() {
            assert_eq!(json, object, "the object is written unchanged");
        }
        assert_eq!(
            read::<T>(&json),
            value,
            "what was written reads as the same"
        );
        // A field that reading dropped is not an error for the engine either.
        let reports = [unions.validate(&object), value.validate_unions()];
        let [json_lines, typed_lines] = reports.map(|report| lines(&report));
        assert_eq!(json_lines, typed_lines, "{object}");
        ReadObject { value, json }
    });
    read_objects.collect()
}

type Lines = Vec<String>;

/// Returns the errors and the tolerated violations as lines.
fn lines(report: &Report) -> [Lines; 2] {
    [report.errors(), report.tolerated()]
        .map(|violations| violations.iter().map(ToString::to_string).collect())
}

/// Sends a request to the enum and to the engine, and asserts that the normalized objects, the
/// changes, the errors and the tolerated violations are equal.
fn assert_same_result<T: UnionEnum + Clone + PartialEq + Debug>(
    unions: &Unions,
    new: &ReadObject<T>,
    old: Option<&ReadObject<T>>,
    settings: Settings,
) {
    let (mut typed_object, mut object) = (new.value.clone(), new.json.clone());
    let typed_report = typed_object.admit_unions(old.map(|old| &old.value), &settings);
    let json_report = unions.admit(&mut object, old.map(|old| &old.json), &settings);
    let changes = |report: &Report| report.changes().to_string();
    let request = || {
        format!(
            "{} <- {:?}, {settings:?}",
            new.json,
            old.map(|old| &old.json)
        )
    };
    assert_eq!(
        changes(&json_report),
        changes(&typed_report),
        "{}",
        request()
    );
    let [json_lines, typed_lines] = [json_report, typed_report].map(|report| lines(&report));
    assert_eq!(json_lines, typed_lines, "{}", request());
    assert_eq!(read::<T>(&object), typed_object, "{}", request());
    if let Some(old) = old {
        let typed_report = new.value.validate_unions_update(&old.value, &settings);
        let json_report = unions.validate_update(&new.json, &old.json, &settings);
        let [json_lines, typed_lines] = [json_report, typed_report].map(|report| lines(&report));
        assert_eq!(json_lines, typed_lines, "validate_update: {}", request());
    }
}

/// A visitor that checks creates and updates, and counts the requests.
#[derive(Default)]
struct UpdateChecks {
    requests: usize,
}

impl VisitEnum for UpdateChecks {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, name: &str) {
        let unions = compile_engine::<T>();
        let objects = read_all::<T>(&unions);
        let (step, mut count) = (step(), 0);
        for (new_index, new) in objects.iter().enumerate() {
            assert_same_result(&unions, new, None, Settings::default());
            for (old_index, old) in objects.iter().enumerate() {
                for restore in RESTORES {
                    for ratchet in RATCHETS {
                        count += 1;
                        if new_index == old_index || count % step == 0 {
                            let settings = Settings::default().restore_unaware(restore);
                            assert_same_result(&unions, new, Some(old), settings.ratchet(ratchet));
                            self.requests += 1;
                        }
                    }
                }
            }
        }
        println!(
            "{name}: {} objects, {} requests so far",
            objects.len(),
            self.requests
        );
    }
}

#[test]
fn an_update_of_an_enum_has_the_same_result_in_the_engine() {
    let mut updates = UpdateChecks::default();
    kinds::visit_each_enum(&mut updates);
    assert!(updates.requests >= 50_000, "{}", updates.requests);
}

/// A visitor that checks and counts requests of server-side apply.
#[derive(Default)]
struct ApplyChecks {
    requests: usize,
}

impl VisitEnum for ApplyChecks {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, _: &str) {
        let unions = compile_engine::<T>();
        let objects = read_all::<T>(&unions);
        let (step, mut count) = (step() * 97, 0);
        for applied in &objects {
            for live in &objects {
                for merged in &objects {
                    count += 1;
                    if count % step == 0 {
                        let restore = RESTORES[count / step % RESTORES.len()];
                        let settings = Settings::default().restore_unaware(restore);
                        assert_same_apply_result(&unions, [applied, live, merged], settings);
                        self.requests += 1;
                    }
                }
            }
        }
    }
}

fn assert_same_apply_result<T: UnionEnum + Clone + PartialEq + Debug>(
    unions: &Unions,
    [applied, live, merged]: [&ReadObject<T>; 3],
    settings: Settings,
) {
    let (mut typed_object, mut object) = (merged.value.clone(), merged.json.clone());
    let typed_report =
        typed_object.normalize_unions_apply(&applied.value, Some(&live.value), &settings);
    let json_report =
        unions.normalize_apply(&mut object, &applied.json, Some(&live.json), &settings);
    let request = format!("{} on {} <- {}", applied.json, live.json, merged.json);
    assert_eq!(json_report, typed_report, "{request}");
    assert_eq!(read::<T>(&object), typed_object, "{request}");
}

#[test]
fn an_apply_of_an_enum_matches_the_engine() {
    let mut applies = ApplyChecks::default();
    kinds::visit_each_enum(&mut applies);
    assert!(applies.requests > 5_000, "{}", applies.requests);
}
