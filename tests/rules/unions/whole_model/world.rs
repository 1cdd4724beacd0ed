//! Every state of a union as a value of a type, and functions that compare the runtime's results
//! with the oracle's results.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_runtime::{
    Changes, Ratchet, Report, Settings, Union, Violation, ViolationKind, needed_one_of,
    only_one_of, only_when,
};

use union_oracle::{FieldViolation, Tolerance, Verdict, ViolatedRule};

use crate::unions::whole_model::model::{Model, Object};

/// A type with one union, whose members are numbers.
pub(crate) trait Sample:
    Union + Serialize + DeserializeOwned + JsonSchema + Clone + Debug
{
    const MODEL: Model;
}

pub(crate) const TOLERANCES: [(Tolerance, Ratchet); 3] = [
    (Tolerance::SameReason, Ratchet::SameReason),
    (Tolerance::Unchanged, Ratchet::Unchanged),
    (Tolerance::Off, Ratchet::Off),
];

/// Returns the object as JSON.
pub(crate) fn json_of(model: &Model, object: &Object) -> Value {
    let mut json = Map::new();
    if let (Some(discriminator), Some(selected)) = (model.discriminator, object.selected) {
        json.insert(discriminator.field.into(), selected.into());
    }
    for (i, (field, _)) in model.members.iter().enumerate() {
        if object.set.contains(field) {
            json.insert((*field).into(), json!(i));
        }
    }
    json.into()
}

pub(crate) fn read<T: DeserializeOwned>(json: Value) -> T {
    let text = json.to_string();
    serde_json::from_value(json).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn as_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// Returns the states of a discriminator: absent, every value, `""`, an unknown value, and a value
/// in the wrong case.
fn discriminator_states(model: &Model) -> Vec<Option<&'static str>> {
    let Some(discriminator) = model.discriminator else {
        return vec![None];
    };
    let of_members = model.members.iter().map(|member| member.1);
    let mut discriminator_states: Vec<&str> = match discriminator.values {
        Some(values) => values.to_vec(),
        None => of_members.chain(["Nothing"]).collect(),
    };
    for odd in ["", "Unheard", "a"] {
        if !discriminator_states.contains(&odd) {
            discriminator_states.push(odd);
        }
    }
    [None]
        .into_iter()
        .chain(discriminator_states.into_iter().map(Some))
        .collect()
}

/// Returns every state of the discriminator with every set of members, if the type can read the
/// object, as the object is after reading.
pub(crate) fn readable(model: &Model) -> Vec<Object> {
    let masks = 0..1_u32 << model.members.len();
    let mut objects: Vec<Object> = Vec::new();
    for selected in discriminator_states(model) {
        for mask in masks.clone() {
            let members = model.members.iter().enumerate();
            let set = members.filter(|(i, _)| mask & 1 << i != 0);
            let set = set.map(|(_, member)| member.0).collect();
            let object = Object { selected, set };
            if model.is_readable(&object) && !objects.contains(&model.read(&object)) {
                objects.push(model.read(&object));
            }
        }
    }
    objects
}

/// Returns the runtime's violations as findings of the oracle.
pub(crate) fn findings_of<'a>(
    model: &Model,
    violations: impl IntoIterator<Item = &'a Violation>,
) -> Vec<FieldViolation<'static>> {
    violations
        .into_iter()
        .map(|violation| {
            (
                field_of(model, violation.path().as_str()),
                reason(violation),
            )
        })
        .collect()
}

fn field_of(model: &Model, path: &str) -> &'static str {
    let discriminator = model.discriminator.map(|discriminator| discriminator.field);
    let mut fields = model
        .members
        .iter()
        .map(|member| member.0)
        .chain(discriminator)
        .chain([""]);
    fields
        .find(|field| *field == path)
        .unwrap_or_else(|| panic!("no such field: {path}"))
}

/// Returns the words of a wording before the first name.
fn first_words(wording: &impl ToString) -> String {
    let wording = wording.to_string();
    wording.split('`').next().unwrap_or_default().to_owned()
}

