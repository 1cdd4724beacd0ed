//! Tests of single rules of the derives, as rows of types that differ in one attribute. `tests/ui`
//! has a case for each message; these rows also have the neighbors that are valid, and count the
//! messages.

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{ToTokens as _, quote};

use super::expansion::Derive;
use super::ui_cases::error_messages;
use crate::pipeline::{expand_enum_type, expand_union, expand_union_enum};

/// Returns the source of a struct with a union, with more attributes, parameters and fields.
macro_rules! choice {
    ($attributes:literal, $parameters:literal, $fields:literal) => {
        concat!(
            $attributes,
            " struct Choice",
            $parameters,
            " { #[union(discriminator)] kind: Kind, #[union(member)] \
             #[serde(skip_serializing_if = \"Option::is_none\")] alpha: Option<Alpha>, ",
            $fields,
            " }"
        )
    };
}

/// Types, and the start of each error message that the derive reports, in order.
const MESSAGES: &[(Derive, &str, &[&str])] = &[
    // The data of a value.
    (
        expand_enum_type,
        "enum Kind { A, #[serde(skip)] B(u8) }",
        &["a value cannot be skipped"],
    ),
    (
        expand_enum_type,
        "enum Kind { A, #[serde(other)] B(u8) }",
        &["#[serde(other)] must be on a unit variant"],
    ),
    (
        expand_enum_type,
        "enum Kind { A, B(u8), C(u8) }",
        &["a value of an enum type cannot have data"],
    ),
    (
        expand_enum_type,
        "enum Kind { A, #[enum_type(other)] #[serde(untagged)] Unknown((String)) }",
        &[],
    ),
    (
        expand_enum_type,
        "enum Kind { A, #[enum_type(other)] #[serde(untagged)] Unknown(String, u8) }",
        &["an `other` variant must contain the string"],
    ),
    // The values in the schema.
    (
        expand_enum_type,
        "#[schemars(extend(\"enum\" = [\"B\", \"A\"]))] enum Kind { A, B }",
        &[],
    ),
    (
        expand_enum_type,
        "#[schemars(extend(\"enum\" = [\"A\"]))] enum Kind { A, B }",
        &["the values of `enum` must be"],
    ),
    (
        expand_enum_type,
        "#[schemars(extend(\"enum\" = [\"A\", \"B\"]))] enum Kind { A, B, C }",
        &["the values of `enum` must be"],
    ),
    (
        expand_enum_type,
        "#[schemars(extend(\"enum\" = [\"A\", \"B\", \"C\"]))] enum Kind { A, B }",
        &["the values of `enum` must be"],
    ),
    // The hook of the schema.
    (
        expand_enum_type,
        "#[schemars(transform = union_runtime::add_enum::<Kind>, with = \"u8\")] enum Kind { A }",
        &["`with` uses the schema of another type"],
    ),
    (
        expand_union,
        choice!(
            "#[union(schema = false)] #[schemars(with = \"u8\")]",
            "",
            ""
        ),
        &[],
    ),
    // A function for a missing member.
    (
        expand_union,
        choice!(
            "",
            "",
            "#[union(member)] #[serde(skip_serializing_if = \"Option::is_none\", default = \"Option::default\")] beta: Option<u8>"
        ),
        &[],
    ),
    (
        expand_union,
        choice!(
            "",
            "",
            "#[union(member)] #[serde(skip_serializing_if = \"Option::is_none\", default = \"make\")] beta: Option<u8>"
        ),
        &["this function could set a member"],
    ),
    // A union without a discriminator has one error.
    (
        expand_union,
        "struct Choice { \
            #[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] a: Option<u8>, \
            #[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] b: Option<u8> }",
        &["this member has no discriminator"],
    ),
    // The macro that adds `skip_serializing_if`.
    (
        expand_union,
        choice!("#[skip_serializing_none]", "", "plain: Option<u8>"),
        &[],
    ),
    (
        expand_union,
        choice!(
            "#[skip_serializing_none]",
            "",
            "#[union(member)] beta: Option<u8>"
        ),
        &["put `#[skip_serializing_none]` above"],
    ),
    // JSON names.
    (
        expand_union,
        choice!("", "", "#[serde(skip, rename = \"alpha\")] other: u8"),
        &[],
    ),
    (
        expand_union,
        choice!("", "", "#[serde(rename = \"alpha\")] other: u8"),
        &["`alpha` and `other` are both \"alpha\" in JSON"],
    ),
    (
        expand_union,
        choice!("#[serde(tag = \"name\")]", "", "#[union(key)] name: String"),
        &["`#[serde(tag)]` writes another field with this name"],
    ),
    (
        expand_union,
        choice!("#[serde(tag = \"name\")]", "", "name: String"),
        &[],
    ),
    (
        expand_union,
        choice!(
            "#[union(schema = false)]",
            "",
            "#[union(nested, list_map_keys(\"name\"))] #[schemars(skip)] items: Vec<Item>"
        ),
        &["serde and schemars must agree on this name"],
    ),
    // A key alone declares that elements have keys.
    (
        expand_union,
        "struct Element { #[union(key)] name: String }",
        &[],
    ),
    // A misplaced attribute is the only error: the missing union is not reported, too.
    (
        expand_union,
        "struct Element { #[union(optional)] a: Option<u8> }",
        &["`optional` needs `member`"],
    ),
    (
        expand_union,
        "struct Element { #[union(list_map_keys(\"name\"))] items: Vec<Item> }",
        &["`list_map_keys` needs `nested`"],
    ),
    // A variant with an error is not compared with the values of other variants.
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { A(u8), #[union(member = \"A\", bogus)] B(u8) }",
        &["unknown attribute `bogus`"],
    ),
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { A(u8), #[union(member = \"A\")] B(u8) }",
        &["`A` and `B` have the same discriminator value"],
    ),
];

