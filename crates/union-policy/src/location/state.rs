//! The state of a union in CEL, like `State` of the runtime.

use k8s_json_internals::cel_literal::string_literal;
use union_json::UnionAtNode;
use union_runtime::{MemberSpec, UnionModel};

/// Returns a CEL expression for the value of the discriminator in the object that `of` names. It is
/// null if the discriminator is unset, or if the union does not have one.
pub(crate) fn discriminator_value(union: UnionAtNode<'_>, of: &str) -> String {
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return "null".to_owned();
    };
    let name = string_literal(discriminator.name());
    let said = format!("{of}[?{name}].orValue(dyn(null))");
    let said = match union.default_value() {
        Some(absent) => format!(
            "({said} == null ? {} : {of}[{name}])",
            string_literal(absent)
        ),
        None => said,
    };
    match spec.model() {
        UnionModel::Discriminated => said,
        // For a discriminator that follows the members, `""` means unset.
        _ => format!("[{said}].map(x, x == '' ? null : x)[0]"),
    }
}

/// Returns a CEL condition that is true if `said`, which is not null, is a value of the
/// discriminator. The validation of the schema rejects other values.
pub(crate) fn known_value_condition(union: UnionAtNode<'_>, said: &str) -> String {
    match union.spec().discriminator() {
        None => "false".to_owned(),
        Some(discriminator) if discriminator.is_open() => format!("type({said}) == string"),
        Some(discriminator) => format!("{said} in {}", string_list(discriminator.values().iter())),
    }
}

/// Returns a CEL condition that is true if a member is set in the object that `of` names. `member`
/// is an expression.
pub(crate) fn member_set_condition(of: &str, member: &str) -> String {
    format!("{of}[?{member}].orValue(dyn(null)) != null")
}

/// Returns a CEL list of strings.
pub(crate) fn string_list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!(
        "[{}]",
        texts.map(string_literal).collect::<Vec<_>>().join(", ")
    )
}

/// Returns a CEL list of the names of the members.
pub(crate) fn member_names(union: UnionAtNode<'_>) -> String {
    string_list(union.spec().members().map(MemberSpec::name))
}
