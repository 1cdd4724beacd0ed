//! The versions of a CRD, each of which is compiled once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use union_json::document::Crd;

use super::error::VersionError;
use super::version::ApiVersion;

/// The versions of a CRD, which are compiled when they are first needed, and only once.
pub(crate) struct CompiledVersions<'v> {
    crd: Crd<'v>,
    by_name: RefCell<HashMap<Option<String>, Rc<ApiVersion>>>,
}

impl<'v> CompiledVersions<'v> {
    pub(crate) fn new(crd: Crd<'v>) -> Self {
        Self {
            crd,
            by_name: RefCell::default(),
        }
    }

    pub(crate) const fn crd(&self) -> Crd<'v> {
        self.crd
    }

    /// Returns a version, by default the stored version, as [`ApiVersion::from_crd`] does.
    pub(crate) fn version(&self, name: Option<&str>) -> Result<Rc<ApiVersion>, VersionError> {
        let key = name.map(str::to_owned);
        let known = self.by_name.borrow().get(&key).map(Rc::clone);
        if let Some(version) = known {
            return Ok(version);
        }
        let version = Rc::new(ApiVersion::from_crd(self.crd.json(), name)?);
        self.by_name.borrow_mut().insert(key, Rc::clone(&version));
        Ok(version)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::json;
    use union_json::document::Crd;

    use super::CompiledVersions;

    #[test]
    fn a_version_is_compiled_once() {
        let schema = json!({"openAPIV3Schema": {"type": "object"}});
        let version = json!({"name": "v1", "served": true, "storage": true, "schema": schema});
        let crd = json!({
            "spec": {"group": "example.com", "names": {"kind": "Thing"}, "versions": [version]},
        });
        let versions = CompiledVersions::new(Crd::new(&crd));
        let compiled = || versions.version(Some("v1")).unwrap();
        assert!(Rc::ptr_eq(&compiled(), &compiled()));
    }
}
