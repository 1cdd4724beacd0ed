//! Unions of types that belong to others, known when the program runs.

use crate::extension::property::{member_of, selects_nothing};
use union_runtime::view::MOST_VALUES;
use union_runtime::view::{OwnedDiscriminator, OwnedUnionSpec};
use union_runtime::{Arity, Shape};

/// A union of a type that belongs to others, put together when the program runs: what
/// [`union_spec!`](crate::union_spec) writes down when it is compiled. It goes to
/// [`Compiler::declared_at`](crate::Compiler::declared_at).
///
/// ```
/// use serde_json::json;
/// use union_runtime::Settings;
/// use union_json::{DeclaredUnion, Unions};
///
/// let source = DeclaredUnion::exactly_one().member("git", "git").member("bucket", "bucket");
/// let unions = Unions::compiler().declared_at("/properties/source", &source).places()?;
/// let refused = unions.validate(&json!({"source": {}}), &Settings::default()).unwrap_err();
/// assert!(refused.to_string().starts_with("source: Invalid value"));
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
    /// Selected by the discriminator of this name, which is required.
    #[must_use]
    pub fn discriminated(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), Arity::Selected)
    }

    /// At most one is set, and the discriminator of this name follows (the 2019 model).
    #[must_use]
    pub fn deduced(name: impl Into<String>) -> Self {
        Self::new(Some(name.into()), Arity::AtMostOne)
    }

    /// At most one is set; there is no discriminator.
    #[must_use]
    pub const fn at_most_one() -> Self {
        Self::new(None, Arity::AtMostOne)
    }

    /// One is set; there is no discriminator.
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

    /// The same, and the discriminator may be absent.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// The same, and texts that are not listed are values of the discriminator too, without a member.
    #[must_use]
    pub const fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// The same with a value that has no field.
    #[must_use]
    pub fn empty_member(mut self, value: impl Into<String>) -> Self {
        self.values.push(value.into());
        self
    }

    /// The same with a member.
    #[must_use]
    pub fn member(self, value: impl Into<String>, field: impl Into<String>) -> Self {
        self.with(value.into(), field.into(), false)
    }

    /// The same with a member that may be selected and unset.
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

    /// The union as the rules read it; what absence stands for is in the schema.
    pub(crate) fn owned(&self) -> Result<OwnedUnionSpec, String> {
        let is_selected = self.arity == Arity::Selected;
        let mut values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        if values.len() > MOST_VALUES {
            // Those with a member have bits.
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
