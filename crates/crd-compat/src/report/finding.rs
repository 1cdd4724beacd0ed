//! The findings of a comparison.

use core::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use union_json::document::SchemaPath;

use super::unproven::{Unproven, Untried, untried_line};
use super::wording::Relation;
use crate::judge::answer::Answer;
use crate::schema::keyword::Keyword;

/// The level of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// The effect depends on the clients, for example because only the new version accepts the
    /// object.
    Notice,
    /// The new version refuses to create the object, but tolerates updates of stored objects that
    /// do not change the invalid value.
    Tolerated,
    /// The new version refuses updates of a stored object, or stores or reads another value.
    Breaking,
}

impl Level {
    /// Returns the name of the level in reports, in JSON and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Tolerated => "tolerated",
            Self::Breaking => "breaking",
        }
    }
}

/// The object that proves a finding, with the answers of both versions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Proof {
    /// The smallest object that was found, without `apiVersion`, `kind` and the fields of
    /// `metadata` that each object has.
    pub object: Value,
    /// The stored object that a request replaces by [`object`](Self::object). `None` if the request
    /// creates the object.
    pub replaced: Option<Value>,
    /// The answer of the old version to the request. If `status` is a subresource, the status is
    /// written after the object, and this is the answer to the first refused write. The errors that
    /// the change causes are the first messages.
    pub before: Answer,
    /// The answer of the new version.
    pub after: Answer,
    /// The objects that both versions store, if both accept the object.
    pub stored: Option<[Value; 2]>,
    /// The answer of the new version to an update that only adds an annotation: an update of the
    /// object, or of [`replaced`](Self::replaced). `None` if the old version does not store the
    /// object, and for a replacement that the new version accepts.
    pub unrelated_update: Option<Answer>,
    /// The answer of the new version to an update that sets the invalid value in another stored
    /// object. `None` if no other object was found.
    pub field_update: Option<Answer>,
}

/// A change of a CRD, with its effects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The code, such as `min-length-tightened`. Codes do not change between releases.
    pub code: &'static str,
    /// The level of the finding.
    pub level: Level,
    /// The place of the schema that differs, in the schema of the object. For a field that only one
    /// schema describes, the place of the field. The root for changes outside of schemas.
    pub place: SchemaPath,
    /// The parts that identify the change in another comparison: the place, the keyword and both
    /// values, or the part of the CRD and both values.
    pub(crate) identity: Value,
    /// The keyword that differs; `None` outside of schemas.
    pub keyword: Option<Keyword>,
    /// The name of the field that is added, removed, required, or not required any more.
    pub field: Option<String>,
    /// The path of the field, such as `spec.rules[*].name`; empty for the object, and for changes
    /// outside of the schema.
    pub path: String,
    /// The JSON pointer in the old CRD; `None` if the old CRD does not have the place.
    pub old_pointer: Option<String>,
    /// The JSON pointer in the new CRD; `None` if the new CRD does not have the place.
    pub new_pointer: Option<String>,
    /// A description of the change.
    pub description: String,
    /// The object that proves the finding. `None` for changes that no request for an object shows.
    pub proof: Option<Proof>,
    /// The requests and clients that are affected.
    pub affected: Vec<String>,
    /// A suggested remedy.
    pub remedy: String,
}

/// The names of two versions that were compared, and whose schemas and subresources equal those of
/// two other versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SameVersions {
    /// The name of the old version.
    pub old: String,
    /// The name of the new version.
    pub new: String,
    /// True if the new version equals the old one of the other versions, and the old version the
    /// new one. Only versions that are served together are compared in either order.
    pub is_reversed: bool,
}

/// The result of comparing two versions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VersionReport {
    /// The name of the old version.
    pub old: String,
    /// The name of the new version.
    pub new: String,
    /// True if both are versions of the new CRD, which serves them together.
    pub is_served_together: bool,
    /// The versions of an earlier comparison in the same report, if their schemas and subresources
    /// equal those of these versions. The report then has no findings, because the earlier
    /// comparison has the same findings.
    pub same_as: Option<SameVersions>,
    /// The findings: breaking findings first, and otherwise in schema order.
    pub findings: Vec<Finding>,
    /// The findings between versions that are served together, if the old CRD has them too.
    pub known_findings: Vec<Finding>,
    /// The differences for which no object has different answers.
    pub unproven: Vec<Unproven>,
    /// The objects that were not tried because of a limit.
    pub untried: Vec<Untried>,
    /// The number of differences of the schemas.
    pub differences: usize,
    /// The number of objects that were tried.
    pub objects: usize,
}

/// The result of comparing two CRDs.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CrdReport {
    /// The findings outside of schemas.
    pub findings: Vec<Finding>,
    /// The comparisons of versions.
    pub versions: Vec<VersionReport>,
}

impl VersionReport {
    /// Returns a report without findings.
    pub(crate) fn new(names: [&str; 2], relation: Relation) -> Self {
        let [old, new] = names.map(str::to_owned);
        Self {
            old,
            new,
            is_served_together: relation == Relation::ServedTogether,
            same_as: None,
            findings: Vec::new(),
            known_findings: Vec::new(),
            unproven: Vec::new(),
            untried: Vec::new(),
            differences: 0,
            objects: 0,
        }
    }

