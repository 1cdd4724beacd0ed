//! The CRDs of a cluster: CRDs that have the annotation for unions, and CRDs of the kinds that the
//! caller names.

use std::collections::BTreeSet;

use http::Request;
use kube::Client;
use serde::Deserialize;
use serde_json::Value;

use crate::error::WebhookError;
use crate::schemas::{CheckScope, Schemas, is_wanted};

/// The number of CRDs on a page: some CRDs are a megabyte large.
const PAGE_SIZE: usize = 50;

/// The greatest number of pages.
const MAX_PAGES: usize = 1_000;

/// A page of a list. Its items are not parsed into types, which would lose unknown fields.
#[derive(Deserialize)]
struct CrdList {
    #[serde(default)]
    metadata: ListMeta,
    items: Vec<Value>,
}

#[derive(Default, Deserialize)]
struct ListMeta {
    #[serde(default)]
    r#continue: String,
}

/// Lists the CRDs of the cluster that the environment selects: the cluster of the pod, or the
/// cluster of a kubeconfig.
///
/// # Errors
///
/// Returns an error if there is no such cluster, or if it does not answer.
pub async fn crds(foreign: &BTreeSet<String>) -> Result<Vec<Value>, WebhookError> {
    let client = Client::try_default()
        .await
        .map_err(|error| problem(&error))?;
    list_crds(&client, foreign).await
}

/// Lists the CRDs of a cluster that are annotated, or whose kind is in `foreign`.
///
/// # Errors
///
/// Returns an error if the cluster does not answer, or does not answer with a list.
pub async fn list_crds(
    client: &Client,
    foreign: &BTreeSet<String>,
) -> Result<Vec<Value>, WebhookError> {
    let mut found = Vec::new();
    let mut token = String::new();
    for _ in 0..MAX_PAGES {
        let path = format!(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit={PAGE_SIZE}&continue={token}"
        );
        let request = Request::get(path)
            .body(Vec::new())
            .map_err(|error| problem(&error))?;
        let list: CrdList = client
            .request(request)
            .await
            .map_err(|error| problem(&error))?;
        let wanted = list.items.into_iter();
        found.extend(wanted.filter(|crd| is_wanted(crd, foreign)));
        token = list.metadata.r#continue;
        if token.is_empty() {
            return Ok(found);
        }
        // The token is base64 in most cases, but may contain characters that have a meaning in a
        // query.
        token = token
            .replace('%', "%25")
            .replace('+', "%2B")
            .replace('&', "%26")
            .replace('#', "%23");
    }
    Err(WebhookError::new(
        "the cluster",
        format!("the list of CRDs has more than {MAX_PAGES} pages; try again"),
    ))
}

/// Adds CRDs. The errors of a CRD are logged, and its objects are rejected; other CRDs are not
/// affected.
pub fn add_crds(schemas: &mut Schemas, crds: &[Value], checks: CheckScope) {
    for crd in crds {
        let name = crd.pointer("/metadata/name").and_then(Value::as_str);
        let place = format!("CRD {}", name.unwrap_or_default());
        for problem in schemas.add(&place, crd, checks).err().into_iter().flatten() {
            tracing::error!(%problem, "invalid CRD; its objects are rejected");
        }
    }
}

fn problem(error: &dyn std::fmt::Display) -> WebhookError {
    let text = format!("cannot list the CRDs: {error}; see `kubectl get crds`");
    WebhookError::new("the cluster", text)
}
