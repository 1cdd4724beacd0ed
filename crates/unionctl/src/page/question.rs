//! The question that a page sends.

use k8s_crd_validation::{ServerSettings, Version};
use serde::Deserialize;

use crate::judge::server;

/// The contents of the editors, and the settings of the verdict.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Question {
    pub(super) crd: String,
    pub(super) stored: String,
    pub(super) new: String,
    pub(super) crd_new: String,
    #[serde(deserialize_with = "server::version")]
    kube_version: Option<Version>,
    /// The gate of ratcheting, in place of the default of the version.
    ratchet: Option<bool>,
    /// True if the request updates the status.
    pub(super) status: bool,
    pub(super) normalize: bool,
}

impl Question {
    pub(super) fn version(&self) -> Version {
        self.kube_version.unwrap_or(Version::LATEST)
    }

    /// Returns the settings of the API server.
    pub(super) fn settings(&self) -> ServerSettings {
        let settings = ServerSettings::default().version(self.version());
        match self.ratchet {
            None => settings,
            Some(on) => settings.ratchet(on),
        }
    }
}
