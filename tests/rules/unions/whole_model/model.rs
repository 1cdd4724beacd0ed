//! Unions of the 2019 model as data, and their objects, which `union_oracle` validates as JSON.

use std::collections::BTreeSet;

use serde_json::Value;
use union_oracle::{FieldViolation, Member, Tolerance, Union, Verdict};

use crate::unions::whole_model::states::model_object_to_json;

/// A union, written by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) discriminator: Option<Discriminator>,
    /// The fields of the members, each with its discriminator value.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// True if a member must be set, in a union without a discriminator.
    pub(crate) exactly_one: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Discriminator {
    pub(crate) field: &'static str,
    /// The values of the enum, or `None` if the discriminator may be any string.
    pub(crate) values: Option<&'static [&'static str]>,
    pub(crate) absence: Absence,
    /// True if values that the enum does not have can be read.
    pub(crate) is_lenient: bool,
}

/// The value that an absent discriminator is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Unreadable,
    Kept,
    /// The value `""`, which is written too.
    Empty,
}

/// The fields of an object that belong to a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) selected: Option<&'static str>,
    pub(crate) set_members: BTreeSet<&'static str>,
}

/// The result of normalization.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Normalized {
    pub(crate) object: Object,
    pub(crate) cleared: Vec<String>,
    /// True if normalization set the discriminator.
    pub(crate) is_set: bool,
}

impl Model {
    fn union(&self) -> Union<'static> {
        let discriminator = self
            .discriminator
            .map(|discriminator| union_oracle::Discriminator {
                field: discriminator.field,
                values: discriminator.values,
                absence: match discriminator.absence {
                    Absence::Unreadable => union_oracle::Absence::Unreadable,
                    Absence::Kept => union_oracle::Absence::Kept,
                    Absence::Empty => union_oracle::Absence::ReadAs(""),
                },
                is_lenient: discriminator.is_lenient,
                is_deduced: true,
            });
        let members = self.members.iter().map(|(field, value)| Member {
            field,
            value,
            // "In the 2019 model members are optional": a selected member may be unset.
            optional: true,
        });
        Union {
            discriminator,
            members: members.collect(),
            requires_member: self.exactly_one,
            known_fields: None,
        }
    }

    /// Returns the object that a JSON object represents. Each string in the object comes from the
    /// model or from `source`.
    fn object(&self, json: &Value, source: &Object) -> Object {
        let selected = self
            .discriminator
            .and_then(|discriminator| json[discriminator.field].as_str());
        let values = self.members.iter().map(|member| member.1);
        let selected = selected.map(|selected| {
            let mut values = values.chain(source.selected).chain([""]);
            let value = values.find(|value| *value == selected);
            value.unwrap_or_else(|| panic!("a value from nowhere: {selected}"))
        });
        let fields = self.members.iter().map(|member| member.0);
        let set_members = fields.filter(|field| json.get(field).is_some());
        Object {
            selected,
            set_members: set_members.collect(),
        }
    }

    /// Returns true if the type can read the object.
    pub(crate) fn is_readable(&self, object: &Object) -> bool {
        self.union()
            .is_readable(&model_object_to_json(self, object))
    }

    /// Returns the object that results from reading and writing the object.
    pub(crate) fn read(&self, object: &Object) -> Object {
        let defaulted = self
            .union()
            .apply_default(&model_object_to_json(self, object));
        self.object(&defaulted, object)
    }

    pub(crate) fn normalize(&self, new: &Object, old: Option<&Object>) -> Normalized {
        let old = old.map(|old| model_object_to_json(self, old));
        let result = self
            .union()
            .normalize(&model_object_to_json(self, new), old.as_ref());
        Normalized {
            object: self.object(&result.object, new),
            cleared: result.cleared,
            is_set: result.is_set,
        }
    }

    /// Returns the violations of the object on a create.
    pub(crate) fn validate(&self, object: &Object) -> Vec<FieldViolation<'static>> {
        self.union().validate(&model_object_to_json(self, object))
    }

    pub(crate) fn validate_update(
        &self,
        new: &Object,
        old: &Object,
        tolerance: Tolerance,
    ) -> Verdict<'static> {
        let [new, old] = [new, old].map(|object| model_object_to_json(self, object));
        self.union().validate_update(&new, &old, tolerance)
    }
}
