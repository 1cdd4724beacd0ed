//! Findings that a configuration file accepts.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;

use crate::error::CommandError;
use crate::input::InputReader;

/// The configuration of `unionctl compat`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompatConfig {
    /// The findings that do not count.
    #[serde(default)]
    accepted: Vec<AcceptedFinding>,
    /// The names of the CRDs that were compared with the old CRD.
    #[serde(skip)]
    compared_crds: RefCell<HashSet<String>>,
    /// True if a CRD was not compared with the old CRD: the CRD is unchanged, there is no old CRD,
    /// or one of both is invalid.
    #[serde(skip)]
    has_uncompared_crds: Cell<bool>,
}

/// A finding that does not count.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AcceptedFinding {
    /// The name of the CRD, such as `shops.example.com`; without it, each CRD.
    crd: Option<String>,
    code: String,
    /// The path of the field, as the report prints it; empty for the object.
    #[serde(default)]
    path: String,
    /// The reason why the finding is accepted, for readers of the file.
    pub(super) reason: String,
    #[serde(skip)]
    is_used: Cell<bool>,
}

impl CompatConfig {
    /// Reads the file of `--config`.
    pub(super) fn read(inputs: &mut InputReader, path: &Path) -> Result<Self, CommandError> {
        let documents = inputs.read_documents("--config", path)?;
        let error = |message: String| CommandError::new(path.display().to_string(), message);
        let [document] = &*documents.values else {
            return Err(error("expected one document (--config)".to_owned()));
        };
        let config = Self::deserialize(document).map_err(|cause| {
            error(format!(
                "{cause}; expected `accepted`, a list of `code`, `path`, `reason` and, for one CRD, `crd` (--config)"
            ))
        })?;
        for accepted in &config.accepted {
            if accepted.reason.trim().is_empty() {
                let code = &accepted.code;
                let message = format!(
                    "the finding {code} is accepted without a `reason`; add the reason (--config)"
                );
                return Err(error(message));
            }
        }
        Ok(config)
    }

    /// Returns the entry that accepts a finding.
    pub(super) fn find(&self, crd: &str, code: &str, path: &str) -> Option<&AcceptedFinding> {
        let accepted = self.accepted.iter().find(|accepted| {
            let is_crd = accepted.crd.as_deref().is_none_or(|name| name == crd);
            is_crd && accepted.code == code && accepted.path == path
        })?;
        accepted.is_used.set(true);
        Some(accepted)
    }

    /// Records that a CRD was compared with the old CRD.
    pub(super) fn add_compared(&self, crd: &str) {
        self.compared_crds.borrow_mut().insert(crd.to_owned());
    }

    /// Records that a CRD was not compared with the old CRD.
    pub(super) fn add_uncompared(&self) {
        self.has_uncompared_crds.set(true);
    }

    /// Returns a note for each entry that accepted no finding, although all its CRDs were compared.
    pub(super) fn unused_notes(&self) -> Vec<String> {
        let compared_crds = self.compared_crds.borrow();
        let is_compared = |accepted: &AcceptedFinding| match &accepted.crd {
            Some(crd) => compared_crds.contains(crd),
            None => !compared_crds.is_empty() && !self.has_uncompared_crds.get(),
        };
        let unused = self.accepted.iter();
        let unused = unused.filter(|accepted| !accepted.is_used.get() && is_compared(accepted));
        let note = |AcceptedFinding { code, path, .. }: &AcceptedFinding| {
            format!(
                "--config accepts {code} at `{path}`, but there is no such finding; remove the entry"
            )
        };
        unused.map(note).collect()
    }
}
