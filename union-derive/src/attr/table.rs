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
        name("name the discriminator's field; write `discriminated_by = field`, without quotes"),
    "group" group: Ident = name("name the union; write `group = name`, without quotes"),
    "alone" alone: Span = word,
    "not_member" not_member: Span = word,
    "inline" inline: Inline = inline,
    "nested" nested: Span = word,
    "list_map_keys" list_map_keys: Valued<Vec<LitStr>> = list_map_keys,
    "key" key: Span = word,
    "unknown" unknown: Span = word,
    "open" open: Span = word,
    "patch_strategy" patch_strategy: Valued<LitStr> = string(
        "write `patch_strategy = \"merge,retainKeys\"`, `\"merge\"`, `\"retainKeys\"` or `\"replace\"`",
    ),
    "patch_merge_key" patch_merge_key: Valued<LitStr> = string(
        "name the field that tells elements apart, as JSON does; write `patch_merge_key = \"name\"`",
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
        "name the field that says which variant it is; write `discriminator = \"type\"`",
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
        string("a discriminator value is a string; write `member = \"VALUE\"`"),
    "field" field: Valued<LitStr> =
        string("a field's name is a string; write `field = \"name\"`"),
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

/// The attributes that only `Union` takes, with the error message if one of them is on an enum with
/// `UnionEnum` or on its variants.
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