/// Each row has a valid type and a text. The last column is true if the expansion of the type
/// contains the text.
const PARTS: &[(Derive, &str, &str, bool)] = &[
    // For a type other than `Self` or its name, the expansion asks rustc to compare the types.
    (
        expand_union,
        choice!(
            "#[schemars(transform = union_runtime::add_unions::<(Choice)>)]",
            "",
            ""
        ),
        "assert_hook_type",
        false,
    ),
    (
        expand_union,
        choice!(
            "#[schemars(transform = union_runtime::add_unions::<Other>)]",
            "",
            ""
        ),
        "assert_hook_type :: < Other , Self >",
        true,
    ),
    (
        expand_union,
        choice!(
            "#[schemars(transform = union_runtime::add_unions::<Self>)]",
            "<T>",
            "t: T"
        ),
        "assert_hook_type",
        false,
    ),
    // A constant outside of the impl can check only types without parameters and `Self`.
    (
        expand_union,
        choice!(
            "",
            "",
            "#[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] beta: Maybe"
        ),
        "IS_DOUBLE_OPTION",
        true,
    ),
    (
        expand_union,
        choice!(
            "",
            "<T>",
            "#[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] beta: Maybe<T>"
        ),
        "IS_DOUBLE_OPTION",
        false,
    ),
    (
        expand_union,
        choice!(
            "",
            "",
            "#[union(patch_strategy = \"merge\")] items: Vec<Item>"
        ),
        "IS_LIST",
        true,
    ),
    (
        expand_union,
        choice!(
            "",
            "<T>",
            "#[union(patch_strategy = \"merge\")] items: Vec<T>"
        ),
        "IS_LIST",
        false,
    ),
    (
        expand_union,
        choice!(
            "",
            "",
            "#[union(patch_strategy = \"merge\")] items: Vec<Self>"
        ),
        "IS_LIST",
        false,
    ),
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { #[union(open)] A(Level) }",
        "reject_if (true &&",
        true,
    ),
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job<T> { #[union(open)] A(T) }",
        "reject_if (true &&",
        false,
    ),
    // A flattened struct with a map for unknown fields beside a union.
    (
        expand_union,
        choice!("", "", "#[union(inline)] #[serde(flatten)] source: Source"),
        "an unknown field could belong to the union of either struct",
        true,
    ),
    (
        expand_union,
        "struct Pod { name: String, #[union(inline)] #[serde(flatten)] source: Source }",
        "an unknown field could belong to the union of either struct",
        false,
    ),
    // The names of the external form: the value, and the field if it has another name.
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", read_also = \"external\", strict)] \
         enum Job { Alpha(u8), #[union(member = \"beta\")] Beta(u8) }",
        "external : & [(\"Alpha\" , 0) , (\"beta\" , 1) , (\"alpha\" , 0)]",
        true,
    ),
    // Free JSON.
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { #[union(preserve_unknown_fields)] A(Level) }",
        "preserve_unknown_fields",
        true,
    ),
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { A(RawExtension) }",
        "preserve_unknown_fields",
        true,
    ),
    (
        expand_union_enum,
        "#[union(discriminator = \"type\", strict)] enum Job { A(Level) }",
        "preserve_unknown_fields",
        false,
    ),
];

fn parse(source: &str) -> TokenStream {
    source
        .parse()
        .unwrap_or_else(|error| panic!("{error}\nin: {source}"))
}

fn expand(derive: Derive, item: TokenStream) -> TokenStream {
    derive(&syn::parse2(item).expect("a type"))
}

#[test]
fn each_mistake_has_one_message_and_its_neighbors_have_none() {
    for (derive, source, expected) in MESSAGES {
        let messages = error_messages(expand(*derive, parse(source)));
        let is_expected = messages.len() == expected.len()
            && messages
                .iter()
                .zip(*expected)
                .all(|(message, start)| message.starts_with(start));
        assert!(is_expected, "{source}\nhas {messages:#?}");
    }
}

#[test]
fn each_attribute_has_its_part_of_the_expansion() {
    for (derive, source, part, is_expected) in PARTS {
        let expansion = expand(*derive, parse(source));
        let code = expansion.to_string();
        assert_eq!(error_messages(expansion), Vec::<String>::new(), "{source}");
        assert_eq!(
            code.contains(part),
            *is_expected,
            "{source}\n{part}\n{code}"
        );
    }
}

/// A macro by example passes a type in a group without delimiters.
#[test]
fn types_from_macros_are_recognized() {
    let from_macro = |ty: TokenStream| Group::new(Delimiter::None, ty).to_token_stream();
    let string = from_macro(quote!(String));
    let other = quote!(enum Kind { A, #[enum_type(other)] #[serde(untagged)] Unknown(#string) });
    let messages = error_messages(expand(expand_enum_type, other));
    assert_eq!(messages, Vec::<String>::new());

    let name = from_macro(quote!(Choice));
    let choice = parse(choice!("", "", ""));
    let hook = quote!(#[schemars(transform = union_runtime::add_unions::<#name>)] #choice);
    let code = expand(expand_union, hook).to_string();
    assert!(!code.contains("assert_hook_type"), "{code}");
}
