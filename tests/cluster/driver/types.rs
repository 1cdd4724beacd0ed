//! The union types that random objects are made of: each kind of union, once for each way of enforcement.

use std::collections::BTreeMap;

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, RawUnion, Union, UnionEnum, Why, add_enum, add_unions};

/// The values of most discriminators.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[schemars(transform = add_enum::<Kind>)]
pub(crate) enum Kind {
    Alpha,
    Beta,
    None,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// `""` is a value.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[schemars(transform = add_enum::<OrEmpty>)]
pub(crate) enum OrEmpty {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Nothing,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// What a member holds.
#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub(crate) struct Leaf {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<i64>,
}

/// Objects that a type reads, though a part of them may be kept as it came.
pub(crate) trait Readable {
    /// Whether all discriminators and members of enums could be read: structs do not read at all where one cannot.
    fn is_readable(&self) -> bool;
}

fn beta() -> Kind {
    Kind::Beta
}

/// Which is enforced by the given means.
macro_rules! types {
    ($module:ident, $way:tt) => {
        pub(crate) mod $module {
            use super::*;

            /// The CRD, in a group of this name.
            pub(crate) fn crd() -> Result<Value, serde_json::Error> {
                let mut crd = serde_json::to_value(Thing::crd())?;
                let group = concat!(stringify!($module), ".example.com").replace('_', "-");
                crd["metadata"]["name"] = format!("things.{group}").into();
                crd["spec"]["group"] = group.into();
                // The list without keys has no old elements.
                k8s_crd_validation::crd::place_rules(&mut crd);
                Ok(crd)
            }

            #[derive(CustomResource, Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[kube(
                group = "example.com",
                version = "v1",
                kind = "Thing",
                namespaced,
                derive = "Union",
                attr = "union(nested(spec))"
            )]
            #[serde(rename_all = "camelCase")]
            #[schemars(transform = add_unions::<ThingSpec>)]
            pub(crate) struct ThingSpec {
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                required: Option<Required>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                optional: Option<Optional>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                or_empty: Option<OrEmptyOne>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                defaulted: Option<Defaulted>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                several: Option<Several>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                at_most_one: Option<AtMostOne>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                exactly_one: Option<ExactlyOne>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                deduced: Option<Deduced>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                as_enum: Option<AsEnum>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                as_exactly_one: Option<AsExactlyOne>,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                as_at_most_one: Option<AsAtMostOne>,
                #[union(nested, list_map_keys("name"))]
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                #[schemars(length(max = 1000))]
                by_key: Vec<Element>,
                #[union(nested)]
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                in_order: Vec<Required>,
                #[union(nested)]
                #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
                #[schemars(extend("maxProperties" = 1000))]
                by_name: BTreeMap<String, Optional>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<Required>)]
            pub(crate) struct Required {
                #[union(discriminator)]
                r#type: Kind,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                #[union(member, optional)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<Leaf>,
                /// No part of the union.
                #[serde(skip_serializing_if = "Option::is_none")]
                note: Option<String>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<Optional>)]
            pub(crate) struct Optional {
                #[union(discriminator)]
                #[serde(skip_serializing_if = "Option::is_none")]
                r#type: Option<Kind>,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                /// A union inside of a member.
                #[union(member, nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<AtMostOne>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<OrEmptyOne>)]
            pub(crate) struct OrEmptyOne {
                #[union(discriminator)]
                r#type: OrEmpty,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                #[union(member, optional)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<i64>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<Defaulted>)]
            pub(crate) struct Defaulted {
                #[union(discriminator)]
                #[serde(default = "beta")]
                r#type: Kind,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<i64>,
            }

            /// Two unions in one struct, and names that CEL must escape.
            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<Several>)]
            pub(crate) struct Several {
                #[union(discriminator)]
                #[serde(rename = "in")]
                from: Kind,
                #[union(member = "Alpha", discriminated_by = from)]
                #[serde(rename = "x-y", skip_serializing_if = "Option::is_none")]
                file: Option<i64>,
                #[union(discriminator)]
                #[serde(skip_serializing_if = "Option::is_none")]
                to: Option<Kind>,
                #[union(member = "Alpha", discriminated_by = to, optional)]
                #[serde(rename = "a__b", skip_serializing_if = "Option::is_none")]
                disk: Option<i64>,
                #[union(member = "Beta", discriminated_by = to)]
                #[serde(rename = "namespace", skip_serializing_if = "Option::is_none")]
                bucket: Option<i64>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union(all_members)]
            #[union $way]
            #[schemars(transform = add_unions::<AtMostOne>)]
            pub(crate) struct AtMostOne {
                #[serde(skip_serializing_if = "Option::is_none")]
                exec: Option<i64>,
                #[serde(skip_serializing_if = "Option::is_none")]
                http: Option<i64>,
                #[serde(skip_serializing_if = "Option::is_none")]
                tcp: Option<Leaf>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union(exactly_one)]
            #[union $way]
            #[schemars(transform = add_unions::<ExactlyOne>)]
            pub(crate) struct ExactlyOne {
                #[union(member, group = value)]
                #[serde(skip_serializing_if = "Option::is_none")]
                literal: Option<String>,
                #[union(member, group = value)]
                #[serde(skip_serializing_if = "Option::is_none")]
                reference: Option<Leaf>,
                #[serde(skip_serializing_if = "Option::is_none")]
                note: Option<String>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $way]
            #[schemars(transform = add_unions::<Deduced>)]
            pub(crate) struct Deduced {
                #[union(discriminator, deduce)]
                #[serde(skip_serializing_if = "Option::is_none")]
                r#type: Option<Kind>,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<i64>,
            }

            #[derive(UnionEnum, Clone, Debug)]
            #[union(discriminator = "type")]
            #[union $way]
            pub(crate) enum AsEnum {
                None,
                Alpha(i64),
                Beta(Option<Leaf>),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug)]
            #[union(undiscriminated)]
            #[union $way]
            pub(crate) enum AsExactlyOne {
                Literal(String),
                Reference(Leaf),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug)]
            #[union(undiscriminated)]
            #[union $way]
            pub(crate) enum AsAtMostOne {
                Nothing,
                Exec(i64),
                Tcp(Leaf),
                #[union(other)]
                Other(RawUnion),
            }

            impl Readable for Thing {
                fn is_readable(&self) -> bool {
                    fn is<T: UnionEnum>(value: Option<&T>) -> bool {
                        let raw = value.and_then(UnionEnum::raw);
                        !raw.is_some_and(|raw| {
                            let kind = raw.object().get("type").unwrap_or(&Value::Null);
                            // What no struct reads, an enum keeps.
                            let is_text = kind.is_string() || kind.is_null();
                            !is_text || matches!(raw.why(), Why::Unreadable(_))
                        })
                    }
                    is(self.spec.as_enum.as_ref())
                        && is(self.spec.as_exactly_one.as_ref())
                        && is(self.spec.as_at_most_one.as_ref())
                }
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[schemars(transform = add_unions::<Element>)]
            pub(crate) struct Element {
                #[union(key)]
                name: String,
                #[union(inline)]
                #[serde(flatten)]
                union: Required,
            }
        }
    };
}

types!(cel, (enforce = "cel"));
types!(same_reason, (ratchet = "same_reason"));
types!(one_of, (enforce = "one_of"));
// For what a server does before it checks anything.
types!(none, (enforce = "none"));
