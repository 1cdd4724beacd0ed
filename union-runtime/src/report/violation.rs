//! The errors of an object. `Display` prints each message as Kubernetes does.

use crate::path::FieldPath;
use core::fmt;
use core::ops::Range;
use core::panic::{RefUnwindSafe, UnwindSafe};
use k8s_json_internals::{number::JsonNumber, print::GoJson, quote::GoQuoted};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

/// An error of an object: its kind, its path, the value at the path, and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Violation {
    kind: ViolationKind,
    pub(super) path: FieldPath,
    value: BadValue,
    detail: Detail,
}

/// The value that was found at the path of a violation.
///
/// Strings, numbers, `bool` and JSON values convert into this type. They are printed as on an API
/// server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadValue {
    /// No value. The message does not contain the value.
    Omitted,
    /// A string, printed in quotes.
    Quoted(String),
    /// The printed form of any other value.
    Formatted(String),
}

impl From<&str> for BadValue {
    fn from(string: &str) -> Self {
        Self::Quoted(string.to_owned())
    }
}

impl From<String> for BadValue {
    fn from(string: String) -> Self {
        Self::Quoted(string)
    }
}

macro_rules! bad_value_as_formatted {
    ($($scalar:ty)*) => {$(
        impl From<$scalar> for BadValue {
            fn from(value: $scalar) -> Self {
                Self::Formatted(value.to_string())
            }
        }
    )*};
}

bad_value_as_formatted!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl From<f64> for BadValue {
    fn from(number: f64) -> Self {
        Self::Formatted(JsonNumber::Float(number).to_string())
    }
}

impl From<&Value> for BadValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(string) => Self::Quoted(string.clone()),
            Value::Number(number) => Self::Formatted(JsonNumber::from_number(number).to_string()),
            value => Self::Formatted(GoJson(value).to_string()),
        }
    }
}

/// The kind of an error: an error type of Kubernetes' field errors (`k8s.io/apimachinery`,
/// `pkg/util/validation/field`). Errors of unions have the first three kinds, or `TypeInvalid` for
/// a discriminator that is not a string. The other kinds occur in errors of whole custom resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// The rest of the object does not allow the value of the field.
    Invalid,
    /// The value of the field is not a value of its enum type.
    NotSupported,
    /// A required field is absent.
    Required,
    /// The value of the field has the wrong type or the wrong format.
    TypeInvalid,
    /// The list contains the same element twice.
    Duplicate,
    /// The field must be absent, or must not have this value.
    Forbidden,
    /// The string is too long.
    TooLong,
    /// The list or map has too many elements.
    TooMany,
    /// The check itself failed.
    Internal,
    /// The object cannot be decoded. The response has code 400.
    BadRequest,
}

impl ViolationKind {
    /// Returns the `reason` that the `causes` of a Kubernetes `Status` contain for this kind.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.reason_and_label()[0]
    }

    /// Returns the reason, and the label at the beginning of the message.
    const fn reason_and_label(self) -> [&'static str; 2] {
        match self {
            Self::Invalid => ["FieldValueInvalid", "Invalid value"],
            Self::NotSupported => ["FieldValueNotSupported", "Unsupported value"],
            Self::Required => ["FieldValueRequired", "Required value"],
            Self::TypeInvalid => ["FieldValueTypeInvalid", "Invalid value"],
            Self::Duplicate => ["FieldValueDuplicate", "Duplicate value"],
            Self::Forbidden => ["FieldValueForbidden", "Forbidden"],
            Self::TooLong => ["FieldValueTooLong", "Too long"],
            Self::TooMany => ["FieldValueTooMany", "Too many"],
            Self::Internal => ["InternalError", "Internal error"],
            Self::BadRequest => ["BadRequest", "Invalid value"],
        }
    }
}

impl Violation {
    pub(crate) const fn new(
        kind: ViolationKind,
        path: FieldPath,
        value: BadValue,
        detail: Detail,
    ) -> Self {
        Self {
            kind,
            path,
            value,
            detail,
        }
    }

    /// Creates a violation of any kind with any detail, for validators with their own messages,
    /// such as a validator of schemas. The other constructors write the detail as Kubernetes does.
    pub const fn from_parts(
        kind: ViolationKind,
        path: FieldPath,
        value: BadValue,
        detail: String,
    ) -> Self {
        Self::new(kind, path, value, Detail::Message(detail))
    }

    /// Sets the [`rule`](Self::rule), which must be the beginning or the end of the detail. The
    /// other part of the detail contains the path.
    pub fn with_rule(mut self, rule: &str) -> Self {
        if let Detail::Message(string) = &mut self.detail {
            let is_end = string.ends_with(rule);
            let end = if is_end { string.len() } else { rule.len() };
            if let (Ok(start), Ok(end)) = (u32::try_from(end - rule.len()), u32::try_from(end)) {
                self.detail = Detail::MessageWithRule(core::mem::take(string), start..end);
            }
        }
        self
    }

