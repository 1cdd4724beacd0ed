//! The union types of random objects: each kind of union, once for each value of `enforce`.

use std::collections::BTreeMap;

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, RawUnion, RawUnionReason, Union, UnionEnum, add_enum, add_unions};

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

/// The values of a discriminator, of which the empty string is one.
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

/// The value of a member.
#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub(crate) struct Leaf {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<i64>,
}

/// A type that reads objects of which a part may be kept as raw JSON.
pub(crate) trait Readable {
    /// Returns true if all discriminators and members of union enums could be read. A struct with
    /// an unreadable member cannot be deserialized at all.
    fn is_readable(&self) -> bool;
}

fn beta() -> Kind {
    Kind::Beta
}

/// Defines a module with the types and the CRD for one value of `enforce`.
macro_rules! types {
    ($module:ident, $attributes:tt) => {
        pub(crate) mod $module {
            use super::*;

            /// Returns the CRD, in an API group with the name of the module.
            pub(crate) fn crd() -> Result<Value, serde_json::Error> {
                let mut crd = serde_json::to_value(Thing::crd())?;
                let group = concat!(stringify!($module), ".example.com").replace('_', "-");
                crd["metadata"]["name"] = format!("things.{group}").into();
                crd["spec"]["group"] = group.into();
                // Rules on elements of the list without keys have no old element to compare with.
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
            #[union $attributes]
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
                /// A field beside the union.
                #[serde(skip_serializing_if = "Option::is_none")]
                note: Option<String>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $attributes]
            #[schemars(transform = add_unions::<Optional>)]
            pub(crate) struct Optional {
                #[union(discriminator)]
                #[serde(skip_serializing_if = "Option::is_none")]
                r#type: Option<Kind>,
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha: Option<i64>,
                /// A member that has a union itself.
                #[union(member, nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta: Option<AtMostOne>,
            }

            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $attributes]
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
            #[union $attributes]
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

            /// A struct with two unions, and names that CEL must escape.
            #[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[union $attributes]
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
            #[union $attributes]
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
            #[union $attributes]
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
            #[union $attributes]
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
            #[union $attributes]
            pub(crate) enum AsEnum {
                None,
                Alpha(i64),
                Beta(Option<Leaf>),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug)]
            #[union(undiscriminated)]
            #[union $attributes]
            pub(crate) enum AsExactlyOne {
                Literal(String),
                Reference(Leaf),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug)]
            #[union(undiscriminated)]
            #[union $attributes]
            pub(crate) enum AsAtMostOne {
                Nothing,
                Exec(i64),
                Tcp(Leaf),
                #[union(other)]
                Other(RawUnion),
            }

            impl Readable for Thing {
                fn is_readable(&self) -> bool {
                    fn is_value_readable<T: UnionEnum>(value: Option<&T>) -> bool {
                        let raw = value.and_then(UnionEnum::raw);
                        !raw.is_some_and(|raw| {
                            let discriminator = raw.object().get("type").unwrap_or(&Value::Null);
                            // A union enum keeps values that no struct can read.
                            let has_string_type = discriminator.is_string() || discriminator.is_null();
                            !has_string_type || matches!(raw.reason(), RawUnionReason::Unreadable(_))
                        })
                    }
                    is_value_readable(self.spec.as_enum.as_ref())
                        && is_value_readable(self.spec.as_exactly_one.as_ref())
                        && is_value_readable(self.spec.as_at_most_one.as_ref())
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
// These types have no rules, for tests of the server's work before validation.
types!(none, (enforce = "none"));
