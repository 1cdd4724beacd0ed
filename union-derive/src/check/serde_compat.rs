//! The rules of the JSON form of a type: a JSON object must have the fields of the struct, and a
//! JSON string must be a value of the enum.

use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Type};

use crate::attr::schemars::SchemarsAttrs;
use crate::errors::Errors;
use crate::model::{Container, FieldInput, SetForm, UnionInput};
use crate::name::{JsonNames, SerdeDefault, serde_key, serde_key_span};

/// Reports serde attributes that serialize or deserialize another type instead, because the fields
/// of the JSON object must be the fields of this type.
pub(super) fn check_conversion(container: &Container<'_>, errors: &Errors) -> Option<()> {
    if let Some(attr) = container.serde.conversion {
        errors.error(
            serde_key_span(container.syn_attrs, &[attr], container.ident),
            format_args!("`#[serde({attr})]` serializes or deserializes another type instead of this one; derive on that type"),
        );
        return None;
    }
    Some(())
}

/// Reports different names for serializing and deserializing, because the schema has only one name.
pub(super) fn check_one_name(
    ident: &Ident,
    attrs: &[Attribute],
    names: &JsonNames,
    errors: &Errors,
) {
    let deserialized = &names.deserialize;
    if let Some(serialized) = &names.serialize {
        errors.error(
            serde_key_span(attrs, &["rename"], ident),
            format_args!("the serialized name \"{serialized}\" and the deserialized name \"{deserialized}\" must be equal; use one name in serde's `rename`"),
        );
    }
}

/// Reports a discriminator or a member that does not have exactly one name in the JSON object
/// (KEP-1027, section "`OpenAPI`"), and a discriminator that is converted by a function.
pub(super) fn check_json_form(field: &FieldInput<'_>, errors: &Errors) {
    let role = if field.is_discriminator() {
        "a discriminator"
    } else {
        "a member"
    };
    let serde = &field.serde;
    if serde.is_flattened {
        errors.error(
            key_span(field, &["flatten"]),
            format_args!("{role} cannot be flattened, because it must have a name in JSON; remove `#[serde(flatten)]`"),
        );
    }
    if serde.is_skipped() {
        let span = key_span(field, &SKIP_KEYS);
        let key = serde_key(field.syn_attrs, &SKIP_KEYS);
        let key = key.map_or_else(|| "skip".to_owned(), |key| key.to_string());
        errors.error(
            span,
            format_args!("{role} cannot be skipped, because it must be in JSON; remove serde's `{key}`, and omit unset members with `skip_serializing_if`"),
        );
    }
    if serde.names.has_alias() {
        errors.error(
            key_span(field, &["alias"]),
            format_args!(
                "{role} cannot have an alias, because the schema has only one name; remove `#[serde(alias)]`"
            ),
        );
    }
    check_one_name(field.ident, field.syn_attrs, &serde.names, errors);
    check_schema_names(&field.schemars, &REPLACING_ATTRIBUTES, errors);
    if let (true, Some(function)) = (field.is_discriminator(), serde.conversion_span()) {
        errors.error(
            function,
            "a discriminator cannot have its own conversion, because its enum type defines the values; remove serde's `with`, `serialize_with` or `deserialize_with`, and rename the enum's variants with `rename`",
        );
    }
}

/// The attributes of serde by which a field is not in JSON.
pub(super) const SKIP_KEYS: [&str; 3] = ["skip", "skip_serializing", "skip_deserializing"];

/// Returns the span of the first serde attribute of a field with one of these names, or otherwise
/// the span of the field's name.
fn key_span(field: &FieldInput<'_>, names: &[&str]) -> Span {
    serde_key_span(field.syn_attrs, names, field.ident)
}

/// The attributes of schemars that rename, move or omit a field in the schema, but not in JSON.
const REPLACING_ATTRIBUTES: [&str; 5] = [
    "rename",
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "flatten",
];

/// Reports a field that serde may omit when it serializes, but requires when it deserializes. For
/// an absent field, serde returns an error instead of calling the function in `deserialize_with`.
pub(super) fn check_absent_is_deserialized(
    field: &FieldInput<'_>,
    container: &Container<'_>,
    errors: &Errors,
) {
    let serde = &field.serde;
    let has_default = !matches!(
        (&serde.default, &container.serde.default),
        (SerdeDefault::None, SerdeDefault::None)
    );
    if serde.skip_if.is_none() || has_default {
        return;
    }
    // `check_json_form` reports a function that deserializes a discriminator.
    let function_span = serde.deserialize_with.filter(|_| !field.is_discriminator());
    if let Some(function_span) = function_span {
        errors.error(
            function_span,
            "an unset field is omitted, and serde rejects a missing field that a function deserializes; add `#[serde(default)]`",
        );
    } else if field.is_discriminator()
        && serde.deserialize_with.is_none()
        && !field.looks_optional()
    {
        errors.error(
            key_span(field, &["skip_serializing_if"]),
            "`skip_serializing_if` can omit this field, and serde rejects a missing field that is not an `Option`; add `#[serde(default)]`",
        );
    }
}

