//! The generated kinds, as values for the tests.

use kube::CustomResourceExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use union_runtime::Union;

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// A version of a kind, with the type that a module has for it.
#[expect(
    clippy::struct_field_names,
    reason = "Kubernetes uses this word for both"
)]
pub(crate) struct Kind {
    pub(crate) module: &'static str,
    pub(crate) api_version: String,
    pub(crate) kind: &'static str,
    pub(crate) version: &'static str,
    /// The CRD of the Rust type, if the type has a schema.
    pub(crate) crd: Option<fn() -> Value>,
    /// A function that reads an object, and writes it back.
    pub(crate) round_trip: fn(&Value) -> Result<Value, serde_json::Error>,
    /// A function that validates the unions of an object, if the type has any. Its result is empty
    /// if they are valid.
    pub(crate) validate: Option<fn(&Value) -> String>,
}

impl Kind {
    fn of<K: CustomResourceExt + Serialize + DeserializeOwned>(
        module: &'static str,
        group: &str,
        version: &'static str,
        kind: &'static str,
    ) -> Self {
        Self {
            module,
            api_version: format!("{group}/{version}"),
            kind,
            version,
            crd: Some(|| serde_json::to_value(K::crd()).unwrap()),
            round_trip: |object| serde_json::to_value(serde_json::from_value::<K>(object.clone())?),
            validate: None,
        }
    }

    fn with_unions<K: Union + DeserializeOwned>(mut self) -> Self {
        self.validate = Some(|object| {
            let object: K = serde_json::from_value(object.clone()).unwrap();
            object.validate_unions().to_string()
        });
        self
    }

    /// Removes the CRD: types for clients do not have a schema.
    fn for_clients(mut self) -> Self {
        self.crd = None;
        self
    }

    /// Returns the CRD that the types were generated from.
    pub(crate) fn original(&self) -> Value {
        let crds: Vec<Value> =
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/crds.json"))).unwrap();
        let is_original = |crd: &Value| {
            let group = crd["spec"]["group"].as_str().unwrap();
            crd["spec"]["names"]["kind"] == self.kind
                && self.api_version.starts_with(&format!("{group}/"))
        };
        crds.into_iter().find(is_original).unwrap()
    }

    /// Returns the schema of this version in the original CRD.
    pub(crate) fn schema(&self) -> Value {
        let crd = self.original();
        let mut versions = crd["spec"]["versions"].as_array().unwrap().iter();
        let version = versions.find(|version| version["name"] == self.version);
        version.unwrap()["schema"]["openAPIV3Schema"].clone()
    }
}
