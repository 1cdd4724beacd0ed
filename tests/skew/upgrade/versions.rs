//! Servers, each of which serves one union in one version.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::{Settings, Union};
use union_simulation::json;

use crate::upgrade::models::{
    Container, ContainerStatus, PodSpec, container_state, env_var, volume_source,
};

/// A version of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Version 1, without a discriminator.
    One,
    /// A version 2 whose discriminator is an optional string that follows the members.
    Text,
    /// A version 2 whose discriminator is an optional enum type that follows the members.
    Deduced,
    /// A version 2 whose discriminator is required and selects the member, so the objects of
    /// version 1 cannot be read.
    Plain,
    /// A version 2 whose discriminator selects the member. An absent discriminator is read as `""`,
    /// which selects no member.
    Empty,
    /// A version 2 whose discriminator selects the member. An absent discriminator is read as a
    /// value that no member has (`other`, by a serde default).
    Unsaid,
    /// A version 2 whose discriminator selects the member. An absent discriminator is read as
    /// `None`.
    Absent,
}

/// A union of version 1, and its path in an object.
pub(crate) struct UnionPath {
    /// The members with their discriminator values.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// The JSON pointer of the union.
    pub(crate) pointer: &'static str,
    /// Returns an object that contains the union. If the union is in a list, the list has a second
    /// element without a set member.
    pub(crate) wrap: fn(Value) -> Value,
    pub(crate) server: fn(Version) -> Server,
}

/// A request with its verb.
pub(crate) enum Request {
    Create(Value),
    Replace(Value),
    /// A merge patch, or `None` if the client changes nothing.
    MergePatch(Option<Value>),
    Apply {
        last: Value,
        applied: Value,
    },
}

/// The functions of a type that a server and a client use.
pub(crate) struct Server {
    /// Returns the object that is stored after the request, or the reason why the request is
    /// rejected.
    pub(crate) serve: fn(&Value, &Request, Settings) -> Result<Value, String>,
    /// Returns the fields of an object that the type keeps, or `None` if the type cannot read the
    /// object.
    pub(crate) read: fn(&Value) -> Option<Value>,
}

impl Server {
    const fn for_type<T: Union + Serialize + DeserializeOwned>() -> Self {
        Self {
            serve: serve::<T>,
            read: |json| Some(serialize(&deserialize::<T>(json).ok()?)),
        }
    }
}

fn deserialize<T: DeserializeOwned>(json: &Value) -> Result<T, String> {
    T::deserialize(json).map_err(|error| error.to_string())
}

fn serialize<T: Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("valid JSON")
}

pub(crate) fn serve<T: Union + Serialize + DeserializeOwned>(
    stored: &Value,
    request: &Request,
    settings: Settings,
) -> Result<Value, String> {
    let admit = |new: &Value, old: Option<&Value>| {
        let mut new: T = deserialize(new)?;
        let old = old.map(deserialize::<T>).transpose()?;
        let report = new.admit_unions(old.as_ref(), &settings);
        if report.is_accepted() {
            Ok(serialize(&new))
        } else {
            Err(report.to_string())
        }
    };
    match request {
        Request::Create(new) => admit(new, None),
        Request::Replace(new) => admit(new, Some(stored)),
        Request::MergePatch(patch) => {
            let mut new = stored.clone();
            if let Some(patch) = patch {
                json::merge_patch(&mut new, patch);
            }
            admit(&new, Some(stored))
        }
        Request::Apply { last, applied } => {
            let mut merged: T = deserialize(&json::apply(stored, last, applied))?;
            let (applied, live): (T, T) = (deserialize(applied)?, deserialize(stored)?);
            let mut report = merged.normalize_unions_apply(&applied, Some(&live), &settings);
            if report.is_accepted() {
                report.extend(merged.validate_unions_update(&live, &settings));
            }
            if report.is_accepted() {
                Ok(serialize(&merged))
            } else {
                Err(report.to_string())
            }
        }
    }
}

macro_rules! servers {
    ($outer:ident, $versions:ident) => {
        |version| match version {
            Version::One => Server::for_type::<$outer<$versions::One>>(),
            Version::Text => Server::for_type::<$outer<$versions::Text>>(),
            Version::Deduced => Server::for_type::<$outer<$versions::Deduced>>(),
            Version::Plain => Server::for_type::<$outer<$versions::Plain>>(),
            Version::Empty => Server::for_type::<$outer<$versions::Empty>>(),
            Version::Unsaid => Server::for_type::<$outer<$versions::Unsaid>>(),
            Version::Absent => Server::for_type::<$outer<$versions::Absent>>(),
        }
    };
}

/// The paths of `ContainerState`, `VolumeSource` and `EnvVar`.
pub(crate) static UNION_PATHS: [UnionPath; 3] = [
    UnionPath {
        members: &[
            ("waiting", "Waiting"),
            ("running", "Running"),
            ("terminated", "Terminated"),
        ],
        pointer: "/state",
        wrap: |state| json!({"restartCount": 0, "state": state}),
        server: servers!(ContainerStatus, container_state),
    },
    UnionPath {
        members: &[
            ("hostPath", "HostPath"),
            ("emptyDir", "EmptyDir"),
            ("secret", "Secret"),
            ("configMap", "ConfigMap"),
            ("nfs", "Nfs"),
            ("persistentVolumeClaim", "PersistentVolumeClaim"),
        ],
        pointer: "/volumes/1",
        wrap: |volume| {
            let mut volume = volume;
            volume["name"] = json!("second");
            json!({"restartCount": 0, "volumes": [{"name": "first"}, volume]})
        },
        server: servers!(PodSpec, volume_source),
    },
    UnionPath {
        members: &[("value", "Value"), ("valueFrom", "ValueFrom")],
        pointer: "/env/1",
        wrap: |env_entry| {
            let mut env_entry = env_entry;
            env_entry["name"] = json!("SECOND");
            json!({"restartCount": 0, "env": [{"name": "FIRST"}, env_entry]})
        },
        server: servers!(Container, env_var),
    },
];
