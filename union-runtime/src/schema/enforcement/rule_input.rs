//! The input of rule generation.

use crate::union_spec::owned::{OwnedDiscriminator, OwnedUnionSpec};
use crate::union_spec::{
    DiscriminatorSpec, Enforcement, ExtensionShape, MemberSpec, OwnedMember, UnionModel, UnionSpec,
};
use k8s_json_internals::{cel_name::escape_identifier, free_json::has_unknown_type};
use serde_json::Value;

/// A union, with the facts from the schema to which the rules are added.
pub(super) struct RuleInput<'a> {
    pub(super) spec: UnionSpec<'a>,
    /// The members, in the order of their values if the discriminator selects the member, otherwise
    /// in source order.
    pub(super) members: Vec<MemberSpec<'a>>,
    /// The value that an absent discriminator counts as: the default in the schema, or `""` if
    /// there is no default and `""` is a value (`docs/design.md`, "State").
    pub(super) default_value: Option<&'a str>,
    /// The properties of the object.
    properties: &'a Value,
}

/// Reads a union from the extension in the 2022 shape, which is on the property of its
/// discriminator. Returns `None` if the extension is malformed.
pub(super) fn read_extension(
    name: &str,
    property: &Value,
    extension: &Value,
) -> Option<OwnedUnionSpec> {
    let fields = extension.get("fieldMembers")?.as_object()?;
    let values = property["enum"].as_array().into_iter().flatten();
    let values: Vec<&str> = values.filter_map(Value::as_str).collect();
    let members = values.iter().enumerate().filter_map(|(position, value)| {
        let member = fields.get(*value)?;
        let name = member.get("name")?.as_str()?;
        OwnedMember::new(name, *value, position, member["optional"] == true)
    });
    let members = members.collect();
    let discriminator = OwnedDiscriminator::from_values(name, values, true);
    Some(OwnedUnionSpec::new(
        Some(discriminator),
        members,
        UnionModel::Discriminated,
        ExtensionShape::V2022,
    ))
}

impl<'a> RuleInput<'a> {
    /// Creates the input from a union and the properties of the object.
    pub(super) fn new(spec: UnionSpec<'a>, properties: &'a Value) -> Self {
        let mut members: Vec<MemberSpec<'_>> = spec.members().collect();
        if spec.is_selected_by_discriminator() {
            members.sort_by_key(|member| member.value_index());
        }
        let discriminator = spec.discriminator();
        let property = discriminator.and_then(|field| properties.get(field.name()));
        let default = property.and_then(|property| property.get("default")?.as_str());
        let empty_value = discriminator.filter(|field| field.values().contains(""));
        Self {
            spec,
            members,
            default_value: default.or(empty_value.map(|_| "")),
            properties,
        }
    }

    /// Returns the name of the discriminator.
    pub(super) fn discriminator(&self) -> Option<&'a str> {
        self.spec.discriminator().map(DiscriminatorSpec::name)
    }

    /// Returns true if every string is a valid value of the discriminator.
    pub(super) fn is_open(&self) -> bool {
        let discriminator = self.spec.discriminator();
        discriminator.is_some_and(DiscriminatorSpec::is_open)
    }

    /// Returns the values of the discriminator that have no member.
    pub(super) fn memberless_values(&self) -> Vec<&'a str> {
        let discriminator = self.spec.discriminator().into_iter();
        let values = discriminator.flat_map(|field| field.values().iter().enumerate());
        let values = values.filter(|(i, _)| self.spec.member_for_value(*i).is_none());
        values.map(|(_, value)| value).collect()
    }

    /// Returns true if `""` is a listed value of the discriminator.
    fn has_empty_value(&self) -> bool {
        let discriminator = self.spec.discriminator();
        discriminator.is_some_and(|discriminator| discriminator.values().contains(""))
    }

    /// Returns true if the discriminator may be `""`, which selects nothing. If the discriminator
    /// follows the members, a stored object may have `""` even if the enum does not contain it.
    /// Rules that tolerate old errors also validate stored objects.
    pub(super) fn allows_empty(&self) -> bool {
        let may_be_stored = self.spec.enforcement() == Enforcement::CelSameReason
            && !self.spec.is_selected_by_discriminator();
        may_be_stored || self.is_open() || self.has_empty_value()
    }

    /// Returns the name of the property that has the mark of the union.
    pub(super) fn marked_property(&self) -> Option<&'a str> {
        self.discriminator().or_else(|| self.member_names().next())
    }

    /// Returns the field, or `None` if CEL has no name for the field.
    pub(super) fn field(&self, name: &'a str) -> Option<CelField<'a>> {
        Some(CelField {
            name,
            cel: escape_identifier(name)?,
            object: if has_unknown_type(&self.properties[name]) {
                "dyn(self)"
            } else {
                "self"
            },
        })
    }

    /// Returns the names of the members, in the order of `members`.
    pub(super) fn member_names(&self) -> impl Iterator<Item = &'a str> {
        self.members.iter().map(|member| member.name())
    }
}

/// A field: its JSON name and its name in CEL.
pub(super) struct CelField<'a> {
    pub(super) name: &'a str,
    pub(super) cel: String,
    /// The CEL expression of the object: `dyn(self)` if the schema does not have the type of the
    /// field, because CEL rejects such a field of `self`.
    object: &'static str,
}

impl CelField<'_> {
    /// Returns the expression that is true if the field is set.
    pub(super) fn is_set(&self) -> String {
        format!("has({}.{})", self.object, self.cel)
    }
}

/// A member, with the data from which its rule is created.
pub(super) struct MemberRule<'r> {
    pub(super) union: &'r RuleInput<'r>,
    pub(super) discriminator: &'r CelField<'r>,
    pub(super) member: &'r MemberSpec<'r>,
    pub(super) field: CelField<'r>,
}