    /// Sets the path.
    pub fn with_path(mut self, path: FieldPath) -> Self {
        self.path = path;
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ViolationKind {
        self.kind
    }

    /// Returns the path of the invalid field, such as `spec.strategy.rollingUpdate`.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the value that was found, as Kubernetes reports it. For unions, the value is the
    /// string of the discriminator, `""` for a member, or `{a, b}` for several set members. Returns
    /// `None` if the message does not contain the value.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        match &self.value {
            BadValue::Omitted => None,
            BadValue::Quoted(string) | BadValue::Formatted(string) => Some(string),
        }
    }

    /// Returns the part of the message after the kind and the value. For unions, this part contains
    /// the allowed values and the remedy. Returns `""` if the message has no such part.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.message()
    }

    /// Returns the broken rule: the [`detail`](Self::detail) without the path, which some messages
    /// of API servers contain.
    ///
    /// Two errors are the same if their kind, path, value and rule are equal. The details of the
    /// same error may differ, because a request to `/status` prints another path.
    #[must_use]
    pub fn rule(&self) -> &str {
        self.detail.rule()
    }

    /// Returns the message without the path: the `message` of a cause in a Kubernetes `Status`.
    #[must_use]
    pub fn message(&self) -> String {
        ErrorBody(self).to_string()
    }

    /// Returns the path as Kubernetes prints it: the path of the object itself is `<nil>`.
    fn field(&self) -> &str {
        match self.path.as_str() {
            "" => "<nil>",
            path => path,
        }
    }

    /// Returns the entry for the `causes` of a Kubernetes `Status`: `{reason, message, field}`.
    #[must_use]
    pub fn cause(&self) -> Value {
        json!({ "reason": self.kind.reason(), "message": self.message(), "field": self.field() })
    }
}

/// Serializes the violation as `{"field", "text", "type"}`: the path (`<nil>` for the object
/// itself), the whole message with the path, and the [`reason`](ViolationKind::reason).
impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Violation", 3)?;
        object.serialize_field("field", self.field())?;
        object.serialize_field("text", &format_args!("{self}"))?;
        object.serialize_field("type", self.kind.reason())?;
        object.end()
    }
}

/// Prints the path and the message: the kind, the value and the detail.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // If the object as a whole cannot be decoded, an API server reports the detail alone.
        if self.kind == ViolationKind::BadRequest && self.path.is_root() {
            return f.write_str(self.detail());
        }
        write!(f, "{}: {}", self.field(), ErrorBody(self))
    }
}

/// The message of a violation, without the path.
struct ErrorBody<'a>(&'a Violation);

impl fmt::Display for ErrorBody<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation {
            kind,
            value,
            detail,
            ..
        } = self.0;
        let [_, label] = kind.reason_and_label();
        f.write_str(label)?;
        match value {
            BadValue::Omitted => {}
            BadValue::Quoted(string) => write!(f, ": {}", GoQuoted(string))?,
            BadValue::Formatted(string) => {
                f.write_str(": ")?;
                f.write_str(string)?;
            }
        }
        match detail.message() {
            "" => Ok(()),
            string => write!(f, ": {string}"),
        }
    }
}

/// A detail whose message is created when it is first read.
pub(crate) trait DetailMessage: Send + Sync + UnwindSafe + RefUnwindSafe {
    fn message(&self) -> &str;
}

/// The detail of a violation.
#[derive(Clone)]
pub(crate) enum Detail {
    Message(String),
    /// A message that contains the path, and the range of the rule in the message.
    MessageWithRule(String, Range<u32>),
    /// A message that is created when it is first read. A violation that is never printed then
    /// takes a quarter of the instructions (1,629 instead of 6,712, `tests/benches/README.md`).
    /// Every valid object drops an empty list of violations, so the drop code of this type must be
    /// small. With the `Arc`, the drop code is a call.
    Lazy(Arc<dyn DetailMessage>),
}

impl Detail {
    pub(super) fn message(&self) -> &str {
        match self {
            Self::Message(string) | Self::MessageWithRule(string, _) => string,
            Self::Lazy(lazy) => lazy.message(),
        }
    }

    pub(super) fn rule(&self) -> &str {
        match self {
            Self::MessageWithRule(string, Range { start, end }) => {
                let range = *start as usize..*end as usize;
                string.get(range).unwrap_or(string)
            }
            detail => detail.message(),
        }
    }
}

impl PartialEq for Detail {
    fn eq(&self, other: &Self) -> bool {
        self.message() == other.message()
    }
}

impl Eq for Detail {}

impl fmt::Debug for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}
