//! Normalization, in CEL: the changes of one union by the native `normalize` (`rules/normalize.rs`
//! of union-runtime), each as a list: `['remove', pointer]`, or `['add', pointer, value]`.

use k8s_json_internals::cel_text::literal;
use union_json::PlacedUnion;
use union_runtime::{Arity, MemberSpec};

use crate::place::descend::{At, escape_in_cel};
use crate::place::state::{is_known, is_set, list, names, selected};
use union_json::pointer::escape;

/// Returns true if normalization may also change a created object: the discriminator follows the
/// members.
pub(crate) fn is_of_creates(union: PlacedUnion<'_>) -> bool {
    let spec = union.spec();
    spec.arity() != Arity::Selected && spec.discriminator().is_some()
}

/// Returns true if normalization may change an object without an old one.
pub(crate) fn is_of_new(union: PlacedUnion<'_>) -> bool {
    union.spec().arity() != Arity::Selected
}

/// Returns a CEL expression for the list of changes.
pub(crate) fn changes(union: PlacedUnion<'_>, at: &At) -> String {
    match union.spec().arity() {
        Arity::Selected => by_discriminator(union, at),
        _ => by_members(union, at),
    }
}

/// Returns the changes by the 2022 model: a discriminator that changed to a known value clears
/// every member but the selected one.
fn by_discriminator(union: PlacedUnion<'_>, at: &At) -> String {
    let spec = union.spec();
    let values = spec
        .discriminator()
        .map(|found| list(found.values().iter()));
    let known = values.unwrap_or_default();
    let members = spec.members().map(|member| {
        let (name, value) = (literal(member.name()), literal(member.value()));
        format!("[{name}, {value}]")
    });
    let members = members.collect::<Vec<_>>().join(", ");
    let said = selected(union, &at.new);
    let was = selected(union, &at.old);
    let set = is_set(&at.new, "m[0]");
    let removed = removed(union, at, "m[0]");
    format!(
        "({} ? [{said}].map(s, s in {known} && s != {was} ? [{members}].filter(m, m[1] != s && {set}).map(m, {removed}) : [])[0] : [])",
        at.is_update()
    )
}

/// Returns the changes by the 2019 model: a discriminator that changed selects the member that
/// stays. Otherwise the discriminator follows the member that is set or was added.
fn by_members(union: PlacedUnion<'_>, at: &At) -> String {
    let set = format!("{}.filter(m, {})", names(union), is_set(&at.new, "m"));
    let was_unset = format!("!({} && {})", at.is_update(), is_set(&at.old, "m"));
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
        let (name, value) = (literal(member.name()), literal(member.value()));
        format!("{name}: {value}")
    });
    let values = format!("{{{}}}", values.collect::<Vec<_>>().join(", "));
    let said = selected(union, &at.new);
    let was = format!(
        "{} ? {} : dyn(null)",
        at.is_update(),
        selected(union, &at.old)
    );
    let place = at
        .pointer
        .and(&format!("/{}", escape(discriminator.name())))
        .cel();
    // A required discriminator that is absent follows the members too.
    let is_known = is_known(union, "s");
    format!(
        "[{said}].map(s, s == null || {is_known} ? [{was}].map(w, [{set}].map(set, \
         [s != null && s != w ? set.filter(m, {values}[m] == s) : {kept}].map(kept, {removed} + \
         ((s == null || s == w) && kept.size() == 1 && {values}[kept[0]] != s ? [['add', {place}, {values}[kept[0]]]] : []))[0])[0])[0] : [])[0]"
    )
}

/// Returns a CEL expression for the change that removes a member. `name` is an expression for the
/// name of the member.
fn removed(union: PlacedUnion<'_>, at: &At, name: &str) -> String {
    let names = union.spec().members().map(MemberSpec::name);
    let token = if names.clone().any(|name| name != escape(name)) {
        escape_in_cel(name)
    } else {
        name.to_owned()
    };
    format!("['remove', {}]", at.pointer.and("/").and_made(token).cel())
}
