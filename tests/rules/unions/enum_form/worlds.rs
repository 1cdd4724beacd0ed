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

use crate::unions::enum_form::kinds::{self, Visit, engine};
use crate::unions::enum_form::world::objects;

const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

const RESTORES: [RestoreUnaware; 3] = [
    RestoreUnaware::Off,
    RestoreUnaware::Required,
    RestoreUnaware::All,
];

/// The step between checked requests. It is a prime, so that the skipped requests do not always
/// have the same settings.
const EVERY: usize = 61;

fn every() -> usize {
    match std::env::var("ENUM_WORLDS") {
        Ok(_) => 1,
        Err(_) => EVERY,
    }
}

fn read<T: UnionEnum>(object: &Value) -> T {
    serde_json::from_value(object.clone()).expect("any object is readable")
}

fn written<T: UnionEnum>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// An object of a world: the enum's value and the JSON that the value is written as.
struct Known<T> {
    value: T,
    json: Value,
}

/// Reads the objects of a world, and checks that the enum and the engine agree on each object
/// alone.
fn world<T: UnionEnum + PartialEq + Debug>(unions: &Unions) -> Vec<Known<T>> {
    let objects = objects::<T>().into_iter().map(Value::from);
    let known = objects.map(|object| {
        let value: T = read(&object);
        let json = written(&value);
        if value.raw().is_some() {
            assert_eq!(json, object, "it is written as it came");
        }
        assert_eq!(
            read::<T>(&json),
            value,
            "what was written reads as the same"
        );
        // A field that reading dropped is not an error for the engine either.
        let reports = [unions.validate(&object), value.validate_unions()];
        let [of_engine, of_type] = reports.map(|report| lines(&report));
        assert_eq!(of_engine, of_type, "{object}");
        Known { value, json }
    });
    known.collect()
}

type Lines = Vec<String>;

/// Returns the lines of the errors and the lines of the tolerated violations.
fn lines(report: &Report) -> [Lines; 2] {
    [report.errors(), report.tolerated()]
        .map(|violations| violations.iter().map(ToString::to_string).collect())
}

/// Puts a request through the enum and the engine, and compares the normalized objects, the
/// changes, the errors and the tolerated violations.
fn agree<T: UnionEnum + Clone + PartialEq + Debug>(
    unions: &Unions,
    new: &Known<T>,
    old: Option<&Known<T>>,
    settings: Settings,
) {
    let (mut typed, mut object) = (new.value.clone(), new.json.clone());
    let of_type = typed.admit_unions(old.map(|old| &old.value), &settings);
    let of_engine = unions.admit(&mut object, old.map(|old| &old.json), &settings);
    let changes = |report: &Report| report.changes().to_string();
    let at = || {
        format!(
            "{} <- {:?}, {settings:?}",
            new.json,
            old.map(|old| &old.json)
        )
    };
    assert_eq!(changes(&of_engine), changes(&of_type), "{}", at());
    let [of_engine, of_type] = [of_engine, of_type].map(|report| lines(&report));
    assert_eq!(of_engine, of_type, "{}", at());
    assert_eq!(read::<T>(&object), typed, "{}", at());
    if let Some(old) = old {
        let of_type = new.value.validate_unions_update(&old.value, &settings);
        let of_engine = unions.validate_update(&new.json, &old.json, &settings);
        let [of_engine, of_type] = [of_engine, of_type].map(|report| lines(&report));
        assert_eq!(of_engine, of_type, "validate_update: {}", at());
    }
}

#[derive(Default)]
struct Judge {
    requests: usize,
}

impl Visit for Judge {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, name: &str) {
        let unions = engine::<T>();
        let world = world::<T>(&unions);
        let (every, mut count) = (every(), 0);
        for (i, new) in world.iter().enumerate() {
            agree(&unions, new, None, Settings::default());
            for (j, old) in world.iter().enumerate() {
                for restore in RESTORES {
                    for ratchet in RATCHETS {
                        count += 1;
                        if i == j || count % every == 0 {
                            let settings = Settings::default().restore_unaware(restore);
                            agree(&unions, new, Some(old), settings.ratchet(ratchet));
                            self.requests += 1;
                        }
                    }
                }
            }
        }
        println!(
            "{name}: {} objects, {} requests so far",
            world.len(),
            self.requests
        );
    }
}

#[test]
fn an_enum_answers_as_the_engine_does() {
    let mut judge = Judge::default();
    kinds::each(&mut judge);
    assert!(judge.requests >= 50_000, "{}", judge.requests);
}

#[derive(Default)]
struct Applied {
    requests: usize,
}

impl Visit for Applied {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, _: &str) {
        let unions = engine::<T>();
        let world = world::<T>(&unions);
        let (every, mut count) = (every() * 97, 0);
        for applied in &world {
            for live in &world {
                for merged in &world {
                    count += 1;
                    if count % every == 0 {
                        let restore = RESTORES[count / every % RESTORES.len()];
                        let settings = Settings::default().restore_unaware(restore);
                        agree_on_apply(&unions, [applied, live, merged], settings);
                        self.requests += 1;
                    }
                }
            }
        }
    }
}

fn agree_on_apply<T: UnionEnum + Clone + PartialEq + Debug>(
    unions: &Unions,
    [applied, live, merged]: [&Known<T>; 3],
    settings: Settings,
) {
    let (mut typed, mut object) = (merged.value.clone(), merged.json.clone());
    let of_type = typed.normalize_unions_apply(&applied.value, Some(&live.value), &settings);
    let of_engine = unions.normalize_apply(&mut object, &applied.json, Some(&live.json), &settings);
    let at = format!("{} on {} <- {}", applied.json, live.json, merged.json);
    assert_eq!(of_engine, of_type, "{at}");
    assert_eq!(read::<T>(&object), typed, "{at}");
}

#[test]
fn an_apply_of_an_enum_matches_the_engine() {
    let mut applied = Applied::default();
    kinds::each(&mut applied);
    assert!(applied.requests > 5_000, "{}", applied.requests);
}
