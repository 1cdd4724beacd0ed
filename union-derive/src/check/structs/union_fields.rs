//! Assigns discriminators and members to unions.

use syn::Ident;
use syn::ext::IdentExt as _;

use crate::attr::near_name;
use crate::check::not_nested::unmarked_types;
use crate::errors::Errors;
use crate::model::{FieldInput, LeafType, UnionInput, is_local_type};

/// A union, with its fields before they are checked.
pub(super) struct UnionFields<'i, 'a> {
    pub(super) discriminator: Option<&'i FieldInput<'a>>,
    /// The name in `group = name`, for a union without a discriminator. `None` for the union of
    /// `all_members`.
    group: Option<&'i Ident>,
    pub(super) exactly_one: bool,
    pub(super) members: Vec<&'i FieldInput<'a>>,
}

/// The field or the name that identifies the union of a member. At most one of the two is present.
#[derive(Clone, Copy, Default)]
struct UnionKey<'i, 'a> {
    discriminator: Option<&'i FieldInput<'a>>,
    group: Option<&'i Ident>,
}

/// Assigns every member to its union. The unions are in the source order of their first fields.
/// Returns `None` after an error that leaves a member without a union.
pub(super) fn assign_to_unions<'i, 'a>(
    input: &'i UnionInput<'a>,
    errors: &Errors,
) -> Option<Vec<UnionFields<'i, 'a>>> {
    check_has_unions(input, errors)?;
    check_several_discriminators(input, errors)?;
    let mut unions: Vec<UnionFields<'i, 'a>> = Vec::new();
    let mut is_complete = true;
    for field in &input.fields {
        if field.is_discriminator() {
            let key = UnionKey {
                discriminator: Some(field),
                group: None,
            };
            add_to_union(&mut unions, key, None);
        } else if input.is_member(field) {
            match union_key(field, input, errors) {
                Some(key) => add_to_union(&mut unions, key, Some(field)),
                None => is_complete = false,
            }
        }
    }
    if !is_complete {
        return None;
    }
    check_has_members(&unions, input, errors);
    check_alone(&unions, input, errors);
    check_exactly_one(&mut unions, input, errors);
    Some(unions)
}

/// Adds a member to the union with this key, or to a new union if no union has the key. `member` is
/// `None` for a discriminator.
fn add_to_union<'i, 'a>(
    unions: &mut Vec<UnionFields<'i, 'a>>,
    key: UnionKey<'i, 'a>,
    member: Option<&'i FieldInput<'a>>,
) {
    let UnionKey {
        discriminator,
        group,
    } = key;
    let existing_union = unions.iter_mut().find(|union| {
        union.discriminator.map(|field| field.ident) == discriminator.map(|field| field.ident)
            && union.group.map(Ident::unraw) == group.map(Ident::unraw)
    });
    match existing_union {
        Some(union) => union.members.extend(member),
        None => unions.push(UnionFields {
            discriminator,
            group,
            exactly_one: false,
            members: member.into_iter().collect(),
        }),
    }
}

/// Returns the key of the union of a member. Returns `None` after an error.
fn union_key<'i, 'a>(
    field: &'i FieldInput<'a>,
    input: &'i UnionInput<'a>,
    errors: &Errors,
) -> Option<UnionKey<'i, 'a>> {
    if let Some(group) = &field.attrs.group {
        return Some(UnionKey {
            discriminator: None,
            group: Some(group),
        });
    }
    let discriminator_key = |discriminator| UnionKey {
        discriminator: Some(discriminator),
        group: None,
    };
    let mut discriminators = input.discriminators();
    let span = field
        .attrs
        .member
        .as_ref()
        .map_or_else(|| field.ident.span(), |attr| attr.span);
    if let Some(name) = &field.attrs.discriminated_by {
        let discriminator = discriminators.find(|field| field.is_called(name));
        if discriminator.is_none() {
            errors.error(
                name.span(),
                format_args!(
                    "`{name}` is not a discriminator; {}",
                    discriminator_list(input)
                ),
            );
        }
        return discriminator.map(discriminator_key);
    }
    match (discriminators.next(), discriminators.next()) {
        (Some(discriminator), None) => Some(discriminator_key(discriminator)),
        (None, _) if input.attrs.all_members.is_some() => Some(UnionKey::default()),
        (None, _) => {
            // A missing discriminator is reported once, at the first member that needs it.
            // `deduce` without `discriminator` already has an error.
            let has_deduce = input
                .fields
                .iter()
                .any(|field| field.attrs.deduce.is_some());
            if input.is_complete && !has_deduce && is_first_member_without_group(field, input) {
                errors.error(
                    span,
                    "this member has no discriminator; mark the discriminator's field with `#[union(discriminator)]`, or declare a union without a discriminator: `member, group = name`",
                );
            }
            None
        }
        // `discriminated_by` may be in an attribute that could not be read.
        (Some(_), Some(_)) if !field.is_complete => None,
        (Some(_), Some(_)) => {
            errors.error(
                span,
                format_args!(
                    "this struct has several discriminators, so each member must name its own; {}",
                    discriminator_list(input)
                ),
            );
            None
        }
    }
}

