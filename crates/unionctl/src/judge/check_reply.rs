//! The verdict of an API server on a request, in the form of the JSON output.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde::Serialize;
use serde_json::Value;

use crate::judge::unions_reply::{FieldError, field_errors};

/// A request for an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectRequest<'o> {
    Create,
    /// An update of the stored object.
    Update(&'o Value),
    /// An update of the status of the stored object.
    UpdateStatus(&'o Value),
}

#[derive(Debug, Serialize)]
pub(crate) struct CheckReply {
    /// The object as a server would store it, even if it rejects the request: pruned and
    /// defaulted. Its numbers are written as they are stored.
    pub(crate) object: Value,
    pub(crate) errors: Vec<FieldError>,
    pub(crate) ratcheted: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    /// Errors at other paths with the message of one of `errors`.
    #[serde(skip)]
    pub(crate) repeated: Vec<FieldError>,
    /// The failed CEL rules that became warnings.
    #[serde(skip)]
    pub(crate) warned: Vec<FieldError>,
}

impl CheckReply {
    pub(crate) fn validate(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        mut new: Value,
        settings: &ServerSettings,
    ) -> Self {
        let outcome = match request {
            ObjectRequest::Create => schema.create(&mut new, settings),
            ObjectRequest::Update(old) => schema.update(&mut new, old, settings),
            ObjectRequest::UpdateStatus(old) => schema.update_status(&mut new, old, settings),
        };
        Self {
            object: new,
            errors: field_errors(outcome.errors()),
            ratcheted: field_errors(outcome.tolerated()),
            repeated: field_errors(&outcome.parts().repeated),
            warned: field_errors(&outcome.parts().warned),
            warnings: outcome.warnings().to_vec(),
        }
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }
}

impl ObjectRequest<'_> {
    /// Returns the name of the operation in the output.
    pub(crate) const fn operation(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update(_) => "update",
            Self::UpdateStatus(_) => "status",
        }
    }
}
