//! The level of a finding, and who is affected.

use union_json::document::SchemaStep;

use crate::judge::answer::Answer;
use crate::report::finding::{Level, Proof};
use crate::report::wording::{Effect, Relation};
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

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

/// Returns the level of a finding. `loses_values` is true if the difference drops or changes a
/// stored value.
pub(super) fn level_of(
    effect: Effect,
    proof: &Proof,
    loses_values: bool,
    relation: Relation,
) -> Level {
    if relation == Relation::ServedTogether {
        return Level::Breaking;
    }
    match effect {
        Effect::Refused if proof.replaced.is_some() || is_unrelated_update_refused(proof) => {
            Level::Breaking
        }
        Effect::Refused => Level::Tolerated,
        Effect::Stored if loses_values => Level::Breaking,
        Effect::Accepted | Effect::Stored => Level::Notice,
    }
}

/// Returns the requests and clients that a finding affects. `names` are the names of both versions.
pub(super) fn affected(
    difference: &Difference,
    effect: Effect,
    proof: &Proof,
    relation: Relation,
    names: [&str; 2],
) -> String {
    match relation {
        Relation::Upgrade => affected_by_upgrade(difference, effect, proof).to_owned(),
        Relation::ServedTogether => affected_by_other_version(effect, proof, names),
    }
}

fn is_unrelated_update_refused(proof: &Proof) -> bool {
    let answer = proof.unrelated_update.as_ref();
    answer.is_none_or(Answer::is_rejected)
}

fn affected_by_upgrade(difference: &Difference, effect: Effect, proof: &Proof) -> &'static str {
    let is_update = proof.replaced.is_some();
    match (effect, difference.keyword) {
        (Effect::Refused, _) => match (is_update, is_unrelated_update_refused(proof)) {
            (false, true) => "creates of such an object, and every update of a stored one",
            // A rule with `optionalOldSelf` reads the old value, and accepts the value in updates.
            (false, false) if difference.is_transition_rule() && proof.field_update.is_none() => {
                "creates of such an object; updates are not affected"
            }
            (false, false) => {
                "creates of such an object, and updates that set the value; updates of stored objects are tolerated while the value does not change"
            }
            (true, true) => "every update of such a stored object; creates are not affected",
            (true, false) => {
                "updates that change the stored value as shown; creates, and updates that keep the value, are not affected"
            }
        },
        (Effect::Accepted, _) if is_update => {
            "clients that rely on the rule, because an update may now change the stored value as shown; after a rollback, the old version refuses such an update"
        }
        (
            Effect::Accepted,
            Keyword::Type
            | Keyword::Enum
            | Keyword::Required
            | Keyword::Nullable
            | Keyword::IntOrString,
        ) => {
            "clients with the old types, which may fail to read the object; after a rollback, the old version refuses the object"
        }
        (Effect::Accepted, _) => {
            "clients that rely on the old limit; after a rollback, the old version refuses the object"
        }
        (Effect::Stored, Keyword::Properties) => affected_by_field(difference),
        (Effect::Stored, Keyword::Default) => {
            "objects without the field: created ones, and stored ones when they are read"
        }
        (Effect::Stored, _) => "objects that are written, and stored objects when they are read",
    }
}

/// Returns the clients that notice a field that only one schema describes.
const fn affected_by_field(difference: &Difference) -> &'static str {
    match (difference.keeps_unknown, difference.new.is_none()) {
        (true, false) => {
            "objects with the field: the value was stored unchanged, and the schema now drops and defaults parts of the value, also when a stored object is read"
        }
        (true, true) => {
            "objects with the field: the schema dropped and defaulted parts of the value, and the value is now stored unchanged"
        }
        (false, true) => {
            "stored objects, which lose the value at the next write; clients that write the field, which get a warning, or an error with strict field validation"
        }
        (false, false) => {
            "clients with the old types, which drop the field when they write the object back"
        }
    }
}

fn affected_by_other_version(effect: Effect, proof: &Proof, [old, new]: [&str; 2]) -> String {
    let is_update = proof.replaced.is_some();
    match (effect, is_update) {
        (Effect::Refused, false) if is_unrelated_update_refused(proof) => format!(
            "clients of {new}, which cannot create such an object, and cannot update the object after a client of {old} stored it"
        ),
        (Effect::Refused, false) => format!(
            "clients of {new}, which cannot create such an object, and can update the object after a client of {old} stored it only while the value does not change"
        ),
        (Effect::Accepted, false) => {
            format!("clients of {old}, which cannot create such an object, as clients of {new} can")
        }
        (Effect::Refused, true) => format!(
            "clients of {new}, which cannot change the stored value as shown, as clients of {old} can"
        ),
        (Effect::Accepted, true) => format!(
            "clients of {old}, which cannot change the stored value as shown, as clients of {new} can"
        ),
        (Effect::Stored, _) => format!(
            "clients of both versions: a write or a read through {new} yields another value than one through {old}"
        ),
    }
}
