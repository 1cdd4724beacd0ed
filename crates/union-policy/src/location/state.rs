//! The state of a union in CEL, like `State` of union-runtime.

use k8s_json_internals::cel_literal::string_literal;
use union_json::UnionAtNode;
use union_runtime::{MemberSpec, UnionModel};

use crate::location::union_location::UnionLocation;

/// Returns a CEL expression for the discriminator value of `object`. The value is null if the
/// discriminator is unset, or if the union has none.
pub(crate) fn discriminator_value(union: UnionAtNode<'_>, object: &str) -> String {
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return "null".to_owned();
    };
    let name = string_literal(discriminator.name());
    let value = format!("{object}[?{name}].orValue(dyn(null))");
    let value = match union.default_value() {
        Some(default) => format!(
            "({value} == null ? {} : {object}[{name}])",
            string_literal(default)
        ),
        None => value,
    };
    match spec.model() {
        UnionModel::Discriminated => value,
        // In the 2019 model, a discriminator with the value `""` is unset.
        _ => format!("[{value}].map(x, x == '' ? null : x)[0]"),
    }
}

/// Returns a CEL condition that is true if `value`, which must not be null, is a value of the
/// discriminator. Schema validation rejects other values.
pub(crate) fn known_value_condition(union: UnionAtNode<'_>, value: &str) -> String {
    match union.spec().discriminator() {
        None => "false".to_owned(),
        Some(discriminator) if discriminator.is_open() => format!("type({value}) == string"),
        Some(discriminator) => format!("{value} in {}", string_list(discriminator.values().iter())),
    }
}

/// The values that count as unset for some members of built-in types. All elements have the type
/// `dyn`, because API servers reject list literals of several types.
const EMPTY_VALUES: &str = "[dyn(null), dyn(''), dyn([]), dyn(0), dyn(false)]";

/// Returns a CEL condition that is true if a member is set in `object`. `member` is an expression.
pub(crate) fn member_set_condition(
    location: &UnionLocation<'_>,
    object: &str,
    member: &str,
) -> String {
    let value = format!("{object}[?{member}].orValue(dyn(null))");
    if location.unset_if_empty.is_empty() {
        return format!("{value} != null");
    }
    let names = string_list(location.unset_if_empty.iter().copied());
    format!("({member} in {names} ? !({value} in {EMPTY_VALUES}) : {value} != null)")
}

/// Returns a CEL list of string literals.
pub(crate) fn string_list<'t>(strings: impl Iterator<Item = &'t str>) -> String {
    format!(
        "[{}]",
        strings.map(string_literal).collect::<Vec<_>>().join(", ")
    )
}

/// Returns a CEL list of the names of the members.
pub(crate) fn member_names(union: UnionAtNode<'_>) -> String {
    string_list(union.spec().members().map(MemberSpec::name))
}
