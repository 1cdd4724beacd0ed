//! The results of k8s-crd-validation and of the reference, in a form that can be compared.

use std::collections::HashSet;

use k8s_crd_validation::{
    FieldValidation, Report, Request, ServerSettings, StructuralSchema, Violation, ViolationKind,
    crd,
};
use serde_json::{Value, json};

use super::case::{Case, Validation};

/// The result of our crate or of the reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The error of the decoder, which ended the request: the message of a strict decoding error,
    /// or an empty string for any other error.
    pub(crate) unreadable: Option<String>,
    /// The other errors, sorted, because a server validates fields in a random order.
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// The stored object without its metadata, because a server sets some fields of the metadata.
    pub(crate) object: Option<Value>,
}

const STRICT: &str = "strict decoding error: ";

/// Returns our result of a request. Without a schema, the request is for a CRD.
pub(crate) fn answer(
    schema: Option<&StructuralSchema>,
    case: &Case,
    validation: Validation,
) -> Answer {
    let how = match validation {
        Validation::Strict => FieldValidation::Strict,
        Validation::Warn => FieldValidation::Warn,
        Validation::Ignore => FieldValidation::Ignore,
        Validation::Unset => FieldValidation::default(),
    };
    let mut new = case.new.value();
    let keys = &case.repeated;
    let Some(schema) = schema else {
        let review = crd::Review::new().field_validation(how);
        return Answer::of(&review.duplicate_keys(keys).create(&new), None);
    };
    let settings = ServerSettings::default().field_validation(how);
    let mut request = Request::new(schema, &settings).duplicate_keys(keys);
    let report = match (case.op, &case.old) {
        ("update", Some(old)) => request.update(&mut new, old),
        ("status", Some(old)) => request.update_status(&mut new, old),
        _ => request.create(&mut new),
    };
    Answer::of(&report, Some(&new))
}

impl Answer {
    fn of(report: &Report, object: Option<&Value>) -> Self {
        let errors: Vec<Value> = report.errors().iter().map(error).collect();
        Self::read(&json!({
            "errors": errors, "warnings": report.warnings(), "object": object,
        }))
    }

    /// Returns only the results of the decoder, which are about the fields and keys of the body.
    pub(crate) fn of_decoder(mut self) -> Self {
        self.errors.clear();
        self.object = None;
        self.warnings.retain(|warning| is_of_decoder(warning));
        self
    }

    /// Returns the reported fields and keys: the parts of the strict decoding error, or the
    /// warnings.
    pub(crate) fn problems(&self) -> Vec<String> {
        match self
            .unreadable
            .as_deref()
            .and_then(|text| text.split_once(STRICT))
        {
            Some((_, parts)) => parts.split(", ").map(str::to_owned).collect(),
            None => self.warnings.clone(),
        }
    }

    /// Returns true if the decoder reports another error than a strict decoding error.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.unreadable.as_deref() == Some("")
    }

    /// Returns the result for a CRD, without the errors that the run `crd_whole` compares. If a
    /// keyword has a wrong type, our error is not a decoding error, but the reference cannot decode
    /// the CRD. These two results count as equal.
    pub(crate) fn about_crd(self, theirs: &Self) -> Self {
        if theirs.is_unreadable() && !self.errors.is_empty() {
            return theirs.clone();
        }
        self.of_decoder()
    }

    /// Returns true if there is a warning about the fields and keys of the body.
    pub(crate) fn is_warned(&self) -> bool {
        self.warnings.iter().any(|warning| is_of_decoder(warning))
    }

    /// Returns the result in the reference's reply.
    pub(crate) fn read(answer: &Value) -> Self {
        let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let errors = list("errors");
        let unreadable = errors.iter().find(|error| error["type"] == "BadRequest");
        // The run `crd` compares the messages about values of wrong types.
        let strict =
            |error: &Value| Some(string(&error["text"])).filter(|text| text.contains(STRICT));
        let unreadable = unreadable.map(|error| strict(error).unwrap_or_default());
        let mut errors: Vec<String> = match unreadable {
            Some(_) => Vec::new(),
            None => errors.iter().map(|error| string(&error["text"])).collect(),
        };
        // The runs `crd` and `formats` compare the errors of metadata.
        errors.retain(|error| !error.starts_with("metadata"));
        errors.sort();
        errors.dedup();
        let mut warnings: Vec<String> = match unreadable.as_deref() {
            Some("") => Vec::new(),
            _ => list("warnings").iter().map(string).collect(),
        };
        // A server sends each warning once.
        let mut seen = HashSet::new();
        warnings.retain(|warning| seen.insert(warning.clone()));
        let object = answer.get("object").filter(|_| unreadable.is_none());
        let mut object = object.filter(|object| !object.is_null()).cloned();
        if let Some(Value::Object(object)) = &mut object {
            object.remove("metadata");
        }
        Self {
            unreadable,
            errors,
            warnings,
            object,
        }
    }
}

fn is_of_decoder(warning: &str) -> bool {
    ["unknown field", "duplicate field", "line "]
        .iter()
        .any(|start| warning.starts_with(start))
}

/// Returns an error as the reference prints it. The message about a request that cannot be decoded
/// does not contain a field path.
fn error(violation: &Violation) -> Value {
    let mut printed = json!(violation);
    if violation.kind() == ViolationKind::BadRequest {
        printed["text"] = violation.detail().into();
    }
    printed
}
