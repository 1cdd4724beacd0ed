//! The differences between the answers of two versions.

use k8s_crd_validation::Feature;
use union_runtime::path::FieldPath;

/// A difference between the answers of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The part of the answers that differs.
    pub subject: Subject,
    /// The path of the error; the root for other subjects. The path of a rule with another cost is
    /// in `before` and `after`.
    pub path: FieldPath,
    /// The message, the cost or the object before the upgrade; `None` if the version does not have
    /// the error or the warning.
    pub before: Option<String>,
    /// The message, the cost or the object after the upgrade; `None` if the version does not have
    /// the error or the warning.
    pub after: Option<String>,
    /// The requests with another outcome. If the list is empty, only `before` and
    /// `after` differ.
    pub changes: Vec<RequestChange>,
    /// The features of Kubernetes that cause the [main change](Self::main_change), or the
    /// difference between `before` and `after`. Empty if no known feature explains the difference.
    pub causes: Vec<Feature>,
}

/// The part of an answer that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// An error. `before` and `after` are messages of the server.
    Error,
    /// A warning. `before` and `after` are messages of the server.
    Warning,
    /// The estimated cost of a CEL rule of a CRD. `before` and `after` have the rule and the cost.
    Cost,
    /// The stored object: pruned and defaulted. `before` and `after` are JSON.
    StoredObject,
}

/// A request for a CRD or for a custom resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Request {
    /// A request that creates the CRD.
    CreateCrd,
    /// An update with the stored CRD, unchanged.
    UpdateCrd,
    /// A request that creates the object, as a restore from a backup does.
    Create,
    /// An update of the stored object that adds an annotation.
    UnrelatedUpdate,
    /// An update to this object from an object with the same metadata and no other fields, so that
    /// all other fields change.
    FullUpdate,
    /// An update of the status that does not change the status.
    UnrelatedStatusUpdate,
    /// An update of the status from an object without a status.
    FullStatusUpdate,
}

/// The outcome of an error or of a warning in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The answer does not have the error or the warning. Other errors may reject the request.
    Absent,
    /// The answer has the warning, or an error that does not reject the request.
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
pub enum Severity {
    /// The requests have the same outcomes: only a message, a warning or a cost differs.
    Notice,
    /// A request or an error has another outcome, but no accepted request is rejected.
    Changed,
    /// A request that was accepted is rejected.
    Breaking,
}

impl Finding {
    /// Returns the severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        if self.changes.iter().any(|change| change.is_newly_rejected) {
            Severity::Breaking
        } else if self.subject == Subject::StoredObject
            || self.subject == Subject::Error && !self.changes.is_empty()
        {
            Severity::Changed
        } else {
            Severity::Notice
        }
    }

    /// Returns the change that counts most: the first request that is newly rejected, or else the
    /// first change; `None` if only `before` and `after` differ.
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
        matches!(self, Self::UnrelatedStatusUpdate | Self::FullStatusUpdate)
    }

    /// Returns the name for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreateCrd => "create of the CRD",
            Self::UpdateCrd => "unchanged update of the CRD",
            Self::Create => "create",
            Self::UnrelatedUpdate => "unrelated update",
            Self::FullUpdate => "update of all fields",
            Self::UnrelatedStatusUpdate => "unrelated update of the status",
            Self::FullStatusUpdate => "update of the whole status",
        }
    }
}

impl Outcome {
    /// Returns the name for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "no error",
            Self::Tolerated => "tolerated",
            Self::Rejected => "rejected",
            Self::NotEvaluated => "not evaluated",
        }
    }
}
