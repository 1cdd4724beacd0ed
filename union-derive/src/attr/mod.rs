//! The grammar of `#[union(...)]` and `#[enum_type(...)]`: the only file that lists attribute names.

use proc_macro2::{Group, Span};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitBool, LitStr, Path, Token};

use crate::diag::Diag;

mod rename_rule;
pub(crate) mod schemars;
mod union_enum;

pub(crate) use rename_rule::RenameRule;
pub(crate) use union_enum::{TextAttr, UnionEnumAttrs, UnionVariantAttrs};

/// What can be written on one kind of place.
struct Place {
    attribute: &'static str,
    name: &'static str,
    takes: &'static [&'static str],
    /// Words of other places, and what to write for them here.
    instead: &'static [(&'static str, &'static str)],
}

const STRUCT: Place = Place {
    attribute: "union",
    name: "the struct",
    takes: &[
        "crate",
        "schema",
        "all_members",
        "exactly_one",
        "shape",
        "enforce",
        "ratchet",
        "nested",
    ],
    instead: &INSTEAD_IN_STRUCT_FORM,
};

const FIELD: Place = Place {
    attribute: "union",
    name: "a field",
    takes: &[
        "discriminator",
        "deduce",
        "member",
        "optional",
        "discriminated_by",
        "group",
        "alone",
        "not_member",
        "inline",
        "nested",
        "list_map_keys",
        "key",
        "unknown",
        "open",
        "patch_strategy",
        "patch_merge_key",
    ],
    instead: &[],
};

const ENUM: Place = Place {
    attribute: "enum_type",
    name: "the enum",
    takes: &["crate", "schema"],
    instead: &[],
};

const VARIANT: Place = Place {
    attribute: "enum_type",
    name: "a variant",
    takes: &["other"],
    instead: &[],
};

const ENUM_FORM: Place = Place {
    attribute: "union",
    name: "the enum",
    takes: &[
        "discriminator",
        "undiscriminated",
        "strict",
        "values",
        "fields",
        "shape",
        "enforce",
        "ratchet",
        "schema",
        "crate",
    ],
    instead: &INSTEAD_IN_ENUM_FORM,
};

const ENUM_FORM_VARIANT: Place = Place {
    attribute: "union",
    name: "a variant",
    takes: &[
        "member", "field", "nested", "open", "default", "absent", "other",
    ],
    instead: &INSTEAD_IN_ENUM_FORM,
};

/// The words of enums that are unions, on a struct.
const INSTEAD_IN_STRUCT_FORM: [(&str, &str); 4] = [
    (
        "undiscriminated",
        "the members of a struct name their union, if it has no discriminator; write `member, group = name` on each",
    ),
    (
        "strict",
        "`strict` is for enums with `#[derive(UnionEnum)]`; a struct reads what its fields read",
    ),
    (
        "values",
        "`values` is for enums with `#[derive(UnionEnum)]`; the values of a struct are those of its discriminator's enum",
    ),
    (
        "fields",
        "`fields` is for enums with `#[derive(UnionEnum)]`; on a struct write `#[serde(rename_all = \"camelCase\")]`",
    ),
];

/// The words of structs, on an enum that is a union or on its variants.
const INSTEAD_IN_ENUM_FORM: [(&str, &str); 8] = [
    (
        "deduce",
        "a variant forgets whether the discriminator was there, so it cannot follow the member; write a struct with `#[derive(Union)]` for `deduce`",
    ),
    (
        "all_members",
        "every variant that holds something is a member; remove `all_members`",
    ),
    (
        "exactly_one",
        "an enum is exactly one of its variants; write `undiscriminated`, with a unit variant if there may be no member",
    ),
    (
        "optional",
        "a member that may be selected and unset holds an `Option`; write `Alpha(Option<..>)`",
    ),
    (
        "group",
        "an enum is one union; remove `group`, and write an enum for each union",
    ),
    (
        "discriminated_by",
        "an enum has one discriminator; write `discriminator = \"type\"` on the enum",
    ),
    (
        "not_member",
        "a variant that holds something is a member; move other data into the parent's struct",
    ),
    (
        "unknown",
        "what this build does not know is kept by a variant; write `#[union(other)] Other(union_runtime::RawUnion)`",
    ),
];

/// The attributes that structs and enum types share.
#[derive(Default)]
pub(crate) struct ContainerAttrs {
    /// `crate = path`
    pub(crate) krate: Option<Path>,
    /// `schema = false`
    pub(crate) schema: Option<LitBool>,
}

