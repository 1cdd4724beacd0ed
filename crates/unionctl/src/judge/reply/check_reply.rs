//! Validates a request as an API server does, with the result in the form of the JSON output.

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, Request, ServerSettings, StructuralSchema,
};
use serde::Serialize;
use serde_json::Value;

use crate::input::{LocatedDuplicate, ObjectSource};
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::UnknownFieldReply;

/// A request for an object, with the old object of an update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectRequest<'o> {
    Create,
    /// An update of this stored object.
    Update(&'o Value),
    /// An update of the status of this stored object.
    UpdateStatus(&'o Value),
}

/// The object of a request, with its source if the object is in a file.
pub(crate) struct RequestBody<'s> {
    pub(crate) value: Value,
    pub(crate) source: Option<&'s ObjectSource>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CheckReply {
    /// The object as a server stores it: pruned and defaulted, with normalized numbers. It is set
    /// even if the request is rejected.
    pub(crate) object: Value,
    pub(crate) errors: Vec<FieldError>,
    pub(crate) ratcheted: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    /// The fields that the schema does not describe, which the server prunes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_fields: Vec<UnknownFieldReply>,
    /// The duplicate keys in the source of the object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) duplicate_keys: Vec<LocatedDuplicate>,
    /// Errors with the same message as one of `errors`, at another path.
    #[serde(skip)]
    pub(crate) repeated: Vec<FieldError>,
    /// The failed CEL rules that the server reports as warnings.
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

    /// Validates a request. `keys` are the duplicate keys of the object.
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
        let duplicate_keys = source.map(ObjectSource::duplicates).unwrap_or_default();
        let keys: Vec<DuplicateKey> = duplicate_keys
            .iter()
            .map(|duplicate| duplicate.key.clone())
            .collect();
        Self {
            duplicate_keys,
            ..Self::validate_with(schema, request, body, &keys, settings)
        }
    }

    fn validate_with(
        schema: &StructuralSchema,
        operation: ObjectRequest<'_>,
        body: RequestBody<'_>,
        keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let mut new = body.value;
        let mut request = Request::new(schema, settings).duplicate_keys(keys);
        let outcome = match operation {
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
            duplicate_keys: Vec::new(),
        }
    }

    /// Adds the unknown fields of another reply to the same request, with their warnings, which
    /// come first.
    pub(crate) fn take_unknown_fields(&mut self, other: &Self) {
        let is_new = |warning: &&String| !self.warnings.contains(*warning);
        let mut warnings: Vec<String> = other.warnings.iter().filter(is_new).cloned().collect();
        warnings.append(&mut self.warnings);
        self.warnings = warnings;
        self.unknown_fields.clone_from(&other.unknown_fields);
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }
}

impl ObjectRequest<'_> {
    /// Returns the name of the operation in the JSON output.
    pub(crate) const fn operation(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update(_) => "update",
            Self::UpdateStatus(_) => "status",
        }
    }
}