/// Reports a function in `skip_serializing_if` that may omit a field that is set. serde would then
/// write another union than validation has accepted.
pub(super) fn check_set_is_written(field: &FieldInput<'_>, errors: &Errors) {
    let Some(function) = field.lossy_skip() else {
        return;
    };
    let role = if field.is_discriminator() {
        "discriminator"
    } else {
        "member"
    };
    errors.error(
        function.span(),
        format_args!("this function may omit a {role} that is set; write `skip_serializing_if = \"Option::is_none\"`, or another function with the name `is_none`"),
    );
}

/// Reports `default = "function"` on a member, because the function could set a member that was
/// cleared.
pub(super) fn check_absent_is_unset(field: &FieldInput<'_>, errors: &Errors) {
    let SerdeDefault::Path(path) = &field.serde.default else {
        return;
    };
    // A function such as `Option::default` has the same result as `default` alone.
    let function = path.path.segments.last();
    if function.is_none_or(|function| function.ident != "default") {
        errors.error(
            path.span(),
            "this function could set a member that is missing in JSON; write `default` without a function",
        );
    }
}

/// Reports a JSON name that a field of a union shares with another field, because serde
/// deserializes only the first of the two, but serializes both.
pub(super) fn check_names_differ(input: &UnionInput<'_>, errors: &Errors) {
    let has_json_name = |field: &&FieldInput<'_>| !field.serde.is_flattened && field.is_in_json();
    let fields = input.fields.iter().filter(has_json_name).enumerate();
    let mut names: Vec<(&str, usize, &FieldInput<'_>)> = Vec::with_capacity(input.fields.len());
    for (index, field) in fields {
        names.extend(field.serde.names.all().map(|name| (&**name, index, field)));
    }
    names.sort_unstable_by_key(|(name, index, _)| (*name, *index));
    for pair in names.windows(2) {
        let [
            (name, first_index, first),
            (second_name, second_index, second),
        ] = pair
        else {
            continue;
        };
        let is_in_union = belongs_to_union(first, input) || belongs_to_union(second, input);
        if name == second_name && first_index != second_index && is_in_union {
            errors.error(
                second.ident.span(),
                format_args!(
                    "`{}` and `{}` are both \"{name}\" in JSON; rename one with serde's `rename`",
                    first.rust_name(),
                    second.rust_name()
                ),
            );
        }
    }
    let tag = input.container.serde.tag.as_deref();
    for (_, _, field) in names.iter().filter(|(name, _, _)| Some(*name) == tag) {
        if belongs_to_union(field, input) {
            errors.error(
                field.ident.span(),
                "`#[serde(tag)]` writes another field with this name; rename one of the two",
            );
        }
    }
}

/// Returns true if the field is part of a union, may contain unions, or is a key of a list.
fn belongs_to_union(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    let has_role = field.is_discriminator() || input.is_member(field);
    has_role || input.is_child(field) || field.attrs.key.is_some()
}

/// Reports attributes of schemars by which the schema differs from the JSON that serde writes.
pub(super) fn check_schema_form(schemars: &SchemarsAttrs, errors: &Errors) {
    let rejected_keys = [
        "rename_all",
        "rename_all_fields",
        "tag",
        "content",
        "untagged",
        "transparent",
        "from",
        "try_from",
        "into",
        "remote",
    ];
    check_schema_names(schemars, &rejected_keys, errors);
}

/// Reports attributes of schemars in `rejected_keys`, which change names in the schema. CEL rules
/// and the extension for unions refer to fields and values by their JSON names.
pub(super) fn check_schema_names(
    schemars: &SchemarsAttrs,
    rejected_keys: &[&str],
    errors: &Errors,
) {
    for key in &schemars.keys {
        if rejected_keys.iter().any(|rejected_key| key == rejected_key) {
            let remedy = if key.to_string().starts_with("skip") {
                format!("remove `{key}`")
            } else {
                format!("put `{key}` in `#[serde(...)]`, which schemars reads too")
            };
            errors.error(
                key.span(),
                format_args!(
                    "serde and schemars must agree on this name, because CEL rules refer to the names in JSON; {remedy}"
                ),
            );
        }
    }
}

/// Reports a member that is serialized as null if it is unset, because other programs that merge
/// objects may treat null as a value (KEP-1027, "Examples": omitempty).
pub(super) fn check_unset_is_omitted(field: &FieldInput<'_>, errors: &Errors) {
    // `skip_serializing_if` may be in an attribute that could not be read.
    if !field.writes_null() || field.is_discriminator() || !field.is_complete {
        return;
    }
    if field.attrs.member.is_some() && !field.looks_optional() {
        let option = printed_type(field.ty);
        let option = option.map_or("Option".to_owned(), |ty| format!("Option<{ty}>"));
        errors.error(
            field.ty.span(),
            format_args!("a member must be an `Option`, because it may be unset; write `{option}` with `#[serde(skip_serializing_if = \"Option::is_none\")]` (for an alias of an `Option`, add only the attribute)"),
        );
        return;
    }
    let message = if field.attrs.member.is_some() {
        "an unset member would be serialized as null; add `#[serde(skip_serializing_if = \"Option::is_none\")]`"
    } else {
        "`all_members` makes this field a member; use an `Option` with `#[serde(skip_serializing_if = \"Option::is_none\")]`, or mark the members individually"
    };
    errors.error(field.ident.span(), message);
}

/// Returns a type as its author most likely wrote it, or `None` for a type with keywords.
fn printed_type(ty: &Type) -> Option<String> {
    let printed = ty.to_token_stream().to_string();
    let has_keywords = ["dyn ", "mut ", "impl ", " as ", "'"]
        .iter()
        .any(|keyword| printed.contains(keyword));
    (!has_keywords).then(|| printed.replace(' ', "").replace(',', ", "))
}

/// Reports a member that may be serialized as null if it is set, because null in JSON means that
/// the member is unset (`docs/design.md`, "State").
pub(super) fn check_set_is_not_null(field: &FieldInput<'_>, errors: &Errors) {
    let message = match field.set_form() {
        SetForm::Value | SetForm::Unknown => return,
        SetForm::Wrapped(value) => {
            let value = printed_type(value);
            let value = value.map_or_else(|| "T".to_owned(), |value| value.replace(' ', ""));
            errors.error(
                field.ty.span(),
                format_args!("a member must be an `Option` on the outside; write `Option<{value}>`, or a pointer inside of the `Option`"),
            );
            return;
        }
        SetForm::Nullable => {
            "a member cannot be `Option<Option<T>>`: `Some(None)` serializes as null, which reads back as unset; use one `Option`"
        }
        SetForm::Null => {
            "a type without data serializes as null, which reads back as unset; use an `Option` of an empty struct, `struct Name {}`"
        }
    };
    errors.error(field.ty.span(), message);
}

/// Reports the attribute macro `serde_with::skip_serializing_none` below the derive. The macro runs
/// after the derive, so the derive does not see the attributes that the macro adds. Returns true if
/// there is an error.
pub(super) fn check_skips_are_visible(input: &UnionInput<'_>, errors: &Errors) -> bool {
    let mut fields = input.fields.iter().filter(|field| field.writes_null());
    let needs_skip = fields
        .any(|field| input.is_member(field) || field.is_discriminator() && field.looks_optional());
    let mut attrs = input.container.syn_attrs.iter();
    let macro_span = attrs.find_map(|attr| {
        let segment = attr.path().segments.last()?;
        (segment.ident == "skip_serializing_none").then(|| segment.ident.span())
    });
    match macro_span {
        Some(span) if needs_skip => {
            errors.error(
                span,
                "put `#[skip_serializing_none]` above `#[derive(...)]`; below it, the derive cannot see its attributes",
            );
            true
        }
        _ => false,
    }
}

/// Reports serde attributes by which a child, a key or a field with a patch strategy has no single
/// path in JSON.
pub(super) fn check_field_attributes(field: &FieldInput<'_>, is_child: bool, errors: &Errors) {
    if field.serde.is_skipped() {
        errors.error(
            key_span(field, &SKIP_KEYS),
            "a skipped field is not in JSON; remove serde's `skip`, or the `union` attribute",
        );
    }
    if let (Some(key), true) = (field.attrs.key, field.serde.is_flattened) {
        errors.error(
            key,
            "`key` is not supported on a flattened field, which has no name; remove `key`, and move the key's field into this struct",
        );
    }
    if !field.serde.is_flattened {
        check_one_name(field.ident, field.syn_attrs, &field.serde.names, errors);
    }
    let attrs = &field.attrs;
    if let (true, Some(function)) = (attrs.key.is_some(), field.serde.conversion_span()) {
        errors.error(
            function,
            "a key cannot have its own conversion, because keys are compared as in JSON; remove serde's `with`, `serialize_with` or `deserialize_with`",
        );
    } else if let (true, Some(function)) = (is_child, field.serde.serialize_with) {
        errors.error(
            function,
            "`nested` and `inline` cannot be combined with serde's `with` or `serialize_with`, because error paths would not match the JSON; remove one",
        );
    }
    let needs_json_name =
        attrs.key.is_some() || attrs.list_map_keys.is_some() || field.has_patch_attrs();
    if needs_json_name || attrs.inline.is_some() {
        check_schema_names(&field.schemars, &REPLACING_ATTRIBUTES, errors);
    } else {
        check_schema_names(&field.schemars, &["rename", "flatten"], errors);
    }
}
