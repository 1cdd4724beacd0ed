//! What to write: rules that can be pasted.

use k8s_json_internals::cel_name::escape;

use crate::fields::{Field, State};

/// A name as CEL writes it.
pub(crate) fn name(name: &str) -> String {
    escape(name).unwrap_or_else(|| name.to_owned())
}

/// A text as CEL writes it.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The rule of a member, as the derive writes it.
pub(crate) fn member_rule(
    discriminator: &Field<'_>,
    value: &str,
    member: &str,
    optional: bool,
) -> String {
    let d = name(&discriminator.path.join("."));
    let m = name(member);
    let wanted = if optional {
        "true".to_owned()
    } else {
        format!("has(self.{m})")
    };
    let guard = if discriminator.may_be_left_out() {
        format!("has(self.{d}) && ")
    } else {
        String::new()
    };
    format!(
        "{guard}self.{d} == {} ? {wanted} : !has(self.{m})",
        text(value)
    )
}

/// An enum for a discriminator that takes any text.
pub(crate) fn enumerate(discriminator: &Field<'_>) -> String {
    let values = discriminator.states.iter().filter_map(|state| match state {
        State::Text(text) if !text.is_empty() => Some(format!("{text:?}")),
        _ => None,
    });
    let values: Vec<String> = values.collect();
    format!("\"enum\": [{}]", values.join(", "))
}
