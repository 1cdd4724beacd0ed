//! Unions of third-party types that are declared at run time.

use crate::extension::property::{member_of, selects_nothing};
use union_runtime::spec::MOST_VALUES;
use union_runtime::spec::{OwnedDiscriminator, OwnedUnionSpec};
use union_runtime::{Arity, Shape};

/// A union of a third-party type that is declared at run time, for
/// [`Compiler::declared_at`](crate::Compiler::declared_at). [`union_spec!`](crate::union_spec)
/// declares such a union at compile time.
///
/// ```
/// use serde_json::json;
/// use union_json::{DeclaredUnion, Source, Unions};
///
/// let source = DeclaredUnion::exactly_one().member("git", "git").member("bucket", "bucket");
/// let compiler = Unions::compiler().declared_at("/properties/source", &source);
/// let unions = compiler.compile(Source::Places)?;
/// let report = unions.validate(&json!({"source": {}}));
/// assert!(report.to_string().starts_with("source: Invalid value"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeclaredUnion {
    discriminator: Option<String>,
    required: bool,
    open: bool,
    arity: Arity,
    values: Vec<String>,
    members: Vec<DeclaredMember>,
}

#[derive(Clone, Debug)]
struct DeclaredMember {
    value: String,
    field: String,
    optional: bool,
}

impl DeclaredUnion {
    /// Returns a union whose member is selected by a discriminator with this name. The
    /// discriminator is required.
    #[must_use]
    pub fn discriminated(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), Arity::Selected)
    }

    /// Returns a union of which at most one member is set. A discriminator with this name follows
    /// the members (the 2019 model).
    #[must_use]
    pub fn deduced(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), Arity::AtMostOne)
    }

    /// Returns a union without a discriminator, of which at most one member is set.
    #[must_use]
    pub const fn at_most_one() -> Self {
        Self::new(None, Arity::AtMostOne)
    }

    /// Returns a union without a discriminator, of which exactly one member is set.
    #[must_use]
    pub const fn exactly_one() -> Self {
        Self::new(None, Arity::ExactlyOne)
    }

    const fn new(discriminator: Option<String>, arity: Arity) -> Self {
        Self {
            discriminator,
            required: true,
            open: false,
            arity,
            values: Vec::new(),
            members: Vec::new(),
        }
    }

    /// Returns the union with a discriminator that may be absent.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Returns the union with an open discriminator: other strings than the listed values are valid
    /// too, and do not select a member.
    #[must_use]
    pub const fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// Returns the union with one more discriminator value, which does not select a member.
    #[must_use]
    pub fn empty_member(mut self, value: impl Into<String>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Returns the union with one more member: a discriminator value, and the field that the value
    /// selects.
    #[must_use]
    pub fn member(self, value: impl Into<String>, field: impl Into<String>) -> Self {
        self.with(value.into(), field.into(), false)
    }

    /// Returns the union with one more member, which may be unset when it is selected.
    #[must_use]
    pub fn optional_member(self, value: impl Into<String>, field: impl Into<String>) -> Self {
        self.with(value.into(), field.into(), true)
    }

    fn with(mut self, value: String, field: String, optional: bool) -> Self {
        self.values.push(value.clone());
        self.members.push(DeclaredMember {
            value,
            field,
            optional,
        });
        self
    }

    /// Returns the union in the form that normalization and validation use, without the default of
    /// an absent discriminator, which is in the schema.
    pub(crate) fn owned(&self) -> Result<OwnedUnionSpec, String> {
        let is_selected = self.arity == Arity::Selected;
        let mut values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        if values.len() > MOST_VALUES {
            // Values that select a member come first, because only the first 64 values can select a
            // member.
            let has_member = |value: &str| self.members.iter().any(|member| member.value == value);
            values.sort_by_key(|value| !has_member(value));
        }
        let mut members = Vec::new();
        for (number, member) in self.members.iter().enumerate() {
            if is_selected && member.value.is_empty() {
                return Err(selects_nothing(&member.field));
            }
            let position = values.iter().position(|value| *value == member.value);
            let position = position.filter(|_| is_selected).unwrap_or(number);
            let optional = member.optional || !is_selected;
            members.push(member_of(&member.field, &member.value, position, optional)?);
        }
        let discriminator = self.discriminator.as_ref().map(|name| match self.arity {
            Arity::Selected => {
                let listed = OwnedDiscriminator::listed(name.as_str(), values, self.required);
                if self.open { listed.opened() } else { listed }
            }
            _ => OwnedDiscriminator::text(name.as_str()),
        });
        let shape = if is_selected {
            Shape::V2022
        } else {
            Shape::V2019
        };
        Ok(OwnedUnionSpec::new(
            discriminator,
            members,
            self.arity,
            shape,
        ))
    }
}
