//! Tests of a thousand parallel requests: each request gets the response for its own uid.

#[expect(dead_code, reason = "other tests need more of it")]
mod support;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Barrier;

use support::client::{Client, get, post, trusting_config};
use support::{crd_path, create_folder, review_response, sample_review};

const REQUEST_COUNT: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_parallel_requests_get_their_own_responses() {
    let certificates = create_folder("parallel");
    // The server is a separate process, because each process may open only a limited number of
    // connections. Half of the clients wait in the backlog.
    let mut child = Command::new(env!("CARGO_BIN_EXE_union-webhook"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log",
            "info",
            "--queue-timeout",
            "120",
        ])
        .args([
            "--read-timeout",
            "120",
            "--connections",
            "500",
            "--concurrency",
            "8",
        ])
        .arg("--crds")
        .arg(crd_path())
        .arg("--self-signed")
        .arg(&certificates)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    let mut lines = log
        .lines()
        .map(|line| -> Value { serde_json::from_str(&line.unwrap()).unwrap() });
    let line = lines.find(|line| line["message"] == "listening").unwrap();
    let address: SocketAddr = line["address"].as_str().unwrap().parse().unwrap();
    lines
        .find(|line| line["message"] == "schemas compiled")
        .unwrap();
    // A thread reads the log, because the server would block if the pipe were full.
    let log_reader =
        std::thread::spawn(move || lines.filter(|line| line["message"] == "answered").count());

    let tls_config = trusting_config(&certificates.join("ca.crt"));
    let barrier = Arc::new(Barrier::new(REQUEST_COUNT));
    let tasks: Vec<_> = (0..REQUEST_COUNT)
        .map(|number| {
            let (tls_config, barrier) = (Arc::clone(&tls_config), Arc::clone(&barrier));
            tokio::spawn(async move {
                let (name, path) = sample_and_path(number);
                let mut review = sample_review(name);
                review["request"]["uid"] = number.to_string().into();
                let mut request = post(path, review.to_string());
                // The connection is closed after the response, so that a waiting client is
                // accepted.
                let text = String::from_utf8(request).unwrap();
                request = text
                    .replacen("\r\n", "\r\nconnection: close\r\n", 1)
                    .into_bytes();
                barrier.wait().await;
                let mut client = Client::connect(address, &tls_config).await.unwrap();
                review_response(&client.send_and_read(request).await)
            })
        })
        .collect();
    let mut counts = BTreeMap::new();
    for (number, task) in tasks.into_iter().enumerate() {
        let response = task.await.unwrap();
        assert_eq!(response["uid"], number.to_string());
        let (name, path) = sample_and_path(number);
        let is_allowed = path != "/validate" || name == "legacy.json";
        assert_eq!(
            response["allowed"], is_allowed,
            "{path} of {name}: {response}"
        );
        let has_patch = path == "/mutate" && name == "switch.json";
        assert_eq!(
            response.get("patch").is_some(),
            has_patch,
            "{path} of {name}: {response}"
        );
        *counts.entry((name, path)).or_insert(0) += 1;
    }
    assert!(
        counts.values().all(|count| *count >= REQUEST_COUNT / 6),
        "{counts:?}"
    );

    let metrics = Client::connect(address, &tls_config)
        .await
        .unwrap()
        .send_and_read(get("/metrics"))
        .await;
    let requests = metrics
        .text()
        .lines()
        .filter(|line| line.starts_with("union_webhook_requests_total{"));
    let requests = requests.map(|line| line.rsplit_once(' ').unwrap().1.parse::<usize>().unwrap());
    assert_eq!(requests.sum::<usize>(), REQUEST_COUNT);
    child.kill().unwrap();
    child.wait().unwrap();
    // At the level `info`, a request without changes, tolerated errors and a rejection is not
    // logged.
    let unlogged_count: usize = counts
        .iter()
        .filter(|((name, path), _)| *path == "/mutate" && *name != "switch.json")
        .map(|(_, count)| count)
        .sum();
    assert_eq!(log_reader.join().unwrap(), REQUEST_COUNT - unlogged_count);
}

/// Returns the sample and the path of a request.
fn sample_and_path(number: usize) -> (&'static str, &'static str) {
    let names = ["switch.json", "forgotten.json", "legacy.json"];
    (names[number % 3], ["/mutate", "/validate"][number / 3 % 2])
}
