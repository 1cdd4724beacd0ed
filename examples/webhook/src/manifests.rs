//! The manifests that register the webhook in a cluster: the files of `manifests/` with their
//! placeholders filled in.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::certificates::CERTIFICATE_FILES;
use crate::error::WebhookError;

/// The host names by which API servers call the service.
pub const SERVICE_HOSTS: [&str; 2] = [
    "union-webhook.union-webhook.svc",
    "union-webhook.union-webhook.svc.cluster.local",
];

/// The names and the contents of the manifest files, in the order in which they are applied.
pub const MANIFESTS: [(&str, &str); 6] = [
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
    ("network.yaml", include_str!("../manifests/network.yaml")),
    ("webhooks.yaml", include_str!("../manifests/webhooks.yaml")),
];

/// The placeholders in the files: for the contents of [`CERTIFICATE_FILES`] in base64, and for the
/// image.
const PLACEHOLDERS: [&str; 4] = ["CA_BUNDLE", "TLS_CRT", "TLS_KEY", "IMAGE"];

/// Prints manifests.
///
/// # Errors
///
/// Returns an error if writing to stdout fails.
pub fn print(manifests: &str) -> Result<(), WebhookError> {
    let result = io::stdout().lock().write_all(manifests.as_bytes());
    result.map_err(|error| WebhookError::new("stdout", format!("cannot write: {error}")))
}

/// Returns the objects that register a webhook outside of the cluster, at a URL, as JSON.
///
/// # Errors
///
/// Returns an error if a certificate is unreadable, or if the URL does not begin with `https://`.
pub fn render_external(certs: &Path, url: &str) -> Result<String, WebhookError> {
    let url = url.trim_end_matches('/');
    if !url.starts_with("https://") {
        let message = "API servers call webhooks over HTTPS, so the URL must begin with https://, such as https://localhost:8443";
        return Err(WebhookError::new("--url", message.to_owned()));
    }
    let manifests = render(certs, "")?;
    let parse_error = |error: k8s_yaml::Error| WebhookError::new("manifests", format!("{error}"));
    let objects = k8s_yaml::parse(&manifests).map_err(parse_error)?;
    let mut items = Vec::new();
    for mut object in objects {
        let webhooks = object.get_mut("webhooks").and_then(Value::as_array_mut);
        let Some(webhooks) = webhooks else { continue };
        for webhook in webhooks {
            if let Some(client_config) = webhook["clientConfig"].as_object_mut()
                && let Some(service) = client_config.remove("service")
            {
                let path = service["path"].as_str().unwrap_or_default();
                client_config.insert("url".to_owned(), format!("{url}{path}").into());
            }
        }
        items.push(object);
    }
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    Ok(format!("{list:#}\n"))
}

/// Returns the manifests as one string of several documents.
///
/// # Errors
///
/// Returns an error if a certificate is unreadable.
pub fn render(certs: &Path, image: &str) -> Result<String, WebhookError> {
    let mut placeholder_values = Vec::new();
    for file_name in CERTIFICATE_FILES {
        let path = certs.join(file_name);
        let bytes = fs::read(&path).map_err(|error| {
            let message =
                format!("cannot read the file: {error}; create it with `union-webhook certs`");
            WebhookError::new(path.display().to_string(), message)
        })?;
        placeholder_values.push(BASE64_STANDARD.encode(bytes));
    }
    // Every JSON string is a valid YAML string.
    placeholder_values.push(serde_json::Value::from(image).to_string());
    let mut documents = Vec::new();
    for (_, manifest) in MANIFESTS {
        let mut document = manifest.to_owned();
        for (placeholder, value) in PLACEHOLDERS.iter().zip(&placeholder_values) {
            document = document.replace(&format!("${{{placeholder}}}"), value);
        }
        documents.push(document);
    }
    Ok(documents.join("---\n"))
}
