//! The codes, descriptions and remedies of findings about schemas.

use serde_json::Value;

use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The effect of a difference on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Effect {
    /// Only the old version accepts the object.
    Refused,
    /// Only the new version accepts the object.
    Accepted,
    /// Both versions accept the object, and store different values.
    Stored,
}

/// The relation between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The new version replaces the old version.
    Upgrade,
    /// A CRD serves both versions, and no webhook converts between them.
    ServedTogether,
}

/// The maximum length of a value in a description, in characters.
const SHOWN: usize = 120;

/// Returns the code of a finding.
pub(crate) fn code(difference: &Difference, effect: Effect) -> &'static str {
    let Difference {
        keyword, old, new, ..
    } = difference;
    match (keyword, effect, old, new) {
        (Keyword::Properties, _, Some(_), None) if !difference.keeps_unknown => "field-removed",
        (Keyword::Properties, _, None, Some(_)) if !difference.keeps_unknown => "field-added",
        (Keyword::Default, _, None, Some(_)) => "default-added",
        (Keyword::Default, _, Some(_), None) => "default-removed",
        (Keyword::Default, ..) => "default-changed",
        (Keyword::Enum, Effect::Refused, None, Some(_)) => "values-closed",
        (Keyword::Enum, Effect::Accepted, Some(_), None) => "values-opened",
        (keyword, Effect::Refused, ..) => keyword.codes()[0],
        (keyword, Effect::Accepted, ..) => keyword.codes()[1],
        (keyword, Effect::Stored, ..) => keyword.codes()[2],
    }
}

/// Returns a description of a difference.
pub(crate) fn description(difference: &Difference) -> String {
    let Difference {
        keyword, old, new, ..
    } = difference;
    let name = keyword.as_str();
    match (keyword, old, new) {
        (Keyword::Properties, Some(_), _) if difference.keeps_unknown => {
            "the schema does not describe the field any more, and keeps the field as an unknown field"
                .to_owned()
        }
        (Keyword::Properties, None, _) if difference.keeps_unknown => {
            "the schema now describes the field, which was kept as an unknown field".to_owned()
        }
        (Keyword::Properties, Some(_), _) => "the field was removed".to_owned(),
        (Keyword::Properties, None, _) => "the field was added".to_owned(),
        (Keyword::Required, Some(field), _) => {
            format!("the field {field} is not required any more")
        }
        (Keyword::Required, None, Some(field)) => format!("the field {field} is now required"),
        (Keyword::Rule, Some(rule), _) => format!("the rule {} was removed", text_of_rule(rule)),
        (Keyword::Rule, None, Some(rule)) => format!("the rule {} was added", text_of_rule(rule)),
        (_, Some(old), Some(new)) => {
            format!("`{name}` was {}, and is now {}", shown(old), shown(new))
        }
        (_, None, Some(new)) => format!("`{name}: {}` was added", shown(new)),
        (_, Some(old), None) => format!("`{name}: {}` was removed", shown(old)),
        (_, None, None) => format!("`{name}` changed"),
    }
}

fn text_of_rule(rule: &Value) -> String {
    let text = rule.get("rule").and_then(Value::as_str).unwrap_or_default();
    format!("`{}`", shortened(text.trim()))
}

fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("{start}...")
}

/// Returns the remedy of a finding. `is_update` is true if an update proves the finding.
pub(crate) fn remedy(
    difference: &Difference,
    effect: Effect,
    relation: Relation,
    is_update: bool,
) -> &'static str {
    match relation {
        Relation::ServedTogether => {
            "give both versions the same schema at this place, or convert between the versions with a webhook"
        }
        Relation::Upgrade if is_update => remedy_of_update(difference, effect),
        Relation::Upgrade => remedy_of_write(difference, effect),
    }
}

/// Returns the remedy of a finding that an update proves.
fn remedy_of_update(difference: &Difference, effect: Effect) -> &'static str {
    match (difference.keyword, effect) {
        (Keyword::Rule, Effect::Refused) => {
            "allow the change with a condition of the rule, or add the rule in a new version"
        }
        (_, Effect::Accepted) => {
            "update the clients that rely on the rule before a client changes the value"
        }
        _ => remedy_of_write(difference, effect),
    }
}

fn remedy_of_write(difference: &Difference, effect: Effect) -> &'static str {
    match (difference.keyword, effect) {
        (Keyword::Properties, Effect::Stored) => remedy_of_field(difference),
        (Keyword::Properties, _) if !difference.keeps_unknown => {
            "update clients before the field is used: a typed client drops a field that it does not know"
        }
        (Keyword::Required, Effect::Refused) => {
            "give the field a default, or require the field in a new version of the CRD"
        }
        (Keyword::Default, _) => {
            "keep the default in this version; a stored object without the field is read with the current default"
        }
        (Keyword::Rule, Effect::Refused) if difference.is_transition_rule() => {
            "allow the value with a condition of the rule, or add the rule in a new version"
        }
        (Keyword::Rule, Effect::Refused) => {
            "let the rule compare with the old value (`optionalOldSelf: true`), so that only new values have to satisfy it, or add the rule in a new version"
        }
        (Keyword::ListType | Keyword::ListMapKeys | Keyword::MapType, _) => {
            "change the type of a list or map in a new version, or apply the whole list again with each field manager"
        }
        (
            Keyword::Minimum
            | Keyword::Maximum
            | Keyword::MinLength
            | Keyword::MaxLength
            | Keyword::MinItems
            | Keyword::MaxItems
            | Keyword::MinProperties
            | Keyword::MaxProperties
            | Keyword::MultipleOf,
            Effect::Refused,
        ) => {
            "find the stored objects with `unionctl tighten` and mend them first, reach the bound in steps, or set the bound in a new version"
        }
        (_, Effect::Refused) => {
            "find the stored objects with `unionctl tighten` and mend them first, or make the change in a new version"
        }
        (_, Effect::Accepted) => {
            "update the clients that read the object before a client writes such a value"
        }
        (_, Effect::Stored) => {
            "keep what is stored in this version, and make the change in a new version"
        }
    }
}

/// Returns the remedy of a finding about a field that only one schema describes.
const fn remedy_of_field(difference: &Difference) -> &'static str {
    match (difference.keeps_unknown, difference.new.is_none()) {
        (true, false) => {
            "describe each part of the value that clients write, or keep the unknown fields of the value (`x-kubernetes-preserve-unknown-fields: true`)"
        }
        (true, true) => "keep the schema of the field in this version",
        (false, true) => {
            "keep the field, and mark it as deprecated in its description, until no stored object and no client has it"
        }
        (false, false) => {
            "update clients before the field is used: a typed client drops a field that it does not know"
        }
    }
}
