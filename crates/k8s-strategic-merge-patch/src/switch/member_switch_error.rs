//! The error of a switch of a union of a JSON object.

use core::fmt;

use union_runtime::Violation;
use union_runtime::path::FieldPath;

use crate::error::PatchError;

/// The reason why a union of a JSON object cannot be switched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MemberSwitchError {
    /// The path does not lead to an object with a union.
    #[non_exhaustive]
    NoUnion {
        /// The path.
        path: FieldPath,
        /// The paths of the unions of the live object.
        unions: Vec<FieldPath>,
    },
    /// The union does not have the member.
    #[non_exhaustive]
    UnknownMember {
        /// The path of the union.
        path: FieldPath,
        /// The member to switch to.
        member: String,
        /// The names that the member may have: fields, and discriminator values.
        allowed: Vec<String>,
    },
    /// Several unions of the object have the discriminator value.
    #[non_exhaustive]
    AmbiguousValue {
        /// The path of the unions.
        path: FieldPath,
        /// The discriminator value.
        value: String,
        /// The discriminators of the unions.
        discriminators: Vec<String>,
    },
    /// The member needs a value, and the live object has none.
    #[non_exhaustive]
    MissingValue {
        /// The path of the member.
        path: FieldPath,
    },
    /// A value is given for a discriminator value that has no member.
    #[non_exhaustive]
    UnexpectedValue {
        /// The path of the union.
        path: FieldPath,
        /// The discriminator value.
        value: String,
    },
    /// The union is invalid after the switch, for example because of a union in the new value.
    #[non_exhaustive]
    Invalid {
        /// The errors about the union.
        errors: Vec<Violation>,
    },
    /// The patch does not have the wanted result.
    #[non_exhaustive]
    NotExpressible {
        /// The path of the union.
        path: FieldPath,
        /// The form of the patch.
        form: &'static str,
    },
    /// No patch can be created for the object.
    Patch(PatchError),
}

impl From<PatchError> for MemberSwitchError {
    fn from(error: PatchError) -> Self {
        Self::Patch(error)
    }
}

/// The number of unions that a message names.
const MAX_PRINTED_UNIONS: usize = 10;

impl fmt::Display for MemberSwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnion { path, unions } => {
                write!(f, "{}: no union has this path; ", place(path))?;
                write_paths_of_unions(f, unions)
            }
            Self::UnknownMember {
                path,
                member,
                allowed,
            } => {
                let allowed = allowed.join(", ");
                let place = place(path);
                write!(
                    f,
                    "{place}: unknown member {member:?}; use one of: {allowed}"
                )
            }
            Self::AmbiguousValue {
                path,
                value,
                discriminators,
            } => write!(
                f,
                "{}: {value:?} is a value of several discriminators: {}; use the name of a member",
                place(path),
                discriminators.join(", ")
            ),
            Self::MissingValue { path } => {
                write!(
                    f,
                    "{path}: the live object has no value; pass the value of the member"
                )
            }
            Self::UnexpectedValue { path, value } => {
                let place = place(path);
                write!(f, "{place}: {value:?} has no member; remove the value")
            }
            Self::Invalid { errors } => {
                f.write_str("the union is invalid after the switch: ")?;
                for (i, error) in errors.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "; " };
                    write!(f, "{separator}{error}")?;
                }
                Ok(())
            }
            Self::NotExpressible { path, form } => write!(
                f,
                "{}: no {form} has exactly this result; replace the object instead",
                place(path)
            ),
            Self::Patch(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MemberSwitchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Patch(error) => Some(error),
            _ => None,
        }
    }
}

fn write_paths_of_unions(f: &mut fmt::Formatter<'_>, unions: &[FieldPath]) -> fmt::Result {
    if unions.is_empty() {
        return f.write_str("the object has no value with a union; correct the path");
    }
    let printed: Vec<&str> = unions.iter().map(place).take(MAX_PRINTED_UNIONS).collect();
    write!(f, "the unions of the object are at {}", printed.join(", "))?;
    match unions.len().saturating_sub(MAX_PRINTED_UNIONS) {
        0 => Ok(()),
        more => write!(f, " and {more} more paths"),
    }
}

fn place(path: &FieldPath) -> &str {
    if path.is_root() {
        "the object"
    } else {
        path.as_str()
    }
}
