//! An assertion for tests.

use core::fmt::Write as _;

use serde_json::Value;

use super::crd::compare_crds;
use crate::report::finding::Level;

/// Asserts that a CRD is compatible with the CRD that it replaces: no finding is breaking, and no
/// object that was accepted is refused. Use it in a test that compares the committed CRD with the
/// CRD of your types.
///
/// ```should_panic
/// # use serde_json::json;
/// # let crd = |max: u64| json!({
/// #     "metadata": {"name": "shops.example.com"},
/// #     "spec": {
/// #         "group": "example.com", "scope": "Cluster",
/// #         "names": {"kind": "Shop", "plural": "shops"},
/// #         "versions": [{
/// #             "name": "v1", "served": true, "storage": true,
/// #             "schema": {"openAPIV3Schema": {
/// #                 "type": "object",
/// #                 "properties": {"tills": {"type": "integer", "maximum": max}},
/// #             }},
/// #         }],
/// #     },
/// # });
/// # let (committed, derived) = (crd(9), crd(5));
/// // tolerated: tills: `maximum` was 9, and is now 5 (maximum-tightened)
/// //   object: {"metadata":{"name":"example"},"tills":6}
/// //   ...
/// crd_compat::assert_compatible(&committed, &derived);
/// ```
///
/// # Panics
///
/// Panics with the findings of the levels [`Level::Breaking`] and [`Level::Tolerated`], and if the
/// CRDs cannot be compared.
#[track_caller]
pub fn assert_compatible(old: &Value, new: &Value) {
    let mut message = String::new();
    match compare_crds(old, new) {
        Err(error) => message = error.to_string(),
        Ok(report) => {
            let findings = report.all_findings();
            for finding in findings.filter(|finding| finding.level >= Level::Tolerated) {
                // Writing to a String cannot fail.
                let _ = write!(message, "\n{finding}");
            }
        }
    }
    assert!(message.is_empty(), "the CRD is not compatible: {message}");
}
