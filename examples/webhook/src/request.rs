//! What an API server asks: the review that comes in, read without touching the objects in it.
//!
//! kube's `AdmissionReview<DynamicObject>` reads metadata into types, which drops what they do not know, and all the
//! rest into values. Here the objects stay the text that was sent: what nobody looks at costs nothing, an object that
//! cannot be read still has a review that can be answered, and no depth of it takes stack.

use std::borrow::Cow;

use kube::core::GroupVersionKind;
use kube::core::admission::{META_API_VERSION_V1, META_KIND, Operation};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// How many levels `serde_json` reads, for messages.
const DEEPEST: usize = 127;

/// As kube's `AdmissionReview`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Review<'b> {
    #[serde(borrow, default)]
    api_version: Cow<'b, str>,
    #[serde(borrow, default)]
    kind: Cow<'b, str>,
    #[serde(borrow)]
    request: Option<Request<'b>>,
}

/// As kube's `AdmissionRequest`: what is asked for here, the objects as they were sent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'b> {
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
    #[serde(borrow, default)]
    object: Option<&'b RawValue>,
    #[serde(borrow, default)]
    old_object: Option<&'b RawValue>,
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

/// Reads a body.
pub(crate) fn read(body: &[u8]) -> Result<Request<'_>, Unread> {
    match serde_json::from_slice::<Review<'_>>(body) {
        Ok(Review {
            api_version,
            kind,
            request: Some(request),
        }) if kind == META_KIND && api_version == META_API_VERSION_V1 => Ok(request),
        Ok(_) => Err(explain(body, None)),
        Err(error) => Err(explain(body, Some(&error))),
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

impl Request<'_> {
    /// The object that is to be stored.
    pub(crate) fn object(&self) -> Result<Value, String> {
        read_object("request.object", self.object)
    }

    /// The object that is stored.
    pub(crate) fn old_object(&self) -> Result<Value, String> {
        read_object("request.oldObject", self.old_object)
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

/// Reads an object, of which JSON has been made sure already.
fn read_object(field: &str, raw: Option<&RawValue>) -> Result<Value, String> {
    let Some(raw) = raw else {
        return Err(format!(
            "{field}: there is none; a CREATE has `object`, an UPDATE `oldObject` too"
        ));
    };
    let value: Value = serde_json::from_str(raw.get()).map_err(|error| {
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
