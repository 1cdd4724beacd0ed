//! Unions of real types as data, and their objects, which `union_oracle` validates as JSON.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use union_oracle::{Tolerance, Union, ViolatedRule};

/// A union, written by hand from the documentation of its API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) discriminator: &'static str,
    /// The values of the enum.
    pub(crate) values: &'static [&'static str],
    pub(crate) members: &'static [Member],
    pub(crate) absence: Absence,
    /// True if values that the enum does not have can be read.
    pub(crate) is_lenient: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) field: &'static str,
    pub(crate) value: &'static str,
    pub(crate) optional: bool,
    /// The value of the member in tests, as JSON.
    pub(crate) json: &'static str,
}

/// The meaning of an object without the discriminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The discriminator is required: serde cannot read an object without it.
    Unreadable,
    /// The discriminator is read and written as the value.
    ReadAs(&'static str),
    /// The object can be read, and an absent discriminator stays absent, or is `""` if the enum has
    /// the value `""`.
    Kept,
}

/// The fields of an object that belong to a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) selected: Option<&'static str>,
    pub(crate) set_fields: BTreeSet<&'static str>,
}

/// Error types of Kubernetes' field errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Invalid,
    NotSupported,
    Required,
}

pub(crate) type Finding = (&'static str, Kind);

/// The errors and the tolerated violations of an update.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) errors: Vec<Finding>,
    pub(crate) ratcheted: Vec<Finding>,
}

impl Model {
    /// Returns true if the enum has the value.
    pub(crate) fn has_value(&self, value: &str) -> bool {
        self.values.contains(&value)
    }

    fn union(&self) -> Union<'static> {
        let members = self.members.iter().map(|member| union_oracle::Member {
            field: member.field,
            value: member.value,
            optional: member.optional,
        });
        Union {
            discriminator: Some(union_oracle::Discriminator {
                field: self.discriminator,
                values: Some(self.values),
                absence: match self.absence {
                    Absence::Unreadable => union_oracle::Absence::Unreadable,
                    Absence::ReadAs(value) => union_oracle::Absence::ReadAs(value),
                    Absence::Kept => union_oracle::Absence::Kept,
                },
                is_lenient: self.is_lenient,
                is_deduced: false,
            }),
            members: members.collect(),
            requires_member: false,
            known_fields: None,
        }
    }

    /// Returns the object as JSON.
    pub(crate) fn json(&self, object: &Object) -> Value {
        let mut json = Map::new();
        if let Some(selected) = object.selected {
            json.insert(self.discriminator.into(), selected.into());
        }
        for member in self.members {
            if object.set_fields.contains(member.field) {
                let value = serde_json::from_str(member.json).expect("the model holds JSON");
                json.insert(member.field.into(), value);
            }
        }
        json.into()
    }

    /// Returns true if the real type can read the object.
    pub(crate) fn is_readable(&self, object: &Object) -> bool {
        self.union().is_readable(&self.json(object))
    }

    /// Returns the object that results from reading and writing the object.
    pub(crate) fn read(&self, object: &Object) -> Object {
        let defaulted = self.union().apply_default(&self.json(object));
        let selected = defaulted[self.discriminator].as_str();
        let mut values = self.values.iter().copied().chain(object.selected);
        Object {
            selected: selected.and_then(|selected| values.find(|value| *value == selected)),
            set_fields: object.set_fields.clone(),
        }
    }

    /// Returns the object after normalization, and the cleared fields.
    pub(crate) fn normalize(&self, new: &Object, old: &Object) -> (Object, Vec<String>) {
        let union = self.union();
        let result = union.normalize(&self.json(new), Some(&self.json(old)));
        assert!(!result.is_set, "the 2022 text sets no discriminator");
        let mut normalized = new.clone();
        normalized
            .set_fields
            .retain(|field| result.object.get(field).is_some());
        (normalized, result.cleared)
    }

    /// Returns the violations of the object on a create.
    pub(crate) fn validate(&self, object: &Object) -> Vec<Finding> {
        kinds(self.union().validate(&self.json(object)))
    }

    /// Returns the errors and the tolerated violations of an update.
    pub(crate) fn validate_update(
        &self,
        new: &Object,
        old: &Object,
        tolerance: Tolerance,
    ) -> Verdict {
        let [new, old] = [new, old].map(|object| self.json(object));
        let verdict = self.union().validate_update(&new, &old, tolerance);
        Verdict {
            errors: kinds(verdict.errors),
            ratcheted: kinds(verdict.ratcheted),
        }
    }
}

fn kinds(findings: Vec<union_oracle::FieldViolation<'static>>) -> Vec<Finding> {
    let kind = |(field, reason)| {
        let kind = match reason {
            ViolatedRule::Required => Kind::Required,
            ViolatedRule::Unsupported => Kind::NotSupported,
            _ => Kind::Invalid,
        };
        (field, kind)
    };
    findings.into_iter().map(kind).collect()
}
