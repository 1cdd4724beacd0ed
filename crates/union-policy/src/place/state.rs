//! The state of a union in CEL, like `State` of the runtime.

use k8s_json_internals::cel_text::literal;
use union_json::PlacedUnion;
use union_runtime::{Arity, MemberSpec};

/// Returns a CEL expression for the value of the discriminator in the object that `of` names. It is
/// null if the discriminator is unset, or if the union does not have one.
pub(crate) fn selected(union: PlacedUnion<'_>, of: &str) -> String {
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return "null".to_owned();
    };
    let name = literal(discriminator.name());
    let said = format!("{of}[?{name}].orValue(dyn(null))");
    let said = match union.absent() {
        Some(absent) => format!("({said} == null ? {} : {of}[{name}])", literal(absent)),
        None => said,
    };
    match spec.arity() {
        Arity::Selected => said,
        // For a discriminator that follows the members, `""` means unset.
        _ => format!("[{said}].map(x, x == '' ? null : x)[0]"),
    }
}

/// Returns a CEL condition that is true if `said`, which is not null, is a value of the
/// discriminator. The validation of the schema rejects other values.
pub(crate) fn is_known(union: PlacedUnion<'_>, said: &str) -> String {
    match union.spec().discriminator() {
        None => "false".to_owned(),
        Some(discriminator) if discriminator.is_open() => format!("type({said}) == string"),
        Some(discriminator) => format!("{said} in {}", list(discriminator.values().iter())),
    }
}

/// Returns a CEL condition that is true if a member is set in the object that `of` names. `member`
/// is an expression.
pub(crate) fn is_set(of: &str, member: &str) -> String {
    format!("{of}[?{member}].orValue(dyn(null)) != null")
}

/// Returns a CEL list of strings.
pub(crate) fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", texts.map(literal).collect::<Vec<_>>().join(", "))
}

/// Returns a CEL list of the names of the members.
pub(crate) fn names(union: PlacedUnion<'_>) -> String {
    list(union.spec().members().map(MemberSpec::name))
}
