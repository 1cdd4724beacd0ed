//! Parses the review of an API server, and the objects in the review.
//!
//! kube's `AdmissionReview<DynamicObject>` parses metadata into types, which lose unknown fields.
//! This module parses objects into JSON values. Validation needs whole objects, which are parsed
//! together with the review. Normalization parses only the fields that it reads. If parsing a
//! review with its objects fails, the review is parsed again without its objects, so that a review
//! with an invalid object gets a response for its uid.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use kube::core::GroupVersionKind;
use kube::core::admission::{META_API_VERSION_V1, META_KIND, Operation};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::Unions;

/// The recursion limit of `serde_json`, for messages.
const MAX_DEPTH: usize = 127;

/// The review, like kube's `AdmissionReview`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewWithRequest<'b, O> {
    #[serde(borrow, default)]
    api_version: Cow<'b, str>,
    #[serde(borrow, default)]
    kind: Cow<'b, str>,
    #[serde(borrow)]
    request: Option<FromObject<AdmissionRequest<'b, O>>>,
}

/// The fields of kube's `AdmissionRequest` that the webhook uses.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdmissionRequest<'b, O> {
    #[serde(borrow)]
    pub(super) uid: Cow<'b, str>,
    #[serde(deserialize_with = "from_object")]
    pub(super) kind: GroupVersionKind,
    #[serde(borrow, default)]
    pub(super) sub_resource: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    pub(super) name: Cow<'b, str>,
    #[serde(borrow, default)]
    pub(super) namespace: Option<Cow<'b, str>>,
    pub(super) operation: Operation,
    object: Option<O>,
    old_object: Option<O>,
    #[serde(default)]
    pub(super) dry_run: bool,
}

/// A struct that is deserialized from an object only. serde would also accept a list with the
/// values in order.
#[derive(Debug)]
struct FromObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FromObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_object(deserializer).map(Self)
    }
}

/// Deserializes a struct from an object only.
fn from_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct ObjectVisitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

/// The error of a body that is not a valid review.
#[derive(Debug)]
pub(super) enum ReviewParseError {
    /// The body has no uid, so the response is an HTTP error with this message.
    WithoutUid(String),
    /// The body has a uid, so the response is a review with this uid.
    WithUid {
        uid: String,
        api_version: String,
        message: String,
    },
}

/// An object of a review, parsed or as raw JSON.
pub(super) trait ReviewObject: Sized {
    /// Returns the object as a JSON value, with at least the parts that `mode` selects.
    fn into_value(self, mode: ReadMode<'_>) -> Result<Value, serde_json::Error>;
}

/// The parts of an object to parse.
#[derive(Clone, Copy)]
pub(super) enum ReadMode<'u> {
    Whole,
    /// The parts that the normalization of these unions reads.
    ForUnions(&'u Unions),
}

/// An object that was parsed together with the review.
impl ReviewObject for Value {
    fn into_value(self, _: ReadMode<'_>) -> Result<Value, serde_json::Error> {
        Ok(self)
    }
}

/// The JSON of an object, whose syntax is known to be valid.
impl ReviewObject for &RawValue {
    fn into_value(self, mode: ReadMode<'_>) -> Result<Value, serde_json::Error> {
        match mode {
            ReadMode::Whole => serde_json::from_str(self.get()),
            ReadMode::ForUnions(unions) => {
                unions.read_partial(&mut serde_json::Deserializer::from_str(self.get()))
            }
        }
    }
}

/// Parses a body with its objects. If the result is `None`, [`parse_without_objects`] returns the
/// error.
pub(super) fn parse_with_objects(body: &[u8]) -> Option<AdmissionRequest<'_, Value>> {
    let FromObject(review): FromObject<ReviewWithRequest<'_, Value>> =
        serde_json::from_slice(body).ok()?;
    review.into_request()
}

/// Parses a body without parsing its objects.
pub(super) fn parse_without_objects(
    body: &[u8],
) -> Result<AdmissionRequest<'_, &RawValue>, ReviewParseError> {
    match serde_json::from_slice::<FromObject<ReviewWithRequest<'_, _>>>(body) {
        Ok(FromObject(review)) => review
            .into_request()
            .ok_or_else(|| review_parse_error(body, None)),
        Err(error) => Err(review_parse_error(body, Some(&error))),
    }
}

/// Parses the new object of a review that was parsed before.
pub(super) fn reparse_object(body: &[u8], mode: ReadMode<'_>) -> Result<Value, String> {
    match parse_without_objects(body) {
        Ok(mut request) => request.take_object(mode),
        Err(ReviewParseError::WithoutUid(message) | ReviewParseError::WithUid { message, .. }) => {
            Err(message)
        }
    }
}

