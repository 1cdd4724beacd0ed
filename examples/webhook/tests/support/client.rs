//! A client that writes raw HTTP/1.1 over TLS, so that tests can send slowly, disconnect, and send
//! invalid requests.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The time after which a test that waits for a response fails.
const RESPONSE_DEADLINE: Duration = Duration::from_secs(120);

/// Returns a TLS configuration that trusts the CA in a file.
pub(crate) fn trusting_config(ca: &Path) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    let ca_pem = fs::read(ca).unwrap();
    roots
        .add(CertificateDer::from_pem_slice(&ca_pem).unwrap())
        .unwrap();
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = config.with_root_certificates(roots);
    Arc::new(config.with_no_client_auth())
}

/// A connection to the webhook.
#[derive(Debug)]
pub(crate) struct Client {
    stream: TlsStream<TcpStream>,
    /// The bytes that were read after the last response: the start of the next response.
    buffered_bytes: Vec<u8>,
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) code: u16,
    /// The status line and the headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    /// Returns the value of a header. `name` is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Returns the body as a string.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

impl Client {
    pub(crate) async fn connect(
        address: SocketAddr,
        tls_config: &Arc<ClientConfig>,
    ) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Self::handshake(stream, tls_config).await
    }

    /// Performs the TLS handshake on a connection.
    pub(crate) async fn handshake(
        stream: TcpStream,
        tls_config: &Arc<ClientConfig>,
    ) -> io::Result<Self> {
        let name = ServerName::try_from("localhost").unwrap();
        let connector = TlsConnector::from(Arc::clone(tls_config));
        let stream = connector.connect(name, stream).await?;
        Ok(Self {
            stream,
            buffered_bytes: Vec::new(),
        })
    }

    /// Writes bytes.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await?;
        self.stream.flush().await
    }

    /// Reads a response. Returns `None` if the connection ends before the response.
    pub(crate) async fn read_response(&mut self) -> Option<HttpResponse> {
        let response = timeout(RESPONSE_DEADLINE, self.read_next_response()).await;
        response.expect("a response or the end of the connection")
    }

    async fn read_next_response(&mut self) -> Option<HttpResponse> {
        let mut bytes = std::mem::take(&mut self.buffered_bytes);
        let body_start = loop {
            if let Some(body_start) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break body_start + 4;
            }
            let bytes_read = self.stream.read_buf(&mut bytes).await.unwrap_or(0);
            if bytes_read == 0 {
                assert!(bytes.is_empty(), "half an answer");
                return None;
            }
        };
        let mut body = bytes.split_off(body_start);
        let head = String::from_utf8(bytes).unwrap().to_lowercase();
        let code = head[9..12].parse().unwrap();
        let mut response = HttpResponse {
            code,
            head,
            body: Vec::new(),
        };
        let length = response.header("content-length").map(str::parse::<usize>);
        let length = length.unwrap_or(Ok(0)).unwrap();
        while body.len() < length {
            let bytes_read = self.stream.read_buf(&mut body).await.unwrap();
            assert!(bytes_read > 0, "half a body");
        }
        self.buffered_bytes = body.split_off(length);
        response.body = body;
        Some(response)
    }

    /// Sends a request, and reads the response.
    pub(crate) async fn send_and_read(&mut self, request: impl AsRef<[u8]>) -> HttpResponse {
        // A server that rejects a request may stop reading, so write errors are ignored.
        let _ = self.send(request).await;
        self.read_response().await.expect("an answer")
    }
}

/// Returns a POST request with a JSON body.
pub(crate) fn post(path: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    request("POST", path, &[("content-type", "application/json")], body)
}

/// Returns a GET request.
pub(crate) fn get(path: &str) -> Vec<u8> {
    request("GET", path, &[], "")
}

/// Returns a request with these headers, the length of the body, and the body.
pub(crate) fn request(
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: impl AsRef<[u8]>,
) -> Vec<u8> {
    let body = body.as_ref();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    write!(head, "content-length: {}\r\n\r\n", body.len()).unwrap();
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
