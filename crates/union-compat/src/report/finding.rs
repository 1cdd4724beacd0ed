//! The findings of a comparison, as data and as a printed report.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::judge::decision::{Decision, Decisions, RequestOutcome};
use crate::version::version::ApiVersion;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeCode {
    /// A value of the discriminator was removed.
    ValueRemoved,
    /// A value of the discriminator was renamed.
    ValueRenamed,
    /// A value of the discriminator was added.
    ValueAdded,
    /// The discriminator accepts only listed values; before, it accepted any string.
    ValuesClosed,
    /// The discriminator accepts any string; before, it accepted only listed values.
    ValuesOpened,
    /// A member was removed.
    MemberRemoved,
    /// The member of a value was renamed.
    MemberRenamed,
    /// A member was added, without a value of its own.
    MemberAdded,
    /// A member belongs to another value.
    MemberMoved,
    /// A member is required that was optional or did not exist.
    MemberRequired,
    /// A member is optional that was required.
    MemberOptional,
    /// A discriminator was added to a union without one (KEP-1027's upgrade).
    DiscriminatorAdded,
    /// The discriminator was removed.
    DiscriminatorRemoved,
    /// The discriminator was renamed.
    DiscriminatorRenamed,
    /// The discriminator is now required.
    DiscriminatorRequired,
    /// The discriminator is now optional.
    DiscriminatorOptional,
    /// An absent discriminator has another meaning.
    DefaultChanged,
    /// Fields exclude each other that did not before.
    ExclusivityAdded,
    /// Fields no longer exclude each other.
    ExclusivityRemoved,
    /// A member must be set, and before, none had to be.
    OneRequired,
    /// All members may be unset, and before, one had to be set.
    NoneAllowed,
    /// A rule beyond the union now rejects the object.
    RuleAdded,
    /// A rule beyond the union was removed.
    RuleRemoved,
    /// A rule exists in only one of two versions that are served together.
    RuleMissing,
    /// The object with the union was removed.
    ObjectRemoved,
    /// The type of a client cannot read an object that both versions accept.
    Unreadable,
}

impl ChangeCode {
    /// Returns the name of the code in listings and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ValueRemoved => "value-removed",
            Self::ValueRenamed => "value-renamed",
            Self::ValueAdded => "value-added",
            Self::ValuesClosed => "values-closed",
            Self::ValuesOpened => "values-opened",
            Self::MemberRemoved => "member-removed",
            Self::MemberRenamed => "member-renamed",
            Self::MemberAdded => "member-added",
            Self::MemberMoved => "member-moved",
            Self::MemberRequired => "member-required",
            Self::MemberOptional => "member-optional",
            Self::DiscriminatorAdded => "discriminator-added",
            Self::DiscriminatorRemoved => "discriminator-removed",
            Self::DiscriminatorRenamed => "discriminator-renamed",
            Self::DiscriminatorRequired => "discriminator-required",
            Self::DiscriminatorOptional => "discriminator-optional",
            Self::DefaultChanged => "default-changed",
            Self::ExclusivityAdded => "exclusivity-added",
            Self::ExclusivityRemoved => "exclusivity-given-up",
            Self::OneRequired => "one-required",
            Self::NoneAllowed => "none-allowed",
            Self::RuleAdded => "rule-added",
            Self::RuleRemoved => "rule-removed",
            Self::RuleMissing => "rule-missing",
            Self::ObjectRemoved => "place-removed",
            Self::Unreadable => "unreadable",
        }
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Stored objects or clients that worked with the old version no longer work.
    Breaking,
    /// The effect depends on how clients treat fields and values that they do not know.
    Notice,
}

impl Severity {
    /// Returns the name of the weight in listings and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Notice => "notice",
        }
    }
}

/// An update that the new version rejects, although it tolerates the stored object: errors are
/// tolerated only while the object does not change.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UpdateExample {
    /// The stored object.
    pub old: Value,
    /// The object in its place.
    pub new: Value,
    /// The result in the old version.
    pub before: Decisions,
    /// The result in the new version.
    pub after: Decisions,
}

/// A change of a union, and its effects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the change.
    pub code: ChangeCode,
    /// The severity of the change.
    pub severity: Severity,
    /// The JSON pointer of the object with the union, in the schema.
    pub pointer: String,
    /// The path of the object with the union, as `spec.rules[].filters[]`; empty for the root.
    pub path: String,
    /// The names that the change is about, such as fields and values.
    pub subjects: Vec<String>,
    /// The description of the change.
    pub description: String,
    /// The smallest object at the place that shows the change.
    pub object: Value,
    /// The result of creating the object in the old version.
    pub before: Decisions,
    /// The result of creating the object in the new version.
    pub after: Decisions,
    /// The objects that the old and the new version store, if both accept the object and store it
    /// with different meanings.
    pub stored_as: Option<[Value; 2]>,
    /// An update that is rejected, although updates outside of the place are tolerated.
    pub update_example: Option<UpdateExample>,
    /// The effect on an update of the stored object that changes only fields outside of the place.
    pub stored_objects: RequestOutcome,
    /// The effect on old clients that write the object; or, if the old version rejects the object,
    /// on old clients that read the object and write it back.
    pub old_clients: RequestOutcome,
    /// The effect on new clients that read the object and write it back; or, if the old version
    /// rejects the object, on new clients that write the object to an old server.
    pub new_clients: RequestOutcome,
    /// The suggested remedy.
    pub remedy: String,
}

