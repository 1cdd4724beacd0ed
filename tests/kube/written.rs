//! The CRDs of the types here, for those who have a server to ask: `tests/cluster/run`.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// Adds a CRD as a line of JSON to the file that the variable `UNION_CRDS` names, if it does.
pub(crate) fn write(crd: &CustomResourceDefinition) {
    let Some(path) = env::var_os("UNION_CRDS") else {
        return;
    };
    let written = || -> std::io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(crd)?);
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        // At once: tests run side by side.
        file.write_all(line.as_bytes())
    };
    assert!(
        written().is_ok(),
        "cannot write {}, as UNION_CRDS asks",
        path.display()
    );
}