/// The attributes of a struct alone.
#[derive(Default)]
pub(crate) struct StructAttrs {
    /// `all_members`
    pub(crate) all_members: Option<Span>,
    /// `exactly_one`, `exactly_one(group, ...)`
    pub(crate) exactly_one: Option<ExactlyOne>,
    /// `shape = "2022"`
    pub(crate) shape: Option<ShapeAttr>,
    /// `enforce = "cel"`
    pub(crate) enforce: Option<EnforceAttr>,
    /// `ratchet = "same_reason"`
    pub(crate) ratchet: Option<Span>,
    /// `nested(spec, ...)`
    pub(crate) nested: Vec<Ident>,
}

/// `exactly_one` and the groups that it is for: none are named where there is only one.
pub(crate) struct ExactlyOne {
    pub(crate) span: Span,
    pub(crate) groups: Vec<Ident>,
}

/// `shape = "2022"`, and where it stands.
pub(crate) struct ShapeAttr {
    pub(crate) span: Span,
    pub(crate) value: Shape,
}

/// `"2022" / "2019" / "both"`
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    V2022,
    V2019,
    Both,
}

/// `enforce = "cel"`, and where it stands.
pub(crate) struct EnforceAttr {
    pub(crate) span: Span,
    pub(crate) value: Enforce,
}

/// `"cel" / "one_of" / "none"`; and `"cel"` with `ratchet = "same_reason"`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enforce {
    Cel,
    CelSameReason,
    OneOf,
    None,
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
    /// `deduce`
    pub(crate) deduce: Option<Span>,
    /// `discriminated_by = field`
    pub(crate) discriminated_by: Option<Ident>,
    /// `group = name`
    pub(crate) group: Option<Ident>,
    /// `alone`
    pub(crate) alone: Option<Span>,
    /// `not_member`
    pub(crate) not_member: Option<Span>,
    /// `inline`, `inline(lossy)`
    pub(crate) inline: Option<Span>,
    /// `lossy` of `inline(lossy)`
    pub(crate) lossy: Option<Span>,
    /// `nested`
    pub(crate) nested: Option<Span>,
    /// `list_map_keys("name", ...)`
    pub(crate) list_map_keys: Option<ListMapKeys>,
    /// `key`
    pub(crate) key: Option<Span>,
    /// `unknown`
    pub(crate) unknown: Option<Span>,
    /// `open`
    pub(crate) open: Option<Span>,
    /// `patch_strategy = "merge,retainKeys"`
    pub(crate) patch_strategy: Option<PatchAttr>,
    /// `patch_merge_key = "name"`
    pub(crate) patch_merge_key: Option<PatchAttr>,
}

/// A text that is said of patches, and where its name stands.
pub(crate) struct PatchAttr {
    pub(crate) span: Span,
    pub(crate) value: LitStr,
}

/// `list_map_keys("name", ...)`, and where it stands.
pub(crate) struct ListMapKeys {
    pub(crate) span: Span,
    pub(crate) names: Vec<LitStr>,
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
    /// Reads `#[union(...)]` of a struct.
    pub(crate) fn of_struct(attrs: &[Attribute], diag: &Diag) -> (Self, StructAttrs) {
        let mut found = Self::default();
        let mut of_struct = StructAttrs::default();
        read(attrs, &STRUCT, &FIELD, diag, |key, meta| {
            let span = key_span(meta);
            match key {
                "all_members" => {
                    of_struct.all_members = Some(span);
                    no_value(meta, key)
                }
                "nested" => {
                    let remedy = "on a struct, name the fields: `nested(spec, status)`";
                    of_struct.nested = names_in_brackets(meta, remedy)?;
                    if of_struct.nested.is_empty() {
                        return Err(syn::Error::new(span, remedy));
                    }
                    Ok(())
                }
                "exactly_one" => {
                    let remedy = "write `exactly_one`, or name the unions: `exactly_one(group)`, without quotes";
                    let groups = names_in_brackets(meta, remedy)?;
                    of_struct.exactly_one = Some(ExactlyOne { span, groups });
                    Ok(())
                }
                "shape" => {
                    let value = shape(meta)?;
                    of_struct.shape = Some(ShapeAttr { span, value });
                    Ok(())
                }
                "enforce" => {
                    let value = enforce(meta)?;
                    of_struct.enforce = Some(EnforceAttr { span, value });
                    Ok(())
                }
                "ratchet" => {
                    same_reason(meta)?;
                    of_struct.ratchet = Some(span);
                    Ok(())
                }
                _ => found.read_one(key, meta),
            }
        });
        (found, of_struct)
    }

    /// Reads `#[enum_type(...)]` of an enum.
    pub(crate) fn of_enum(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        read(attrs, &ENUM, &VARIANT, diag, |key, meta| {
            found.read_one(key, meta)
        });
        found
    }

