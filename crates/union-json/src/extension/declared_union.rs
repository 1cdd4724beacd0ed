//! Unions of third-party types that are declared at run time.

use crate::extension::property_schemas::{empty_value_message, new_member};
use union_runtime::spec::MAX_VALUES;
use union_runtime::spec::{OwnedDiscriminator, OwnedUnionSpec};
use union_runtime::{ExtensionShape, UnionModel};

/// A union of a third-party type that is declared at run time, for
/// [`Compiler::declared_union_at`](crate::Compiler::declared_union_at). Use
/// [`union_spec!`](crate::union_spec) to declare a union at compile time.
///
/// ```
/// use serde_json::json;
/// use union_json::{DeclaredUnion, SchemaSource, Unions};
///
/// let source = DeclaredUnion::exactly_one().member("git", "git").member("bucket", "bucket");
/// let compiler = Unions::compiler().declared_union_at("/properties/source", &source);
/// let unions = compiler.compile(SchemaSource::WithoutSchema)?;
/// let report = unions.validate(&json!({"source": {}}));
/// assert!(report.to_string().starts_with("source: Invalid value"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeclaredUnion {
    discriminator: Option<String>,
    is_required: bool,
    is_open: bool,
    model: UnionModel,
    values: Vec<String>,
    members: Vec<DeclaredMember>,
}

/// A member of a [`DeclaredUnion`].
#[derive(Clone, Debug)]
struct DeclaredMember {
    value: String,
    field: String,
    is_optional: bool,
}

impl DeclaredUnion {
    /// Creates a union whose member is selected by a discriminator with this name. The
    /// discriminator is required.
    #[must_use]
    pub fn discriminated(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), UnionModel::Discriminated)
    }

    /// Creates a union of which at most one member is set. A discriminator with this name follows
    /// the members (2019 model).
    #[must_use]
    pub fn deduced(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), UnionModel::AtMostOne)
    }

    /// Creates a union without a discriminator, of which at most one member is set.
    #[must_use]
    pub const fn at_most_one() -> Self {
        Self::new(None, UnionModel::AtMostOne)
    }

    /// Creates a union without a discriminator, of which exactly one member is set.
    #[must_use]
    pub const fn exactly_one() -> Self {
        Self::new(None, UnionModel::ExactlyOne)
    }

    const fn new(discriminator: Option<String>, model: UnionModel) -> Self {
        Self {
            discriminator,
            is_required: true,
            is_open: false,
            model,
            values: Vec::new(),
            members: Vec::new(),
        }
    }

    /// Makes the discriminator optional.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.is_required = false;
        self
    }

    /// Makes the discriminator open: other strings than the listed values are valid too, and do not
    /// select a member.
    #[must_use]
    pub const fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Adds a discriminator value that does not select a member.
    #[must_use]
    pub fn empty_member(mut self, value: impl Into<String>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Adds a member: a discriminator value, and the field that the value selects.
    #[must_use]
    pub fn member(self, value: impl Into<String>, field: impl Into<String>) -> Self {
        self.add_member(value.into(), field.into(), false)
    }

    /// Adds a member that may be unset when it is selected.
    #[must_use]
    pub fn optional_member(self, value: impl Into<String>, field: impl Into<String>) -> Self {
        self.add_member(value.into(), field.into(), true)
    }

    fn add_member(mut self, value: String, field: String, is_optional: bool) -> Self {
        self.values.push(value.clone());
        self.members.push(DeclaredMember {
            value,
            field,
            is_optional,
        });
        self
    }

    /// Converts the union to the form that normalization and validation use. The default of an
    /// absent discriminator is not known yet, because it is in the schema.
    pub(crate) fn to_owned_spec(&self) -> Result<OwnedUnionSpec, String> {
        let is_discriminated = self.model == UnionModel::Discriminated;
        let mut values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        if values.len() > MAX_VALUES {
            // Values that select a member come first, because only the first 64 values can select a
            // member.
            let has_member = |value: &str| self.members.iter().any(|member| member.value == value);
            values.sort_by_key(|value| !has_member(value));
        }
        let mut members = Vec::new();
        for (i, member) in self.members.iter().enumerate() {
            if is_discriminated && member.value.is_empty() {
                return Err(empty_value_message(&member.field));
            }
            let position = values.iter().position(|value| *value == member.value);
            let position = position.filter(|_| is_discriminated).unwrap_or(i);
            let is_optional = member.is_optional || !is_discriminated;
            members.push(new_member(
                &member.field,
                &member.value,
                position,
                is_optional,
            )?);
        }
        let discriminator = self.discriminator.as_ref().map(|name| match self.model {
            UnionModel::Discriminated => {
                let spec = OwnedDiscriminator::from_values(name.as_str(), values, self.is_required);
                if self.is_open {
                    spec.with_open_values()
                } else {
                    spec
                }
            }
            _ => OwnedDiscriminator::any_string(name.as_str()),
        });
        let shape = if is_discriminated {
            ExtensionShape::V2022
        } else {
            ExtensionShape::V2019
        };
        Ok(OwnedUnionSpec::new(
            discriminator,
            members,
            self.model,
            shape,
        ))
    }
}
