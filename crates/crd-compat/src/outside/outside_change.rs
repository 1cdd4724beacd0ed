//! A change outside of the schemas.

use serde_json::Value;
use union_json::document::SchemaPath;

use crate::report::finding::{Finding, Level};

/// A change outside of the schemas, with its consequences.
pub(super) struct OutsideChange {
    pub(super) code: &'static str,
    pub(super) level: Level,
    /// The part of the CRD, the name of the version if the part belongs to a version, and both
    /// values.
    pub(super) identity: Value,
    pub(super) old_pointer: Option<String>,
    pub(super) new_pointer: Option<String>,
    pub(super) description: String,
    pub(super) affected: &'static str,
    pub(super) remedy: &'static str,
}

impl OutsideChange {
    pub(super) fn into_finding(self) -> Finding {
        Finding {
            code: self.code,
            level: self.level,
            place: SchemaPath::root(),
            identity: self.identity,
            keyword: None,
            field: None,
            path: String::new(),
            old_pointer: self.old_pointer,
            new_pointer: self.new_pointer,
            description: self.description,
            proof: None,
            affected: vec![self.affected.to_owned()],
            remedy: self.remedy.to_owned(),
        }
    }
}

/// Returns a description of the change of a part.
pub(super) fn description_of(name: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    match (old, new) {
        (Some(old), Some(new)) if !old.is_object() && !old.is_array() => {
            format!("{name} was {old}, and is now {new}")
        }
        (Some(_), Some(_)) => format!("{name} changed"),
        (None, _) => format!("{name} was added"),
        (Some(_), None) => format!("{name} was removed"),
    }
}