    fn read_one(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if key == "crate" {
            let remedy = "the runtime crate is a path; write `crate = ::the_path`, without quotes";
            self.krate = Some(read_value(meta, Path::parse_mod_style, remedy)?);
        } else {
            let remedy = "write `schema = false`, or remove it";
            self.schema = Some(read_value(meta, <LitBool as Parse>::parse, remedy)?);
        }
        Ok(())
    }
}

impl FieldAttrs {
    /// Reads `#[union(...)]` of a field.
    pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        read(attrs, &FIELD, &STRUCT, diag, |key, meta| {
            found.read_one(key, meta)
        });
        found
    }

    fn read_one(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let span = key_span(meta);
        if let Some(word) = self.word(key) {
            *word = Some(span);
            return no_value(meta, key);
        }
        match key {
            "inline" => {
                let remedy = "write `inline`, or `inline(lossy)` for an enum of which unknown values may be lost";
                self.inline = Some(span);
                if !is_at_end(meta) {
                    self.lossy = Some(lossy(meta, remedy)?);
                }
            }
            "list_map_keys" => {
                let names = texts_in_brackets(meta)?;
                self.list_map_keys = Some(ListMapKeys { span, names });
            }
            "discriminated_by" => {
                let remedy = "name the discriminator's field; write `discriminated_by = field`, without quotes";
                self.discriminated_by = Some(read_value(meta, Ident::parse_any, remedy)?);
            }
            "group" => {
                let remedy = "name the union; write `group = name`, without quotes";
                self.group = Some(read_value(meta, Ident::parse_any, remedy)?);
            }
            "patch_strategy" => {
                let remedy = "write `patch_strategy = \"merge,retainKeys\"`, `\"merge\"`, `\"retainKeys\"` or `\"replace\"`";
                let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
                self.patch_strategy = Some(PatchAttr { span, value });
            }
            "patch_merge_key" => {
                let remedy = "name the field that tells elements apart, as JSON does; write `patch_merge_key = \"name\"`";
                let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
                self.patch_merge_key = Some(PatchAttr { span, value });
            }
            _ => {
                // A member without its value is better than none: fewer errors follow.
                self.member = Some(MemberAttr { span, value: None });
                let value = member_value(meta)?;
                self.member = Some(MemberAttr { span, value });
            }
        }
        Ok(())
    }

    /// Where one of the attributes is kept that are a word and nothing else.
    fn word(&mut self, key: &str) -> Option<&mut Option<Span>> {
        Some(match key {
            "discriminator" => &mut self.discriminator,
            "deduce" => &mut self.deduce,
            "optional" => &mut self.optional,
            "alone" => &mut self.alone,
            "not_member" => &mut self.not_member,
            "nested" => &mut self.nested,
            "key" => &mut self.key,
            "unknown" => &mut self.unknown,
            "open" => &mut self.open,
            _ => return None,
        })
    }

    /// The names of all that is said beside `unknown`.
    pub(crate) fn beside_unknown(&self) -> Vec<&'static str> {
        let said = [
            ("discriminator", self.discriminator.is_some()),
            ("deduce", self.deduce.is_some()),
            ("member", self.member.is_some()),
            ("optional", self.optional.is_some()),
            ("discriminated_by", self.discriminated_by.is_some()),
            ("group", self.group.is_some()),
            ("alone", self.alone.is_some()),
            ("not_member", self.not_member.is_some()),
            ("inline", self.inline.is_some()),
            ("nested", self.nested.is_some()),
            ("list_map_keys", self.list_map_keys.is_some()),
            ("key", self.key.is_some()),
            ("open", self.open.is_some()),
            ("patch_strategy", self.patch_strategy.is_some()),
            ("patch_merge_key", self.patch_merge_key.is_some()),
        ];
        let said = said.into_iter().filter(|(_, is_said)| *is_said);
        said.map(|(name, _)| name).collect()
    }
}

impl VariantAttrs {
    /// Reads `#[enum_type(...)]` of a variant.
    pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        read(attrs, &VARIANT, &ENUM, diag, |_, meta| {
            found.other = Some(key_span(meta));
            Ok(())
        });
        found
    }
}

