//! The table of all attributes. A row contains the name of an attribute, the struct field and the
//! type of its value, and the function that reads the value. `attributes.md` documents each
//! attribute.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Ident, LitBool, LitStr, Path};

use super::rename_rule::RenameRule;
use super::site::{AttributeSite, parse_attributes};
use super::values::{
    Enforcement, ExtensionShape, FlattenedFields, Inline, SpannedValue, parse_crate, parse_enforce,
    parse_exactly_one, parse_fields, parse_flag, parse_flattened, parse_inline,
    parse_list_map_keys, parse_member, parse_name, parse_ratchet, parse_read_also,
    parse_rename_rule, parse_schema, parse_schema_with, parse_shape, parse_string,
    parse_variant_member,
};
use crate::errors::Errors;

macro_rules! attributes {
    (
        $(#[$doc:meta])*
        $name:ident: $attribute:literal on $site:literal, or $other_site:ident, suggestions $suggestions:expr, serde $has_library_attributes:literal;
        $($key:literal $field:ident: $type:ty = $reader:expr,)*
    ) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: Option<$type>,)*
        }

        impl AttributeSite for $name {
            const ATTRIBUTE: &'static str = $attribute;
            const HAS_LIBRARY_ATTRIBUTES: bool = $has_library_attributes;
            const SITE: &'static str = $site;
            const ALLOWED: &'static [&'static str] = &[$($key),*];
            const SUGGESTIONS: &'static [(&'static str, &'static str)] = $suggestions;
            type OtherSite = $other_site;

            fn parse_one(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
                match name {
                    $($key => $reader(meta, &mut self.$field),)*
                    _ => Ok(()),
                }
            }

            fn present_names(&self) -> Vec<&'static str> {
                let names = [$(($key, self.$field.is_some())),*];
                let names = names.into_iter().filter(|(_, is_present)| *is_present);
                names.map(|(name, _)| name).collect()
            }
        }

        impl $name {
            /// Reads the attributes of the site.
            pub(crate) fn from_syn(attrs: &[Attribute], errors: &Errors) -> Self {
                parse_attributes(attrs, errors)
            }
        }
    };
}

attributes! {
    /// The attributes of a struct.
    StructAttrs: "union" on "the struct", or FieldAttrs, suggestions &SUGGESTIONS_IN_STRUCT_FORM, serde true;
    "crate" krate: Path = parse_crate,
    "schema" schema: LitBool = parse_schema,
    "all_members" all_members: Span = parse_flag,
    "exactly_one" exactly_one: SpannedValue<Vec<Ident>> = parse_exactly_one,
    "shape" shape: SpannedValue<ExtensionShape> = parse_shape,
    "enforce" enforce: SpannedValue<Enforcement> = parse_enforce,
    "ratchet" ratchet: Span = parse_ratchet,
    "nested" nested: Vec<Ident> = parse_fields("`nested` on a struct needs the names of fields: `nested(spec, status)`"),
    "not_nested" not_nested: Vec<Ident> = parse_fields("`not_nested` on a struct needs the names of fields: `not_nested(status)`"),
}

attributes! {
    /// The attributes of a field.
    FieldAttrs: "union" on "a field", or StructAttrs, suggestions &SUGGESTIONS_ON_FIELDS, serde true;
    "discriminator" discriminator: Span = parse_flag,
    "deduce" deduce: Span = parse_flag,
    "member" member: SpannedValue<Option<LitStr>> = parse_member,
    "optional" optional: Span = parse_flag,
    "discriminated_by" discriminated_by: Ident =
        parse_name("`discriminated_by` must be the name of the discriminator's field, without quotes: `discriminated_by = field`"),
    "group" group: Ident = parse_name("`group` must be the name of the union, without quotes: `group = name`"),
    "alone" alone: Span = parse_flag,
    "not_member" not_member: Span = parse_flag,
    "inline" inline: Inline = parse_inline,
    "nested" nested: Span = parse_flag,
    "not_nested" not_nested: Span = parse_flag,
    "list_map_keys" list_map_keys: SpannedValue<Vec<LitStr>> = parse_list_map_keys,
    "key" key: Span = parse_flag,
    "unknown" unknown: Span = parse_flag,
    "open" open: Span = parse_flag,
    "patch_strategy" patch_strategy: SpannedValue<LitStr> = parse_string(
        "`patch_strategy` must be `\"merge,retainKeys\"`, `\"merge\"`, `\"retainKeys\"` or `\"replace\"`",
    ),
    "patch_merge_key" patch_merge_key: SpannedValue<LitStr> = parse_string(
        "`patch_merge_key` must be the JSON name of the field that identifies elements: `patch_merge_key = \"name\"`",
    ),
}