/// Returns the reason of a violation, recognized by its kind and by the first words of its message,
/// which are part of the public interface.
fn reason(violation: &Violation) -> ViolatedRule {
    let none = core::iter::empty;
    let texts = [
        (
            first_words(&only_when("", "")),
            ViolationKind::Invalid,
            ViolatedRule::NotSelected,
        ),
        (
            "supported values: ".to_owned(),
            ViolationKind::NotSupported,
            ViolatedRule::Unsupported,
        ),
        (
            first_words(&only_one_of(false, none())),
            ViolationKind::Invalid,
            ViolatedRule::Several,
        ),
        (
            first_words(&only_one_of(true, none())),
            ViolationKind::Invalid,
            ViolatedRule::SeveralWhereOneIsRequired,
        ),
        (
            first_words(&needed_one_of(none())),
            ViolationKind::Invalid,
            ViolatedRule::NoneSet,
        ),
    ];
    let mut texts = texts.into_iter();
    let found = texts.find(|(text, kind, _)| {
        violation.detail().starts_with(&**text) && violation.kind() == *kind
    });
    found
        .unwrap_or_else(|| panic!("the oracle knows no such reason: {violation}"))
        .2
}

fn verdict(model: &Model, report: &Report) -> Verdict<'static> {
    Verdict {
        errors: findings_of(model, report.errors()),
        ratcheted: findings_of(model, report.tolerated()),
    }
}

/// Normalizes a value, and compares the object and the changes with the oracle.
fn check_normalized<T: Sample>(new: &Object, value: &T, old: Option<(&Object, &T)>) -> (Object, T) {
    let model = T::MODEL;
    let expected = model.normalize(new, old.map(|old| old.0));
    let mut normalized = value.clone();
    let changes = normalized.normalize_unions(old.map(|old| old.1), &Settings::default());
    let case = || format!("{new:?} over {:?}", old.map(|old| old.0));
    assert_eq!(
        as_json(&normalized),
        json_of(&model, &expected.object),
        "{}",
        case()
    );
    check_changes(&model, &changes, &expected.cleared, expected.is_set, &case);
    (expected.object, normalized)
}

fn check_changes(
    model: &Model,
    changes: &Changes,
    cleared: &[String],
    is_set: bool,
    case: &dyn Fn() -> String,
) {
    let discriminator = model.discriminator.filter(|_| is_set).map(|it| it.field);
    let paths: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    assert_eq!(paths, cleared, "{}", case());
    assert_eq!(
        changes.discriminators_set().next().map(AsRef::as_ref),
        discriminator,
        "{}",
        case()
    );
    let all = cleared.len() + usize::from(is_set);
    assert_eq!(
        (changes.len(), changes.iter().count()),
        (all, all),
        "{}",
        case()
    );
    assert_eq!(changes.is_empty(), all == 0, "{}", case());
}

/// Checks every object on a create, and returns the number of objects.
pub(crate) fn check_creates<T: Sample>() -> usize {
    let model = T::MODEL;
    let objects = readable(&model);
    for object in &objects {
        let value: T = read(json_of(&model, object));
        assert_eq!(
            as_json(&value),
            json_of(&model, object),
            "it is read as it came"
        );
        let alone = verdict(&model, &value.validate_unions());
        assert_eq!(alone.errors, model.judge(object), "{object:?}");
        let (normal, normalized) = check_normalized(object, &value, None);
        let mut admitted = value.clone();
        let report = admitted.admit_unions(None, &Settings::default());
        let result = verdict(&model, &report);
        assert_eq!(as_json(&admitted), as_json(&normalized), "{object:?}");
        assert_eq!(
            (result.errors, result.ratcheted),
            (model.judge(&normal), vec![]),
            "{object:?}"
        );
    }
    objects.len()
}

/// Checks every pair of objects on an update, and returns the number of pairs.
pub(crate) fn check_updates<T: Sample>() -> usize {
    let model = T::MODEL;
    let objects = readable(&model).into_iter();
    let pairs: Vec<(Object, T)> = objects
        .map(|object| (object.clone(), read(json_of(&model, &object))))
        .collect();
    for (new, value) in &pairs {
        for (old, before) in &pairs {
            let (normal, normalized) = check_normalized(new, value, Some((old, before)));
            for (tolerance, ratchet) in TOLERANCES {
                let settings = Settings::default().ratchet(ratchet);
                let case = || format!("{new:?} over {old:?}, {ratchet:?}");
                let report = value.validate_unions_update(before, &settings);
                let result = verdict(&model, &report);
                assert_eq!(
                    result,
                    model.judge_update(new, old, tolerance),
                    "{}",
                    case()
                );
                let mut admitted = value.clone();
                let report = admitted.admit_unions(Some(before), &settings);
                let result = verdict(&model, &report);
                assert_eq!(as_json(&admitted), as_json(&normalized), "{}", case());
                assert_eq!(
                    result,
                    model.judge_update(&normal, old, tolerance),
                    "{}",
                    case()
                );
            }
        }
    }
    pairs.len() * pairs.len()
}
