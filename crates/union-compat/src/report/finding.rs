//! The findings of a comparison, as data and as a printed report.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::judge::decision::{Decision, Decisions, RequestOutcome};
use crate::judge::error_place::ErrorPlace;
use crate::version::version::ApiVersion;

/// The kind of change that a finding reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeCode {
    /// A value of a discriminator or an enum was removed.
    ValueRemoved,
    /// A value of the discriminator was renamed.
    ValueRenamed,
    /// A value of a discriminator or an enum was added.
    ValueAdded,
    /// A discriminator or a field accepts only listed values; the old version accepted others.
    ValuesClosed,
    /// A discriminator or a field accepts other values; the old version accepted only listed ones.
    ValuesOpened,
    /// A member was removed.
    MemberRemoved,
    /// The member of a value was renamed.
    MemberRenamed,
    /// A member without its own discriminator value was added.
    MemberAdded,
    /// A member now belongs to another value.
    MemberMoved,
    /// A member is now required.
    MemberRequired,
    /// A member is now optional.
    MemberOptional,
    /// A discriminator was added to a union without a discriminator (KEP-1027).
    DiscriminatorAdded,
    /// The discriminator was removed.
    DiscriminatorRemoved,
    /// The discriminator was renamed.
    DiscriminatorRenamed,
    /// The discriminator is now required.
    DiscriminatorRequired,
    /// The discriminator is now optional.
    DiscriminatorOptional,
    /// The default of an absent discriminator, or of an absent field with an enum, changed.
    DefaultChanged,
    /// The default of a field is not a value of its enum.
    DefaultInvalid,
    /// Fields are now mutually exclusive.
    ExclusivityAdded,
    /// Fields that were mutually exclusive may now be set together.
    ExclusivityRemoved,
    /// One of the members must now be set.
    OneRequired,
    /// All members may now be unset.
    NoneAllowed,
    /// A rule that is not part of the union now rejects the object.
    RuleAdded,
    /// A rule that is not part of the union was removed.
    RuleRemoved,
    /// A rule exists in only one of two versions that are served together.
    RuleMissing,
    /// The object that contains the union was removed from the schema.
    ObjectRemoved,
    /// The type of a client cannot deserialize an object that both versions accept.
    Unreadable,
}

impl ChangeCode {
    /// Returns the name of the code in reports and in JSON.
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
            Self::DefaultInvalid => "default-invalid",
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
    /// Stored objects or clients that work with the old version do not work with the new version.
    Breaking,
    /// The effect depends on how clients handle unknown fields and values.
    Notice,
}

impl Severity {
    /// Returns the name of the severity in reports and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Notice => "notice",
        }
    }
}

/// An update that the new version rejects, although it tolerates the stored object. Errors are
/// tolerated only while the value with the error does not change.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UpdateExample {
    /// The stored object.
    pub old: Value,
    /// The object that replaces the stored object.
    pub new: Value,
    /// The result in the old version.
    pub before: Decisions,
    /// The result in the new version.
    pub after: Decisions,
}

/// A difference between two versions of a union or an enum, and its effects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of change.
    pub code: ChangeCode,
    /// The severity of the change.
    pub severity: Severity,
    /// The JSON pointer to the schema of the object with the union, or of the value with the enum.
    pub pointer: String,
    /// The path of the object with the union, such as `spec.rules[*].filters[*]`, or of the value
    /// with the enum; empty for the root.
    pub path: String,
    /// True if the finding is about an enum that is not a discriminator.
    pub is_about_enum: bool,
    /// The names that the finding is about, such as fields and values.
    pub subjects: Vec<String>,
    /// A description of the change.
    pub description: String,
    /// The smallest object at the path that shows the change, or the value of an enum.
    pub object: Value,
    /// The decisions on creating the object in the old version.
    pub before: Decisions,
    /// The decisions on creating the object in the new version.
    pub after: Decisions,
    /// The objects that the old and the new version store, if both accept the object but store it
    /// with different meanings.
    pub stored_as: Option<[Value; 2]>,
    /// An update that is rejected, although updates outside of the path are tolerated.
    pub update_example: Option<UpdateExample>,
    /// The outcome of an update that changes only fields outside of the path of the stored object.
    pub stored_objects: RequestOutcome,
    /// The outcome for old clients that write the object. If the old version rejects the object,
    /// the outcome for old clients that read the object and write it back.
    pub old_clients: RequestOutcome,
    /// The outcome for new clients that read the object and write it back. If the old version
    /// rejects the object, the outcome for new clients that write the object to an old server.
    pub new_clients: RequestOutcome,
    /// A suggested remedy.
    pub remedy: String,
    /// The fields that the finding is about.
    pub(crate) fields: Vec<String>,
    /// True if the finding is about a rule that is not part of the union.
    pub(crate) is_about_other_rule: bool,
    /// The parts of the schemas that reject objects because of the change.
    pub(crate) error_places: Vec<ErrorPlace>,
}