    /// Returns a line for each difference that is not proven, and a line for the objects that were
    /// not tried.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let unproven = self.unproven.iter().map(Unproven::line);
        unproven.chain(untried_line(&self.untried)).collect()
    }
}

impl CrdReport {
    /// Returns all findings.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let versions = self.versions.iter();
        let of_versions = versions.flat_map(|version| &version.findings);
        self.findings.iter().chain(of_versions)
    }

    /// Returns true if no finding has the level or a higher level.
    #[must_use]
    pub fn is_below(&self, level: Level) -> bool {
        self.all_findings().all(|finding| finding.level < level)
    }
}

impl Finding {
    /// Returns the parts that identify the finding in another comparison: its code, and the change
    /// as data. Values are complete, and the keys of objects are sorted.
    #[must_use]
    pub fn identity(&self) -> String {
        let mut identity = json!([self.code, self.identity]);
        identity.sort_all_objects();
        identity.to_string()
    }

    /// Returns the text of the rule that only one schema has; `None` for other keywords.
    // For `union-compat`; not part of the public API.
    #[doc(hidden)]
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        let sides = ["old", "new"].into_iter();
        let sides = sides.filter(|_| self.keyword == Some(Keyword::Rule));
        let mut rules = sides.filter_map(|side| self.identity.get(side)?.get("rule"));
        rules.next().and_then(Value::as_str)
    }

    /// Returns the path, the description and the code.
    #[must_use]
    pub fn heading(&self) -> String {
        let prefix = match &*self.path {
            "" => String::new(),
            path => format!("{path}: "),
        };
        format!("{prefix}{} ({})", self.description, self.code)
    }

    /// Returns the lines of the report. The first line is the heading.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", self.level.as_str(), self.heading())];
        if let Some(proof) = &self.proof {
            if let Some(replaced) = &proof.replaced {
                lines.push(format!("stored object: {replaced}"));
            }
            lines.push(format!("object: {}", proof.object));
            lines.push(format!("before: {}", proof.before.summary()));
            lines.push(format!("after: {}", proof.after.summary()));
            if let Some([old, new]) = &proof.stored {
                lines.push(format!("stored as: {old} before, {new} after"));
            }
            if let Some(answer) = &proof.unrelated_update {
                lines.push(format!(
                    "stored objects, with a change of another field: {}",
                    answer.summary()
                ));
            }
            if let Some(answer) = &proof.field_update {
                lines.push(format!(
                    "stored objects, with a change to this value: {}",
                    answer.summary()
                ));
            }
        }
        lines.extend(self.affected.iter().map(|it| format!("affected: {it}")));
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

impl fmt::Display for SameVersions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the same schemas as {} -> {}", self.old, self.new)?;
        if self.is_reversed {
            write!(f, ", in the other order")?;
        }
        Ok(())
    }
}

impl fmt::Display for CrdReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            write!(f, "{finding}")?;
        }
        for version in &self.versions {
            write!(f, "{} -> {}", version.old, version.new)?;
            match &version.same_as {
                Some(same_as) => writeln!(f, ": {same_as}")?,
                None => writeln!(f)?,
            }
            for finding in &version.findings {
                write!(f, "{finding}")?;
            }
            for finding in &version.known_findings {
                writeln!(f, "as before: {}", finding.heading())?;
            }
            for note in version.notes() {
                writeln!(f, "note: {note}")?;
            }
        }
        Ok(())
    }
}

impl Serialize for Proof {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "object": self.object,
            "replaced": self.replaced,
            "before": self.before,
            "after": self.after,
            "stored": self.stored.as_ref().map(|[old, new]| json!({"old": old, "new": new})),
            "unrelated_update": self.unrelated_update,
            "field_update": self.field_update,
        })
        .serialize(serializer)
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "code": self.code,
            "level": self.level.as_str(),
            "keyword": self.keyword.map(Keyword::as_str),
            "field": self.field,
            "path": self.path,
            "old_pointer": self.old_pointer,
            "new_pointer": self.new_pointer,
            "description": self.description,
            "proof": self.proof,
            "affected": self.affected,
            "remedy": self.remedy,
        })
        .serialize(serializer)
    }
}

impl Serialize for SameVersions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({"old": self.old, "new": self.new, "reversed": self.is_reversed})
            .serialize(serializer)
    }
}

impl Serialize for VersionReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "old": self.old,
            "new": self.new,
            "served_together": self.is_served_together,
            "same_as": self.same_as,
            "findings": self.findings,
            "known": self.known_findings,
            "unproven": self.unproven,
            "untried": self.untried,
            "differences": self.differences,
            "objects": self.objects,
        })
        .serialize(serializer)
    }
}

impl Serialize for CrdReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({"findings": self.findings, "versions": self.versions}).serialize(serializer)
    }
}
