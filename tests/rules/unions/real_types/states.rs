//! Every state of a union as a value of the real type, and functions that put the runtime's results
//! into the terms of the oracle.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use union_oracle::Tolerance;
use union_runtime::{Changes, Ratchet, Report, Settings, Union, Violation, ViolationKind};

use crate::unions::real_types::model::{Finding, Kind, Model, Object, Verdict};

/// A real type with the model of its union.
pub(crate) trait Sample:
    Union + Serialize + DeserializeOwned + JsonSchema + Clone + Debug
{
    const MODEL: Model;
}

/// Returns the object as JSON.
pub(crate) fn json<T: Sample>(object: &Object) -> Value {
    T::MODEL.json(object)
}

/// Reads the object as a value of the real type, and panics if the type cannot read the object.
pub(crate) fn value<T: Sample>(object: &Object) -> T {
    serde_json::from_value(json::<T>(object)).unwrap_or_else(|error| panic!("{object:?}: {error}"))
}

/// Returns the states of a discriminator: absent, every value, `""`, an unknown value, and a value
/// in the wrong case.
pub(crate) fn selections(model: &Model) -> Vec<Option<&'static str>> {
    let lowercase_value = model.values[0].to_lowercase();
    let mut selections = vec![None];
    selections.extend(model.values.iter().copied().map(Some));
    for unusual_value in ["", "Unheard", lowercase_value.leak()] {
        if !model.has_value(unusual_value) {
            selections.push(Some(unusual_value));
        }
    }
    selections
}

/// Returns every selection with every set of members.
pub(crate) fn objects(model: &Model) -> Vec<Object> {
    let masks = 0..1_u32 << model.members.len();
    selections(model)
        .into_iter()
        .flat_map(|selected| masks.clone().map(move |mask| (selected, mask)))
        .map(|(selected, mask)| object(model, selected, mask))
        .collect()
}

/// Returns the objects that the real type can read, as they are after reading.
pub(crate) fn readable(model: &Model) -> Vec<Object> {
    let objects = objects(model).into_iter();
    objects
        .filter(|object| model.is_readable(object))
        .map(|object| model.read(&object))
        .collect()
}

/// Returns the object with the members whose bits are set in `mask`.
pub(crate) fn object(model: &Model, selected: Option<&'static str>, mask: u32) -> Object {
    let members = model.members.iter().enumerate();
    let set_fields = members
        .filter(|(index, _)| mask & 1 << index != 0)
        .map(|(_, member)| member.field)
        .collect();
    Object {
        selected,
        set_fields,
    }
}

/// Returns the runtime's violations as findings of the oracle.
pub(crate) fn findings_of<'a>(
    model: &Model,
    violations: impl IntoIterator<Item = &'a Violation>,
) -> Vec<Finding> {
    let finding = |violation: &Violation| {
        let kind = match violation.kind() {
            ViolationKind::Invalid => Kind::Invalid,
            ViolationKind::NotSupported => Kind::NotSupported,
            ViolationKind::Required => Kind::Required,
            kind => panic!("a kind that the oracle does not know: {kind:?}"),
        };
        let fields = model.members.iter().map(|member| member.field);
        let field = fields
            .chain([model.discriminator])
            .find(|field| *violation.path() == **field);
        let field = field.unwrap_or_else(|| panic!("no such field: {violation}"));
        (field, kind)
    };
    violations.into_iter().map(finding).collect()
}

/// Returns the verdict of an update or of a request.
pub(crate) fn verdict(model: &Model, report: &Report) -> Verdict {
    Verdict {
        errors: findings_of(model, report.errors()),
        ratcheted: findings_of(model, report.tolerated()),
    }
}

/// Returns the cleared fields, and panics if there are other changes.
pub(crate) fn cleared(changes: &Changes) -> Vec<&str> {
    let cleared: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    assert_eq!(cleared.len(), changes.len(), "clearing is all that is done");
    cleared
}

pub(crate) fn as_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("real types can be written")
}

pub(crate) const TOLERANCES: [(Tolerance, Ratchet); 3] = [
    (Tolerance::SameReason, Ratchet::SameReason),
    (Tolerance::Unchanged, Ratchet::Unchanged),
    (Tolerance::Off, Ratchet::Off),
];

pub(crate) fn settings(ratchet: Ratchet) -> Settings {
    Settings::default().ratchet(ratchet)
}
