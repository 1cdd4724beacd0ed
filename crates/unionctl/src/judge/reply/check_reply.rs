//! Validates a request as an API server does. The reply has the form of the JSON output.

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, Request, ServerSettings, StructuralSchema, Violation,
};
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, ViolationKind};

use crate::error::CommandError;
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
    /// The object as a server stores it: pruned and defaulted, with normalized numbers. The object
    /// of a rejected request is also set.
    pub(crate) object: Value,
    pub(crate) errors: Vec<FieldError>,
    /// The errors that the server tolerates.
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
    /// The errors of CEL rules that the server reports as warnings.
    #[serde(skip)]
    pub(crate) warned: Vec<FieldError>,
}

impl CheckReply {
    /// Validates a request whose object has no source.
    pub(crate) fn validate(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        object: Value,
        settings: &ServerSettings,
    ) -> Self {
        Self::validate_value(schema, request, object, &[], settings)
    }

    /// Validates a request. `duplicate_keys` are the duplicate keys of the object.
    pub(crate) fn validate_value(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        object: Value,
        duplicate_keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let body = RequestBody {
            value: object,
            source: None,
        };
        Self::validate_with(schema, request, body, duplicate_keys, settings)
    }

    /// Validates a request whose object is in a file.
    pub(crate) fn validate_body(
        schema: &StructuralSchema,
        request: ObjectRequest<'_>,
        body: RequestBody<'_>,
        settings: &ServerSettings,
    ) -> Self {
        let located_duplicates = reported_duplicates(body.source, settings.field_validation);
        let duplicate_keys = keys(&located_duplicates);
        Self {
            duplicate_keys: located_duplicates,
            ..Self::validate_with(schema, request, body, &duplicate_keys, settings)
        }
    }

    /// Validates an object without a schema: reports duplicate keys in its source, and the errors
    /// of `validate` unless a server rejects the duplicate keys first.
    pub(crate) fn without_schema(
        body: RequestBody<'_>,
        validation: FieldValidation,
        validate: impl FnOnce(&Value) -> Result<Vec<FieldError>, CommandError>,
    ) -> Result<Self, CommandError> {
        let object = body.value;
        let duplicate_keys = reported_duplicates(body.source, validation);
        let (errors, warnings) =
            match validation.report_duplicate_keys(&object, &keys(&duplicate_keys)) {
                Ok(warnings) => (validate(&object)?, warnings),
                Err(error) => (field_errors([&error]), Vec::new()),
            };
        Ok(Self {
            object,
            errors,
            ratcheted: Vec::new(),
            repeated: Vec::new(),
            warned: Vec::new(),
            warnings,
            unknown_fields: Vec::new(),
            duplicate_keys,
        })
    }

    fn validate_with(
        schema: &StructuralSchema,
        object_request: ObjectRequest<'_>,
        body: RequestBody<'_>,
        duplicate_keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let mut object = body.value;
        let mut request = Request::new(schema, settings)
            .duplicate_keys(duplicate_keys)
            .with_advice()
            .with_origins();
        let report = match object_request {
            ObjectRequest::Create => request.create(&mut object),
            ObjectRequest::Update(old_object) => request.update(&mut object, old_object),
            ObjectRequest::UpdateStatus(old_object) => {
                request.update_status(&mut object, old_object)
            }
        };
        let field_errors = |violations: &[Violation]| -> Vec<FieldError> {
            let mut errors = field_errors(violations);
            for (error, violation) in errors.iter_mut().zip(violations) {
                let origin = request.origins(violation).first();
                error.keyword = origin.map(|origin| origin.keyword);
            }
            errors
        };
        let mut errors = field_errors(report.errors());
        for (error, violation) in errors.iter_mut().zip(report.errors()) {
            let advice = request.advice().iter();
            let advice = advice.filter(|advice| advice.error == *violation);
            error.hints.extend(advice.map(ToString::to_string));
        }
        Self {
            object,
            errors,
            ratcheted: field_errors(report.tolerated()),
            repeated: field_errors(&report.parts().repeated),
            warned: field_errors(&report.parts().warned),
            warnings: report.warnings().to_vec(),
            unknown_fields: UnknownFieldReply::from_fields(request.unknown_fields(), body.source),
            duplicate_keys: Vec::new(),
        }
    }

    /// Adds the error about a version that the CRD does not serve. `served` are the versions that
    /// the CRD serves.
    pub(crate) fn add_unserved_version(&mut self, served: &[String]) {
        let api_version = self.object.get("apiVersion").unwrap_or(&Value::Null);
        let remedy = match served {
            [] => "set `served: true` in a version of the CRD".to_owned(),
            served => format!("use {}", served.join(" or ")),
        };
        let violation = Violation::from_parts(
            ViolationKind::Invalid,
            FieldPath::from(["apiVersion"]),
            BadValue::Formatted(api_version.to_string()),
            format!(
                "the CRD does not serve this version, so a server has no such resource; {remedy}"
            ),
        );
        self.errors.extend(field_errors([&violation]));
    }

    /// Replaces the unknown fields by the unknown fields of another reply to the same request, and
    /// puts the warnings about them first.
    pub(crate) fn take_unknown_fields(&mut self, other_reply: &Self) {
        let is_missing = |warning: &&String| !self.warnings.contains(*warning);
        let mut warnings: Vec<String> = other_reply
            .warnings
            .iter()
            .filter(is_missing)
            .cloned()
            .collect();
        warnings.append(&mut self.warnings);
        self.warnings = warnings;
        self.unknown_fields.clone_from(&other_reply.unknown_fields);
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Returns the duplicate keys in the source of an object, unless a server does not report them.
fn reported_duplicates(
    source: Option<&ObjectSource>,
    validation: FieldValidation,
) -> Vec<LocatedDuplicate> {
    let source = source.filter(|_| validation != FieldValidation::Ignore);
    source.map(ObjectSource::duplicates).unwrap_or_default()
}

/// Returns the keys as an API server reports them.
fn keys(duplicates: &[LocatedDuplicate]) -> Vec<DuplicateKey> {
    let keys = duplicates.iter().map(|duplicate| duplicate.key.clone());
    keys.collect()
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
