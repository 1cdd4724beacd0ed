//! What is said of a request.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use union_runtime::Changes;
use union_runtime::{Violation, ViolationKind, Violations};

/// The detail of the error that an API server reports in place of CEL rules: it does not evaluate
/// them while the object has other errors.
pub const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                                     correct the existing errors to complete validation";

/// What happens to a request: the answer of an API server, and what it does not tell. The [crate](crate) has an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "it says whether the request is refused"]
pub struct Outcome {
    /// What the request is refused for; none if it is accepted.
    pub errors: Vec<Violation>,
    /// Errors at other paths with the text of one of `errors`: a field `a.b` prints like a field
    /// `b` of `a`. An API server reports such a text once.
    pub repeated: Vec<Violation>,
    /// What is wrong, and tolerated because its value is unchanged. API servers do not tell.
    pub ratcheted: Vec<Violation>,
    /// What normalization of unions changed; not told where unions refuse the request.
    pub changes: Changes,
    /// What an API server sends along as warnings: CEL rules that failed on unchanged values, and doubtful finalizers.
    pub warnings: Vec<String>,
    /// The failed CEL rules that became warnings.
    pub warned: Vec<Violation>,
}

impl Outcome {
    /// A request that cannot be read.
    pub(crate) fn bad_request(violation: Violation) -> Self {
        Self {
            errors: vec![violation],
            ..Self::default()
        }
    }

    /// Whether the request is accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors as [`Violations`], which know the `Status` that an API server answers with.
    ///
    /// # Errors
    ///
    /// The errors, if there are any.
    pub fn into_result(self) -> Result<Self, Violations> {
        if self.errors.is_empty() {
            return Ok(self);
        }
        Err(Violations::new(self.errors, self.ratcheted))
    }

    /// The `Status` that an API server answers with, of code 422, or 400 where the object cannot be read; `None` if the
    /// request is accepted. `group`, `kind` and `name` are those of the object.
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
