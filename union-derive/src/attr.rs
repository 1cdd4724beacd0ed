//! The grammar of `#[union(...)]` and `#[enum_type(...)]`: the only file that lists attribute names.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, LitBool, LitStr, Path, Token};

use crate::diag::Diag;

/// The attributes of a struct, or of an enum type.
#[derive(Default)]
pub(crate) struct ContainerAttrs {
    /// `crate = path`
    pub(crate) krate: Option<Path>,
    /// `schema = false`
    pub(crate) schema: Option<LitBool>,
}

/// The attributes of a field.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    /// `discriminator`
    pub(crate) discriminator: Option<Span>,
    /// `member`, `member = "VALUE"`
    pub(crate) member: Option<MemberAttr>,
    /// `optional`
    pub(crate) optional: Option<Span>,
}

/// `member` or `member = "VALUE"`, and where it stands.
pub(crate) struct MemberAttr {
    pub(crate) span: Span,
    pub(crate) value: Option<LitStr>,
}

/// The attributes of a variant.
#[derive(Default)]
pub(crate) struct VariantAttrs {
    /// `other`
    pub(crate) other: Option<Span>,
}

impl ContainerAttrs {
    /// Reads `#[union(...)]` of a struct; `name` is `union` or `enum_type`.
    pub(crate) fn from_syn(attrs: &[Attribute], name: &str, diag: &Diag) -> Self {
        let mut found = Self::default();
        let elsewhere = if name == "union" {
            "a field"
        } else {
            "a variant"
        };
        read(
            attrs,
            name,
            &["crate", "schema"],
            elsewhere,
            diag,
            |key, meta| {
                if key == "crate" {
                    let remedy =
                        "the runtime crate is a path; write `crate = ::the_path`, without quotes";
                    found.krate = Some(read_value(meta, Path::parse_mod_style, remedy)?);
                } else {
                    let remedy = "write `schema = false`, or remove it";
                    found.schema = Some(read_value(meta, <LitBool as Parse>::parse, remedy)?);
                }
                Ok(())
            },
        );
        found
    }
}

impl FieldAttrs {
    /// Reads `#[union(...)]` of a field.
    pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        let names = ["discriminator", "member", "optional"];
        read(attrs, "union", &names, "the struct", diag, |key, meta| {
            let span = key_span(meta);
            match key {
                "discriminator" => {
                    found.discriminator = Some(span);
                    no_value(meta, key)?;
                }
                "optional" => {
                    found.optional = Some(span);
                    no_value(meta, key)?;
                }
                _ => {
                    // A member without its value is better than none: fewer errors follow.
                    found.member = Some(MemberAttr { span, value: None });
                    let value = member_value(meta)?;
                    found.member = Some(MemberAttr { span, value });
                }
            }
            Ok(())
        });
        found
    }
}

impl VariantAttrs {
    /// Reads `#[enum_type(...)]` of a variant.
    pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        read(
            attrs,
            "enum_type",
            &["other"],
            "the enum",
            diag,
            |_, meta| {
                found.other = Some(key_span(meta));
                Ok(())
            },
        );
        found
    }
}

/// Reads all attributes called `name`; `elsewhere` is the other place that such attributes stand on.
fn read(
    attrs: &[Attribute],
    name: &str,
    known: &[&str],
    elsewhere: &str,
    diag: &Diag,
    mut read_one: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    let mut seen: Vec<String> = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let result = attr.parse_nested_meta(|meta| {
            let key = key_text(&meta);
            let span = key_span(&meta);
            if !known.contains(&key.as_str()) {
                diag.error(span, unknown(&key, name, known, elsewhere));
                return skip_value(&meta);
            }
            if seen.contains(&key) {
                diag.error(span, format_args!("`{key}` stands here twice; keep one"));
                return skip_value(&meta);
            }
            read_one(&key, &meta)?;
            seen.push(key);
            Ok(())
        });
        if let Err(error) = result {
            diag.add(error);
        }
    }
}

/// All names, with the place that takes them.
const ALL: [(&str, &str, &str); 8] = [
    ("crate", "union", "the struct"),
    ("schema", "union", "the struct"),
    ("discriminator", "union", "a field"),
    ("member", "union", "a field"),
    ("optional", "union", "a field"),
    ("crate", "enum_type", "the enum"),
    ("schema", "enum_type", "the enum"),
    ("other", "enum_type", "a variant"),
];

/// `= "VALUE"` behind `member`, if it is there.
fn member_value(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if is_at_end(meta) {
        return Ok(None);
    }
    let remedy = "a discriminator value is a string; write `member = \"VALUE\"`";
    read_value(meta, <LitStr as Parse>::parse, remedy).map(Some)
}

/// What stands behind `=`; `remedy` is the error if that is not well formed.
fn read_value<T>(
    meta: &ParseNestedMeta<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    remedy: &str,
) -> syn::Result<T> {
    let value = meta.value().and_then(parse);
    let value = value.map_err(|error| syn::Error::new(error.span(), remedy))?;
    if is_at_end(meta) {
        Ok(value)
    } else {
        Err(meta.input.error(remedy))
    }
}

fn no_value(meta: &ParseNestedMeta<'_>, key: &str) -> syn::Result<()> {
    if is_at_end(meta) {
        return Ok(());
    }
    let message = format!("`{key}` takes no value; remove what stands behind it");
    Err(meta.input.error(message))
}

fn is_at_end(meta: &ParseNestedMeta<'_>) -> bool {
    meta.input.is_empty() || meta.input.peek(Token![,])
}

fn unknown(key: &str, name: &str, known: &[&str], elsewhere: &str) -> String {
    let listed: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    let listed = listed.join(", ");
    let belongs = ALL
        .iter()
        .any(|(all, of, place)| *all == key && *of == name && *place == elsewhere);
    if belongs {
        format!("`{key}` belongs on {elsewhere}; expected here: {listed}")
    } else {
        format!("unknown attribute `{key}`; expected: {listed}")
    }
}

fn key_text(meta: &ParseNestedMeta<'_>) -> String {
    let names: Vec<String> = meta
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    names.join("::")
}

fn key_span(meta: &ParseNestedMeta<'_>) -> Span {
    meta.path
        .segments
        .first()
        .map_or_else(Span::call_site, |segment| segment.ident.span())
}

/// Skips to the next comma, so that one mistake does not hide what stands behind it.
fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
