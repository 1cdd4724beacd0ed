//! Findings about list types, keys and map types, which decide what server-side apply does.

use serde_json::Value;

use crate::report::finding::{Finding, Level};
use crate::report::wording::{Effect, Relation, description, remedy};
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// Returns a finding if the difference changes what server-side apply does. The pointers are those
/// of the schemas.
pub(crate) fn server_side_apply_finding(
    difference: &Difference,
    relation: Relation,
    [old_pointer, new_pointer]: [Option<String>; 2],
) -> Option<Finding> {
    let is_atomic = |value: Option<&Value>| match difference.keyword {
        Keyword::MapType => value.and_then(Value::as_str) == Some("atomic"),
        _ => value.is_none(),
    };
    let [was_atomic, is_atomic] = [difference.old.as_ref(), difference.new.as_ref()].map(is_atomic);
    let (level, effect) = match (difference.keyword, was_atomic, is_atomic) {
        (Keyword::ListType | Keyword::MapType, false, true) => (
            Level::Breaking,
            "field managers that apply a part of the list or map: each of them now owns the whole value, so an apply conflicts with the others, or removes what they applied",
        ),
        (Keyword::ListType | Keyword::MapType, true, false) => (
            Level::Notice,
            "field managers that applied the whole list or map: nobody owns the elements yet, so an apply that omits an element does not remove the element",
        ),
        (Keyword::ListType, ..) | (Keyword::ListMapKeys, false, false) => (
            Level::Breaking,
            "field managers that applied elements: the elements have other keys, so an apply can add an element instead of changing it, or change the wrong element",
        ),
        _ => return None,
    };
    Some(Finding {
        code: difference.keyword.codes()[2],
        level,
        place: difference.path.clone(),
        identity: difference.identity(),
        keyword: Some(difference.keyword),
        field: None,
        path: difference.path.to_field_notation(),
        old_pointer,
        new_pointer,
        description: description(difference),
        proof: None,
        affected: vec![effect.to_owned()],
        remedy: remedy(difference, Effect::Stored, relation, false).to_owned(),
    })
}
