//! Objects that fit no variant of an enum.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::mem;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};

use super::unknown::UnknownMembers;
use crate::generated::enum_form::EnumForm;
use crate::path::Path;
use crate::report::violation::Violation;
use crate::rules::validate::{FailureInUnion, rule_failures};
use crate::union_spec::{MemberSpec, UnionSpec};
use crate::view::{RawReason, State};
use k8s_json_internals::{normalized_numbers::NormalizedNumbers, quote::GoQuoted};

/// A JSON object that fits no variant of an enum with
/// [`#[derive(UnionEnum)]`](macro@crate::UnionEnum). The object is kept. It is serialized as an API
/// server stores it: `1.0` becomes `1`, numbers beyond 64 bits become the nearest float, and
/// everything else is unchanged.
///
/// Deserialization and [`UnionEnum::from_object`](crate::UnionEnum::from_object) create this type.
/// `Display` prints the reason as validation does. Two values are equal if their objects are equal.
/// The object is kept as JSON data: without the feature `preserve_order` of `serde_json`, the order
/// of keys is lost, and of duplicate keys inside a member only one is kept.
///
/// If a struct flattens the enum, serialization is an error unless the enum has the attribute
/// `flattened`, because the object may have had other fields. A string that an enum with
/// `read_also = "external"` does not know is serialized as the same string.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{RawUnion, UnionEnum, RawUnionReason};
///
/// #[derive(Serialize, Deserialize)]
/// struct S3 { bucket: String }
///
/// #[derive(UnionEnum)]
/// #[union(discriminator = "type", schema = false)]
/// enum Target {
///     S3(S3),
///     #[union(other)]
///     Other(RawUnion),
/// }
///
/// let json = r#"{"type":"Tape","tape":{"drive":1}}"#;
/// let target: Target = serde_json::from_str(json)?;
/// let Target::Other(raw) = &target else { panic!("`Tape` is not known here") };
/// assert_eq!(raw.reason(), RawUnionReason::UnknownValue("Tape"));
/// assert_eq!(raw.to_string(), r#"type: Unsupported value: "Tape": supported values: "S3""#);
/// assert_eq!(raw.object()["tape"]["drive"], 1);
/// assert_eq!(serde_json::to_value(&target)?, serde_json::from_str::<serde_json::Value>(json)?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawUnion(Box<RawObject>);

/// The content of a [`RawUnion`]: the object, the reason, and the description of the enum.
#[derive(Clone)]
pub(crate) struct RawObject {
    object: Map<String, Value>,
    reason: RawReason,
    form: &'static EnumForm,
    spec: &'static UnionSpec<'static>,
    /// True if the object may have had other fields.
    is_incomplete: bool,
    /// The string that was deserialized instead of an object.
    string: Option<Box<str>>,
}

