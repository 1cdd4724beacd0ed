//! The types of the values of attributes, and the functions that read the values. A function may
//! store a value even if it returns an error, to avoid further errors.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Ident, LitBool, LitStr, Path, Token};

use super::parse::{
    is_at_end, key_span, parse_parenthesized_names, parse_parenthesized_strings, read_value,
    reject_value,
};
use super::rename_rule::RenameRule;

/// The value of an attribute, and the span of the attribute's name.
pub(crate) struct SpannedValue<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

/// The attribute `inline` or `inline(lossy)`.
pub(crate) struct Inline {
    pub(crate) span: Span,
    /// The span of `lossy`, if it is present.
    pub(crate) lossy: Option<Span>,
}

/// The value of `shape`: `"2022"`, `"2019"` or `"both"`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtensionShape {
    V2022,
    V2019,
    Both,
}

/// The value of `enforce`: `"cel"`, `"one_of"` or `"none"`. `CelSameReason` is `"cel"` together
/// with `ratchet = "same_reason"`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enforcement {
    Cel,
    CelSameReason,
    OneOf,
    None,
}

/// The value of `flattened`: `"own_fields"` or `"all_fields"`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlattenedFields {
    Own,
    All,
}

/// Reads an attribute that does not take a value.
pub(super) fn parse_flag(meta: &ParseNestedMeta<'_>, slot: &mut Option<Span>) -> syn::Result<()> {
    let span = key_span(meta);
    *slot = Some(span);
    reject_value(meta)
}

/// Returns a function that reads an attribute whose value is a string.
pub(super) fn parse_string(
    message: &'static str,
) -> impl Fn(&ParseNestedMeta<'_>, &mut Option<SpannedValue<LitStr>>) -> syn::Result<()> {
    move |meta, slot| {
        let span = key_span(meta);
        let value = read_value(meta, <LitStr as Parse>::parse, message)?;
        *slot = Some(SpannedValue { span, value });
        Ok(())
    }
}

/// Returns a function that reads an attribute whose value is a name without quotes.
pub(super) fn parse_name(
    message: &'static str,
) -> impl Fn(&ParseNestedMeta<'_>, &mut Option<Ident>) -> syn::Result<()> {
    move |meta, slot| {
        *slot = Some(read_value(meta, Ident::parse_any, message)?);
        Ok(())
    }
}

/// Reads `crate = path`.
pub(super) fn parse_crate(meta: &ParseNestedMeta<'_>, slot: &mut Option<Path>) -> syn::Result<()> {
    let message = "`crate` must be a path without quotes: `crate = ::the_path`";
    *slot = Some(read_value(meta, Path::parse_mod_style, message)?);
    Ok(())
}