/// The note on versions that are not compared.
pub(crate) const CONVERTED_BY_WEBHOOK: &str = "not compared, because a webhook converts them";

/// The result of comparing two versions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CompatReport {
    /// The name of the old version, such as `HTTPRoute v1`, or the name of a type.
    pub old: String,
    /// The name of the new version.
    pub new: String,
    /// The differences: breaking findings first, and otherwise in schema order.
    pub findings: Vec<Finding>,
    /// The differences between versions that are served together, if the old CRD also has these
    /// differences. They are not counted, because the change of the CRD does not cause them.
    pub known_findings: Vec<Finding>,
    /// Notes about unions and objects that were left out, with the reasons.
    pub notes: Vec<String>,
    /// The number of schemas of objects with unions that were compared.
    pub union_objects: usize,
    /// The number of places with an enum that were compared. Discriminators are not included.
    pub enums: usize,
    /// The number of objects and values that both versions validated.
    pub objects: usize,
}

impl CompatReport {
    /// Returns a report without findings.
    pub(crate) fn new([old, new]: [&ApiVersion; 2]) -> Self {
        Self {
            old: old.name().to_owned(),
            new: new.name().to_owned(),
            findings: Vec::new(),
            known_findings: Vec::new(),
            notes: Vec::new(),
            union_objects: 0,
            enums: 0,
            objects: 0,
        }
    }

    /// Returns true if the versions are not compared, because a webhook converts between them.
    #[must_use]
    pub fn is_converted_by_webhook(&self) -> bool {
        self.notes.iter().any(|note| note == CONVERTED_BY_WEBHOOK)
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
            "enums": self.enums,
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
    /// Adds the parts of the schemas that reject another object because of the same change.
    pub(crate) fn add_error_places(&mut self, places: &[ErrorPlace]) {
        for place in places {
            if !self.error_places.contains(place) {
                self.error_places.push(place.clone());
            }
        }
    }

    /// Returns the decisions as one line. The rules of unions do not apply to other enums.
    fn decision_summary(&self, decisions: &Decisions) -> String {
        if self.is_about_enum {
            decisions.server.summary()
        } else {
            decisions.summary()
        }
    }

    fn object_line(&self) -> String {
        match &self.object {
            object @ Value::Object(_) => format!("object: {object}"),
            value => format!("value: {value}"),
        }
    }

    /// Returns true if the old version rejects the object, so that no such object is stored.
    fn is_rejected_by_old(&self) -> bool {
        self.stored_objects == RequestOutcome::Impossible
    }

    /// Returns the path, the description and the code, such as
    /// `spec: the value "A" was removed (value-removed)`.
    #[must_use]
    pub fn heading(&self) -> String {
        let prefix = match &*self.path {
            "" => String::new(),
            path => format!("{path}: "),
        };
        format!("{prefix}{} ({})", self.description, self.code.as_str())
    }

    /// Returns the lines of the report. The first line is the heading.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{}: {}", self.severity.as_str(), self.heading()),
            self.object_line(),
            format!("before: {}", self.decision_summary(&self.before)),
            format!("after: {}", self.decision_summary(&self.after)),
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
        if let Some(update_example) = &self.update_example {
            lines.push(format!(
                "stored object, changed to {}: {}",
                update_example.new,
                update_example.after.summary()
            ));
        }
        let (writes, reads) = (
            "that write the object",
            "that read the object and write it back",
        );
        let old_request = if self.is_rejected_by_old() {
            reads
        } else {
            writes
        };
        lines.push(format!(
            "old clients {old_request}: {}",
            self.old_clients.summary()
        ));
        let new_request = if self.is_rejected_by_old() {
            "that write the object to an old server"
        } else {
            reads
        };
        lines.push(format!(
            "new clients {new_request}: {}",
            self.new_clients.summary()
        ));
        lines.push(format!("remedy: {}", self.remedy));
        lines
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.lines().iter().enumerate() {
            let indent = if index == 0 { "" } else { "  " };
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
        let breaking_count = self.breaking().count();
        let notice_count = self.findings.len() - breaking_count;
        writeln!(
            f,
            "{breaking_count} breaking, {notice_count} notices; compared: {} objects of {} unions and {} enums",
            self.objects, self.union_objects, self.enums
        )
    }
}

impl Decision {
    /// Returns true if the object or request is accepted without tolerated errors and warnings.
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
            "description": self.description,
        });
        if let Value::Object(json) = &mut json {
            if let Some([old, new]) = &self.stored_as {
                json.insert("stored_as".to_owned(), json!({"new": new, "old": old}));
            }
            if let Some(update_example) = &self.update_example {
                let update_example = json!({
                    "after": update_example.after.json(),
                    "before": update_example.before.json(),
                    "new": update_example.new,
                    "old": update_example.old,
                });
                json.insert("request".to_owned(), update_example);
            }
        }
        json.sort_all_objects();
        json.serialize(serializer)
    }
}
