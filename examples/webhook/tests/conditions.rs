//! Tests of conditions that an operator must end: CRDs that have disappeared, and certificates that
//! expire. Also tests of the port of probes, which shows these conditions.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use union_webhook::app::{AppState, NotReady};
use union_webhook::files;
use union_webhook::probes::serve_probes;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::{CheckScope, MissingCrd, Schemas};
use union_webhook::tls;

use crate::program::LoggedProcess;
use crate::support::client::{get, post, request};
use crate::support::{
    TestServer, crd, crd_path, create_folder, long_timeouts, review_response, sample_review,
};

/// Sends a request without TLS, and returns the whole response.
async fn send_plain(address: SocketAddr, request: impl AsRef<[u8]>) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_ref()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

/// Starts a server of probes for a webhook without schemas.
fn start_probes() -> (Arc<AppState>, SocketAddr) {
    let app = Arc::new(AppState::new(ReviewSettings::default(), long_timeouts()));
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let address = serve_probes(any_port, Arc::clone(&app)).unwrap();
    (app, address)
}

fn backup_schemas() -> Schemas {
    files::read_schemas(&[crd_path()], CheckScope::Unions).unwrap()
}

#[tokio::test]
async fn probes_have_a_port_without_tls() {
    let (app, address) = start_probes();
    let response = send_plain(address, get("/healthz")).await;
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(response.ends_with("\r\n\r\nok\n"), "{response}");
    let response = send_plain(address, get("/readyz")).await;
    assert!(response.starts_with("HTTP/1.1 503 "), "{response}");
    app.set_schemas(backup_schemas());
    let response = send_plain(address, get("/readyz")).await;
    assert!(response.ends_with("\r\n\r\nok\n"), "{response}");
    let response = send_plain(address, get("/metrics")).await;
    assert!(response.contains("union_webhook_ready 1\n"), "{response}");
    // Reviews are served only over TLS.
    let response = send_plain(address, post("/mutate", "{}")).await;
    assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
    assert!(response.contains("expected /healthz, /readyz or /metrics"));
    let response = send_plain(address, request("POST", "/healthz", &[], "")).await;
    assert!(response.starts_with("HTTP/1.1 405 "), "{response}");
}

#[tokio::test]
async fn silent_connections_do_not_hold_the_port_of_probes() {
    let (_, address) = start_probes();
    let mut silent_connections = Vec::new();
    for _ in 0..300 {
        silent_connections.push(TcpStream::connect(address).await.unwrap());
    }
    let response = send_plain(address, get("/healthz")).await;
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
}

/// Writes a certificate for `localhost` that is valid from `start` to `end`, relative to now.
fn write_certificate(folder: &Path, start: Duration, end: Duration) -> [PathBuf; 2] {
    let now = OffsetDateTime::now_utc();
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_before = now + start;
    params.not_after = now + end;
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap().pem();
    let files = ["tls.crt", "tls.key"].map(|name| folder.join(name));
    std::fs::write(&files[0], certificate).unwrap();
    std::fs::write(&files[1], key.serialize_pem()).unwrap();
    files
}

#[test]
fn a_certificate_that_is_not_valid_makes_the_webhook_not_ready() {
    let folder = create_folder("conditions-certificates");
    let day = Duration::DAY;
    let app = AppState::new(ReviewSettings::default(), long_timeouts());
    app.set_schemas(backup_schemas());
    let cases = [
        (-day, 30 * day, Ok(()), false, "29.99"),
        (-day, 13 * day, Ok(()), true, "12.99"),
        (
            -30 * day,
            -day,
            Err(NotReady::CertificateExpired),
            true,
            "-1.0",
        ),
        (
            day,
            30 * day,
            Err(NotReady::CertificateNotYetValid),
            false,
            "29.99",
        ),
    ];
    for (start, end, readiness, expires_soon, days_left) in cases {
        let [certificate, key] = write_certificate(&folder, start, end);
        let validity = tls::load(&certificate, &key).unwrap().validity;
        let now = OffsetDateTime::now_utc();
        assert_eq!(validity.expires_soon(now), expires_soon, "{start} {end}");
        app.set_certificate(validity);
        assert_eq!(app.readiness(), readiness, "{start} {end}");
        let line = format!("union_webhook_certificate_days_left {days_left}");
        assert!(app.prometheus().contains(&line), "{}", app.prometheus());
        let is_ready = u8::from(readiness.is_ok());
        let line = format!("union_webhook_ready {is_ready}\n");
        assert!(app.prometheus().contains(&line), "{}", app.prometheus());
    }
}

