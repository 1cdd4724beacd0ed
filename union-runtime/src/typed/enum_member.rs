//! What a variant of a union that is a Rust enum can hold.

use serde::de::DeserializeOwned;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::enum_form::UnionEnum;

/// What serde reads, without borrowing, and writes. One trait, so that a type which serde does not know is one error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member: serde does not read and write it",
    label = "this type does not implement `Serialize` and `DeserializeOwned`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to it; types that borrow from what they read cannot be kept"
)]
pub trait EnumMember: Sized {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// Those of the type.
    fn read(value: &Value) -> serde_json::Result<Self>;

    /// Reads it where it is there.
    ///
    /// # Errors
    ///
    /// Those of the type.
    fn read_optional(value: &Value) -> serde_json::Result<Option<Self>> {
        match value {
            Value::Null => Ok(None),
            value => Self::read(value).map(Some),
        }
    }

    /// It, as it was in an old object that could not be read as a whole.
    #[must_use]
    fn of_old<T: UnionEnum>(name: &str, old: Option<&T>) -> Option<Self> {
        let value = old?.raw()?.object().get(name);
        Self::read_optional(value?).ok()?
    }

    /// Writes a variant: an object with the discriminator and the member, as far as they are there.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn write<S: Serializer>(
        discriminator: Option<(&'static str, &'static str)>,
        member: Option<(&'static str, &Self)>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>;
}

#[diagnostic::do_not_recommend]
impl<M: Serialize + DeserializeOwned> EnumMember for M {
    fn read(value: &Value) -> serde_json::Result<Self> {
        Self::deserialize(value)
    }

    fn write<S: Serializer>(
        discriminator: Option<(&'static str, &'static str)>,
        member: Option<(&'static str, &Self)>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let length = usize::from(discriminator.is_some()) + usize::from(member.is_some());
        let mut object = serializer.serialize_map(Some(length))?;
        if let Some((name, value)) = discriminator {
            object.serialize_entry(name, value)?;
        }
        if let Some((name, member)) = member {
            object.serialize_entry(name, member)?;
        }
        object.end()
    }
}
