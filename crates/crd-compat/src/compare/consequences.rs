//! The level of a finding, and who is affected.

use union_json::document::SchemaStep;

use super::effects::loses_values;
use crate::report::finding::{Level, Proof};
use crate::report::wording::Effect;
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The relation between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The new version replaces the old version.
    Upgrade,
    /// A CRD serves both versions, and no webhook converts between them.
    ServedTogether,
}

/// Returns the name of the field that a difference is about.
pub(super) fn field_of(difference: &Difference) -> Option<String> {
    let name = match difference.keyword {
        Keyword::Required => {
            let name = difference.old.as_ref().or(difference.new.as_ref());
            name?.as_str()?
        }
        Keyword::Properties => match difference.path.steps().last()? {
            SchemaStep::Property(name) => name,
            SchemaStep::Items | SchemaStep::AdditionalProperties => return None,
        },
        _ => return None,
    };
    Some(name.to_owned())
}

/// Returns the level of a finding.
pub(super) fn level_of(effect: Effect, proof: &Proof, relation: Relation) -> Level {
    if relation == Relation::ServedTogether {
        return Level::Breaking;
    }
    match effect {
        Effect::Refused => match &proof.unrelated_update {
            Some(answer) if !answer.is_rejected() => Level::Tolerated,
            _ => Level::Breaking,
        },
        Effect::Accepted => Level::Notice,
        Effect::Stored => match &proof.stored {
            Some([old, new]) if !loses_values(old, new) => Level::Notice,
            _ => Level::Breaking,
        },
    }
}

/// Returns the requests and clients that a finding affects.
pub(super) fn affected(difference: &Difference, effect: Effect, level: Level) -> Vec<String> {
    let lines: &[&str] = match (effect, difference.keyword) {
        (Effect::Refused, _) if level == Level::Breaking => {
            &["creates of such an object, and every update of a stored one"]
        }
        (Effect::Refused, _) => &[
            "creates of such an object, and updates that set the value; updates of stored objects are tolerated while the value does not change",
        ],
        (
            Effect::Accepted,
            Keyword::Type
            | Keyword::Enum
            | Keyword::Required
            | Keyword::Nullable
            | Keyword::IntOrString,
        ) => &[
            "clients with the old types, which may fail to read the object; after a rollback, the old version refuses the object",
        ],
        (Effect::Accepted, _) => &[
            "clients that rely on the old limit; after a rollback, the old version refuses the object",
        ],
        (Effect::Stored, Keyword::Properties) if difference.new.is_none() => &[
            "stored objects, which lose the value at the next write; clients that write the field, which get a warning, or an error with strict field validation",
        ],
        (Effect::Stored, Keyword::Properties) => {
            &["clients with the old types, which drop the field when they write the object back"]
        }
        (Effect::Stored, Keyword::Default) => {
            &["objects without the field: created ones, and stored ones when they are read"]
        }
        (Effect::Stored, _) => &["objects that are written, and stored objects when they are read"],
    };
    lines.iter().map(|&line| line.to_owned()).collect()
}
