//! Requests to the API server, and its responses with the exact causes and warnings.

use std::error::Error;
use std::time::{Duration, Instant};

use http::header::{CONTENT_TYPE, WARNING};
use http::{Method, Request, Response};
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};

/// The content type of all requests but patches.
const JSON: &str = "application/json";

/// The time that the server may take to serve a new schema, and the interval between two requests
/// that check for it.
const SERVE_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

pub(crate) type Fallible<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Clone)]
pub(crate) struct Cluster {
    client: Client,
}

/// A response of the server.
#[derive(Clone, Debug)]
pub(crate) struct ServerResponse {
    pub(crate) code: u16,
    /// The object, or a `Status` if the request is rejected.
    pub(crate) body: Value,
    pub(crate) warnings: Vec<String>,
}

/// The reason, the field path and the message of an error.
pub(crate) type Cause = [String; 3];

impl Cluster {
    pub(crate) async fn connect(kubeconfig: &str) -> Fallible<Self> {
        let kubeconfig = Kubeconfig::read_from(kubeconfig)?;
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(kubeconfig, &options).await?;
        Ok(Self {
            client: Client::try_from(config)?,
        })
    }

    /// Returns the kube client, for requests that kube has a function for.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    pub(crate) async fn get(&self, path: &str) -> Fallible<ServerResponse> {
        self.send_json(Method::GET, path, JSON, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Fallible<ServerResponse> {
        self.send_json(Method::POST, path, JSON, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Fallible<ServerResponse> {
        self.send_json(Method::PUT, path, JSON, Some(body)).await
    }

    /// Sends a patch of a content type such as `application/merge-patch+json`.
    pub(crate) async fn patch(
        &self,
        path: &str,
        content_type: &str,
        body: &Value,
    ) -> Fallible<ServerResponse> {
        self.send_json(Method::PATCH, path, content_type, Some(body))
            .await
    }

    /// Sends a body as it is, of a content type such as `application/yaml`.
    pub(crate) async fn post_text(
        &self,
        path: &str,
        content_type: &str,
        body: &str,
    ) -> Fallible<ServerResponse> {
        self.send(Method::POST, path, content_type, body.as_bytes().to_vec())
            .await
    }

    async fn send_json(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Option<&Value>,
    ) -> Fallible<ServerResponse> {
        let body = body.map(serde_json::to_vec).transpose()?;
        self.send(method, path, content_type, body.unwrap_or_default())
            .await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Fallible<ServerResponse> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(CONTENT_TYPE, content_type)
            .body(Body::from(body))?;
        ServerResponse::from_http(self.client.send(request).await?).await
    }

    /// Creates a CRD, and waits until all its versions are served.
    pub(crate) async fn serve(&self, crd: &Value) -> Fallible {
        let response = self.post(CRDS, crd).await?;
        if !response.is_accepted() {
            return Err(format!("the server rejects the CRD: {:?}", response.causes()).into());
        }
        self.wait_until_served(&crd["spec"]).await
    }

    /// Replaces the `spec` of a CRD, waits until all its versions are served, and returns the CRD
    /// as the server stored it.
    ///
    /// The new `spec` needs a version that the old one did not have. Without it, the old schema may
    /// still be served when this function returns.
    pub(crate) async fn change(&self, name: &str, spec: &Value) -> Fallible<Value> {
        let response = self.put_crd(name, spec, "").await?;
        if !response.is_accepted() {
            return Err(format!("the server rejects the CRD: {:?}", response.causes()).into());
        }
        self.wait_until_served(spec).await?;
        // The response to the update is not the stored CRD: it still has the `spec` that was sent.
        Ok(self.get(&format!("{CRDS}/{name}")).await?.body)
    }

    /// Sends an update of the `spec` of a CRD, and returns the server's response.
    pub(crate) async fn put_crd(
        &self,
        name: &str,
        spec: &Value,
        query: &str,
    ) -> Fallible<ServerResponse> {
        let path = format!("{CRDS}/{name}");
        loop {
            let mut crd = self.get(&path).await?.body;
            crd["spec"] = spec.clone();
            let response = self.put(&format!("{path}{query}"), &crd).await?;
            // The server's controllers write conditions of the CRD, which can conflict with this
            // update.
            if response.code != CONFLICT {
                return Ok(response);
            }
        }
    }

    async fn wait_until_served(&self, spec: &Value) -> Fallible {
        let [group, plural] = [&spec["group"], &spec["names"]["plural"]].map(text);
        let namespace_path = if spec["scope"] == "Namespaced" {
            "namespaces/default/"
        } else {
            ""
        };
        for version in spec["versions"].as_array().into_iter().flatten() {
            // This request does not list objects: if one of them cannot be decoded any more, a list
            // fails, and only after some time.
            let version = text(&version["name"]);
            let path = format!("/apis/{group}/{version}/{namespace_path}{plural}/{MISSING_NAME}");
            let deadline = Deadline::new();
            loop {
                let response = self.get(&path).await?;
                // The error names the object, so the server serves the version and looked the
                // object up.
                if response.body["details"]["name"] == MISSING_NAME {
                    break;
                }
                deadline.wait(&path).await?;
            }
        }
        Ok(())
    }
}

/// A time until which a condition must be met.
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn new() -> Self {
        Self(Instant::now() + SERVE_TIMEOUT)
    }

    /// Sleeps for an interval, or returns an error if the deadline is over.
    pub(crate) async fn wait(&self, what: &str) -> Fallible {
        if Instant::now() > self.0 {
            return Err(format!("{what}: not so after {SERVE_TIMEOUT:?}").into());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        Ok(())
    }
}

/// The HTTP status code of an update of an object that changed in the meantime.
pub(crate) const CONFLICT: u16 = 409;

/// The name of an object that does not exist.
const MISSING_NAME: &str = "nobody";

/// The URL path of CRDs.
pub(crate) const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

impl ServerResponse {
    async fn from_http(response: Response<Body>) -> Fallible<Self> {
        let headers = response.headers().get_all(WARNING).iter();
        let warnings = headers
            .map(|value| Ok(unescape_warning(std::str::from_utf8(value.as_bytes())?)))
            .collect::<Fallible<_>>()?;
        let code = response.status().as_u16();
        let bytes = response.into_body().collect_bytes().await?;
        // A server that is not ready yet responds with plain text.
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| json!({ "message": String::from_utf8_lossy(&bytes) }));
        Ok(Self {
            code,
            body,
            warnings,
        })
    }

    pub(crate) fn is_accepted(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// Returns the causes of a rejected request, sorted. An error without causes, such as an object
    /// that cannot be decoded, is one cause without a field path.
    pub(crate) fn causes(&self) -> Vec<Cause> {
        if self.is_accepted() {
            return Vec::new();
        }
        let Some(causes) = self.body["details"]["causes"].as_array() else {
            let reason = text(&self.body["reason"]);
            return vec![[reason, String::new(), text(&self.body["message"])]];
        };
        let cause = |cause: &Value| ["reason", "field", "message"].map(|key| text(&cause[key]));
        let mut causes: Vec<Cause> = causes.iter().map(cause).collect();
        causes.sort();
        causes
    }
}

/// Returns the string of a value, or the empty string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the message of a warning header, `299 - "message"`, in which quotes and backslashes are
/// escaped by a backslash.
fn unescape_warning(header: &str) -> String {
    let quoted_message = header
        .split_once('"')
        .and_then(|(_, message)| message.strip_suffix('"'));
    let mut message = String::new();
    let mut characters = quoted_message.unwrap_or(header).chars();
    while let Some(character) = characters.next() {
        message.extend(if character == '\\' {
            characters.next()
        } else {
            Some(character)
        });
    }
    message
}