attributes! {
    /// The attributes of an enum type.
    EnumAttrs: "enum_type" on "the enum", or VariantAttrs, suggestions &[], serde true;
    "crate" krate: Path = parse_crate,
    "schema" schema: LitBool = parse_schema,
}

attributes! {
    /// The attributes of a variant of an enum type.
    VariantAttrs: "enum_type" on "a variant", or EnumAttrs, suggestions &SUGGESTIONS_ON_VALUES, serde true;
    "other" other: Span = parse_flag,
}

attributes! {
    /// The attributes of a union in the enum form.
    UnionEnumAttrs: "union" on "the enum", or UnionVariantAttrs, suggestions &SUGGESTIONS_IN_ENUM_FORM, serde false;
    "discriminator" discriminator: SpannedValue<LitStr> = parse_string(
        "`discriminator` must be the JSON name of the field that selects a variant: `discriminator = \"type\"`",
    ),
    "undiscriminated" undiscriminated: Span = parse_flag,
    "strict" strict: Span = parse_flag,
    "read_also" read_also: Span = parse_read_also,
    "flattened" flattened: SpannedValue<FlattenedFields> = parse_flattened,
    "values" values: SpannedValue<RenameRule> = parse_rename_rule,
    "fields" fields: SpannedValue<RenameRule> = parse_rename_rule,
    "shape" shape: SpannedValue<ExtensionShape> = parse_shape,
    "enforce" enforce: SpannedValue<Enforcement> = parse_enforce,
    "ratchet" ratchet: Span = parse_ratchet,
    "schema" schema: LitBool = parse_schema,
    "crate" krate: Path = parse_crate,
}

attributes! {
    /// The attributes of a variant of a union in the enum form.
    UnionVariantAttrs: "union" on "a variant", or UnionEnumAttrs, suggestions &SUGGESTIONS_IN_ENUM_FORM, serde false;
    "member" member: SpannedValue<LitStr> = parse_variant_member,
    "field" field: SpannedValue<LitStr> =
        parse_string("`field` must be a JSON name in quotes: `field = \"name\"`"),
    "nested" nested: Span = parse_flag,
    "not_nested" not_nested: Span = parse_flag,
    "open" open: Span = parse_flag,
    "preserve_unknown_fields" preserve_unknown_fields: Span = parse_flag,
    "schema_with" schema_with: SpannedValue<Path> = parse_schema_with,
    "default" default: Span = parse_flag,
    "absent" absent: Span = parse_flag,
    "other" other: Span = parse_flag,
}

/// The attributes of enums, each with the error message for a struct.
const SUGGESTIONS_IN_STRUCT_FORM: [(&str, &str); 7] = [
    (
        "tag",
        "`tag` is for enums; in a struct, mark the discriminator with `#[union(discriminator)]` on its field",
    ),
    (
        "undiscriminated",
        "`undiscriminated` is for enums with `#[derive(UnionEnum)]`; in a struct, write `member, group = name` on each member",
    ),
    (
        "strict",
        "`strict` is for enums with `#[derive(UnionEnum)]`; remove it, because a struct accepts the values that its fields accept",
    ),
    (
        "values",
        "`values` is for enums with `#[derive(UnionEnum)]`; in a struct, the discriminator's enum defines the values",
    ),
    (
        "fields",
        "`fields` is for enums with `#[derive(UnionEnum)]`; on a struct write `#[serde(rename_all = \"camelCase\")]`",
    ),
    (
        "flattened",
        "`flattened` is for enums with `#[derive(UnionEnum)]`; move it to the enum that this struct flattens, and write `#[union(inline)] #[serde(flatten)]` on the field",
    ),
    (
        "read_also",
        "`read_also` is for enums with `#[derive(UnionEnum)]`; remove it, because serde reads a struct only from its fields",
    ),
];

