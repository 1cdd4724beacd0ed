//! The differences that no object proves, and the objects that were not tried.

use serde::{Serialize, Serializer};
use serde_json::json;
use union_json::document::SchemaPath;

use crate::bounds::{DIFFERENCES, LEVELS, OBJECT_BYTES};

/// The maximum number of places in the line about objects that were not tried.
const SHOWN_PLACES: usize = 3;

/// A difference of two schemas for which no object has different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unproven {
    /// The place of the schema that differs, in the schema of the object.
    pub place: SchemaPath,
    /// The path of the field; empty for the object.
    pub path: String,
    /// The JSON pointer in the old CRD; `None` if the old CRD does not have the place.
    pub old_pointer: Option<String>,
    /// The JSON pointer in the new CRD; `None` if the new CRD does not have the place.
    pub new_pointer: Option<String>,
    /// The keyword of the schema; `None` if the keywords were not compared.
    pub keyword: Option<&'static str>,
    /// The number of objects that were tried.
    pub objects: usize,
    /// The reason why no object proves the difference.
    pub reason: UnprovenReason,
}

/// The reason why no object proves a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnprovenReason {
    /// Both versions give the same answers for every object that was tried.
    SameAnswers,
    /// No object around the value was found that both versions accept.
    NoValidObject,
    /// Only one version rejects a value because of the difference, but no object with such a value
    /// was found that the other version accepts.
    RejectedByBoth,
    /// More than [`LEVELS`](crate::bounds::LEVELS) schemas contain the place.
    TooManyLevels,
    /// The schemas have more than [`DIFFERENCES`](crate::bounds::DIFFERENCES) differences. This
    /// number of differences was not examined; the place is the place of the first.
    TooManyDifferences(usize),
}

/// Objects for a difference that were not tried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Untried {
    /// The path of the field; empty for the object.
    pub path: String,
    /// The keyword of the schema.
    pub keyword: &'static str,
    /// The number of values at the path that were not tried.
    pub values: usize,
    /// The limit.
    pub limit: ObjectLimit,
}

/// A limit of the objects that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ObjectLimit {
    /// The number of objects for a difference.
    Objects,
    /// The size of an object, [`OBJECT_BYTES`](crate::bounds::OBJECT_BYTES).
    Bytes,
}

impl UnprovenReason {
    /// Returns the code of the reason in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameAnswers => "same-answers",
            Self::NoValidObject => "no-valid-object",
            Self::RejectedByBoth => "rejected-by-both",
            Self::TooManyLevels => "too-many-levels",
            Self::TooManyDifferences(_) => "too-many-differences",
        }
    }
}

impl ObjectLimit {
    /// Returns the code of the limit in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Bytes => "bytes",
        }
    }
}

impl Unproven {
    /// Returns the difference and the reason as a line.
    #[must_use]
    pub fn line(&self) -> String {
        let place = place(&self.path);
        let objects = self.objects;
        let keyword = self.keyword.unwrap_or_default();
        match self.reason {
            UnprovenReason::SameAnswers => format!(
                "{place}: `{keyword}` differs; the same for every object that was tried ({objects} objects)"
            ),
            UnprovenReason::NoValidObject => format!(
                "{place}: `{keyword}` differs; not decided: no object that both versions accept was found around the value ({objects} objects)"
            ),
            UnprovenReason::RejectedByBoth => format!(
                "{place}: `{keyword}` differs; not decided: only one version rejects a value for this reason, but no object with such a value was found that the other version accepts ({objects} objects)"
            ),
            UnprovenReason::TooManyLevels => format!(
                "{place}: the schemas differ; not compared: more than {LEVELS} schemas contain the place"
            ),
            UnprovenReason::TooManyDifferences(count) => format!(
                "{place}: this and the following differences ({count}) were not examined: at most {DIFFERENCES} are"
            ),
        }
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the object" } else { path }
}

/// Returns a line about the objects that were not tried; `None` if all objects were tried.
pub(crate) fn untried_line(untried: &[Untried]) -> Option<String> {
    let count: usize = untried.iter().map(|untried| untried.values).sum();
    if count == 0 {
        return None;
    }
    // Several rules of a place are one entry.
    let mut merged: Vec<Untried> = Vec::new();
    for entry in untried {
        let last = merged.last_mut().filter(|last| {
            (&last.path, last.keyword, last.limit) == (&entry.path, entry.keyword, entry.limit)
        });
        match last {
            Some(last) => last.values += entry.values,
            None => merged.push(entry.clone()),
        }
    }
    let places = merged.iter().take(SHOWN_PLACES).map(|untried| {
        let reason = match untried.limit {
            ObjectLimit::Objects => String::new(),
            ObjectLimit::Bytes => format!(" in objects over {OBJECT_BYTES} bytes"),
        };
        let place = place(&untried.path);
        format!(
            "{} for `{}` of {place}{reason}",
            untried.values, untried.keyword
        )
    });
    let mut places = places.collect::<Vec<_>>().join(", ");
    let more = merged.len().saturating_sub(SHOWN_PLACES);
    if more > 0 {
        places = format!("{places}, and the others at {more} more places");
    }
    Some(format!(
        "{count} values were not tried, because of a limit: {places}"
    ))
}

impl Serialize for Unproven {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "path": self.path,
            "old_pointer": self.old_pointer,
            "new_pointer": self.new_pointer,
            "keyword": self.keyword,
            "objects": self.objects,
            "reason": self.reason.as_str(),
            "text": self.line(),
        })
        .serialize(serializer)
    }
}

impl Serialize for Untried {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "path": self.path,
            "keyword": self.keyword,
            "values": self.values,
            "limit": self.limit.as_str(),
        })
        .serialize(serializer)
    }
}
