//! The CRDs of a cluster: CRDs with the annotation of unions, and CRDs of the kinds for which
//! unions are inferred.

use std::collections::BTreeSet;

use http::Request;
use kube::Client;
use serde::Deserialize;
use serde_json::Value;

use crate::admission::schemas::{CheckScope, Schemas, is_wanted};
use crate::error::WebhookError;

/// The number of CRDs on a page. Pages are small, because some CRDs have a megabyte.
const PAGE_SIZE: usize = 50;

/// The maximum number of pages.
const MAX_PAGES: usize = 1_000;

/// A page of CRDs. Items are JSON values, because types would lose unknown fields.
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
/// Returns an error if the environment selects no cluster, or if the cluster does not respond.
pub async fn crds(inferred_kinds: &BTreeSet<String>) -> Result<Vec<Value>, WebhookError> {
    let client = Client::try_default()
        .await
        .map_err(|error| list_error(&error))?;
    list_crds(&client, inferred_kinds).await
}

/// Lists the CRDs of a cluster that have the annotation, or whose kind is in `inferred_kinds`.
///
/// # Errors
///
/// Returns an error if the cluster does not respond, or if the response is not a list.
pub async fn list_crds(
    client: &Client,
    inferred_kinds: &BTreeSet<String>,
) -> Result<Vec<Value>, WebhookError> {
    let mut wanted_crds = Vec::new();
    let mut continue_token = String::new();
    for _ in 0..MAX_PAGES {
        let path = format!(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit={PAGE_SIZE}&continue={continue_token}"
        );
        let request = Request::get(path)
            .body(Vec::new())
            .map_err(|error| list_error(&error))?;
        let list: CrdList = client
            .request(request)
            .await
            .map_err(|error| list_error(&error))?;
        let items = list.items.into_iter();
        wanted_crds.extend(items.filter(|crd| is_wanted(crd, inferred_kinds)));
        continue_token = list.metadata.r#continue;
        if continue_token.is_empty() {
            return Ok(wanted_crds);
        }
        // The token may contain characters that are special in a query string.
        continue_token = continue_token
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
        let location = format!("CRD {}", name.unwrap_or_default());
        for problem in schemas
            .add(&location, crd, checks)
            .err()
            .into_iter()
            .flatten()
        {
            tracing::error!(%problem, "invalid CRD; its objects are rejected");
        }
    }
}

fn list_error(error: &dyn std::fmt::Display) -> WebhookError {
    let message = format!("cannot list the CRDs: {error}; see `kubectl get crds`");
    WebhookError::new("the cluster", message)
}
