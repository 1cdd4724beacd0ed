//! The verdict of an API server on a request, in the form of the JSON output.

use k8s_crd_validation::{ServerSettings, StructuralSchema, as_stored};
use serde::Serialize;
use serde_json::Value;

use crate::judge::answer::{Finding, findings};

/// A request for an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Request<'o> {
    Create,
    /// An update of the stored object.
    Update(&'o Value),
    /// An update of the status of the stored object.
    Status(&'o Value),
}

#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    /// The object as a server would store it, even if it rejects the request: pruned, defaulted,
    /// with numbers as the storage returns them.
    pub(crate) object: Value,
    pub(crate) errors: Vec<Finding>,
    pub(crate) ratcheted: Vec<Finding>,
    pub(crate) warnings: Vec<String>,
    /// Errors at other paths with the message of one of `errors`.
    #[serde(skip)]
    pub(crate) repeated: Vec<Finding>,
    /// The failed CEL rules that became warnings.
    #[serde(skip)]
    pub(crate) warned: Vec<Finding>,
}

impl Judgement {
    pub(crate) fn of(
        schema: &StructuralSchema,
        request: Request<'_>,
        mut new: Value,
        settings: &ServerSettings,
    ) -> Self {
        let outcome = match request {
            Request::Create => schema.create(&mut new, settings),
            Request::Update(old) => schema.update(&mut new, old, settings),
            Request::Status(old) => schema.update_status(&mut new, old, settings),
        };
        as_stored(&mut new);
        Self {
            object: new,
            errors: findings(outcome.errors()),
            ratcheted: findings(outcome.tolerated()),
            repeated: findings(&outcome.parts().repeated),
            warned: findings(&outcome.parts().warned),
            warnings: outcome.warnings().to_vec(),
        }
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }
}

impl Request<'_> {
    /// Returns the name of the operation in the output.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update(_) => "update",
            Self::Status(_) => "status",
        }
    }
}
