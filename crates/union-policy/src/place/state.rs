//! What a union says, in CEL: `State` of the runtime.

use k8s_json_internals::cel_text::literal;
use union_json::PlacedUnion;
use union_runtime::{Arity, MemberSpec};

/// The discriminator of the object that `of` names: null where it says nothing. Without one, null.
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
        // One that follows the members says nothing by `""`.
        _ => format!("[{said}].map(x, x == '' ? null : x)[0]"),
    }
}

/// Whether what is called `said` and is not null is one of the discriminator's values: validation of the schema refuses others.
pub(crate) fn is_known(union: PlacedUnion<'_>, said: &str) -> String {
    match union.spec().discriminator() {
        None => "false".to_owned(),
        Some(discriminator) if discriminator.is_open() => format!("type({said}) == string"),
        Some(discriminator) => format!("{said} in {}", list(discriminator.values().iter())),
    }
}

/// Whether a member is set in the object that `of` names; `member` is an expression.
pub(crate) fn is_set(of: &str, member: &str) -> String {
    format!("{of}[?{member}].orValue(dyn(null)) != null")
}

/// A list of texts.
pub(crate) fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", texts.map(literal).collect::<Vec<_>>().join(", "))
}

/// The names of the members.
pub(crate) fn names(union: PlacedUnion<'_>) -> String {
    list(union.spec().members().map(MemberSpec::name))
}