/// The result of comparing two versions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CompatReport {
    /// The name of the old version: `HTTPRoute v1`, or the name of a type.
    pub old: String,
    /// The name of the new version.
    pub new: String,
    /// The differences: breaking ones first, otherwise in schema order.
    pub findings: Vec<Finding>,
    /// The differences between versions that are served together which the old CRD has too, in the
    /// same order. They do not count, because an upgrade does not change them.
    pub known_findings: Vec<Finding>,
    /// Notes about places and objects that were left out, with reasons.
    pub notes: Vec<String>,
    /// The number of places with unions that were compared.
    pub union_objects: usize,
    /// The number of objects that both versions validated.
    pub objects: usize,
}

impl CompatReport {
    /// Returns a comparison of two versions without findings.
    pub(crate) fn new([old, new]: [&ApiVersion; 2]) -> Self {
        Self {
            old: old.name().to_owned(),
            new: new.name().to_owned(),
            findings: Vec::new(),
            known_findings: Vec::new(),
            notes: Vec::new(),
            union_objects: 0,
            objects: 0,
        }
    }

    /// Returns true if no finding is breaking.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        self.breaking().next().is_none()
    }

    /// Returns the breaking findings.
    pub fn breaking(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.severity == Severity::Breaking)
    }
}

impl Serialize for CompatReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = json!({
            "compatible": self.is_compatible(),
            "findings": self.findings,
            "known": self.known_findings,
            "new": self.new,
            "notes": self.notes,
            "objects": self.objects,
            "old": self.old,
            "places": self.union_objects,
        });
        json.serialize(serializer)
    }
}

impl Finding {
    /// Returns true if the old version rejects the object, so that it never stored one.
    fn is_rejected_by_old(&self) -> bool {
        self.stored_objects == RequestOutcome::Impossible
    }

    /// Returns the place, the difference and its code, as in
    /// `spec: the value "A" was removed (value-removed)`.
    #[must_use]
    pub fn heading(&self) -> String {
        let at = match &*self.path {
            "" => String::new(),
            path => format!("{path}: "),
        };
        format!("{at}{} ({})", self.description, self.code.as_str())
    }

    /// Returns the lines of the report; the first line is the heading.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{}: {}", self.severity.as_str(), self.heading()),
            format!("object: {}", self.object),
            format!("before: {}", self.before.summary()),
            format!("after: {}", self.after.summary()),
        ];
        if let Some([old, new]) = &self.stored_as {
            lines.push(format!("stored as: {old} before, {new} after"));
        }
        if !self.is_rejected_by_old() {
            lines.push(format!(
                "stored objects, with a change of another field: {}",
                self.stored_objects.summary()
            ));
        }
        if let Some(request) = &self.update_example {
            lines.push(format!(
                "stored object, changed to {}: {}",
                request.new,
                request.after.summary()
            ));
        }
        let (writes, reads) = (
            "that write the object",
            "that read the object and write it back",
        );
        let old = if self.is_rejected_by_old() {
            reads
        } else {
            writes
        };
        lines.push(format!("old clients {old}: {}", self.old_clients.summary()));
        let new = if self.is_rejected_by_old() {
            "that write the object to an old server"
        } else {
            reads
        };
        lines.push(format!("new clients {new}: {}", self.new_clients.summary()));
        lines.push(format!("remedy: {}", self.remedy));
        lines
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in self.lines().iter().enumerate() {
            let indent = if number == 0 { "" } else { "  " };
            writeln!(f, "{indent}{line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CompatReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} -> {}", self.old, self.new)?;
        for finding in &self.findings {
            write!(f, "{finding}")?;
        }
        for finding in &self.known_findings {
            writeln!(f, "as before: {}", finding.heading())?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        let breaking = self.breaking().count();
        let notices = self.findings.len() - breaking;
        writeln!(
            f,
            "{breaking} breaking, {notices} notices; compared: {} objects at {} places",
            self.objects, self.union_objects
        )
    }
}

impl Decision {
    /// Returns true if the object or request is accepted without tolerated errors and without
    /// warnings.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted)
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = json!({
            "about": self.subjects,
            "after": self.after.json(),
            "before": self.before.json(),
            "code": self.code.as_str(),
            "new_clients": self.new_clients.json(),
            "object": self.object,
            "old_clients": self.old_clients.json(),
            "path": self.path,
            "pointer": self.pointer,
            "remedy": self.remedy,
            "stored_objects": self.stored_objects.json(),
            "weight": self.severity.as_str(),
            "what": self.description,
        });
        if let Value::Object(json) = &mut json {
            if let Some([old, new]) = &self.stored_as {
                json.insert("stored_as".to_owned(), json!({"new": new, "old": old}));
            }
            if let Some(request) = &self.update_example {
                let request = json!({
                    "after": request.after.json(),
                    "before": request.before.json(),
                    "new": request.new,
                    "old": request.old,
                });
                json.insert("request".to_owned(), request);
            }
        }
        json.sort_all_objects();
        json.serialize(serializer)
    }
}
