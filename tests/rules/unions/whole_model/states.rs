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

pub(crate) const TOLERANCE_AND_RATCHET: [(Tolerance, Ratchet); 3] = [
    (Tolerance::SameReason, Ratchet::SameReason),
    (Tolerance::Unchanged, Ratchet::Unchanged),
    (Tolerance::Off, Ratchet::Off),
];

/// Returns the object as JSON.
pub(crate) fn model_object_to_json(model: &Model, object: &Object) -> Value {
    let mut json = Map::new();
    if let (Some(discriminator), Some(selected)) = (model.discriminator, object.selected) {
        json.insert(discriminator.field.into(), selected.into());
    }
    for (index, (field, _)) in model.members.iter().enumerate() {
        if object.set_members.contains(field) {
            json.insert((*field).into(), json!(index));
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
    let member_values = model.members.iter().map(|member| member.1);
    let mut values: Vec<&str> = match discriminator.values {
        Some(values) => values.to_vec(),
        None => member_values.chain(["Nothing"]).collect(),
    };
    for unusual_value in ["", "Unheard", "a"] {
        if !values.contains(&unusual_value) {
            values.push(unusual_value);
        }
    }
    [None]
        .into_iter()
        .chain(values.into_iter().map(Some))
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
            let set_members = members.filter(|(index, _)| mask & 1 << index != 0);
            let set_members = set_members.map(|(_, member)| member.0).collect();
            let object = Object {
                selected,
                set_members,
            };
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

/// Returns the field that the path of a violation names.
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
    let no_names = core::iter::empty;
    let violations_by_words = [
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
            first_words(&only_one_of(false, no_names())),
            ViolationKind::Invalid,
            ViolatedRule::Several,
        ),
        (
            first_words(&only_one_of(true, no_names())),
            ViolationKind::Invalid,
            ViolatedRule::SeveralWhereOneIsRequired,
        ),
        (
            first_words(&needed_one_of(no_names())),
            ViolationKind::Invalid,
            ViolatedRule::NoneSet,
        ),
    ];
    let mut violations_by_words = violations_by_words.into_iter();
    let matching = violations_by_words.find(|(first_words, kind, _)| {
        violation.detail().starts_with(&**first_words) && violation.kind() == *kind
    });
    matching
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
        model_object_to_json(&model, &expected.object),
        "{}",
        case()
    );
    check_changes(&model, &changes, &expected.cleared, expected.is_set, &case);
    (expected.object, normalized)
}

/// Compares the changes with the expected changes.
fn check_changes(
    model: &Model,
    changes: &Changes,
    cleared: &[String],
    is_set: bool,
    case: &dyn Fn() -> String,
) {
    let discriminator = model
        .discriminator
        .filter(|_| is_set)
        .map(|discriminator| discriminator.field);
    let paths: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    assert_eq!(paths, cleared, "{}", case());
    assert_eq!(
        changes.discriminators_set().next().map(AsRef::as_ref),
        discriminator,
        "{}",
        case()
    );
    let change_count = cleared.len() + usize::from(is_set);
    assert_eq!(
        (changes.len(), changes.iter().count()),
        (change_count, change_count),
        "{}",
        case()
    );
    assert_eq!(changes.is_empty(), change_count == 0, "{}", case());
}

/// Checks every object on a create, and returns the number of objects.
pub(crate) fn check_creates<T: Sample>() -> usize {
    let model = T::MODEL;
    let objects = readable(&model);
    for object in &objects {
        let value: T = read(model_object_to_json(&model, object));
        assert_eq!(
            as_json(&value),
            model_object_to_json(&model, object),
            "the object is read unchanged"
        );
        let created = verdict(&model, &value.validate_unions());
        assert_eq!(created.errors, model.validate(object), "{object:?}");
        let (normal_object, normalized) = check_normalized(object, &value, None);
        let mut admitted = value.clone();
        let report = admitted.admit_unions(None, &Settings::default());
        let result = verdict(&model, &report);
        assert_eq!(as_json(&admitted), as_json(&normalized), "{object:?}");
        assert_eq!(
            (result.errors, result.ratcheted),
            (model.validate(&normal_object), vec![]),
            "{object:?}"
        );
    }
    objects.len()
}

/// Checks every pair of objects on an update, and returns the number of pairs.
pub(crate) fn check_updates<T: Sample>() -> usize {
    let model = T::MODEL;
    let objects = readable(&model).into_iter();
    let objects_with_values: Vec<(Object, T)> = objects
        .map(|object| (object.clone(), read(model_object_to_json(&model, &object))))
        .collect();
    for (new, value) in &objects_with_values {
        for (old, old_value) in &objects_with_values {
            let (normal_object, normalized) = check_normalized(new, value, Some((old, old_value)));
            for (tolerance, ratchet) in TOLERANCE_AND_RATCHET {
                let settings = Settings::default().ratchet(ratchet);
                let case = || format!("{new:?} over {old:?}, {ratchet:?}");
                let report = value.validate_unions_update(old_value, &settings);
                let result = verdict(&model, &report);
                assert_eq!(
                    result,
                    model.validate_update(new, old, tolerance),
                    "{}",
                    case()
                );
                let mut admitted = value.clone();
                let report = admitted.admit_unions(Some(old_value), &settings);
                let result = verdict(&model, &report);
                assert_eq!(as_json(&admitted), as_json(&normalized), "{}", case());
                assert_eq!(
                    result,
                    model.validate_update(&normal_object, old, tolerance),
                    "{}",
                    case()
                );
            }
        }
    }
    objects_with_values.len() * objects_with_values.len()
}
