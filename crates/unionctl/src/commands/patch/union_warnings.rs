//! Warnings about unions that a patch leaves with several members, or with a member that the
//! discriminator does not select. The patch itself is right: it says what its author has changed.

use k8s_strategic_merge_patch::PatchSchema;
use serde_json::Value;
use union_json::Unions;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{Report, Violation, ViolationKind};

use super::request::{PatchReply, PatchRequest};
use crate::judge::builtin::{self, BuiltinValidator};

/// The objects of a patch.
struct PatchedObject<'o> {
    /// The object before the patch.
    live: &'o Value,
    /// The object that the author wants, or the patch.
    author: &'o Value,
    /// The object after the patch.
    result: &'o Value,
}

/// Returns the reply to a request, and a warning for each union that is invalid after the patch.
pub(super) fn reply_with_warnings(
    request: PatchRequest,
    schema: &PatchSchema,
    unions: &Unions,
    unchanged_fields: &[String],
) -> (PatchReply, Vec<String>) {
    let live_and_author = request.live_and_author();
    let reply = request.reply(schema, unchanged_fields);
    let warnings = live_and_author.and_then(|(live, author)| {
        let result = reply.patched_object(schema, &live)?;
        let object = PatchedObject {
            live: &live,
            author: &author,
            result: &result,
        };
        Some(object.warnings(&validate(unions, &result)?))
    });
    (reply, warnings.unwrap_or_default())
}

/// Validates the unions that the schema declares, or else the unions of the built-in kind; `None`
/// if the object has neither.
fn validate(unions: &Unions, result: &Value) -> Option<Report> {
    if !unions.is_empty() {
        return Some(unions.validate(result));
    }
    let kind = builtin::kind_of(result)?;
    BuiltinValidator::default().validate(kind, result).ok()
}

impl PatchedObject<'_> {
    fn warnings(&self, report: &Report) -> Vec<String> {
        let errors = report.errors().iter();
        errors.filter_map(|error| self.warning(error)).collect()
    }

    /// Returns the warning for an error about set members; `None` for other errors.
    fn warning(&self, error: &Violation) -> Option<String> {
        let path = error.path();
        let members = error
            .value()
            .and_then(|value| value.strip_prefix('{')?.strip_suffix('}'));
        let (object_path, members): (FieldPath, Vec<&str>) = match members {
            Some(members) => (path.clone(), members.split(", ").collect()),
            // A member that the discriminator does not select.
            None if error.kind() == ViolationKind::Invalid
                && error.value() == Some("")
                && path
                    .find(self.result)
                    .is_some_and(|member| !member.is_null()) =>
            {
                (path.parent()?, vec![path.steps().next_back()?.name()?])
            }
            None => return None,
        };
        let is_from_author =
            |member: &str| has_member(self.author, self.result, &object_path, member);
        let is_from_live = |member: &str| has_member(self.live, self.result, &object_path, member);
        let mut origins = Vec::new();
        let mut removable = Vec::new();
        for member in members {
            let origin = if is_from_author(member) {
                "from the author"
            } else if is_from_live(member) {
                removable.push(format!("`{member}: null`"));
                "from the live object"
            } else {
                "from the patch"
            };
            origins.push(format!("`{member}` ({origin})"));
        }
        let remedy = match &*removable {
            [] => error.message(),
            removable => format!("add {} to the wanted object", removable.join(" and ")),
        };
        let place = match object_path.as_str() {
            "" => "the object",
            path => path,
        };
        Some(format!(
            "after the patch, {place} has {}: {remedy}",
            origins.join(" and ")
        ))
    }
}

/// Returns true if an object has a member at a path of the patched object. Elements of lists are
/// paired by their fields, because a patch may change the order of a list.
fn has_member(object: &Value, result: &Value, path: &FieldPath, member: &str) -> bool {
    let (mut value, mut value_in_result) = (object, result);
    for step in path.steps() {
        let Some(child_in_result) = step.find(value_in_result) else {
            return false;
        };
        let child = match (step, value) {
            (PathStep::Index(_), Value::Array(elements)) => {
                let equal_fields = |element: &&Value| count_equal_fields(element, child_in_result);
                elements.iter().rev().max_by_key(equal_fields)
            }
            _ => step.find(value),
        };
        let Some(child) = child else { return false };
        (value, value_in_result) = (child, child_in_result);
    }
    value.get(member).is_some_and(|value| !value.is_null())
}

/// Returns the number of equal scalar fields of two objects.
fn count_equal_fields(first: &Value, second: &Value) -> usize {
    let fields = first.as_object().into_iter().flatten();
    let is_equal = |(name, value): &(&String, &Value)| {
        !value.is_object() && !value.is_array() && second.get(name.as_str()) == Some(*value)
    };
    fields.filter(is_equal).count()
}
