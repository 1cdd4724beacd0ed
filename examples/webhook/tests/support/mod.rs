//! Test fixtures: a server for each test, and the reviews that tests send.

pub(crate) mod client;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_rustls::rustls::{ClientConfig, ServerConfig};
use union_webhook::app::{AppState, Limits};
use union_webhook::files;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::{CheckScope, Schemas};
use union_webhook::serve::Server;
use union_webhook::tls;

use client::{Client, HttpResponse, post};

/// Returns the folder of the package.
pub(crate) fn package_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the path of the CRD of `Backup`, whose annotation declares a union.
pub(crate) fn crd_path() -> PathBuf {
    package_folder().join("../../crates/unionctl/samples/crd.yaml")
}

/// Reads the CRD of `Backup`.
pub(crate) fn crd() -> Value {
    let text = std::fs::read_to_string(crd_path()).unwrap();
    k8s_yaml::parse(&text).unwrap().remove(0)
}

/// Reads a review from the folder of samples.
pub(crate) fn sample_review(name: &str) -> Value {
    let path = package_folder().join("samples").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Creates an empty folder for a test.
pub(crate) fn create_folder(name: &str) -> PathBuf {
    // Cargo sets the variable for tests, but not for examples.
    let folder = option_env!("CARGO_TARGET_TMPDIR").map(PathBuf::from);
    let folder = folder.unwrap_or_else(std::env::temp_dir).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A certificate for `localhost`, and the trust in its CA.
pub(crate) struct TlsConfigs {
    pub(crate) server: Arc<ServerConfig>,
    pub(crate) client: Arc<ClientConfig>,
}

/// Returns the TLS configurations that all servers and clients of this process share.
pub(crate) fn tls_configs() -> &'static TlsConfigs {
    static TLS_CONFIGS: OnceLock<TlsConfigs> = OnceLock::new();
    TLS_CONFIGS.get_or_init(|| {
        let folder = create_folder(&format!("certificates-{}", std::process::id()));
        tls::create_self_signed(&folder, &["localhost".to_owned()]).unwrap();
        let [ca, certificate, key] = tls::CERTIFICATE_FILES.map(|name| folder.join(name));
        let configs = TlsConfigs {
            server: tls::load_config(&certificate, &key).unwrap(),
            client: client::trusting_config(&ca),
        };
        std::fs::remove_dir_all(folder).unwrap();
        configs
    })
}

/// Returns limits whose timeouts no request exceeds, even on a busy machine.
pub(crate) fn long_timeouts() -> Limits {
    let timeout = Duration::from_secs(60);
    Limits {
        queue_timeout: timeout,
        handshake_timeout: timeout,
        header_timeout: timeout,
        body_timeout: timeout,
        idle_timeout: timeout,
        ..Limits::default()
    }
}

/// The time after which a test that waits fails. No test waits as long, even on a busy machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// Waits until a condition is true.
pub(crate) async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < DEADLINE, "{what}: not after {DEADLINE:?}");
        tokio::task::yield_now().await;
    }
}

/// A running server, which listens on its own port.
pub(crate) struct TestServer {
    pub(crate) server: Server,
    pub(crate) address: SocketAddr,
}

impl TestServer {
    /// Starts a server with the CRD of `Backup`.
    pub(crate) async fn start(limits: Limits) -> Self {
        let schemas = files::read_schemas(&[crd_path()], CheckScope::Unions).unwrap();
        Self::start_with(limits, ReviewSettings::default(), Some(schemas)).await
    }

    /// Starts a server. Without schemas, the server is not ready.
    pub(crate) async fn start_with(
        limits: Limits,
        review_settings: ReviewSettings,
        schemas: Option<Schemas>,
    ) -> Self {
        let app = Arc::new(AppState::new(review_settings, limits));
        if let Some(schemas) = schemas {
            app.set_schemas(schemas);
        }
        // The system chooses a free port.
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let tls_config = Arc::clone(&tls_configs().server);
        let server = Server::start(any_port, tls_config, app).await.unwrap();
        let address = server.address();
        Self { server, address }
    }

    /// Connects a client to the server, or returns an error if the server closes the connection.
    pub(crate) async fn try_client(&self) -> std::io::Result<Client> {
        Client::connect(self.address, &tls_configs().client).await
    }

    /// Waits until the metrics contain a text.
    pub(crate) async fn wait_for_metric(&self, text: &str) {
        wait_until(text, || self.server.app().prometheus().contains(text)).await;
    }

    /// Connects a client to the server.
    pub(crate) async fn client(&self) -> Client {
        let tls_config = &tls_configs().client;
        Client::connect(self.address, tls_config).await.unwrap()
    }

    /// Sends a request on a new connection, and returns the response.
    pub(crate) async fn send_and_read(&self, request: impl AsRef<[u8]>) -> HttpResponse {
        self.client().await.send_and_read(request).await
    }

    /// Sends a review, and returns its field `response`.
    pub(crate) async fn review(&self, path: &str, review: &Value) -> Value {
        let reply = self.send_and_read(post(path, review.to_string())).await;
        review_response(&reply)
    }

    /// Waits until the bodies of `count` requests are being read.
    pub(crate) async fn wait_for_reading(&self, count: u64) {
        let metrics = &self.server.app().metrics;
        let what = format!("{count} bodies are being read");
        wait_until(&what, || metrics.reading_count() == count).await;
    }

    /// Waits until `waiting` requests wait for a permit, and `answering` requests have a permit.
    pub(crate) async fn wait_for_counts(&self, waiting: u64, answering: u64) {
        let metrics = &self.server.app().metrics;
        let what = format!("{waiting} requests wait, and {answering} have a permit");
        wait_until(&what, || {
            (metrics.waiting_count(), metrics.answering_count()) == (waiting, answering)
        })
        .await;
    }
}

/// Returns the field `response` of a reply, which must be a review.
#[track_caller]
pub(crate) fn review_response(reply: &HttpResponse) -> Value {
    assert_eq!(reply.code, 200, "{}", reply.text());
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let review: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(review["kind"], "AdmissionReview");
    review["response"].clone()
}

/// Returns a review of an update of a `Backup` from the spec `old_spec` to the spec `new_spec`.
pub(crate) fn update_review(new_spec: Value, old_spec: Value) -> Value {
    let mut review = sample_review("switch.json");
    review["request"]["object"]["spec"] = new_spec;
    review["request"]["oldObject"]["spec"] = old_spec;
    review
}

/// Returns a review of a creation of a `Backup` with this spec.
pub(crate) fn create_review(spec: Value) -> Value {
    let mut review = sample_review("create.json");
    review["request"]["object"]["spec"] = spec;
    review
}

/// Returns the spec of a `Backup` with this target.
pub(crate) fn target_spec(target: impl Into<Value>) -> Value {
    json!({ "target": target.into() })
}