#[test]
fn the_validity_is_that_of_the_whole_chain() {
    let folder = create_folder("conditions-chain");
    let day = Duration::DAY;
    let [first_certificate, _] = write_certificate(&folder, -day, 10 * day);
    let issuer = std::fs::read_to_string(&first_certificate).unwrap();
    let [certificate, key] = write_certificate(&folder, -2 * day, 100 * day);
    let chain = std::fs::read_to_string(&certificate).unwrap() + &issuer;
    std::fs::write(&certificate, chain).unwrap();
    let validity = tls::load(&certificate, &key).unwrap().validity;
    let now = OffsetDateTime::now_utc();
    let hour = Duration::HOUR;
    let [start, end] = [now - day, now + 10 * day];
    assert!((start - hour..start + hour).contains(&validity.not_before));
    assert!((end - hour..end + hour).contains(&validity.not_after));
}

#[tokio::test]
async fn the_log_has_the_expiry_of_the_certificate() {
    let folder = create_folder("conditions-expiry");
    let day = Duration::DAY;
    let [certificate, _] = write_certificate(&folder, -day, 13 * day);
    std::fs::copy(&certificate, folder.join("ca.crt")).unwrap();
    let crds = crd_path();
    let args = ["--crds", crds.to_str().unwrap(), "--warn-every", "0.1"];
    let mut process = LoggedProcess::start_unread(&folder, &args);
    let line = process.wait_for_message("the certificate expires soon; renew it");
    assert_eq!(line["level"], "WARN");
    assert!((12.9..13.0).contains(&line["days_left"].as_f64().unwrap()));
    write_certificate(&folder, -day, -day / 2);
    process.signal("HUP");
    // The line is repeated at the interval.
    for _ in 0..2 {
        let line =
            process.wait_for_message("the certificate has expired; the webhook is not ready");
        assert_eq!(line["level"], "ERROR");
    }
    // The client rejects the certificate, which is not an error of the client.
    assert!(process.process.try_client().await.is_err());
    let line = process.wait_for_message("a client rejects the certificate of the webhook");
    assert_eq!(line["level"], "WARN");
}

/// Returns the decisions about a switch, a forgotten switch, and a deletion.
async fn decisions(webhook: &TestServer) -> [Value; 3] {
    let mut deletion = sample_review("switch.json");
    deletion["request"]["operation"] = "DELETE".into();
    [
        webhook
            .review("/mutate", &sample_review("switch.json"))
            .await,
        webhook
            .review("/validate", &sample_review("forgotten.json"))
            .await,
        webhook.review("/validate", &deletion).await,
    ]
}

/// Returns the schemas of CRDs after a reload from CRDs that had other schemas.
fn reloaded_schemas(crds: &[Value], treatment: MissingCrd) -> Schemas {
    let mut schemas = Schemas::default();
    for crd in crds {
        schemas.add("crd.yaml", crd, CheckScope::Unions).unwrap();
    }
    schemas.add_missing_versions(&backup_schemas(), treatment);
    schemas
}

/// The ways in which a CRD or its unions can disappear.
fn disappearances() -> Vec<(&'static str, Vec<Value>)> {
    let mut without_annotation = crd();
    without_annotation["metadata"]["annotations"] = json!({});
    let mut with_other_version = crd();
    let annotation = "/metadata/annotations/union-runtime.dev~1unions";
    let annotation = with_other_version.pointer_mut(annotation).unwrap();
    let unions: Value = serde_json::from_str(annotation.as_str().unwrap()).unwrap();
    *annotation = json!({"v2": unions["v1"]}).to_string().into();
    with_other_version["spec"]["versions"][0]["name"] = "v2".into();
    let mut unserved = crd();
    unserved["spec"]["versions"][0]["served"] = false.into();
    let mut of_other_group = crd();
    of_other_group["spec"]["group"] = "other.example.com".into();
    vec![
        ("the CRD", vec![]),
        ("the annotation", vec![without_annotation]),
        ("the version", vec![with_other_version]),
        ("the served version", vec![unserved]),
        ("the group", vec![of_other_group]),
    ]
}

