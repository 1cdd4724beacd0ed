//! The built-in kinds that have unions.

use crate::table::data::{KindRow, exists_in, table};
use crate::table::versions::versions;

/// A built-in kind that has unions, in one API version.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinKind(&'static KindRow);

/// Returns all built-in kinds that have unions, by API version and name.
///
/// ```
/// let deployment = k8s_builtin_unions::kinds().find(|kind| kind.name() == "Deployment");
/// assert_eq!(deployment.expect("a built-in kind").api_version(), "apps/v1");
/// ```
pub fn kinds() -> impl Iterator<Item = BuiltinKind> {
    table().kinds.iter().map(BuiltinKind)
}

/// Returns the built-in kind with this `apiVersion` and `kind`; `None` if the kind is not built in,
/// or has no unions.
///
/// ```
/// use k8s_builtin_unions::find_kind;
///
/// assert!(find_kind("v1", "Pod").is_some());
/// assert!(find_kind("v1", "ConfigMap").is_none());
/// ```
#[must_use]
pub fn find_kind(api_version: &str, kind: &str) -> Option<BuiltinKind> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    kinds().find(|found| {
        let row = found.0;
        row.group == group && row.version == version && row.kind == kind
    })
}

impl BuiltinKind {
    /// Returns the name of the API group, which is empty for core kinds.
    #[must_use]
    pub fn group(self) -> &'static str {
        &self.0.group
    }

    /// Returns the version of the API group, such as `v1`.
    #[must_use]
    pub fn version(self) -> &'static str {
        &self.0.version
    }

    /// Returns the name of the kind, such as `Pod`.
    #[must_use]
    pub fn name(self) -> &'static str {
        &self.0.kind
    }

    /// Returns the `apiVersion` of objects, such as `apps/v1`.
    #[must_use]
    pub fn api_version(self) -> String {
        match self.group() {
            "" => self.version().to_owned(),
            group => format!("{group}/{}", self.version()),
        }
    }

    /// Returns the name of the kind's type in `OpenAPI`.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        &self.0.type_name
    }

    /// Returns the plural name in URLs and in the rules of policies, such as `deployments`.
    ///
    /// ```
    /// let kind = k8s_builtin_unions::find_kind("networking.k8s.io/v1", "Ingress");
    /// assert_eq!(kind.expect("a built-in kind").plural(), "ingresses");
    /// ```
    #[must_use]
    pub fn plural(self) -> String {
        // API servers use the plural names of English.
        let singular = self.name().to_ascii_lowercase();
        match singular.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None if singular.ends_with('s') => format!("{singular}es"),
            None => format!("{singular}s"),
        }
    }

    /// Returns true if Kubernetes 1.`minor` serves the kind, if all versions of the API are on. The
    /// table does not cover versions outside of [`versions`](crate::versions), so the result for
    /// them is false.
    #[must_use]
    pub fn exists_in(self, minor: u32) -> bool {
        versions().contains(&minor) && exists_in(self.0.since, self.0.until, Some(minor))
    }
}
