//! Normalization in CEL: the changes of one union, as `rules/normalize.rs` of union-runtime
//! computes them. A change is a list: `['remove', pointer]` or `['add', pointer, value]`.

use k8s_json_internals::cel_literal::string_literal;
use union_json::UnionAtNode;
use union_runtime::{MemberSpec, UnionModel};

use crate::location::navigation::{CelScope, escaped_token};
use crate::location::state::{
    discriminator_value, known_value_condition, member_names, member_set_condition, string_list,
};
use crate::location::union_location::UnionLocation;
use union_json::pointer::escape;

/// Returns true if normalization may change an object without an old object, because the
/// discriminator follows the members.
pub(crate) fn may_change_without_old(union: UnionAtNode<'_>) -> bool {
    let spec = union.spec();
    spec.model() != UnionModel::Discriminated && spec.discriminator().is_some()
}

/// Returns a CEL expression for the list of changes.
pub(crate) fn changes(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    match location.union.spec().model() {
        UnionModel::Discriminated => discriminated_changes(location, scope),
        _ => undiscriminated_changes(location, scope),
    }
}

/// Returns the changes of the 2022 model: a discriminator that changed to a known value clears all
/// other members.
fn discriminated_changes(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    let union = location.union;
    let spec = union.spec();
    let values = spec
        .discriminator()
        .map(|discriminator| string_list(discriminator.values().iter()));
    let known_values = values.unwrap_or_default();
    let members = spec.members().map(|member| {
        let (name, value) = (
            string_literal(member.name()),
            string_literal(member.value()),
        );
        format!("[{name}, {value}]")
    });
    let members = members.collect::<Vec<_>>().join(", ");
    let value = discriminator_value(union, &scope.new);
    let old_value = discriminator_value(union, &scope.old);
    let is_set = member_set_condition(location, &scope.new, "m[0]");
    let remove_change = remove_change(union, scope, "m[0]");
    format!(
        "({} ? [{value}].map(s, s in {known_values} && s != {old_value} ? [{members}].filter(m, m[1] != s && {is_set}).map(m, {remove_change}) : [])[0] : [])",
        scope.update_condition()
    )
}

/// Returns the changes of the 2019 model: a discriminator that changed selects the member that
/// remains. Otherwise, the discriminator follows the member that is set or was added.
///
/// In the expression, `s` is the new value of the discriminator, `w` is its old value, `set` are
/// the names of the set members, `kept` are the names of the members that remain set, and `m` is
/// the name of a member.
fn undiscriminated_changes(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    let union = location.union;
    let set_members = format!(
        "{}.filter(m, {})",
        member_names(union),
        member_set_condition(location, &scope.new, "m")
    );
    let was_unset = format!(
        "!({} && {})",
        scope.update_condition(),
        member_set_condition(location, &scope.old, "m")
    );
    let added_members = format!("set.filter(m, {was_unset})");
    let kept_members =
        format!("set.size() == 1 || {added_members}.size() != 1 ? set : {added_members}");
    let remove_change = format!(
        "set.filter(m, !(m in kept)).map(m, {})",
        remove_change(union, scope, "m")
    );
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return format!(
            "[{set_members}].map(set, [{kept_members}].map(kept, {remove_change})[0])[0]"
        );
    };
    let value_entries = union.spec().members().map(|member| {
        let (name, value) = (
            string_literal(member.name()),
            string_literal(member.value()),
        );
        format!("{name}: {value}")
    });
    let values_by_name = format!("{{{}}}", value_entries.collect::<Vec<_>>().join(", "));
    let value = discriminator_value(union, &scope.new);
    let old_value = format!(
        "{} ? {} : dyn(null)",
        scope.update_condition(),
        discriminator_value(union, &scope.old)
    );
    let pointer = scope
        .pointer
        .with_literal(&format!("/{}", escape(discriminator.name())))
        .to_cel();
    // An absent discriminator follows the members even if it is required.
    let is_known = known_value_condition(union, "s");
    format!(
        "[{value}].map(s, s == null || {is_known} ? [{old_value}].map(w, [{set_members}].map(set, \
         [s != null && s != w ? set.filter(m, {values_by_name}[m] == s) : {kept_members}].map(kept, {remove_change} + \
         ((s == null || s == w) && kept.size() == 1 && {values_by_name}[kept[0]] != s ? [['add', {pointer}, {values_by_name}[kept[0]]]] : []))[0])[0])[0] : [])[0]"
    )
}

/// Returns a CEL expression for the change that removes a member. `name` is an expression for the
/// member's name.
fn remove_change(union: UnionAtNode<'_>, scope: &CelScope, name: &str) -> String {
    let names = union.spec().members().map(MemberSpec::name);
    let token = if names.clone().any(|name| name != escape(name)) {
        escaped_token(name)
    } else {
        name.to_owned()
    };
    format!(
        "['remove', {}]",
        scope
            .pointer
            .with_literal("/")
            .with_expression(token)
            .to_cel()
    )
}
