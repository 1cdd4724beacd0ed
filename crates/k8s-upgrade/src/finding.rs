//! The differences between the answers of two versions.

use k8s_crd_validation::Feature;
use union_runtime::path::FieldPath;

/// A difference between the answers of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The part of the answers that differs.
    pub subject: Subject,
    /// The path of the error, or of the value with the rule; the root for other subjects.
    pub path: FieldPath,
    /// The text of the version before the upgrade; `None` if this version does not have the
    /// error, the warning, the cost or the field.
    pub before: Option<String>,
    /// The text of the version after the upgrade; `None` if this version does not have the
    /// error, the warning, the cost or the field.
    pub after: Option<String>,
    /// The requests with another outcome. If the list is empty, only the text differs.
    pub changes: Vec<RequestChange>,
    /// The features of Kubernetes that cause the [main change](Self::main_change), or the
    /// difference of the texts.
    pub causes: Vec<Feature>,
}

/// The part of an answer that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// An error. The texts are the messages of the server.
    Error,
    /// A warning. The texts are the messages of the server.
    Warning,
    /// The estimated cost of a CEL rule of a CRD. The texts have the rule and the cost.
    Cost,
    /// The stored object: pruned and defaulted. The texts are JSON.
    StoredObject,
}

/// A request for a CRD or for a custom resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Request {
    /// The create of the CRD.
    CreateCrd,
    /// An update of the stored CRD that does not change its spec.
    UpdateCrd,
    /// The create of the object, as from a backup.
    Create,
    /// An update of the stored object that adds an annotation.
    UnrelatedUpdate,
    /// An update that changes all fields: the stored object has only its metadata.
    UpdateOfAllFields,
    /// An update of the status that does not change the status.
    UnrelatedStatusUpdate,
    /// An update of the status that changes all fields of the status.
    UpdateOfWholeStatus,
}

/// The outcome of an error in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The request does not have the error.
    Accepted,
    /// The error is tolerated, because the update does not change the value.
    Tolerated,
    /// The error rejects the request.
    Rejected,
    /// Other errors stop the evaluation of CEL rules.
    NotEvaluated,
}

/// The change of an error or of a warning in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RequestChange {
    /// The request.
    pub request: Request,
    /// The outcome before the upgrade.
    pub before: Outcome,
    /// The outcome after the upgrade.
    pub after: Outcome,
    /// True if the request was accepted before the upgrade, and is rejected after the upgrade.
    pub is_newly_rejected: bool,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// The requests have the same outcomes: only a text, a warning or a cost differs.
    Notice,
    /// A request or an error has another outcome, but no accepted request is rejected.
    Changed,
    /// A request that was accepted is rejected.
    Breaking,
}

impl Finding {
    /// Returns the severity.
    #[must_use]
    pub fn level(&self) -> Level {
        if self.changes.iter().any(|change| change.is_newly_rejected) {
            Level::Breaking
        } else if self.subject == Subject::StoredObject
            || self.subject == Subject::Error && !self.changes.is_empty()
        {
            Level::Changed
        } else {
            Level::Notice
        }
    }

    /// Returns the change that counts most: the first request that is newly rejected, or else the
    /// first change; `None` if only the texts differ.
    #[must_use]
    pub fn main_change(&self) -> Option<RequestChange> {
        let mut changes = self.changes.iter();
        let newly_rejected = changes.find(|change| change.is_newly_rejected);
        newly_rejected.or(self.changes.first()).copied()
    }

    /// Returns the change of a request; `None` if the request has the same outcome.
    #[must_use]
    pub fn change_of(&self, request: Request) -> Option<RequestChange> {
        let mut changes = self.changes.iter();
        changes.find(|change| change.request == request).copied()
    }
}

impl Request {
    /// Returns true for a request to `/status`.
    #[must_use]
    pub const fn is_of_status(self) -> bool {
        matches!(
            self,
            Self::UnrelatedStatusUpdate | Self::UpdateOfWholeStatus
        )
    }

    /// Returns the name for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreateCrd => "create of the CRD",
            Self::UpdateCrd => "unchanged update of the CRD",
            Self::Create => "create",
            Self::UnrelatedUpdate => "unrelated update",
            Self::UpdateOfAllFields => "update of all fields",
            Self::UnrelatedStatusUpdate => "unrelated update of the status",
            Self::UpdateOfWholeStatus => "update of the whole status",
        }
    }
}

impl Outcome {
    /// Returns the name for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Tolerated => "tolerated",
            Self::Rejected => "rejected",
            Self::NotEvaluated => "not evaluated",
        }
    }
}
