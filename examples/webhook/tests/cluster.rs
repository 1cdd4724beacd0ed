//! Tests of reading CRDs from a cluster. A simulated API server responds to the list requests of
//! kube's client.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use union_webhook::cluster;
use union_webhook::schemas::{CheckScope, Schemas};

/// Returns a client of a simulated API server, which responds with one of `pages` to each request,
/// and the log of the requested URIs.
fn simulated_server(pages: Vec<(u16, Value)>) -> (Client, Arc<Mutex<Vec<String>>>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&requests);
    let pages = Arc::new(Mutex::new(pages.into_iter()));
    let service = tower::service_fn(move |request: Request<Body>| {
        log.lock().unwrap().push(request.uri().to_string());
        let (code, page) = pages.lock().unwrap().next().expect("a page");
        let body = Body::from(page.to_string().into_bytes());
        let response = Response::builder().status(code).body(body).unwrap();
        std::future::ready(Ok::<_, std::convert::Infallible>(response))
    });
    (Client::new(service, "default"), requests)
}

/// Returns the CRD of `Backup` with another kind.
fn crd_of(kind: &str) -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/unionctl/samples/",
        "crd.yaml"
    );
    let mut crd = k8s_yaml::parse(&std::fs::read_to_string(path).unwrap())
        .unwrap()
        .remove(0);
    crd["spec"]["names"]["kind"] = kind.into();
    crd
}

#[tokio::test]
async fn crds_with_unions_are_returned_from_all_pages() {
    let mut crd_without_unions = crd_of("Other");
    crd_without_unions["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("annotations")
        .unwrap();
    // This CRD lacks the annotation, but unions are inferred for its kind.
    let mut crd_of_inferred_kind = crd_without_unions.clone();
    crd_of_inferred_kind["spec"]["names"]["kind"] = "Foreign".into();
    let mut invalid_crd = crd_of("Broken");
    invalid_crd["metadata"]["annotations"]["union-runtime.dev/unions"] = "{".into();
    let (client, requests) = simulated_server(vec![
        (
            200,
            json!({"metadata": {"continue": "a+b/c=&d"}, "items": [crd_of("First"), crd_without_unions, crd_of_inferred_kind]}),
        ),
        (
            200,
            json!({"metadata": {"continue": ""}, "items": [invalid_crd, crd_of("Second")]}),
        ),
    ]);
    let inferred_kinds = BTreeSet::from(["Foreign.db.example.com".to_owned()]);
    let crds = cluster::list_crds(&client, &inferred_kinds).await.unwrap();
    assert_eq!(crds.len(), 4);
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=50&continue=";
    assert_eq!(
        *requests.lock().unwrap(),
        [path.to_owned(), format!("{path}a%2Bb/c=%26d")]
    );

    let mut schemas = Schemas::default();
    cluster::add_crds(&mut schemas, &crds, CheckScope::Unions);
    let names = [
        "Broken.db.example.com/v1",
        "First.db.example.com/v1",
        "Second.db.example.com/v1",
    ];
    assert_eq!(schemas.version_names(), names);
}

#[tokio::test]
async fn the_error_of_the_server_is_returned() {
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
                        "reason": "Forbidden", "message": "you may not list"});
    let (client, _) = simulated_server(vec![(403, status)]);
    let error = cluster::list_crds(&client, &BTreeSet::new())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("the cluster: cannot list the CRDs: "),
        "{error}"
    );
    assert!(error.contains("you may not list"), "{error}");
}