/// Reads `schema_with = path`.
pub(super) fn parse_schema_with(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<Path>>,
) -> syn::Result<()> {
    let message =
        "`schema_with` must be the path of a function, without quotes: `schema_with = path`";
    let span = key_span(meta);
    let value = read_value(meta, <Path as Parse>::parse, message)?;
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads `schema = false`.
pub(super) fn parse_schema(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<LitBool>,
) -> syn::Result<()> {
    let message = "`schema` can only be `false`; write `schema = false`, or remove `schema`";
    *slot = Some(read_value(meta, <LitBool as Parse>::parse, message)?);
    Ok(())
}

/// Returns a function that reads an attribute whose value is a list of fields in parentheses, such
/// as `nested(spec, status)` on a struct.
pub(super) fn parse_fields(
    message: &'static str,
) -> impl Fn(&ParseNestedMeta<'_>, &mut Option<Vec<Ident>>) -> syn::Result<()> {
    move |meta, slot| {
        let names = parse_parenthesized_names(meta, message)?;
        if names.is_empty() {
            return Err(syn::Error::new(key_span(meta), message));
        }
        *slot = Some(names);
        Ok(())
    }
}

/// Reads `exactly_one` or `exactly_one(group, ...)`. Only a struct with a single union may omit the
/// names.
pub(super) fn parse_exactly_one(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<Vec<Ident>>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message =
        "expected `exactly_one`, or the names of unions without quotes: `exactly_one(group)`";
    let value = parse_parenthesized_names(meta, message)?;
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads `shape = "2022"`.
pub(super) fn parse_shape(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<ExtensionShape>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message = "`shape` must be `\"2022\"`, `\"2019\"` or `\"both\"`";
    let literal = read_value(meta, <LitStr as Parse>::parse, message)?;
    let value = match literal.value().as_str() {
        "2022" => ExtensionShape::V2022,
        "2019" => ExtensionShape::V2019,
        "both" => ExtensionShape::Both,
        _ => return Err(syn::Error::new(literal.span(), message)),
    };
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads `flattened = "own_fields"`.
pub(super) fn parse_flattened(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<FlattenedFields>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message = "`flattened` must be `\"own_fields\"`, if the outer struct keeps or rejects unknown fields, or `\"all_fields\"`";
    let literal = read_value(meta, <LitStr as Parse>::parse, message)?;
    let value = match literal.value().as_str() {
        "own_fields" => FlattenedFields::Own,
        "all_fields" => FlattenedFields::All,
        _ => return Err(syn::Error::new(literal.span(), message)),
    };
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads `enforce = "cel"`.
pub(super) fn parse_enforce(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<Enforcement>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message = "`enforce` must be `\"cel\"`, `\"one_of\"` or `\"none\"`";
    let literal = read_value(meta, <LitStr as Parse>::parse, message)?;
    let value = match literal.value().as_str() {
        "cel" => Enforcement::Cel,
        "one_of" => Enforcement::OneOf,
        "none" => Enforcement::None,
        _ => return Err(syn::Error::new(literal.span(), message)),
    };
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads `read_also = "external"`. There is no other value yet.
pub(super) fn parse_read_also(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<Span>,
) -> syn::Result<()> {
    let message = "`read_also` must be `\"external\"`, the form of an enum without serde's `tag`";
    let literal = read_value(meta, <LitStr as Parse>::parse, message)?;
    if literal.value() != "external" {
        return Err(syn::Error::new(literal.span(), message));
    }
    *slot = Some(key_span(meta));
    Ok(())
}

/// Reads `ratchet = "same_reason"`. There is no other value: without the attribute, only the API
/// server's own ratcheting applies.
pub(super) fn parse_ratchet(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<Span>,
) -> syn::Result<()> {
    let message = "`ratchet` must be `\"same_reason\"`; without `ratchet`, API servers tolerate errors only in unchanged structs";
    let literal = read_value(meta, <LitStr as Parse>::parse, message)?;
    if literal.value() != "same_reason" {
        return Err(syn::Error::new(literal.span(), message));
    }
    *slot = Some(key_span(meta));
    Ok(())
}

/// Reads `member` or `member = "VALUE"`.
pub(super) fn parse_member(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<Option<LitStr>>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    // The member is stored even if its value is invalid, because a missing member would cause
    // further errors.
    let member = slot.insert(SpannedValue { span, value: None });
    if !is_at_end(meta) {
        let message = if meta.input.peek(Token![=]) {
            "`member` must be a discriminator value in quotes: `member = \"VALUE\"`"
        } else if meta.input.peek(syn::token::Paren) {
            "`member` does not take a list; write the next attribute after a comma: `member, optional`"
        } else {
            "write the next attribute after a comma: `member, optional`"
        };
        member.value = Some(read_value(meta, <LitStr as Parse>::parse, message)?);
    }
    Ok(())
}

/// Reads `member = "VALUE"` on a variant.
pub(super) fn parse_variant_member(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<LitStr>>,
) -> syn::Result<()> {
    if is_at_end(meta) {
        let message = "every variant with data is a member already; remove `member`, or set the discriminator value: `member = \"VALUE\"`";
        return Err(syn::Error::new(key_span(meta), message));
    }
    let message = "`member` must be a discriminator value in quotes: `member = \"VALUE\"`";
    parse_string(message)(meta, slot)
}

/// Reads `inline` or `inline(lossy)`.
pub(super) fn parse_inline(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<Inline>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let inline = slot.insert(Inline { span, lossy: None });
    if is_at_end(meta) {
        return Ok(());
    }
    let message =
        "expected `inline`, or `inline(lossy)` for an enum whose unknown values may be lost";
    let words = parse_parenthesized_names(meta, message)?;
    if let Some(unknown_word) = words.iter().find(|word| *word != "lossy") {
        return Err(syn::Error::new(unknown_word.span(), message));
    }
    inline.lossy = words.first().map(Ident::span);
    Ok(())
}

/// Reads `list_map_keys("name", ...)`.
pub(super) fn parse_list_map_keys(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<Vec<LitStr>>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message =
        "`list_map_keys` must be the JSON names of the key fields: `list_map_keys(\"name\")`";
    let value = parse_parenthesized_strings(meta, message)?;
    *slot = Some(SpannedValue { span, value });
    Ok(())
}

/// Reads a rule for names: `values = "camelCase"`.
pub(super) fn parse_rename_rule(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<SpannedValue<RenameRule>>,
) -> syn::Result<()> {
    let span = key_span(meta);
    let message = format!("expected one of: {}", RenameRule::quoted_names());
    let literal = read_value(meta, <LitStr as Parse>::parse, &message)?;
    let rule = RenameRule::parse(&literal.value());
    let value = rule.ok_or_else(|| syn::Error::new(literal.span(), message))?;
    *slot = Some(SpannedValue { span, value });
    Ok(())
}