impl<'b, O> ReviewWithRequest<'b, O> {
    /// Returns the request, if the value is an `AdmissionReview` with a request.
    fn into_request(self) -> Option<AdmissionRequest<'b, O>> {
        let is_review = self.kind == META_KIND && self.api_version == META_API_VERSION_V1;
        let request = self.request.filter(|_| is_review);
        request.map(|FromObject(request)| request)
    }
}

/// The fields of a review that an invalid body may have.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PartialReview<'b> {
    #[serde(borrow)]
    api_version: Option<&'b RawValue>,
    #[serde(borrow)]
    kind: Option<&'b RawValue>,
    #[serde(borrow)]
    request: Option<&'b RawValue>,
}

#[derive(Deserialize)]
struct Uid {
    uid: String,
}

/// Returns the error of a body that is not a valid review, with the uid if the body has a uid.
fn review_parse_error(body: &[u8], error: Option<&serde_json::Error>) -> ReviewParseError {
    let partial_review: PartialReview<'_> = match serde_json::from_slice(body) {
        Ok(FromObject(partial_review)) => partial_review,
        Err(error) => {
            return ReviewParseError::WithoutUid(format!(
                "the body must be a JSON object with an AdmissionReview of {META_API_VERSION_V1}: {error}"
            ));
        }
    };
    let parse_string =
        |raw: Option<&RawValue>| -> Option<String> { serde_json::from_str(raw?.get()).ok() };
    let kind = parse_string(partial_review.kind).unwrap_or_default();
    let api_version = parse_string(partial_review.api_version).unwrap_or_default();
    let request = partial_review.request.map(RawValue::get);
    let message = if kind != META_KIND {
        format!("kind must be \"{META_KIND}\", not {kind:?}")
    } else if api_version != META_API_VERSION_V1 {
        format!("apiVersion must be \"{META_API_VERSION_V1}\", not {api_version:?}")
    } else if request.is_none() {
        "the AdmissionReview has no request".to_owned()
    } else {
        let error = error.map(ToString::to_string).unwrap_or_default();
        format!("cannot parse the request: {error}")
    };
    let uid = request.and_then(|request| serde_json::from_str(request).ok());
    match uid {
        Some(FromObject(Uid { uid })) if kind == META_KIND => ReviewParseError::WithUid {
            uid,
            // The response has the API version of the request, even if it is not supported here.
            api_version,
            message,
        },
        _ => ReviewParseError::WithoutUid(message),
    }
}

/// The parts of a review that name its object.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedReview {
    request: NamedRequest,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedRequest {
    name: String,
    object: NamedObject,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedObject {
    metadata: ObjectName,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ObjectName {
    name: String,
    generate_name: String,
}

/// Returns the name of the object of a review, for logs. If the server generates the name, returns
/// its prefix with `*`. Returns `""` if the name cannot be parsed.
pub(super) fn object_name(body: &[u8]) -> String {
    let NamedRequest { name, object } = serde_json::from_slice::<NamedReview>(body)
        .unwrap_or_default()
        .request;
    let metadata = object.metadata;
    if !name.is_empty() {
        name
    } else if metadata.name.is_empty() && !metadata.generate_name.is_empty() {
        metadata.generate_name + "*"
    } else {
        metadata.name
    }
}

impl<O: ReviewObject> AdmissionRequest<'_, O> {
    /// Takes the new object.
    pub(super) fn take_object(&mut self, mode: ReadMode<'_>) -> Result<Value, String> {
        object_value("request.object", self.object.take(), mode)
    }

    /// Takes the stored object.
    pub(super) fn take_old_object(&mut self, mode: ReadMode<'_>) -> Result<Value, String> {
        object_value("request.oldObject", self.old_object.take(), mode)
    }

    /// Returns the operation as in the JSON of a review.
    pub(super) const fn operation_name(&self) -> &'static str {
        match self.operation {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
            Operation::Connect => "CONNECT",
        }
    }
}

/// Returns an object of the review as a JSON value, or an error message with its field.
fn object_value(
    field: &str,
    object: Option<impl ReviewObject>,
    mode: ReadMode<'_>,
) -> Result<Value, String> {
    let Some(object) = object else {
        return Err(format!(
            "{field} is missing; a CREATE must have `object`, and an UPDATE also `oldObject`"
        ));
    };
    let value = object.into_value(mode).map_err(|error| {
        let message = error.to_string();
        if message.starts_with("recursion limit") {
            format!("{field}: nesting exceeds the limit of {MAX_DEPTH} levels")
        } else {
            format!("cannot parse {field}: {message}")
        }
    })?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(format!("{field} must be an object"))
    }
}
