//! Tests that the derive finds the schema hook, and knows that the hook is for the same type, in
//! every spelling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, schema_for};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<crate::schema_hooks::Kind>)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

type Alias = Aliased;

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Alias>)]
struct Aliased {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<self::Borrowed<'static>>)]
struct Borrowed<'a> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a str>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Generic<T>>)]
struct Generic<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
}

/// Declares types from every kind of fragment: the type of the string member, the hooks and their
/// types, and the struct that contains the union.
macro_rules! declare_from_fragments {
    (
        $text:ty,
        $enum_hook:meta,
        $of_enum:ident,
        $struct_path:path,
        $struct_type:ty,
        $hook:path,
        $name:literal,
        $other:ident
    ) => {
        #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
        #[$enum_hook]
        enum $of_enum {
            #[doc = $name]
            Alpha,
            #[enum_type(other)]
            #[serde(untagged)]
            Unknown($text),
        }

        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = union_runtime::add_unions::<$struct_path>)]
        struct OfPath {
            #[union(discriminator)]
            kind: $of_enum,
            #[union(member = $name)]
            #[serde(skip_serializing_if = "Option::is_none")]
            first: Option<u8>,
        }

        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = union_runtime::add_unions::<$struct_type>)]
        struct OfType {
            #[union(discriminator)]
            kind: $of_enum,
            #[union(member = $name)]
            #[serde(skip_serializing_if = "Option::is_none")]
            first: Option<u8>,
        }

        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = $hook)]
        struct OfHook {
            #[union(discriminator)]
            $other: $of_enum,
            #[union(member = $name)]
            #[serde(skip_serializing_if = "Option::is_none")]
            first: Option<u8>,
        }
    };
}

declare_from_fragments!(
    String,
    schemars(transform = union_runtime::add_enum::<OfEnum>),
    OfEnum,
    OfPath,
    OfType,
    union_runtime::add_unions::<OfHook>,
    "Alpha",
    kind
);

/// A transform of the author, which calls the schema hook.
fn author_transform(schema: &mut schemars::Schema) {
    union_runtime::add_unions::<Wrapped>(schema);
    schema.insert("x-own".to_owned(), true.into());
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(schema = false, enforce = "one_of")]
#[schemars(transform = author_transform)]
struct Wrapped {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn has_discriminator_values<T: JsonSchema>() -> bool {
    schema_for::<T>()
        .as_value()
        .pointer("/properties/kind/enum")
        .is_some()
}

#[test]
fn the_hook_may_name_its_type_by_an_alias_a_path_or_a_macro_fragment() {
    assert!(has_discriminator_values::<Aliased>());
    assert!(has_discriminator_values::<Borrowed<'_>>());
    assert!(has_discriminator_values::<Generic<u8>>());
    assert!(has_discriminator_values::<OfPath>());
    assert!(has_discriminator_values::<OfType>());
    assert!(has_discriminator_values::<OfHook>());
    assert_eq!(OfEnum::DOCS, ["Alpha"]);
}

#[test]
fn a_transform_around_the_hook_may_set_the_enforcement() {
    assert!(has_discriminator_values::<Wrapped>());
    let schema = schema_for::<Wrapped>();
    assert!(schema.as_value().get("oneOf").is_some());
    assert!(schema.as_value().get("x-kubernetes-validations").is_none());
    assert!(schema.as_value().get("x-own").is_some());
}
