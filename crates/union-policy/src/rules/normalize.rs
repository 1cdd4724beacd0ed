//! Normalization, in CEL: the changes of one union by the native `normalize` (`rules/normalize.rs`
//! of union-runtime), each as a list: `['remove', pointer]`, or `['add', pointer, value]`.

use k8s_json_internals::cel_literal::string_literal;
use union_json::UnionAtNode;
use union_runtime::{MemberSpec, UnionModel};

use crate::location::navigation::{CelScope, escaped_token};
use crate::location::state::{
    discriminator_value, known_value_condition, member_names, member_set_condition, string_list,
};
use union_json::pointer::escape;

/// Returns true if normalization may also change a created object: the discriminator follows the
/// members.
pub(crate) fn may_change_on_create(union: UnionAtNode<'_>) -> bool {
    let spec = union.spec();
    spec.model() != UnionModel::Discriminated && spec.discriminator().is_some()
}

/// Returns true if normalization may change an object without an old one.
pub(crate) fn may_change_without_old(union: UnionAtNode<'_>) -> bool {
    union.spec().model() != UnionModel::Discriminated
}

/// Returns a CEL expression for the list of changes.
pub(crate) fn changes(union: UnionAtNode<'_>, at: &CelScope) -> String {
    match union.spec().model() {
        UnionModel::Discriminated => discriminated_changes(union, at),
        _ => undiscriminated_changes(union, at),
    }
}

/// Returns the changes by the 2022 model: a discriminator that changed to a known value clears
/// every member but the selected one.
fn discriminated_changes(union: UnionAtNode<'_>, at: &CelScope) -> String {
    let spec = union.spec();
    let values = spec
        .discriminator()
        .map(|found| string_list(found.values().iter()));
    let known = values.unwrap_or_default();
    let members = spec.members().map(|member| {
        let (name, value) = (
            string_literal(member.name()),
            string_literal(member.value()),
        );
        format!("[{name}, {value}]")
    });
    let members = members.collect::<Vec<_>>().join(", ");
    let said = discriminator_value(union, &at.new);
    let was = discriminator_value(union, &at.old);
    let set = member_set_condition(&at.new, "m[0]");
    let removed = removed(union, at, "m[0]");
    format!(
        "({} ? [{said}].map(s, s in {known} && s != {was} ? [{members}].filter(m, m[1] != s && {set}).map(m, {removed}) : [])[0] : [])",
        at.update_condition()
    )
}

/// Returns the changes by the 2019 model: a discriminator that changed selects the member that
/// stays. Otherwise the discriminator follows the member that is set or was added.
fn undiscriminated_changes(union: UnionAtNode<'_>, at: &CelScope) -> String {
    let set = format!(
        "{}.filter(m, {})",
        member_names(union),
        member_set_condition(&at.new, "m")
    );
    let was_unset = format!(
        "!({} && {})",
        at.update_condition(),
        member_set_condition(&at.old, "m")
    );
    let added = format!("set.filter(m, {was_unset})");
    let kept = format!("set.size() == 1 || {added}.size() != 1 ? set : {added}");
    let removed = format!(
        "set.filter(m, !(m in kept)).map(m, {})",
        removed(union, at, "m")
    );
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return format!("[{set}].map(set, [{kept}].map(kept, {removed})[0])[0]");
    };
    let values = union.spec().members().map(|member| {
        let (name, value) = (
            string_literal(member.name()),
            string_literal(member.value()),
        );
        format!("{name}: {value}")
    });
    let values = format!("{{{}}}", values.collect::<Vec<_>>().join(", "));
    let said = discriminator_value(union, &at.new);
    let was = format!(
        "{} ? {} : dyn(null)",
        at.update_condition(),
        discriminator_value(union, &at.old)
    );
    let place = at
        .pointer
        .with_literal(&format!("/{}", escape(discriminator.name())))
        .to_cel();
    // A required discriminator that is absent follows the members too.
    let is_known = known_value_condition(union, "s");
    format!(
        "[{said}].map(s, s == null || {is_known} ? [{was}].map(w, [{set}].map(set, \
         [s != null && s != w ? set.filter(m, {values}[m] == s) : {kept}].map(kept, {removed} + \
         ((s == null || s == w) && kept.size() == 1 && {values}[kept[0]] != s ? [['add', {place}, {values}[kept[0]]]] : []))[0])[0])[0] : [])[0]"
    )
}

/// Returns a CEL expression for the change that removes a member. `name` is an expression for the
/// name of the member.
fn removed(union: UnionAtNode<'_>, at: &CelScope, name: &str) -> String {
    let names = union.spec().members().map(MemberSpec::name);
    let token = if names.clone().any(|name| name != escape(name)) {
        escaped_token(name)
    } else {
        name.to_owned()
    };
    format!(
        "['remove', {}]",
        at.pointer.with_literal("/").with_expression(token).to_cel()
    )
}