fn is_first_member_without_group(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    let mut fields = input.fields.iter();
    let first_member =
        fields.find(|field| field.attrs.member.is_some() && field.attrs.group.is_none());
    first_member.is_some_and(|member| member.ident == field.ident)
}

/// Returns the part of an error message that lists the possible `discriminated_by` attributes.
fn discriminator_list(input: &UnionInput<'_>) -> String {
    let names: Vec<String> = input
        .fields
        .iter()
        .filter(|field| field.is_discriminator())
        .map(|field| format!("`discriminated_by = {}`", field.ident.unraw()))
        .collect();
    if names.is_empty() {
        return "mark that field with `#[union(discriminator)]`".to_owned();
    }
    format!("write {}", names.join(" or "))
}

/// Reports a struct that has neither a union nor another attribute of the derive, unless the types
/// of its fields may have unions. Generated code then reports the struct or the fields.
fn check_has_unions(input: &UnionInput<'_>, errors: &Errors) -> Option<()> {
    if has_attributes(input) {
        return Some(());
    }
    if input.is_complete && required_types(input).is_empty() {
        errors.error(input.container.ident.span(), NO_UNION);
        return None;
    }
    input.is_complete.then_some(())
}

/// The error message for a struct without unions.
pub(crate) const NO_UNION: &str = "this struct has no union; mark one field with `#[union(discriminator)]` and others with `#[union(member)]`, or a field whose type has unions with `#[union(nested)]`";

/// Returns the types of which one must have unions, because the struct has none of its own. The
/// result is empty for a struct with attributes. Types that depend on a parameter, or contain the
/// struct itself, are omitted.
pub(super) fn required_types<'a>(input: &UnionInput<'a>) -> Vec<LeafType<'a>> {
    if has_attributes(input) {
        return Vec::new();
    }
    let generics = input.container.generics;
    let mut types = unmarked_types(input);
    types.retain(|leaf| !is_local_type(leaf.ty, generics) && !input.is_mentioned_in(leaf.ty));
    types
}

/// Returns true if an attribute declares a union, or refers to the unions of a field.
fn has_attributes(input: &UnionInput<'_>) -> bool {
    let has_attribute = |field: &FieldInput<'_>| {
        let attrs = &field.attrs;
        field.is_discriminator()
            || input.is_member(field)
            || field.has_patch_attrs()
            || attrs.inline.is_some()
            || attrs.nested.is_some()
            || attrs.key.is_some()
            || attrs.list_map_keys.is_some()
            || lacks_member(field, input)
    };
    input.attrs.nested.is_some() || input.fields.iter().any(has_attribute)
}

/// Returns true if a field has an attribute of members without `member`, which is reported
/// elsewhere. The author has most likely meant a member.
fn lacks_member(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    let attrs = &field.attrs;
    let has_member_attribute =
        attrs.optional.is_some() || attrs.group.is_some() || attrs.discriminated_by.is_some();
    has_member_attribute && !input.is_member(field)
}

/// Reports several discriminators if no member has `discriminated_by`, because a union has only one
/// discriminator (KEP-1027, "Discriminator Field").
fn check_several_discriminators(input: &UnionInput<'_>, errors: &Errors) -> Option<()> {
    let mut discriminators = input.discriminators();
    let first = discriminators.next();
    let has_discriminated_by = input
        .fields
        .iter()
        .any(|field| field.attrs.discriminated_by.is_some());
    if has_discriminated_by {
        return Some(());
    }
    let mut is_valid = true;
    for second in discriminators {
        if let (Some(first), Some(span)) = (first, second.attrs.discriminator) {
            is_valid = false;
            errors.error(
                span,
                format_args!(
                    "`{}` is already the discriminator; remove this one, or name the discriminator on each member: `discriminated_by = {}`",
                    first.serde.names.deserialize,
                    second.ident.unraw()
                ),
            );
        }
    }
    is_valid.then_some(())
}

