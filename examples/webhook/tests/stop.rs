//! Tests of readiness and of the graceful shutdown.

use std::time::Duration;

use tokio::net::TcpStream;
use union_webhook::files;
use union_webhook::review::ReviewSettings;

use crate::support::client::{Client, get, post};
use crate::support::{
    TestServer, crd_path, long_timeouts, review_response, sample_review, tls_configs,
};

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(60);

/// Returns a request that `/mutate` answers with a patch.
fn switch_request() -> Vec<u8> {
    post("/mutate", sample_review("switch.json").to_string())
}

#[tokio::test]
async fn the_webhook_is_ready_after_the_schemas_are_compiled() {
    let webhook = TestServer::start_with(long_timeouts(), ReviewSettings::default(), None).await;
    assert_eq!(webhook.send_and_read(get("/healthz")).await.code, 200);
    for request in [get("/readyz"), switch_request()] {
        let reply = webhook.send_and_read(request).await;
        assert_eq!(reply.code, 503);
        assert_eq!(reply.header("retry-after"), Some("1"));
        let text = "not ready: the schemas are not compiled yet; try again\n";
        assert_eq!(reply.text(), text);
    }
    let schemas =
        files::read_schemas(&[crd_path()], union_webhook::schemas::CheckScope::Unions).unwrap();
    webhook.server.app().set_schemas(schemas);
    assert_eq!(webhook.send_and_read(get("/readyz")).await.text(), "ok\n");
    assert_eq!(
        review_response(&webhook.send_and_read(switch_request()).await)["allowed"],
        true
    );
}

#[tokio::test]
async fn the_webhook_serves_requests_while_draining() {
    let webhook = TestServer::start(long_timeouts()).await;
    webhook.server.app().mark_stopping();
    let reply = webhook.send_and_read(get("/readyz")).await;
    assert_eq!(reply.code, 503);
    assert_eq!(reply.text(), "not ready: shutting down; try again\n");
    assert_eq!(webhook.send_and_read(get("/healthz")).await.code, 200);
    assert_eq!(
        review_response(&webhook.send_and_read(switch_request()).await)["allowed"],
        true
    );
}

#[tokio::test]
async fn each_response_closes_its_connection_while_draining() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut kept_client = webhook.client().await;
    let reply = kept_client.send_and_read(switch_request()).await;
    assert_eq!(reply.header("connection"), None);
    let mut new_client = webhook.client().await;
    webhook.server.app().mark_stopping();
    for client in [
        &mut kept_client,
        &mut new_client,
        &mut webhook.client().await,
    ] {
        let reply = client.send_and_read(switch_request()).await;
        assert_eq!(review_response(&reply)["allowed"], true);
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(client.read_response().await.is_none());
    }
}

#[tokio::test]
async fn a_stop_serves_connections_that_have_not_sent_a_request() {
    let webhook = TestServer::start(long_timeouts()).await;
    // The connection of the first client is accepted. Others may still be in the backlog.
    let mut clients = vec![webhook.client().await];
    let mut streams = Vec::new();
    for _ in 0..10 {
        streams.push(TcpStream::connect(webhook.address).await.unwrap());
    }
    let address = webhook.address;
    let stopping = tokio::spawn(webhook.server.stop(Duration::ZERO, LONG));
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    for stream in streams {
        let tls_config = &tls_configs().client;
        clients.push(Client::handshake(stream, tls_config).await.unwrap());
    }
    for client in &mut clients {
        let reply = client.send_and_read(switch_request()).await;
        assert_eq!(review_response(&reply)["allowed"], true);
        assert_eq!(reply.header("connection"), Some("close"));
    }
    drop(clients);
    assert!(stopping.await.unwrap());
}

#[tokio::test]
async fn a_graceful_stop_completes_requests_and_closes_idle_connections() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut idle_client = webhook.client().await;
    assert_eq!(idle_client.send_and_read(get("/healthz")).await.code, 200);
    let mut start = switch_request();
    let end = start.split_off(start.len() - 100);
    let mut clients = Vec::new();
    for _ in 0..10 {
        let mut client = webhook.client().await;
        client.send(&start).await.unwrap();
        clients.push(client);
    }
    webhook.wait_for_reading(10).await;

    let address = webhook.address;
    let stopping = tokio::spawn(webhook.server.stop(Duration::ZERO, LONG));
    // Idle connections are closed, and new connections are rejected.
    assert!(idle_client.read_response().await.is_none());
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    for client in &mut clients {
        client.send(&end).await.unwrap();
        let reply = client.read_response().await.expect("a response");
        assert_eq!(review_response(&reply)["patchType"], "JSONPatch");
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(client.read_response().await.is_none());
    }
    assert!(stopping.await.unwrap());
}

#[tokio::test]
async fn a_stop_ends_after_the_grace_period() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut start = switch_request();
    start.truncate(start.len() - 100);
    let mut client = webhook.client().await;
    client.send(&start).await.unwrap();
    webhook.wait_for_reading(1).await;
    assert!(!webhook.server.stop(Duration::ZERO, SHORT).await);
}