/// Reads all attributes of ours that stand `here`; `elsewhere` is the other place that such attributes stand on.
fn read(
    attrs: &[Attribute],
    here: &Place,
    elsewhere: &Place,
    diag: &Diag,
    mut read_one: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    let mut seen: Vec<String> = Vec::new();
    for attr in attrs
        .iter()
        .filter(|attr| attr.path().is_ident(here.attribute))
    {
        let result = attr.parse_nested_meta(|meta| {
            let key = key_text(&meta);
            let span = key_span(&meta);
            if !here.takes.contains(&key.as_str()) {
                diag.error(span, unknown(&key, here, elsewhere));
                return skip_value(&meta);
            }
            if seen.contains(&key) {
                diag.error(span, format_args!("`{key}` is a duplicate; keep one"));
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

/// `(name, ...)` behind an attribute, if it is there; `remedy` is the error if that is not well formed.
fn names_in_brackets(meta: &ParseNestedMeta<'_>, remedy: &str) -> syn::Result<Vec<Ident>> {
    if is_at_end(meta) {
        return Ok(Vec::new());
    }
    let wrong = |error: syn::Error| syn::Error::new(error.span(), remedy);
    let group: Group = meta.input.parse().map_err(wrong)?;
    let names = Punctuated::<Ident, Token![,]>::parse_terminated_with;
    let names = (|input: ParseStream<'_>| names(input, Ident::parse_any))
        .parse2(group.stream())
        .map_err(wrong)?;
    if names.is_empty() {
        return Err(syn::Error::new(group.span(), remedy));
    }
    let names: Vec<Ident> = names.into_iter().collect();
    no_repetition(&names)?;
    Ok(names)
}

/// `(lossy)` behind `inline`.
fn lossy(meta: &ParseNestedMeta<'_>, remedy: &str) -> syn::Result<Span> {
    let words = names_in_brackets(meta, remedy)?;
    let other = words.iter().find(|word| *word != "lossy");
    match (other, words.first()) {
        (None, Some(lossy)) => Ok(lossy.span()),
        (other, _) => {
            let span = other.map_or_else(|| meta.input.span(), Ident::span);
            Err(syn::Error::new(span, remedy))
        }
    }
}

/// A name stands once in a list.
fn no_repetition<T: ToTokens>(names: &[T]) -> syn::Result<()> {
    let mut seen = Vec::new();
    for name in names {
        let text = name.to_token_stream().to_string();
        if seen.contains(&text) {
            return Err(syn::Error::new_spanned(
                name,
                "this is a duplicate; keep one",
            ));
        }
        seen.push(text);
    }
    Ok(())
}

/// `("name", ...)` behind an attribute.
fn texts_in_brackets(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    let remedy = "name the keys as JSON does; write `list_map_keys(\"name\")`";
    let wrong = |error: syn::Error| syn::Error::new(error.span(), remedy);
    let group: Group = meta.input.parse().map_err(wrong)?;
    let names = Punctuated::<LitStr, Token![,]>::parse_terminated
        .parse2(group.stream())
        .map_err(wrong)?;
    if names.is_empty() {
        return Err(syn::Error::new(group.span(), remedy));
    }
    let names: Vec<LitStr> = names.into_iter().collect();
    no_repetition(&names)?;
    Ok(names)
}

fn shape(meta: &ParseNestedMeta<'_>) -> syn::Result<Shape> {
    let remedy = "write `shape = \"2022\"`, `shape = \"2019\"` or `shape = \"both\"`";
    let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
    match value.value().as_str() {
        "2022" => Ok(Shape::V2022),
        "2019" => Ok(Shape::V2019),
        "both" => Ok(Shape::Both),
        _ => Err(syn::Error::new(value.span(), remedy)),
    }
}

fn enforce(meta: &ParseNestedMeta<'_>) -> syn::Result<Enforce> {
    let remedy = "write `enforce = \"cel\"`, `enforce = \"one_of\"` or `enforce = \"none\"`";
    let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
    match value.value().as_str() {
        "cel" => Ok(Enforce::Cel),
        "one_of" => Ok(Enforce::OneOf),
        "none" => Ok(Enforce::None),
        _ => Err(syn::Error::new(value.span(), remedy)),
    }
}

/// `= "same_reason"` behind `ratchet`: nothing else can be said by a schema, and a server ratchets by itself without it.
fn same_reason(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    let remedy = "write `ratchet = \"same_reason\"`, or remove it: without it a server forgives unchanged structs";
    let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
    if value.value() == "same_reason" {
        Ok(())
    } else {
        Err(syn::Error::new(value.span(), remedy))
    }
}

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
    let message = format!("`{key}` does not take a value; remove what follows it");
    Err(meta.input.error(message))
}

fn is_at_end(meta: &ParseNestedMeta<'_>) -> bool {
    meta.input.is_empty() || meta.input.peek(Token![,])
}

fn unknown(key: &str, here: &Place, elsewhere: &Place) -> String {
    if let Some((_, instead)) = here.instead.iter().find(|(word, _)| *word == key) {
        return (*instead).to_owned();
    }
    let listed: Vec<String> = here
        .takes
        .iter()
        .map(|known| format!("`{known}`"))
        .collect();
    let listed = listed.join(", ");
    if elsewhere.takes.contains(&key) {
        let elsewhere = elsewhere.name;
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
