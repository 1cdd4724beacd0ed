//! What an API server asks: the review that comes in, and the objects in it.
//!
//! kube's `AdmissionReview<DynamicObject>` reads metadata into types, which drops what they do not know, and all the
//! rest into values. Here objects are read into values alone: for validation in one go with the review; for normalization, of their text
//! no more than that looks at. Where the former fails, the review is read again, without touching them: an object that
//! cannot be read still has a review that can be answered.

use std::borrow::Cow;

use kube::core::GroupVersionKind;
use kube::core::admission::{META_API_VERSION_V1, META_KIND, Operation};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::Unions;

/// How many levels `serde_json` reads, for messages.
const DEEPEST: usize = 127;

/// As kube's `AdmissionReview`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Review<'b, O> {
    #[serde(borrow, default)]
    api_version: Cow<'b, str>,
    #[serde(borrow, default)]
    kind: Cow<'b, str>,
    #[serde(borrow)]
    request: Option<Request<'b, O>>,
}

/// As kube's `AdmissionRequest`: what is asked for here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'b, O> {
    #[serde(borrow)]
    pub(crate) uid: Cow<'b, str>,
    pub(crate) kind: GroupVersionKind,
    #[serde(borrow, default)]
    pub(crate) sub_resource: Option<Cow<'b, str>>,
    #[serde(borrow, default)]
    pub(crate) name: Cow<'b, str>,
    #[serde(borrow, default)]
    pub(crate) namespace: Option<Cow<'b, str>>,
    pub(crate) operation: Operation,
    object: Option<O>,
    old_object: Option<O>,
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// A body that is not a request.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Nothing can be answered but a status of HTTP.
    NoReview(String),
    /// There is somebody to answer to.
    NoRequest {
        uid: String,
        api_version: String,
        problem: String,
    },
}

/// An object that was sent.
pub(crate) trait Sent: Sized {
    /// Reads it, and at least so much of it.
    fn read(self, how_much: HowMuch<'_>) -> Result<Value, serde_json::Error>;
}

/// How much is read of an object.
#[derive(Clone, Copy)]
pub(crate) enum HowMuch<'u> {
    Whole,
    /// What the normalization of these looks at.
    UnionsOf(&'u Unions),
}

/// One that was read with the review.
impl Sent for Value {
    fn read(self, _: HowMuch<'_>) -> Result<Value, serde_json::Error> {
        Ok(self)
    }
}

/// One whose text is there alone, of which JSON has been made sure already.
impl Sent for &RawValue {
    fn read(self, how_much: HowMuch<'_>) -> Result<Value, serde_json::Error> {
        match how_much {
            HowMuch::Whole => serde_json::from_str(self.get()),
            HowMuch::UnionsOf(unions) => {
                unions.read_part(&mut serde_json::Deserializer::from_str(self.get()))
            }
        }
    }
}

/// Reads a body with its objects, as nearly all can be. What is wrong with another one, [`read`] says.
pub(crate) fn read_whole(body: &[u8]) -> Option<Request<'_, Value>> {
    serde_json::from_slice::<Review<'_, Value>>(body)
        .ok()?
        .request()
}

/// Reads a body, and leaves the objects as they are.
pub(crate) fn read(body: &[u8]) -> Result<Request<'_, &RawValue>, Unread> {
    match serde_json::from_slice::<Review<'_, _>>(body) {
        Ok(review) => review.request().ok_or_else(|| explain(body, None)),
        Err(error) => Err(explain(body, Some(&error))),
    }
}

/// Reads the object that is to be stored once more.
pub(crate) fn read_object_again(body: &[u8], how_much: HowMuch<'_>) -> Result<Value, String> {
    match read(body) {
        Ok(mut request) => request.take_object(how_much),
        Err(Unread::NoReview(problem) | Unread::NoRequest { problem, .. }) => Err(problem),
    }
}

impl<'b, O> Review<'b, O> {
    /// What is asked, if this is a review that asks something.
    fn request(self) -> Option<Request<'b, O>> {
        let is_review = self.kind == META_KIND && self.api_version == META_API_VERSION_V1;
        self.request.filter(|_| is_review)
    }
}

/// What little may be there.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Traces<'b> {
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

/// Says what is wrong with a body, to the uid that it has if it can be found.
fn explain(body: &[u8], error: Option<&serde_json::Error>) -> Unread {
    let traces: Traces<'_> = match serde_json::from_slice(body) {
        Ok(traces) => traces,
        Err(error) => {
            return Unread::NoReview(format!(
                "the body is not JSON object ({error}); send an AdmissionReview of {META_API_VERSION_V1}"
            ));
        }
    };
    let text = |raw: Option<&RawValue>| -> Option<String> { serde_json::from_str(raw?.get()).ok() };
    let kind = text(traces.kind).unwrap_or_default();
    let api_version = text(traces.api_version).unwrap_or_default();
    let request = traces.request.map(RawValue::get);
    let problem = if kind != META_KIND {
        format!("kind: found {kind:?}; send an {META_KIND} of {META_API_VERSION_V1}")
    } else if api_version != META_API_VERSION_V1 {
        format!("apiVersion: found {api_version:?}; send an {META_KIND} of {META_API_VERSION_V1}")
    } else if request.is_none() {
        "request: there is none; send a review that asks for something".to_owned()
    } else {
        let error = error.map(ToString::to_string).unwrap_or_default();
        format!("request: it cannot be read ({error}); send it as API servers do")
    };
    let uid = request.and_then(|request| serde_json::from_str::<Uid>(request).ok());
    match uid {
        Some(Uid { uid }) if kind == META_KIND => Unread::NoRequest {
            uid,
            // Whoever speaks another version understands only that.
            api_version,
            problem,
        },
        _ => Unread::NoReview(problem),
    }
}

impl<O: Sent> Request<'_, O> {
    /// Takes the object that is to be stored.
    pub(crate) fn take_object(&mut self, how_much: HowMuch<'_>) -> Result<Value, String> {
        read_object("request.object", self.object.take(), how_much)
    }

    /// Takes the object that is stored.
    pub(crate) fn take_old_object(&mut self, how_much: HowMuch<'_>) -> Result<Value, String> {
        read_object("request.oldObject", self.old_object.take(), how_much)
    }

    /// The operation, as it is written.
    pub(crate) const fn verb(&self) -> &'static str {
        match self.operation {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
            Operation::Connect => "CONNECT",
        }
    }
}

/// Reads an object.
fn read_object(
    field: &str,
    sent: Option<impl Sent>,
    how_much: HowMuch<'_>,
) -> Result<Value, String> {
    let Some(sent) = sent else {
        return Err(format!(
            "{field}: there is none; a CREATE has `object`, an UPDATE `oldObject` too"
        ));
    };
    let value = sent.read(how_much).map_err(|error| {
        let text = error.to_string();
        if text.starts_with("recursion limit") {
            format!("{field}: it is more than {DEEPEST} levels deep; make it flatter")
        } else {
            format!("{field}: it cannot be read: {text}; correct it there")
        }
    })?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(format!(
            "{field}: it is not an object; send a custom resource"
        ))
    }
}