/// The reason why an object fits no variant of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawUnionReason<'a> {
    /// The discriminator has this value, which this build does not know. A newer build may know the
    /// value.
    UnknownValue(&'a str),
    /// The union has no discriminator, no known member is set, and the object has this field, which
    /// this build does not know. A newer build may know the field.
    UnknownMember(&'a str),
    /// The union is invalid, and validation reports the errors.
    Invalid,
    /// The selected member cannot be deserialized. The string is the error of serde. Either the
    /// object or the Rust type of the member is wrong.
    Unreadable(&'a str),
}

impl RawUnion {
    pub(crate) fn new(
        object: Map<String, Value>,
        reason: RawReason,
        form: &'static EnumForm,
        spec: &'static UnionSpec<'static>,
    ) -> Self {
        Self(Box::new(RawObject {
            object,
            reason,
            form,
            spec,
            is_incomplete: false,
            string: None,
        }))
    }

    /// Replaces the object by the object that was deserialized, which has another form.
    pub(crate) fn with_object(mut self, object: Map<String, Value>) -> Self {
        self.0.object = object;
        self
    }

    /// Records the string that was deserialized instead of the object.
    pub(crate) fn with_string(mut self, string: &str) -> Self {
        self.0.string = Some(string.into());
        self
    }

    /// Records if the object may have had other fields.
    pub(crate) fn with_incomplete(mut self, is_incomplete: bool) -> Self {
        self.0.is_incomplete = is_incomplete;
        self
    }

    /// Returns the object, as it was deserialized or passed to
    /// [`UnionEnum::from_object`](crate::UnionEnum::from_object).
    #[must_use]
    pub fn object(&self) -> &Map<String, Value> {
        &self.0.object
    }

    /// Converts the value into its [`object`](Self::object).
    #[must_use]
    pub fn into_object(self) -> Map<String, Value> {
        self.0.object
    }

    /// Returns the reason why the object fits no variant of the enum.
    #[must_use]
    pub fn reason(&self) -> RawUnionReason<'_> {
        match &self.0.reason {
            RawReason::UnknownValue => self
                .discriminator()
                .map_or(RawUnionReason::Invalid, RawUnionReason::UnknownValue),
            RawReason::UnknownMember(name) => RawUnionReason::UnknownMember(name),
            RawReason::Invalid => RawUnionReason::Invalid,
            RawReason::Unreadable(unreadable) => RawUnionReason::Unreadable(&unreadable.error),
        }
    }

    /// Returns the value of the discriminator, if the value is a string.
    pub(crate) fn discriminator(&self) -> Option<&str> {
        let name = self.0.spec.discriminator()?.name();
        self.object().get(name)?.as_str()
    }

    /// Returns the state of the object in the enum with this form. This is usually the enum that
    /// read the object, but the object may have been moved into another enum.
    pub(crate) fn state(&self, form: &EnumForm, spec: &UnionSpec<'_>) -> State<'_> {
        let state = State::from_object(spec, self.object(), form.default);
        state.with_raw_reason(&self.0.reason)
    }

    /// Sets a field of the object to a value, or removes the field.
    pub(crate) fn set_field(&mut self, name: &str, value: Option<Value>) {
        self.0.string = None;
        set_field(&mut self.0.object, name, value);
    }

    pub(crate) fn take_object(&mut self) -> Map<String, Value> {
        mem::take(&mut self.0.object)
    }

    pub(crate) fn unknown_members(&mut self) -> &mut dyn UnknownMembers {
        &mut *self.0
    }

    /// Returns the first error of the union, or `None` if the union is valid.
    fn violation(&self) -> Option<Violation> {
        let RawObject { form, spec, .. } = &*self.0;
        let state = self.state(form, spec);
        let failure = FailureInUnion {
            rule_failure: rule_failures(spec, state).next()?,
            spec,
            state,
            keeps_discriminator: false,
        };
        Some(failure.violation(None, &Path::ROOT))
    }
}

/// Sets a field of an object to a value, or removes the field.
pub(crate) fn set_field(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    match value {
        Some(value) => object.insert(name.to_owned(), value),
        None => object.remove(name),
    };
}

impl RawObject {
    /// Returns the names of the fields that the enum does not know.
    fn unknown_names(&self) -> impl Iterator<Item = &String> {
        let names = self.object.keys();
        names.filter(|name| !self.form.fields.contains(&name.as_str()))
    }
}

impl UnknownMembers for RawObject {
    fn is_empty(&self) -> bool {
        self.unknown_names().next().is_none()
    }

    fn take_named(&mut self, value: &str) -> Vec<String> {
        let names = self.unknown_names();
        let names = names.filter(|name| name.eq_ignore_ascii_case(value));
        let mut names: Vec<String> = names.cloned().collect();
        // With some features of `serde_json`, the map is not sorted.
        names.sort();
        for name in &names {
            self.object.remove(name);
        }
        names
    }
}

impl fmt::Display for RawUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let RawUnionReason::UnknownMember(name) = self.reason() {
            let names = self.0.spec.members().map(MemberSpec::name);
            let names: Vec<&str> = names.collect();
            let members = names.join("`, `");
            return write!(
                f,
                "unknown member {}: expected one of: `{members}`",
                GoQuoted(name)
            );
        }
        match self.violation() {
            Some(violation) => violation.fmt(f),
            None => f.write_str("the union is valid"),
        }
    }
}

impl fmt::Debug for RawUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawUnion")
            .field("object", self.object())
            .field("why", &self.reason())
            .finish()
    }
}

impl PartialEq for RawUnion {
    fn eq(&self, other: &Self) -> bool {
        self.object() == other.object()
    }
}

impl Eq for RawUnion {}

impl Hash for RawUnion {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.object().hash(state);
    }
}

impl Serialize for RawUnion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_incomplete {
            return Err(S::Error::custom(self.0.form.lost_fields()));
        }
        if let Some(string) = &self.0.string {
            return serializer.serialize_str(string);
        }
        let fields = self.object().iter();
        serializer.collect_map(fields.map(|(name, value)| (name, NormalizedNumbers(value))))
    }
}
