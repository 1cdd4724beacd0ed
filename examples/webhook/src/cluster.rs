//! The CRDs of a cluster: CRDs that have the annotation for unions, and CRDs of the kinds that the
//! caller names.

use std::collections::BTreeSet;

use http::Request;
use kube::Client;
use serde::Deserialize;
use serde_json::Value;

use crate::problem::Problem;
use crate::schemas::{Checks, Schemas, is_wanted};

/// The number of CRDs on a page: some CRDs are a megabyte large.
const PAGE: usize = 50;

/// The greatest number of pages.
const MOST_PAGES: usize = 1_000;

/// A page of a list. Its items are not parsed into types, which would lose unknown fields.
#[derive(Deserialize)]
struct List {
    #[serde(default)]
    metadata: Metadata,
    items: Vec<Value>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    r#continue: String,
}

/// Lists the CRDs of the cluster that the environment selects: the cluster of the pod, or the
/// cluster of a kubeconfig.
///
/// # Errors
///
/// Returns an error if there is no such cluster, or if it does not answer.
pub async fn crds(foreign: &BTreeSet<String>) -> Result<Vec<Value>, Problem> {
    let client = Client::try_default()
        .await
        .map_err(|error| problem(&error))?;
    list(&client, foreign).await
}

/// Lists the CRDs of a cluster that are annotated, or whose kind is in `foreign`.
///
/// # Errors
///
/// Returns an error if the cluster does not answer, or does not answer with a list.
pub async fn list(client: &Client, foreign: &BTreeSet<String>) -> Result<Vec<Value>, Problem> {
    let mut found = Vec::new();
    let mut token = String::new();
    for _ in 0..MOST_PAGES {
        let path = format!(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit={PAGE}&continue={token}"
        );
        let request = Request::get(path)
            .body(Vec::new())
            .map_err(|error| problem(&error))?;
        let list: List = client
            .request(request)
            .await
            .map_err(|error| problem(&error))?;
        found.extend(list.items.into_iter().filter(|crd| is_wanted(crd, foreign)));
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
    Err(Problem::new(
        "the cluster",
        format!("the list of CRDs has more than {MOST_PAGES} pages; try again"),
    ))
}

/// Adds CRDs. The errors of a CRD are logged, and its objects are rejected; other CRDs are not
/// affected.
pub fn add(schemas: &mut Schemas, crds: &[Value], checks: Checks) {
    for crd in crds {
        let name = crd.pointer("/metadata/name").and_then(Value::as_str);
        let place = format!("CRD {}", name.unwrap_or_default());
        for problem in schemas.add(&place, crd, checks).err().into_iter().flatten() {
            tracing::error!(%problem, "invalid CRD; its objects are rejected");
        }
    }
}

fn problem(error: &dyn std::fmt::Display) -> Problem {
    let text = format!("cannot list the CRDs: {error}; see `kubectl get crds`");
    Problem::new("the cluster", text)
}
