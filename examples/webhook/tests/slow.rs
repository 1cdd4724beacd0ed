//! Tests of slow clients, of clients that disconnect, and of too many clients.

use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use union_webhook::app::Limits;

use crate::support::client::{get, post};
use crate::support::{TestServer, long_timeouts, review_response, sample_review};

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(60);
/// A time limit that is long enough for a header, even on a busy machine.
const MEDIUM: Duration = Duration::from_secs(1);

/// Returns a request in two parts, split in the middle of its body.
fn split_request() -> (Vec<u8>, Vec<u8>) {
    let mut start = post("/mutate", sample_review("switch.json").to_string());
    let end = start.split_off(start.len() - 100);
    (start, end)
}

#[tokio::test]
async fn a_handshake_has_a_time_limit() {
    let limits = Limits {
        handshake_timeout: SHORT,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let start = Instant::now();
    let mut stream = TcpStream::connect(webhook.address).await.unwrap();
    assert_eq!(stream.read(&mut [0]).await.unwrap_or(0), 0);
    assert!(start.elapsed() < LONG / 2);
}

#[tokio::test]
async fn the_headers_of_each_request_have_a_time_limit() {
    let limits = Limits {
        header_timeout: MEDIUM,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let start = Instant::now();
    let mut client = webhook.client().await;
    client.send("GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
    assert!(client.read_response().await.is_none());
    assert!(start.elapsed() < LONG / 2);
    // The time limit is for the whole header, even if its bytes arrive one by one.
    let mut client = webhook.client().await;
    let start = Instant::now();
    while client.send("a").await.is_ok() && start.elapsed() < LONG {
        tokio::task::yield_now().await;
    }
    assert!(start.elapsed() < LONG / 2);
    // The second request of a connection has the same time limit.
    let start = Instant::now();
    let mut client = webhook.client().await;
    assert_eq!(client.send_and_read(get("/healthz")).await.code, 200);
    client.send("GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
    assert!(client.read_response().await.is_none());
    assert!(start.elapsed() < LONG / 2);
}

#[tokio::test]
async fn a_connection_may_be_idle_longer_than_the_header_timeout() {
    let limits = Limits {
        header_timeout: MEDIUM,
        idle_timeout: MEDIUM * 3,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let mut client = webhook.client().await;
    assert_eq!(client.send_and_read(get("/healthz")).await.code, 200);
    let start = Instant::now();
    assert!(client.read_response().await.is_none());
    assert!(start.elapsed() >= MEDIUM * 2, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_body_has_a_time_limit() {
    let limits = Limits {
        body_timeout: SHORT,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let (start, _) = split_request();
    let mut client = webhook.client().await;
    let reply = client.send_and_read(start).await;
    assert_eq!(reply.code, 408);
    assert_eq!(reply.text(), "the body was not complete after 100ms\n");
    assert!(client.read_response().await.is_none());
    webhook.wait_for_counts(0, 0).await;
}

#[tokio::test]
async fn a_disconnected_client_releases_its_permit() {
    let limits = Limits {
        max_concurrency: 1,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    for _ in 0..20 {
        let (start, _) = split_request();
        let mut client = webhook.client().await;
        client.send(start).await.unwrap();
        webhook.wait_for_counts(0, 1).await;
        drop(client);
        webhook.wait_for_counts(0, 0).await;
    }
    let reply = webhook
        .send_and_read(post("/mutate", sample_review("switch.json").to_string()))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

#[tokio::test]
async fn requests_beyond_the_limit_wait_for_a_permit() {
    let limits = Limits {
        max_concurrency: 2,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let (start, end) = split_request();
    let mut clients = Vec::new();
    for _ in 0..20 {
        let mut client = webhook.client().await;
        client.send(&start).await.unwrap();
        clients.push(client);
    }
    // At most two bodies are in memory, and the other 18 requests wait.
    webhook.wait_for_counts(18, 2).await;
    // Probes and metrics need no permit.
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(webhook.send_and_read(get(path)).await.code, 200);
    }
    for client in &mut clients {
        client.send(&end).await.unwrap();
    }
    for client in &mut clients {
        let reply = client.read_response().await.expect("a response");
        assert_eq!(review_response(&reply)["patchType"], "JSONPatch");
    }
    webhook.wait_for_counts(0, 0).await;
}

#[tokio::test]
async fn requests_that_wait_too_long_are_rejected() {
    let limits = Limits {
        max_concurrency: 1,
        queue_timeout: SHORT,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let (start, end) = split_request();
    let mut first_client = webhook.client().await;
    first_client.send(start).await.unwrap();
    webhook.wait_for_counts(0, 1).await;

    let reply = webhook
        .send_and_read(post("/mutate", sample_review("switch.json").to_string()))
        .await;
    assert_eq!(reply.code, 503);
    assert_eq!(reply.header("retry-after"), Some("1"));
    let text = "too many requests: this one waited for 100ms; try again\n";
    assert_eq!(reply.text(), text);

    first_client.send(end).await.unwrap();
    assert_eq!(
        review_response(&first_client.read_response().await.unwrap())["allowed"],
        true
    );
}

#[tokio::test]
async fn connections_beyond_the_limit_wait() {
    let limits = Limits {
        max_connections: 1,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let mut first_client = webhook.client().await;
    assert_eq!(first_client.send_and_read(get("/healthz")).await.code, 200);
    let second_response = webhook.send_and_read(get("/healthz"));
    let mut second_response = std::pin::pin!(second_response);
    assert!(
        tokio::time::timeout(SHORT, second_response.as_mut())
            .await
            .is_err()
    );
    drop(first_client);
    assert_eq!(second_response.await.code, 200);
}
