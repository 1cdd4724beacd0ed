//! Lists the unions of built-in types.

use k8s_builtin_unions::{Arity, BuiltinKind, BuiltinMember, BuiltinUnion, MemberRule, unions};
use serde_json::{Value, json};

use crate::error::CommandError;
use crate::judge::builtin::kinds_with_name;
use crate::output::print::{self, CommandStatus, OutputFormat, PLAIN, TextBuffer, TextOrJson};

/// Lists the unions of all built-in types, or the unions of a kind with their paths. `kind_name` is
/// empty for all types.
pub(super) fn run(kind_name: &str, output: OutputFormat) -> Result<CommandStatus, CommandError> {
    let format = output.text_or_json()?;
    let wanted_kinds = if kind_name.is_empty() {
        Vec::new()
    } else {
        kinds_with_name(kind_name)?
    };
    match format {
        TextOrJson::Json => print::json(&[listing_json(&wanted_kinds)])?,
        TextOrJson::Text => render(&wanted_kinds).print()?,
    }
    Ok(CommandStatus::Success)
}

fn render(wanted_kinds: &[BuiltinKind]) -> TextBuffer {
    let mut text = TextBuffer::default();
    if wanted_kinds.is_empty() {
        for union in unions() {
            let place = union.place().map_or_else(
                || union.type_name().to_owned(),
                |place| format!("{} in {place}", union.type_name()),
            );
            add_union(&mut text, 0, &place, union);
        }
    }
    for kind in wanted_kinds {
        text.add_heading(&format!("{} {}", kind.name(), kind.api_version()));
        for found in kind.unions() {
            add_union(&mut text, 1, &found.path.to_field_notation(), found.union);
        }
    }
    text
}

fn add_union(text: &mut TextBuffer, level: usize, place: &str, union: BuiltinUnion) {
    let members = || {
        let members = union.members().map(member_text);
        members.collect::<Vec<_>>().join(", ")
    };
    let rule = match (union.arity(), union.discriminator()) {
        (Arity::ByDiscriminator, Some(discriminator)) => {
            let default = union.default_value();
            let default = default.map_or_else(
                || "required".to_owned(),
                |value| format!("by default {value:?}"),
            );
            format!("by `{discriminator}` ({default})")
        }
        (Arity::ExactlyOne, _) => format!("exactly one of {}", members()),
        _ => format!("at most one of {}", members()),
    };
    let default_member = union.default_member();
    let default_member = default_member.map(|member| format!("; by default `{member}`"));
    let since = union.since().map(|minor| format!("; since 1.{minor}"));
    let notes = [default_member, since, unenforced_note(union)];
    let notes: String = notes.into_iter().flatten().collect();
    text.add_indented_line(level, &format!("{place}: {rule}{notes}"), PLAIN);
    if union.discriminator().is_some() {
        for member in union.members() {
            let value = member.value().unwrap_or_default();
            let optional = if member.is_optional() {
                " (optional)"
            } else {
                ""
            };
            let line = format!("{value}  {}{optional}", member.field());
            text.add_indented_line(level + 1, &line, PLAIN);
        }
        for value in union.memberless_values() {
            // The values of a new union are as old as the union.
            let since = value.since().filter(|_| value.since() != union.since());
            let since = since.map(|minor| format!(" (since 1.{minor})"));
            let line = format!("{}  no field{}", value.value(), since.unwrap_or_default());
            text.add_indented_line(level + 1, &line, PLAIN);
        }
    }
}

/// Returns a note on the rules that API servers do not enforce.
fn unenforced_note(union: BuiltinUnion) -> Option<String> {
    let unenforced: Vec<MemberRule> = unenforced_rules(union).collect();
    if unenforced.is_empty() {
        return None;
    }
    if unenforced.len() == union.rules().count() {
        return Some("; not enforced by API servers".to_owned());
    }
    let enforced = union.rules().filter(|rule| union.enforces(*rule));
    let rules: Vec<&str> = enforced.map(rule_text).collect();
    Some(format!("; API servers enforce only: {}", rules.join(", ")))
}

fn unenforced_rules(union: BuiltinUnion) -> impl Iterator<Item = MemberRule> {
    union.rules().filter(move |rule| !union.enforces(*rule))
}

/// Returns a rule as the table writes it.
const fn rule_text(rule: MemberRule) -> &'static str {
    match rule {
        MemberRule::Required => "a member is required",
        MemberRule::OnlySelected => "only the selected member",
        _ => "at most one",
    }
}

/// Returns a member of a union without a discriminator, such as `` `image` (since 1.31) ``.
fn member_text(member: BuiltinMember) -> String {
    let since = member.since().map(|minor| format!("since 1.{minor}"));
    let until = member.until().map(|minor| format!("until 1.{minor}"));
    let empty = member.is_unset_if_empty();
    let empty = empty.then(|| "an empty value counts as unset".to_owned());
    let notes: Vec<String> = [since, until, empty].into_iter().flatten().collect();
    match notes.as_slice() {
        [] => format!("`{}`", member.field()),
        notes => format!("`{}` ({})", member.field(), notes.join(", ")),
    }
}

fn listing_json(wanted_kinds: &[BuiltinKind]) -> Value {
    if wanted_kinds.is_empty() {
        return json!({"unions": unions().map(union_json).collect::<Vec<Value>>()});
    }
    let kinds = wanted_kinds.iter().map(|kind| {
        let unions = kind.unions().into_iter().map(|found| {
            let mut union = union_json(found.union);
            if let Value::Object(union) = &mut union {
                union.insert("path".to_owned(), found.path.to_field_notation().into());
            }
            union
        });
        json!({
            "apiVersion": kind.api_version(),
            "kind": kind.name(),
            "unions": unions.collect::<Vec<Value>>(),
        })
    });
    json!({"kinds": kinds.collect::<Vec<Value>>()})
}

fn union_json(union: BuiltinUnion) -> Value {
    let members = union.members().map(|member| {
        json!({
            "field": member.field(),
            "value": member.value(),
            "optional": member.is_optional(),
            "unset_if_empty": member.is_unset_if_empty(),
            "since": member.since().map(|minor| format!("1.{minor}")),
            "until": member.until().map(|minor| format!("1.{minor}")),
        })
    });
    json!({
        "type": union.type_name(),
        "place": union.place(),
        "arity": match union.arity() {
            Arity::ExactlyOne => "exactly one",
            Arity::ExactlyOneWithDefault => "exactly one, with a default",
            Arity::ByDiscriminator => "by discriminator",
            _ => "at most one",
        },
        "discriminator": union.discriminator(),
        "values_without_member": union.values_without_member().collect::<Vec<_>>(),
        "versions_of_values": versions_of_values(union),
        "default_value": union.default_value(),
        "default_member": union.default_member(),
        "members": members.collect::<Vec<Value>>(),
        "enforced": union.is_enforced(),
        "unenforced_rules": unenforced_rules(union).map(rule_text).collect::<Vec<_>>(),
        "since": union.since().map(|minor| format!("1.{minor}")),
        "source": union.source(),
    })
}

/// Returns the versions of the values without a member, by value.
fn versions_of_values(union: BuiltinUnion) -> Value {
    let values = union.memberless_values().map(|value| {
        let versions = json!({
            "since": value.since().map(|minor| format!("1.{minor}")),
            "until": value.until().map(|minor| format!("1.{minor}")),
        });
        (value.value().to_owned(), versions)
    });
    Value::Object(values.collect())
}