/// The attributes that only variants take, each with the error message for a field.
const SUGGESTIONS_ON_FIELDS: [(&str, &str); 5] = [
    (
        "other",
        "`other` is for variants; on the map of a struct that keeps unknown members, write `#[union(unknown)] #[serde(flatten)]`",
    ),
    (
        "absent",
        "`absent` is for variants; in a struct, an absent discriminator is an `Option` or has `#[serde(default)]`",
    ),
    (
        "field",
        "`field` is for variants; on a field write `#[serde(rename = \"name\")]`",
    ),
    (
        "flattened",
        "`flattened` is for enums with `#[derive(UnionEnum)]`; move it to the enum, and write `#[union(inline)] #[serde(flatten)]` on this field",
    ),
    (
        "preserve_unknown_fields",
        "`preserve_unknown_fields` is for variants; on a field write `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`",
    ),
];

/// The attributes that only variants of a union take, each with the error message for a value of an
/// enum type.
const SUGGESTIONS_ON_VALUES: [(&str, &str); 2] = [
    (
        "default",
        "a value cannot be the default here; write `#[serde(default)]` on the discriminator, and `#[default]` on this variant for `derive(Default)`",
    ),
    (
        "member",
        "the name of a value is serde's name; write `#[serde(rename = \"VALUE\")]`",
    ),
];

/// The attributes that only `Union` takes, and attributes of serde and schemars, each with the
/// error message for an enum with `UnionEnum` and for its variants.
const SUGGESTIONS_IN_ENUM_FORM: [(&str, &str); 20] = [
    (
        "deduce",
        "`deduce` is not supported in an enum, because a variant does not record if the discriminator was present; use a struct with `#[derive(Union)]`",
    ),
    (
        "all_members",
        "every variant with data is a member already; remove `all_members`",
    ),
    (
        "exactly_one",
        "`exactly_one` is not supported in an enum, which always has exactly one variant; write `undiscriminated`, and add a unit variant if the union may be empty",
    ),
    (
        "optional",
        "`optional` is not supported in an enum; for a member that may be unset while it is selected, write `Alpha(Option<..>)`",
    ),
    (
        "group",
        "`group` is not supported in an enum, which is a single union; remove `group`, and write one enum for each union",
    ),
    (
        "discriminated_by",
        "`discriminated_by` is not supported in an enum, which has one discriminator; write `discriminator = \"type\"` on the enum",
    ),
    (
        "not_member",
        "`not_member` is not supported in an enum: every variant with data is a member; move other data into the parent struct",
    ),
    (
        "unknown",
        "`unknown` is not supported in an enum; to keep unknown members, add the variant `#[union(other)] Other(union_runtime::RawUnion)`",
    ),
    (
        "rename",
        "`rename` is an attribute of serde, which is not used here; write `member = \"VALUE\"` for the value, and `field = \"name\"` for the field of the member",
    ),
    (
        "rename_all",
        "`rename_all` is an attribute of serde, which is not used here; write `values = \"..\"` for the values, and `fields = \"..\"` for the fields of the members",
    ),
    (
        "tag",
        "`tag` is an attribute of serde, which is not used here; write `discriminator = \"type\"`",
    ),
    (
        "content",
        "`content` is an attribute of serde, which is not used here: each member has a field of its own; write `field = \"name\"` on its variant",
    ),
    (
        "untagged",
        "`untagged` is an attribute of serde, which is not used here; write `undiscriminated`",
    ),
    (
        "skip",
        "a variant cannot be skipped, because every variant with data is a member; remove the variant",
    ),
    (
        "flatten",
        "`flatten` is for the field that has this enum; write `#[union(inline)] #[serde(flatten)]` there, and `flattened = \"own_fields\"` or `flattened = \"all_fields\"` on the enum",
    ),
    (
        "skip_serializing_if",
        "an unset member is always omitted; remove `skip_serializing_if`",
    ),
    ("alias", "a member has only one name; remove `alias`"),
    (
        "deny_unknown_fields",
        "`deny_unknown_fields` is an attribute of serde, which is not used here; write `strict` to reject invalid objects",
    ),
    (
        "transform",
        "`transform` is an attribute of schemars; remove it, because an enum needs no schema hook",
    ),
    (
        "extend",
        "`extend` is an attribute of schemars, which is not used here; put it on the fields that have this enum",
    ),
];
