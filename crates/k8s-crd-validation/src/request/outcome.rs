//! The result of a request.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use union_runtime::Changes;
use union_runtime::{Violation, ViolationKind, Violations};

/// The detail of the error that an API server reports in place of CEL rules: it does not evaluate
/// them while the object has other errors.
pub const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                                     correct the existing errors to complete validation";

/// The result of a request: the answer of an API server, and details that the answer does not
/// contain. The [crate](crate) has an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "it says whether the request is refused"]
pub struct Outcome {
    /// The errors for which the request is rejected. Empty if the request is accepted.
    pub errors: Vec<Violation>,
    /// Errors at other paths with the same message as an entry of `errors`: a field `a.b` prints
    /// like a field `b` of `a`. An API server reports a repeated message once.
    pub repeated: Vec<Violation>,
    /// Errors that are tolerated because their values are unchanged. API servers do not report
    /// them.
    pub ratcheted: Vec<Violation>,
    /// The changes by the normalization of unions. Empty if unions reject the request.
    pub changes: Changes,
    /// The warnings of an API server: CEL rules that failed on unchanged values, and doubtful
    /// finalizers.
    pub warnings: Vec<String>,
    /// The failed CEL rules that became warnings.
    pub warned: Vec<Violation>,
}

impl Outcome {
    /// Returns the outcome of a request that the server cannot decode.
    pub(crate) fn bad_request(violation: Violation) -> Self {
        Self {
            errors: vec![violation],
            ..Self::default()
        }
    }

    /// Returns true if the request is accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the outcome, or its errors as [`Violations`], which can build the `Status` of the
    /// answer.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is rejected.
    pub fn into_result(self) -> Result<Self, Violations> {
        if self.errors.is_empty() {
            return Ok(self);
        }
        Err(Violations::new(self.errors, self.ratcheted))
    }

    /// Returns the `Status` with which an API server rejects the request, or `None` if the request
    /// is accepted. The code is 422, or 400 if the object cannot be decoded. `group`, `kind` and
    /// `name` identify the object.
    #[must_use]
    pub fn status(&self, group: &str, kind: &str, name: &str) -> Option<Value> {
        if self.errors.is_empty() {
            return None;
        }
        if let [error] = self.errors.as_slice()
            && error.kind() == ViolationKind::BadRequest
        {
            return Some(json!({
                "kind": "Status",
                "apiVersion": "v1",
                "metadata": {},
                "status": "Failure",
                "message": error.to_string(),
                "reason": "BadRequest",
                "code": 400,
            }));
        }
        let violations = Violations::new(self.errors.clone(), Vec::new());
        Some(violations.status(group, kind, name))
    }
}

/// Serializes the outcome without [`changes`](Outcome::changes):
/// `{"errors":[{"field","text","type"}],"ratcheted":[...],"warnings":[...]}`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Outcome", 3)?;
        object.serialize_field("errors", &self.errors)?;
        object.serialize_field("ratcheted", &self.ratcheted)?;
        object.serialize_field("warnings", &self.warnings)?;
        object.end()
    }
}