#[tokio::test]
async fn objects_whose_crd_has_disappeared_are_rejected() {
    let webhook = TestServer::start(long_timeouts()).await;
    let app = webhook.server.app();
    for (name, crds) in disappearances() {
        app.set_schemas(reloaded_schemas(&crds, MissingCrd::Reject));
        let [switch, forgotten, deletion] = decisions(&webhook).await;
        for response in [switch, forgotten] {
            assert_eq!(response["allowed"], false, "{name}");
            assert_eq!(response["status"]["code"], 500, "{name}");
            let message = response["status"]["message"].as_str().unwrap();
            let start = "Backup.db.example.com/v1: cannot check the object, because the CRD or its unions have disappeared";
            assert!(message.starts_with(start), "{name}: {message}");
        }
        assert_eq!(deletion["allowed"], true, "{name}");
        assert_eq!(app.missing_crds(), ["Backup.db.example.com/v1"], "{name}");
        // The other kinds are served, so the webhook stays ready.
        let reply = webhook.send_and_read(get("/readyz")).await;
        assert_eq!(reply.code, 200, "{name}");
        assert_eq!(
            reply.text(),
            "ok\nthe CRD of Backup.db.example.com/v1 has disappeared\n"
        );
        let line = "union_webhook_missing_crd{kind=\"Backup.db.example.com/v1\"} 1\n";
        assert!(app.prometheus().contains(line), "{name}");
    }
    // A second reload does not forget the missing version, and a restored CRD is used.
    let first_reload = reloaded_schemas(&[], MissingCrd::Reject);
    let mut schemas = Schemas::default();
    schemas.add_missing_versions(&first_reload, MissingCrd::Reject);
    assert_eq!(schemas.missing_versions(), ["Backup.db.example.com/v1"]);
    let mut restored = backup_schemas();
    restored.add_missing_versions(&schemas, MissingCrd::Reject);
    app.set_schemas(restored);
    assert_eq!(app.missing_crds(), [""; 0]);
    let [switch, ..] = decisions(&webhook).await;
    assert_eq!(switch["patchType"], "JSONPatch");
    let reply = webhook.send_and_read(get("/readyz")).await;
    assert_eq!(reply.text(), "ok\n");
}

#[tokio::test]
async fn the_last_crd_is_kept_if_an_option_says_so() {
    let webhook = TestServer::start(long_timeouts()).await;
    let expected = decisions(&webhook).await;
    let app = webhook.server.app();
    for (name, crds) in disappearances() {
        app.set_schemas(reloaded_schemas(&crds, MissingCrd::Keep));
        assert_eq!(decisions(&webhook).await, expected, "{name}");
        assert_eq!(app.missing_crds(), ["Backup.db.example.com/v1"], "{name}");
    }
}

#[tokio::test]
async fn a_crd_that_disappears_from_a_folder_is_reported_at_an_interval() {
    for (treatment, message) in [
        (
            "reject",
            "the CRD or its unions have disappeared; objects are rejected",
        ),
        (
            "keep",
            "the CRD or its unions have disappeared; the last CRD stays in use",
        ),
    ] {
        let certificates = create_folder(&format!("conditions-{treatment}"));
        let crds = create_folder(&format!("conditions-{treatment}-crds"));
        std::fs::copy(crd_path(), crds.join("backups.yaml")).unwrap();
        let other_crd = crd_path().with_file_name("database_crd.yaml");
        std::fs::copy(other_crd, crds.join("databases.yaml")).unwrap();
        let args = [
            "--crds",
            crds.to_str().unwrap(),
            "--missing-crd",
            treatment,
            "--warn-every",
            "0.1",
        ];
        let mut process = LoggedProcess::start(&certificates, &args);
        std::fs::remove_file(crds.join("backups.yaml")).unwrap();
        process.signal("HUP");
        for _ in 0..3 {
            let line = process.wait_for_message(message);
            assert_eq!(line["level"], "WARN");
            assert_eq!(line["kind"], "Backup.db.example.com/v1");
        }
        let mut client = process.client().await;
        let switch = post("/mutate", sample_review("switch.json").to_string());
        let response = review_response(&client.send_and_read(switch).await);
        assert_eq!(response["allowed"], treatment == "keep");
        let line = process.wait_for_message("answered");
        let reason = match treatment {
            "keep" => "Normalized",
            _ => "InternalError",
        };
        assert_eq!(line["reason"], reason);
    }
}
