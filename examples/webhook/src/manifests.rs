//! What is applied to a cluster: the files of `manifests/`, filled in.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::problem::Problem;
use crate::tls::FILES;

/// The names by which API servers reach the service.
pub const HOSTS: [&str; 2] = [
    "union-webhook.union-webhook.svc",
    "union-webhook.union-webhook.svc.cluster.local",
];

/// The files, in the order in which they are applied.
pub const MANIFESTS: [(&str, &str); 5] = [
    (
        "namespace.yaml",
        include_str!("../manifests/namespace.yaml"),
    ),
    ("rbac.yaml", include_str!("../manifests/rbac.yaml")),
    (
        "certificates.yaml",
        include_str!("../manifests/certificates.yaml"),
    ),
    (
        "deployment.yaml",
        include_str!("../manifests/deployment.yaml"),
    ),
    ("webhooks.yaml", include_str!("../manifests/webhooks.yaml")),
];

/// What stands in the files for the texts of [`FILES`], in base64, and for the image.
const PLACES: [&str; 4] = ["CA_BUNDLE", "TLS_CRT", "TLS_KEY", "IMAGE"];

/// Prints the manifests with the certificates of a folder and an image.
///
/// # Errors
///
/// That a certificate cannot be read, or the text not be written.
pub fn print(certs: &Path, image: &str) -> Result<(), Problem> {
    let text = filled(certs, image)?;
    let written = io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| Problem::new("stdout", format!("it cannot be written: {error}")))
}

/// The manifests as one text of several documents.
///
/// # Errors
///
/// That a certificate cannot be read.
pub fn filled(certs: &Path, image: &str) -> Result<String, Problem> {
    let mut values = Vec::new();
    for name in FILES {
        let path = certs.join(name);
        let bytes = fs::read(&path).map_err(|error| {
            let text = format!("it cannot be read: {error}; make it by `union-webhook certs`");
            Problem::new(path.display().to_string(), text)
        })?;
        values.push(BASE64_STANDARD.encode(bytes));
    }
    // JSON's strings are YAML's, whatever is in them.
    values.push(serde_json::Value::from(image).to_string());
    let mut texts = Vec::new();
    for (_, text) in MANIFESTS {
        let mut text = text.to_owned();
        for (place, value) in PLACES.iter().zip(&values) {
            text = text.replace(&format!("${{{place}}}"), value);
        }
        texts.push(text);
    }
    Ok(texts.join("---\n"))
}
