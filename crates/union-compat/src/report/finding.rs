//! What a change does, as data and as text.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::judge::verdict::{Answer, Fate, Verdict};
use crate::version::version::Version;

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A value of the discriminator is gone.
    ValueRemoved,
    /// A value is called otherwise.
    ValueRenamed,
    /// There is one more value.
    ValueAdded,
    /// Only listed values are accepted, where any text was.
    ValuesClosed,
    /// Any text is accepted, where only listed values were.
    ValuesOpened,
    /// A member is gone.
    MemberRemoved,
    /// The member of a value is called otherwise.
    MemberRenamed,
    /// There is one more member, without a value of its own.
    MemberAdded,
    /// A member belongs to another value.
    MemberMoved,
    /// A member has to be set, which was optional or not there.
    MemberRequired,
    /// A member may be unset that had to be set.
    MemberOptional,
    /// A union without a discriminator has one (KEP-1027's upgrade).
    DiscriminatorAdded,
    /// The discriminator is gone.
    DiscriminatorRemoved,
    /// The discriminator is called otherwise.
    DiscriminatorRenamed,
    /// The discriminator may not be absent any more.
    DiscriminatorRequired,
    /// The discriminator may be absent.
    DiscriminatorOptional,
    /// An absent discriminator stands for something else.
    DefaultChanged,
    /// Fields exclude each other that did not.
    ExclusivityAdded,
    /// Fields do not exclude each other any more.
    ExclusivityGivenUp,
    /// One has to be set, where none could be.
    OneRequired,
    /// None may be set, where one had to be.
    NoneAllowed,
    /// A rule that says more than a union refuses it now.
    RuleAdded,
    /// A rule is gone.
    RuleRemoved,
    /// Of two versions that are served together, one lacks a rule of the other.
    RuleMissing,
    /// The object with the union is gone.
    PlaceRemoved,
    /// Objects that both versions accept, a client's type cannot read.
    Unreadable,
}

impl Code {
    /// Its name in listings and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
            Self::ExclusivityGivenUp => "exclusivity-given-up",
            Self::OneRequired => "one-required",
            Self::NoneAllowed => "none-allowed",
            Self::RuleAdded => "rule-added",
            Self::RuleRemoved => "rule-removed",
            Self::RuleMissing => "rule-missing",
            Self::PlaceRemoved => "place-removed",
            Self::Unreadable => "unreadable",
        }
    }
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Weight {
    /// Stored objects or clients that were fine are not any more.
    Breaking,
    /// It depends on what clients do with what they do not know.
    Notice,
}

impl Weight {
    /// Its name in listings and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Notice => "notice",
        }
    }
}

/// A request of which the new version says something else than of the object alone: what is tolerated while nothing of the
/// object changes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The stored object.
    pub old: Value,
    /// The object in its place.
    pub new: Value,
    /// What the old version says.
    pub before: Verdict,
    /// What the new version says.
    pub after: Verdict,
}

/// What a change of a union does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// What changed.
    pub code: Code,
    /// How much it matters.
    pub weight: Weight,
    /// The JSON pointer of the object with the union, from the schema.
    pub pointer: String,
    /// The same for people: `spec.rules[].filters[]`, empty for the schema itself.
    pub path: String,
    /// The fields and values that it is about.
    pub about: Vec<String>,
    /// What changed, in words.
    pub what: String,
    /// The smallest object at the place that shows it.
    pub object: Value,
    /// What the old version says when it is created.
    pub before: Verdict,
    /// What the new version says when it is created.
    pub after: Verdict,
    /// What is stored by either, where both accept it and store something else.
    pub stored_as: Option<[Value; 2]>,
    /// A request that is refused though an update elsewhere is tolerated.
    pub request: Option<Request>,
    /// What happens to an update of the stored object that has nothing to do with it.
    pub stored: Fate,
    /// What happens to old clients: those that write the object, or else read and write it back.
    pub old_clients: Fate,
    /// What happens to new clients: those that write the object to an old server, or else read and write it back.
    pub new_clients: Fate,
    /// What to do.
    pub remedy: String,
}

