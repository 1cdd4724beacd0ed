//! The kinds that were generated, as values.

use kube::CustomResourceExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// A version of a kind.
#[expect(clippy::struct_field_names, reason = "it is Kubernetes' word for both")]
pub(crate) struct Kind {
    pub(crate) api_version: String,
    pub(crate) kind: &'static str,
    pub(crate) version: &'static str,
    /// The CRD of the Rust type.
    pub(crate) crd: fn() -> Value,
    /// Reads an object, and writes it.
    pub(crate) round_trip: fn(&Value) -> Result<Value, serde_json::Error>,
}

impl Kind {
    fn of<K: CustomResourceExt + Serialize + DeserializeOwned>(
        group: &str,
        version: &'static str,
        kind: &'static str,
    ) -> Self {
        Self {
            api_version: format!("{group}/{version}"),
            kind,
            version,
            crd: || serde_json::to_value(K::crd()).unwrap(),
            round_trip: |object| serde_json::to_value(serde_json::from_value::<K>(object.clone())?),
        }
    }

    /// The CRD that the types were made from.
    pub(crate) fn original(&self) -> Value {
        let crds: Vec<Value> =
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/crds.json"))).unwrap();
        let is_it = |crd: &Value| {
            let group = crd["spec"]["group"].as_str().unwrap();
            crd["spec"]["names"]["kind"] == self.kind
                && self.api_version.starts_with(&format!("{group}/"))
        };
        crds.into_iter().find(is_it).unwrap()
    }
}
