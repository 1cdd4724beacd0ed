//! The request of a page.

use k8s_crd_validation::{KubeVersion, ServerSettings};
use serde::Deserialize;

use crate::judge::server_settings;

/// The contents of the editors, and the settings of the API server.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PageRequest {
    pub(super) crd: String,
    pub(super) stored: String,
    pub(super) new: String,
    pub(super) crd_new: String,
    #[serde(deserialize_with = "server_settings::deserialize_version")]
    kube_version: Option<KubeVersion>,
    /// The Kubernetes versions before and after an upgrade.
    #[serde(deserialize_with = "server_settings::deserialize_version")]
    pub(super) upgrade_from: Option<KubeVersion>,
    #[serde(deserialize_with = "server_settings::deserialize_version")]
    pub(super) upgrade_to: Option<KubeVersion>,
    /// The feature gate for ratcheting; by default its state in the Kubernetes version.
    ratchet: Option<bool>,
    /// True for an update of the status.
    pub(super) status: bool,
    pub(super) normalize: bool,
    /// The index of the version to create an object for, in the list of versions in the reply to
    /// `check`.
    pub(super) sample: usize,
}

impl PageRequest {
    /// Returns the settings of the API server.
    pub(super) fn settings(&self) -> ServerSettings {
        let settings = ServerSettings::default().version(self.kube_version.unwrap_or_default());
        match self.ratchet {
            None => settings,
            Some(is_on) => settings.ratchet(is_on),
        }
    }
}
