//! The verdict of an API server on a request, in the form of the JSON output.

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, Request, ServerSettings, StructuralSchema,
};
use serde::Serialize;
use serde_json::Value;

use crate::input::{LocatedDuplicate, ObjectSource};
use crate::judge::unions_reply::{FieldError, field_errors};
use crate::judge::unknown_field::UnknownFieldReply;

/// A request for an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectRequest<'o> {
    Create,
    /// An update of the stored object.
    Update(&'o Value),
    /// An update of the status of the stored object.
    UpdateStatus(&'o Value),
}

/// The object of a request, and its source if it is in a file.
pub(crate) struct RequestBody<'s> {
    pub(crate) value: Value,
    pub(crate) source: Option<&'s ObjectSource>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CheckReply {
    /// The object as a server would store it, even if it rejects the request: pruned and
    /// defaulted. Its numbers are written as they are stored.
    pub(crate) object: Value,
    pub(crate) errors: Vec<FieldError>,
    pub(crate) ratcheted: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    /// The fields of the object that the schema does not describe, which are pruned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_fields: Vec<UnknownFieldReply>,
    /// The duplicate keys of the object's source.
    #[serde(skip)]
    pub(crate) duplicates: Vec<LocatedDuplicate>,
    /// Errors at other paths with the message of one of `errors`.
    #[serde(skip)]
    pub(crate) repeated: Vec<FieldError>,
    /// The failed CEL rules that became warnings.
    #[serde(skip)]
    pub(crate) warned: Vec<FieldError>,
}

impl CheckReply {
    /// Validates a request whose object has no source.
    pub(crate) fn validate(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        new: Value,
        settings: &ServerSettings,
    ) -> Self {
        Self::validate_value(schema, request, new, &[], settings)
    }

    /// Validates a request whose object has the duplicate keys `keys`.
    pub(crate) fn validate_value(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        value: Value,
        keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let body = RequestBody {
            value,
            source: None,
        };
        Self::validate_with(schema, request, body, keys, settings)
    }

    /// Validates a request whose object is in a file.
    pub(crate) fn validate_body(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        body: RequestBody<'_>,
        settings: &ServerSettings,
    ) -> Self {
        let source = body
            .source
            .filter(|_| settings.field_validation != FieldValidation::Ignore);
        let duplicates = source.map(ObjectSource::duplicates).unwrap_or_default();
        let keys: Vec<DuplicateKey> = duplicates.iter().map(|found| found.key.clone()).collect();
        Self {
            duplicates,
            ..Self::validate_with(schema, request, body, &keys, settings)
        }
    }

    fn validate_with(
        schema: &StructuralSchema,
        kind: ObjectRequest<'_>,
        body: RequestBody<'_>,
        keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let mut new = body.value;
        let mut request = Request::new(schema, settings).duplicate_keys(keys);
        let outcome = match kind {
            ObjectRequest::Create => request.create(&mut new),
            ObjectRequest::Update(old) => request.update(&mut new, old),
            ObjectRequest::UpdateStatus(old) => request.update_status(&mut new, old),
        };
        Self {
            object: new,
            errors: field_errors(outcome.errors()),
            ratcheted: field_errors(outcome.tolerated()),
            repeated: field_errors(&outcome.parts().repeated),
            warned: field_errors(&outcome.parts().warned),
            warnings: outcome.warnings().to_vec(),
            unknown_fields: UnknownFieldReply::all(request.unknown_fields(), body.source),
            duplicates: Vec::new(),
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
