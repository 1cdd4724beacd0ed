//! A CRD whose versions are compiled once.

use std::cell::OnceCell;

use k8s_json_internals::deep::is_deeper;
use union_json::document::{Crd, CrdVersion};

use super::judged_version::JudgedVersion;
use crate::bounds::LEVELS;
use crate::error::CompareError;

/// A CRD whose versions are compiled when they are first needed, and only once.
pub(crate) struct CompiledCrd<'v> {
    pub(crate) crd: Crd<'v>,
    versions: Vec<LazyVersion<'v>>,
}

struct LazyVersion<'v> {
    version: CrdVersion<'v>,
    compiled: OnceCell<Result<JudgedVersion<'v>, CompareError>>,
}

impl<'v> CompiledCrd<'v> {
    pub(crate) fn new(crd: Crd<'v>) -> Self {
        let versions = crd.versions().map(|version| LazyVersion {
            version,
            compiled: OnceCell::new(),
        });
        Self {
            crd,
            versions: versions.collect(),
        }
    }

    /// Returns a version of the CRD, compiled.
    pub(crate) fn version(
        &self,
        version: CrdVersion<'v>,
    ) -> Result<&JudgedVersion<'v>, CompareError> {
        let lazy = self.versions.get(version.index());
        let lazy = lazy.ok_or(CompareError::NotACrd)?;
        let compiled = lazy
            .compiled
            .get_or_init(|| compile(self.crd, lazy.version));
        compiled.as_ref().map_err(CompareError::clone)
    }
}

fn compile<'v>(crd: Crd<'v>, version: CrdVersion<'v>) -> Result<JudgedVersion<'v>, CompareError> {
    // Each field adds two levels of JSON: `properties`, and the schema of the field.
    let is_too_deep = |schema| is_deeper(schema, 2 * LEVELS);
    if version.schema().is_some_and(is_too_deep) {
        let name = version.name().unwrap_or_default();
        return Err(CompareError::TooDeep(name.to_owned()));
    }
    JudgedVersion::new(crd, version)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use union_json::document::Crd;

    use super::CompiledCrd;

    #[test]
    fn a_version_is_compiled_once() {
        let schema = json!({"openAPIV3Schema": {"type": "object"}});
        let version = json!({"name": "v1", "served": true, "storage": true, "schema": schema});
        let crd = json!({
            "spec": {"group": "example.com", "names": {"kind": "Thing"}, "versions": [version]},
        });
        let crd = CompiledCrd::new(Crd::new(&crd));
        let version = crd.crd.versions().next().unwrap();
        let compiled = || crd.version(version).unwrap();
        assert!(std::ptr::eq(compiled(), compiled()));
    }
}