/// Reports a discriminator without members, and `optional` in a union whose members all may be
/// unset.
fn check_has_members(unions: &[UnionFields<'_, '_>], input: &UnionInput<'_>, errors: &Errors) {
    let lacks_member = input.fields.iter().any(|field| lacks_member(field, input));
    let can_have_no_members = input.is_complete && !lacks_member;
    for union in unions {
        let span = union
            .discriminator
            .and_then(|field| field.attrs.discriminator);
        if let (Some(span), true, true) = (span, union.members.is_empty(), can_have_no_members) {
            errors.error(
                span,
                "this discriminator has no members; mark at least one field with `#[union(member)]`",
            );
        }
        let reason = match union.discriminator {
            None => "needs a discriminator: in a union without a discriminator,",
            Some(field) if field.attrs.deduce.is_some() => "has no effect with `deduce`:",
            Some(_) => continue,
        };
        for span in union
            .members
            .iter()
            .filter_map(|member| member.attrs.optional)
        {
            let message =
                format_args!("`optional` {reason} every member may be unset; remove `optional`");
            errors.error(span, message);
        }
    }
}

/// Reports the only member of a union without a discriminator if the member has no `alone`, because
/// the name of the union may be mistyped. Also reports `alone` on one of several members.
fn check_alone(unions: &[UnionFields<'_, '_>], input: &UnionInput<'_>, errors: &Errors) {
    for union in unions {
        let Some(group) = union.group else {
            continue;
        };
        if let [member] = &union.members[..] {
            // The error would be misleading in two cases: another field has the same `group` but is
            // not a member because of an error, or the attributes of the field are in conflict.
            let has_this_group = |field: &&FieldInput<'_>| {
                let name = field.attrs.group.as_ref();
                name.is_some_and(|name| name.unraw() == group.unraw())
            };
            let is_only_field = input.fields.iter().filter(has_this_group).count() == 1;
            let is_intended =
                member.attrs.alone.is_some() || member.attrs.discriminated_by.is_some();
            if is_only_field && !is_intended && input.is_complete {
                let groups = unions.iter().filter_map(|union| union.group);
                let other_groups = groups.filter(|other_group| *other_group != group);
                let alternatives: Vec<String> = other_groups
                    .map(|other_group| format!("`group = {other_group}`"))
                    .collect();
                let remedy = if alternatives.is_empty() {
                    format!("give another field `group = {group}`")
                } else {
                    format!("write {}", alternatives.join(" or "))
                };
                errors.error(
                    group.span(),
                    format_args!("union `{group}` has only this member; {remedy}, or add `alone` if one member is intended"),
                );
            }
            continue;
        }
        for span in union.members.iter().filter_map(|member| member.attrs.alone) {
            errors.error(
                span,
                format_args!(
                    "union `{group}` has {} members; remove `alone`",
                    union.members.len()
                ),
            );
        }
    }
}

/// Applies `exactly_one` to unions without a discriminator. Reports an `exactly_one` that does not
/// refer to such a union.
fn check_exactly_one(unions: &mut [UnionFields<'_, '_>], input: &UnionInput<'_>, errors: &Errors) {
    let Some(exactly_one) = &input.attrs.exactly_one else {
        return;
    };
    let mut undiscriminated: Vec<_> = unions
        .iter_mut()
        .filter(|union| union.discriminator.is_none())
        .collect();
    match (
        undiscriminated.as_mut_slice(),
        exactly_one.value.as_slice(),
    ) {
        ([], []) => errors.error(
            exactly_one.span,
            "`exactly_one` is for unions without a discriminator, and this struct has no such union; remove `exactly_one`, because a discriminator selects one member",
        ),
        ([union], []) => union.exactly_one = true,
        (_, []) => errors.error(
            exactly_one.span,
            "this struct has several unions without a discriminator; name one: `exactly_one(group)`",
        ),
        (unions, groups) => {
            for group in groups {
                let named_union = unions.iter_mut().find(|union| {
                    let name = union.group;
                    name.is_some_and(|name| name.unraw() == group.unraw())
                });
                match named_union {
                    Some(union) => union.exactly_one = true,
                    None => errors.error(group.span(), unknown_group_message(group, unions)),
                }
            }
        }
    }
}

/// Returns the error message for a name in `exactly_one(...)` that is not the name of a union.
fn unknown_group_message(group: &Ident, unions: &[&mut UnionFields<'_, '_>]) -> String {
    let names = unions.iter().filter_map(|union| union.group);
    let names: Vec<String> = names.map(|name| name.unraw().to_string()).collect();
    let remedy = match near_name(&group.unraw().to_string(), names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("write `group = {group}` on its members, or remove the name"),
    };
    format!("unknown group `{group}`; {remedy}")
}
