//! The CRDs of the types in these tests, as a file for tests with a server: `tests/cluster/run`.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// Appends a CRD as a line of JSON to the file in the environment variable `UNION_CRDS`, if the
/// variable is set.
pub(crate) fn append(crd: &CustomResourceDefinition) {
    let Some(path) = env::var_os("UNION_CRDS") else {
        return;
    };
    let append_line = || -> std::io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(crd)?);
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        // The line is written in one call, because tests run in parallel.
        file.write_all(line.as_bytes())
    };
    assert!(
        append_line().is_ok(),
        "cannot write {}, as UNION_CRDS asks",
        path.display()
    );
}
