//! Measures the reviews per second of a webhook. The server and its clients run in one process, and
//! use TLS on loopback.
//!
//! `cargo run --release -p union-webhook --example load`
//!
//! With an address and the file of a CA, the clients send requests to a server that already runs:
//! `load 127.0.0.1:8443 /tmp/certificates/ca.crt`.

#[path = "../tests/support/mod.rs"]
#[expect(dead_code, reason = "tests need more of it")]
mod support;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_rustls::rustls::ClientConfig;
use union_webhook::app::Limits;

use support::client::{Client, post, trusting_config};
use support::{TestServer, sample_review, tls_configs};

/// The maximum number of requests of a measurement.
const MAX_REQUESTS: usize = 200_000;
/// The maximum duration of a measurement.
const MAX_DURATION: Duration = Duration::from_secs(10);

/// The numbers of concurrent clients. Each client keeps its own connection.
const CLIENT_COUNTS: [usize; 3] = [1, 8, 64];

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let test_server;
    let (address, tls_config): (SocketAddr, Arc<ClientConfig>) =
        if let [address, ca] = args.as_slice() {
            let address = address.parse().expect("an address");
            (address, trusting_config(Path::new(ca)))
        } else {
            test_server = TestServer::start(Limits::default()).await;
            (test_server.address, Arc::clone(&tls_configs().client))
        };
    println!(
        "{:<10} {:<16} {:>8} {:>9} {:>11} {:>9} {:>9}",
        "path", "review", "clients", "requests", "per second", "p50", "p99"
    );
    for (path, name) in [
        ("/mutate", "create.json"),
        ("/mutate", "switch.json"),
        ("/validate", "forgotten.json"),
    ] {
        for client_count in CLIENT_COUNTS {
            let load = measure(
                address,
                &tls_config,
                post(path, sample_review(name).to_string()),
                client_count,
            )
            .await;
            let LoadResult {
                duration,
                mut latencies,
            } = load;
            latencies.sort_unstable();
            let request_count = latencies.len();
            let percentile = |percent: usize| {
                format_micros(latencies[(request_count * percent / 100).min(request_count - 1)])
            };
            let rate = request_count as u128 * 1_000_000 / duration.as_micros().max(1);
            println!(
                "{path:<10} {name:<16} {client_count:>8} {request_count:>9} {rate:>11} {:>9} {:>9}",
                percentile(50),
                percentile(99)
            );
        }
    }
}

fn format_micros(duration: Duration) -> String {
    format!("{} us", duration.as_micros())
}

/// The duration of a measurement, and the latency of each request.
struct LoadResult {
    duration: Duration,
    latencies: Vec<Duration>,
}

/// Sends a request again and again from concurrent clients.
async fn measure(
    address: SocketAddr,
    tls_config: &Arc<ClientConfig>,
    request: Vec<u8>,
    client_count: usize,
) -> LoadResult {
    let request = Arc::new(request);
    let mut connections = Vec::new();
    for _ in 0..client_count {
        connections.push(
            Client::connect(address, tls_config)
                .await
                .expect("the server listens"),
        );
    }
    let start = Instant::now();
    let tasks: Vec<_> = connections
        .into_iter()
        .map(|mut client| {
            let request = Arc::clone(&request);
            tokio::spawn(async move {
                let mut latencies = Vec::new();
                while latencies.len() < MAX_REQUESTS / client_count
                    && start.elapsed() < MAX_DURATION
                {
                    let start = Instant::now();
                    let reply = client.send_and_read(request.as_slice()).await;
                    assert_eq!(reply.code, 200, "{}", reply.text());
                    latencies.push(start.elapsed());
                }
                latencies
            })
        })
        .collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await.expect("the server responds"));
    }
    let duration = start.elapsed();
    LoadResult {
        duration,
        latencies,
    }
}
