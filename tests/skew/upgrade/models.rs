//! Three unions of core/v1 in five versions each, and the objects that contain them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use union_runtime::spec::{Keyed, UnionType};
use union_runtime::{EnumType, Union};

/// The content of a member that is an object.
pub(crate) type Fields = Map<String, Value>;

/// Declares all versions of one union. The fields in braces are declared in addition to the
/// members.
macro_rules! versions {
    (
        $versions:ident,
        { $($(#[$attr:meta])* $beside:ident: $beside_ty:ty),* },
        $($member:ident: $value:ident($ty:ty)),+
    ) => {
        pub(crate) mod $versions {
            use super::*;

            #[derive(EnumType, Serialize, Deserialize)]
            pub(crate) enum Kind { $($value),+ }

            #[derive(EnumType, Serialize, Deserialize, Default)]
            pub(crate) enum KindOrNone {
                #[default]
                #[serde(rename = "")]
                None,
                $($value),+
            }

            #[derive(EnumType, Serialize, Deserialize)]
            pub(crate) enum KindOrOther {
                $($value,)+
                #[enum_type(other)]
                #[serde(untagged)]
                Other(String),
            }

            impl Default for KindOrOther {
                fn default() -> Self {
                    Self::Other(String::new())
                }
            }

            /// Version 1, without a discriminator.
            #[derive(Union, Serialize, Deserialize)]
            #[serde(rename_all = "camelCase")]
            pub(crate) struct One {
                $($(#[$attr])* $beside: $beside_ty,)*
                $(
                    #[union(member, group = source)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<$ty>,
                )+
            }

            versions!(@discriminated Text, [deduce], [skip_serializing_if = "Option::is_none"], Option<String>,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
            versions!(@discriminated Deduced, [deduce], [skip_serializing_if = "Option::is_none"], Option<Kind>,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
            versions!(@discriminated Plain, [], [], Kind,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
            versions!(@discriminated Empty, [], [default], KindOrNone,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
            versions!(@discriminated Unsaid, [], [default], KindOrOther,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
            versions!(@discriminated Absent, [], [skip_serializing_if = "Option::is_none"], Option<Kind>,
                [$([$(#[$attr])* $beside: $beside_ty])*], [$([$member: $ty])+]);
        }
    };
    (
        @discriminated $name:ident, [$($deduce:ident)?], [$($serde:tt)*], $kind:ty,
        [$([$($beside:tt)*])*], [$([$member:ident: $ty:ty])+]
    ) => {
        #[derive(Union, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name {
            $($($beside)*,)*
            #[union(discriminator $(, $deduce)?)]
            #[serde($($serde)*)]
            r#type: $kind,
            $(
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<$ty>,
            )+
        }
    };
}

versions!(container_state, {}, waiting: Waiting(Fields), running: Running(Fields), terminated: Terminated(Fields));
versions!(
    volume_source, {},
    host_path: HostPath(Fields), empty_dir: EmptyDir(Fields), secret: Secret(Fields),
    config_map: ConfigMap(Fields), nfs: Nfs(Fields), persistent_volume_claim: PersistentVolumeClaim(Fields)
);
versions!(
    env_var, { #[union(key)] name: String },
    value: Value(String), value_from: ValueFrom(Fields)
);

/// The status of a container (core/v1): its union is in an object, so a merge patch changes single
/// fields of the union.
#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContainerStatus<S: Union> {
    restart_count: u8,
    #[union(nested)]
    state: S,
}

/// The spec of a pod (core/v1): its unions are in a list, which a merge patch replaces as a whole.
#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodSpec<S: UnionType> {
    restart_count: u8,
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume<S>>,
}

#[derive(Union, Serialize, Deserialize)]
pub(crate) struct Volume<S: UnionType> {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: S,
}

/// A container (core/v1): the elements of its list declare the union themselves.
#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Container<S: Union + Keyed> {
    restart_count: u8,
    #[union(nested, list_map_keys("name"))]
    env: Vec<S>,
}
