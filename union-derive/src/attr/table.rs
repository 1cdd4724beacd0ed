//! The table of all attributes. A row contains the name of an attribute, the struct field and the
//! type of its value, and the function that reads the value. `attributes.md` explains each
//! attribute.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Ident, LitBool, LitStr, Path};

use super::place::{Attributes, read};
use super::rename_rule::RenameRule;
use super::values::{
    Enforce, Inline, Shape, Valued, enforce, exactly_one, inline, krate, list_map_keys, member,
    name, nested_fields, ratchet, rename_rule, schema, shape, string, word,
};
use crate::diag::Diag;

macro_rules! attributes {
    (
        $(#[$doc:meta])*
        $name:ident: $attribute:literal on $place:literal, or $elsewhere:ident, instead $instead:expr;
        $($text:literal $slot:ident: $type:ty = $reader:expr,)*
    ) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $slot: Option<$type>,)*
        }

        impl Attributes for $name {
            const ATTRIBUTE: &'static str = $attribute;
            const PLACE: &'static str = $place;
            const NAMES: &'static [&'static str] = &[$($text),*];
            const INSTEAD: &'static [(&'static str, &'static str)] = $instead;
            type Elsewhere = $elsewhere;

            fn read_one(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
                match name {
                    $($text => $reader(meta, &mut self.$slot),)*
                    _ => Ok(()),
                }
            }

            fn names(&self) -> Vec<&'static str> {
                let names = [$(($text, self.$slot.is_some())),*];
                let names = names.into_iter().filter(|(_, is_there)| *is_there);
                names.map(|(name, _)| name).collect()
            }
        }

        impl $name {
            /// Reads the attributes of the place.
            pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
                read(attrs, diag)
            }
        }
    };
}

attributes! {
    /// The attributes of a struct.
    StructAttrs: "union" on "the struct", or FieldAttrs, instead &INSTEAD_IN_STRUCT_FORM;
    "crate" krate: Path = krate,
    "schema" schema: LitBool = schema,
    "all_members" all_members: Span = word,
    "exactly_one" exactly_one: Valued<Vec<Ident>> = exactly_one,
    "shape" shape: Valued<Shape> = shape,
    "enforce" enforce: Valued<Enforce> = enforce,
    "ratchet" ratchet: Span = ratchet,
    "nested" nested: Vec<Ident> = nested_fields,
}

attributes! {
    /// The attributes of a field.
    FieldAttrs: "union" on "a field", or StructAttrs, instead &[];
    "discriminator" discriminator: Span = word,
    "deduce" deduce: Span = word,
    "member" member: Valued<Option<LitStr>> = member,
    "optional" optional: Span = word,
    "discriminated_by" discriminated_by: Ident =
        name("`discriminated_by` must be the name of the discriminator's field, without quotes: `discriminated_by = field`"),
    "group" group: Ident = name("`group` must be the name of the union, without quotes: `group = name`"),
    "alone" alone: Span = word,
    "not_member" not_member: Span = word,
    "inline" inline: Inline = inline,
    "nested" nested: Span = word,
    "list_map_keys" list_map_keys: Valued<Vec<LitStr>> = list_map_keys,
    "key" key: Span = word,
    "unknown" unknown: Span = word,
    "open" open: Span = word,
    "patch_strategy" patch_strategy: Valued<LitStr> = string(
        "`patch_strategy` must be `\"merge,retainKeys\"`, `\"merge\"`, `\"retainKeys\"` or `\"replace\"`",
    ),
    "patch_merge_key" patch_merge_key: Valued<LitStr> = string(
        "`patch_merge_key` must be the JSON name of the field that identifies elements: `patch_merge_key = \"name\"`",
    ),
}

attributes! {
    /// The attributes of an enum type.
    EnumAttrs: "enum_type" on "the enum", or VariantAttrs, instead &[];
    "crate" krate: Path = krate,
    "schema" schema: LitBool = schema,
}

attributes! {
    /// The attributes of a variant of an enum type.
    VariantAttrs: "enum_type" on "a variant", or EnumAttrs, instead &[];
    "other" other: Span = word,
}

attributes! {
    /// The attributes of an enum that is a union.
    UnionEnumAttrs: "union" on "the enum", or UnionVariantAttrs, instead &INSTEAD_IN_ENUM_FORM;
    "discriminator" discriminator: Valued<LitStr> = string(
        "`discriminator` must be the JSON name of the field that selects a variant: `discriminator = \"type\"`",
    ),
    "undiscriminated" undiscriminated: Span = word,
    "strict" strict: Span = word,
    "values" values: Valued<RenameRule> = rename_rule,
    "fields" fields: Valued<RenameRule> = rename_rule,
    "shape" shape: Valued<Shape> = shape,
    "enforce" enforce: Valued<Enforce> = enforce,
    "ratchet" ratchet: Span = ratchet,
    "schema" schema: LitBool = schema,
    "crate" krate: Path = krate,
}

attributes! {
    /// The attributes of a variant of an enum that is a union.
    UnionVariantAttrs: "union" on "a variant", or UnionEnumAttrs, instead &INSTEAD_IN_ENUM_FORM;
    "member" member: Valued<LitStr> =
        string("`member` must be a discriminator value in quotes: `member = \"VALUE\"`"),
    "field" field: Valued<LitStr> =
        string("`field` must be a JSON name in quotes: `field = \"name\"`"),
    "nested" nested: Span = word,
    "open" open: Span = word,
    "default" default: Span = word,
    "absent" absent: Span = word,
    "other" other: Span = word,
}

/// The attributes that only `UnionEnum` takes, with the error message if one of them is on a
/// struct.
const INSTEAD_IN_STRUCT_FORM: [(&str, &str); 4] = [
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
];

/// The attributes that only `Union` takes, with the error message if one of them is on an enum with
/// `UnionEnum` or on its variants.
const INSTEAD_IN_ENUM_FORM: [(&str, &str); 8] = [
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
];
