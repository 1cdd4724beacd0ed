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
async fn a_disconnected_client_is_forgotten() {
    let limits = Limits {
        max_concurrency: 1,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    for _ in 0..20 {
        let (start, _) = split_request();
        let mut client = webhook.client().await;
        client.send(start).await.unwrap();
        webhook.wait_for_reading(1).await;
        drop(client);
        webhook.wait_for_reading(0).await;
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
    let permits = &webhook.server.app().review_permits;
    let all_permits = permits.acquire_many(2).await.unwrap();
    let (start, end) = split_request();
    let mut clients = Vec::new();
    for _ in 0..20 {
        let mut client = webhook.client().await;
        client.send(&start).await.unwrap();
        client.send(&end).await.unwrap();
        clients.push(client);
    }
    webhook.wait_for_counts(20, 0).await;
    // Probes and metrics need no permit.
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(webhook.send_and_read(get(path)).await.code, 200);
    }
    drop(all_permits);
    for client in &mut clients {
        let reply = client.read_response().await.expect("a response");
        assert_eq!(review_response(&reply)["patchType"], "JSONPatch");
    }
    webhook.wait_for_counts(0, 0).await;
}

#[tokio::test]
async fn requests_without_their_body_hold_no_permit() {
    let limits = Limits {
        max_concurrency: 1,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let (start, _) = split_request();
    let mut silent_clients = Vec::new();
    for _ in 0..50 {
        let mut client = webhook.client().await;
        client.send(&start).await.unwrap();
        silent_clients.push(client);
    }
    webhook.wait_for_reading(50).await;
    let reply = webhook
        .send_and_read(post("/mutate", sample_review("switch.json").to_string()))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

/// Returns a review of about `length` bytes.
fn large_request(length: usize) -> Vec<u8> {
    let review = sample_review("switch.json").to_string();
    post(
        "/mutate",
        review.clone() + &" ".repeat(length - review.len()),
    )
}

#[tokio::test]
async fn large_bodies_share_their_memory() {
    let limits = Limits {
        max_body_bytes: 1_000_000,
        max_body_memory: 2_000_000,
        queue_timeout: SHORT,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let mut request = large_request(1_000_000);
    let end = request.split_off(request.len() - 10);
    let mut clients = Vec::new();
    for _ in 0..2 {
        let mut client = webhook.client().await;
        client.send(&request).await.unwrap();
        clients.push(client);
    }
    webhook
        .wait_for_metric("union_webhook_large_body_bytes 2000000\n")
        .await;
    // A third large body finds no memory, and small bodies need none.
    let reply = webhook.send_and_read(large_request(100_000)).await;
    assert_eq!(reply.code, 503);
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert!(reply.text().contains("too many large bodies"));
    let reply = webhook
        .send_and_read(post("/mutate", sample_review("switch.json").to_string()))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
    for client in &mut clients {
        client.send(&end).await.unwrap();
        let reply = client.read_response().await.expect("a response");
        assert_eq!(review_response(&reply)["patchType"], "JSONPatch");
    }
    webhook
        .wait_for_metric("union_webhook_large_body_bytes 0\n")
        .await;
    assert_eq!(
        webhook.send_and_read(large_request(1_000_000)).await.code,
        200
    );
}

#[tokio::test]
async fn requests_that_wait_too_long_are_rejected() {
    let limits = Limits {
        max_concurrency: 1,
        queue_timeout: SHORT,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let permit = webhook.server.app().review_permits.acquire().await.unwrap();
    let request = post("/mutate", sample_review("switch.json").to_string());
    let mut client = webhook.client().await;
    let reply = client.send_and_read(&request).await;
    assert_eq!(reply.code, 503);
    assert_eq!(reply.header("retry-after"), Some("1"));
    let text = "too many requests: this one waited for 100ms; try again\n";
    assert_eq!(reply.text(), text);
    drop(permit);
    let reply = client.send_and_read(&request).await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

#[tokio::test]
async fn a_new_connection_displaces_a_connection_that_waits_for_its_client() {
    for is_silent in [true, false] {
        let limits = Limits {
            max_connections: 1,
            header_timeout: MEDIUM,
            ..long_timeouts()
        };
        let webhook = TestServer::start(limits).await;
        let mut first_client = webhook.client().await;
        if is_silent {
            let (start, _) = split_request();
            first_client.send(start).await.unwrap();
        } else {
            assert_eq!(first_client.send_and_read(get("/healthz")).await.code, 200);
        }
        assert_eq!(webhook.send_and_read(get("/healthz")).await.code, 200);
        assert!(first_client.read_response().await.is_none());
        let line = "union_webhook_closed_connections_total{reason=\"displaced\"} 1\n";
        webhook.wait_for_metric(line).await;
    }
}

#[tokio::test]
async fn connections_of_a_peer_are_limited() {
    let limits = Limits {
        max_connections_per_peer: 2,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let mut clients = [webhook.client().await, webhook.client().await];
    let mut stream = TcpStream::connect(webhook.address).await.unwrap();
    assert_eq!(stream.read(&mut [0]).await.unwrap_or(0), 0);
    for client in &mut clients {
        assert_eq!(client.send_and_read(get("/healthz")).await.code, 200);
    }
    let [mut first_client, second_client] = clients;
    drop(second_client);
    let line = "union_webhook_closed_connections_total{reason=\"peer_limit\"} 1\n";
    let metrics = first_client.send_and_read(get("/metrics")).await;
    assert!(metrics.text().contains(line), "{}", metrics.text());
    // The place of the client that has disconnected is free.
    let start = Instant::now();
    while webhook.try_client().await.is_err() {
        assert!(start.elapsed() < LONG, "the place is not free");
    }
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
