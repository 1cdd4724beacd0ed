//! Enum and engine answer the same: every pair of small objects, in each setting.
//!
//! By default a part of them, of the pairs of an object with itself all; with `ENUM_WORLDS=all` each.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde_json::Value;
use union_json::Unions;
use union_runtime::{
    Admitted, Ratchet, RestoreUnaware, Settings, UnionEnum, Violation, Violations, admit,
    normalize_apply, validate, validate_update,
};

use crate::unions::enum_form::kinds::{self, Visit, engine};
use crate::unions::enum_form::world::objects;

const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

const RESTORES: [RestoreUnaware; 3] = [
    RestoreUnaware::Off,
    RestoreUnaware::Required,
    RestoreUnaware::All,
];

/// A prime: what it skips is not always the same.
const EVERY: usize = 61;

fn every() -> usize {
    match std::env::var("ENUM_WORLDS") {
        Ok(_) => 1,
        Err(_) => EVERY,
    }
}

fn read<T: UnionEnum>(object: &Value) -> T {
    serde_json::from_value(object.clone()).expect("any object is read")
}

fn written<T: UnionEnum>(value: &T) -> Value {
    serde_json::to_value(value).expect("it can be written")
}

/// An object, as the enum has it.
struct Known<T> {
    value: T,
    json: Value,
}

/// The objects of a world, read; each is what reading makes of it.
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
        // What reading dropped was no error.
        let verdicts = [
            unions.validate(&object, &Settings::default()),
            validate(&value, &Settings::default()),
        ];
        let [of_engine, of_type] = verdicts.map(|verdict| lines(verdict.map(|()| Vec::new())));
        assert_eq!(of_engine, of_type, "{object}");
        Known { value, json }
    });
    known.collect()
}

type Lines = Vec<String>;

/// The errors, and what was tolerated.
fn lines(verdict: Result<Vec<Violation>, Violations>) -> [Lines; 2] {
    let of = |violations: &mut dyn Iterator<Item = &Violation>| {
        violations.map(ToString::to_string).collect()
    };
    match verdict {
        Ok(ratcheted) => [Lines::new(), of(&mut ratcheted.iter())],
        Err(refused) => [of(&mut refused.iter()), of(&mut refused.ratcheted().iter())],
    }
}

/// One request through both: its normal form, changes, errors, and what is tolerated.
fn agree<T: UnionEnum + Clone + PartialEq + Debug>(
    unions: &Unions,
    new: &Known<T>,
    old: Option<&Known<T>>,
    settings: Settings,
) {
    let (mut typed, mut object) = (new.value.clone(), new.json.clone());
    let of_type = admit(&mut typed, old.map(|old| &old.value), &settings);
    let of_engine = unions.admit(&mut object, old.map(|old| &old.json), &settings);
    let changes = |verdict: &Result<Admitted, Violations>| {
        verdict
            .as_ref()
            .ok()
            .map(|admitted| admitted.changes.to_string())
    };
    let at = || {
        format!(
            "{} <- {:?}, {settings:?}",
            new.json,
            old.map(|old| &old.json)
        )
    };
    assert_eq!(changes(&of_engine), changes(&of_type), "{}", at());
    let [of_engine, of_type] =
        [of_engine, of_type].map(|verdict| lines(verdict.map(|a| a.ratcheted)));
    assert_eq!(of_engine, of_type, "{}", at());
    assert_eq!(read::<T>(&object), typed, "{}", at());
    if let Some(old) = old {
        let of_type = validate_update(&new.value, &old.value, &settings);
        let of_engine = unions.validate_update(&new.json, &old.json, &settings);
        let [of_engine, of_type] =
            [of_engine, of_type].map(|verdict| lines(verdict.map(|accepted| accepted.ratcheted)));
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
    let of_type = normalize_apply(&applied.value, Some(&live.value), &mut typed, &settings);
    let of_engine = unions.normalize_apply(&applied.json, Some(&live.json), &mut object, &settings);
    let at = format!("{} on {} <- {}", applied.json, live.json, merged.json);
    let [of_engine, of_type] =
        [of_engine, of_type].map(|changes| changes.map_err(|refused| refused.to_string()));
    assert_eq!(of_engine, of_type, "{at}");
    assert_eq!(read::<T>(&object), typed, "{at}");
}

#[test]
fn an_enum_is_applied_as_the_engine_does_it() {
    let mut applied = Applied::default();
    kinds::each(&mut applied);
    assert!(applied.requests > 5_000, "{}", applied.requests);
}