/// What comparing two versions found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// What was compared: `HTTPRoute v1`, or the name of a type.
    pub old: String,
    /// With what.
    pub new: String,
    /// Breaking ones first, in schema order.
    pub findings: Vec<Finding>,
    /// Differences between versions that are served together which the old CRD has too, in the same
    /// order. They do not count: an upgrade does not change them.
    pub known: Vec<Finding>,
    /// What was not looked at, and why.
    pub notes: Vec<String>,
    /// How many places with unions were compared.
    pub places: usize,
    /// How many objects were judged by both versions.
    pub objects: usize,
}

impl Comparison {
    /// Nothing yet.
    pub(crate) fn of([old, new]: [&Version; 2]) -> Self {
        Self {
            old: old.name().to_owned(),
            new: new.name().to_owned(),
            findings: Vec::new(),
            known: Vec::new(),
            notes: Vec::new(),
            places: 0,
            objects: 0,
        }
    }

    /// Whether nothing is breaking.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        self.breaking().next().is_none()
    }

    /// What is breaking.
    pub fn breaking(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.weight == Weight::Breaking)
    }
}

impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = json!({
            "compatible": self.is_compatible(),
            "findings": self.findings,
            "known": self.known,
            "new": self.new,
            "notes": self.notes,
            "objects": self.objects,
            "old": self.old,
            "places": self.places,
        });
        json.serialize(serializer)
    }
}

impl Finding {
    /// Whether the old version does not take the object, so that none is stored by it.
    fn is_new_to_old(&self) -> bool {
        self.stored == Fate::Impossible
    }

    /// Returns the place, the difference and its code, as in
    /// `spec: the value "A" is gone (value-removed)`.
    #[must_use]
    pub fn heading(&self) -> String {
        let at = match &*self.path {
            "" => String::new(),
            path => format!("{path}: "),
        };
        format!("{at}{} ({})", self.what, self.code.name())
    }

    /// Returns the lines of the report; the first line is the heading.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{}: {}", self.weight.name(), self.heading()),
            format!("object: {}", self.object),
            format!("before: {}", self.before.line()),
            format!("after: {}", self.after.line()),
        ];
        if let Some([old, new]) = &self.stored_as {
            lines.push(format!("stored as: {old} before, {new} after"));
        }
        if !self.is_new_to_old() {
            lines.push(format!(
                "stored objects, changed elsewhere: {}",
                self.stored.line()
            ));
        }
        if let Some(request) = &self.request {
            lines.push(format!(
                "stored object, changed to {}: {}",
                request.new,
                request.after.line()
            ));
        }
        let (writes, reads) = ("that write it", "that read it and write it back");
        let old = if self.is_new_to_old() { reads } else { writes };
        lines.push(format!("old clients {old}: {}", self.old_clients.line()));
        let new = if self.is_new_to_old() {
            "that write it to an old server"
        } else {
            reads
        };
        lines.push(format!("new clients {new}: {}", self.new_clients.line()));
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

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} -> {}", self.old, self.new)?;
        for finding in &self.findings {
            write!(f, "{finding}")?;
        }
        for finding in &self.known {
            writeln!(f, "as before: {}", finding.heading())?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        let breaking = self.breaking().count();
        let notices = self.findings.len() - breaking;
        writeln!(
            f,
            "{breaking} breaking, {notices} to be noticed; judged: {} objects at {} places",
            self.objects, self.places
        )
    }
}

impl Answer {
    /// Whether it is accepted silently.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted)
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = json!({
            "about": self.about,
            "after": self.after.json(),
            "before": self.before.json(),
            "code": self.code.name(),
            "new_clients": self.new_clients.json(),
            "object": self.object,
            "old_clients": self.old_clients.json(),
            "path": self.path,
            "pointer": self.pointer,
            "remedy": self.remedy,
            "stored_objects": self.stored.json(),
            "weight": self.weight.name(),
            "what": self.what,
        });
        if let Value::Object(json) = &mut json {
            if let Some([old, new]) = &self.stored_as {
                json.insert("stored_as".to_owned(), json!({"new": new, "old": old}));
            }
            if let Some(request) = &self.request {
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
