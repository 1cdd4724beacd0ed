//! Tests of the log: the webhook answers whatever becomes of its log.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use union_webhook::log::LogQueue;

use crate::program::WebhookProcess;
use crate::support::client::{get, post};
use crate::support::{DEADLINE, create_folder, review_response, sample_review};

/// More requests than a pipe has room for log lines.
const REQUEST_COUNT: usize = 250;

/// Returns the number of lines that the webhook dropped, by reason.
fn dropped_lines(metrics: &str, reason: &str) -> u64 {
    let start = format!("union_webhook_dropped_log_lines_total{{reason=\"{reason}\"}} ");
    let count = metrics.lines().find_map(|line| line.strip_prefix(&start));
    count.unwrap().parse().unwrap()
}

/// Sends requests that each write a log line. Each of them must be answered. Returns the metrics.
async fn send_requests(process: &WebhookProcess) -> String {
    let mut client = process.client().await;
    let switch = post("/mutate", sample_review("switch.json").to_string());
    for _ in 0..REQUEST_COUNT {
        let reply = client.send_and_read(&switch).await;
        assert_eq!(review_response(&reply)["patchType"], "JSONPatch");
    }
    let metrics = client.send_and_read(get("/metrics")).await;
    metrics.text().to_owned()
}

/// Returns the ends of a pipe.
fn pipe() -> (io::PipeReader, OwnedFd) {
    let (reader, writer) = io::pipe().unwrap();
    (reader, writer.into())
}

#[tokio::test]
async fn a_closed_log_loses_no_answer() {
    let (reader, writer) = pipe();
    let process = WebhookProcess::start(&create_folder("log-closed"), &[], writer.into()).await;
    drop(reader);
    let metrics = send_requests(&process).await;
    let written = REQUEST_COUNT as u64 - dropped_lines(&metrics, "queue_full");
    // The last lines may still be in the queue.
    assert!(
        dropped_lines(&metrics, "write_failed") > written / 2,
        "{metrics}"
    );
    assert_eq!(process.stop("TERM"), Some(0));
}

#[tokio::test]
async fn a_full_disk_loses_no_answer() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let process = WebhookProcess::start(&create_folder("log-full"), &[], full.into()).await;
    let metrics = send_requests(&process).await;
    assert!(dropped_lines(&metrics, "write_failed") > 0, "{metrics}");
    assert_eq!(process.stop("TERM"), Some(0));
}

#[tokio::test]
async fn a_log_that_nobody_reads_loses_no_answer() {
    let (reader, writer) = pipe();
    let process = WebhookProcess::start(&create_folder("log-unread"), &[], writer.into()).await;
    send_requests(&process).await;
    assert_eq!(process.stop("TERM"), Some(0));
    drop(reader);
}

#[tokio::test]
async fn a_log_without_a_file_loses_no_answer() {
    let process = WebhookProcess::start(&create_folder("log-null"), &[], Stdio::null()).await;
    send_requests(&process).await;
    assert_eq!(process.stop("INT"), Some(0));
}

#[tokio::test]
async fn a_text_log_has_no_json() {
    let (mut reader, writer) = pipe();
    let args = ["--log-format", "text"];
    let process = WebhookProcess::start(&create_folder("log-text"), &args, writer.into()).await;
    let mut client = process.client().await;
    let switch = post("/mutate", sample_review("switch.json").to_string());
    client.send_and_read(&switch).await;
    assert_eq!(process.stop("TERM"), Some(0));
    let mut log = String::new();
    reader.read_to_string(&mut log).unwrap();
    let line = log.lines().find(|line| line.contains("answered")).unwrap();
    assert!(serde_json::from_str::<Value>(line).is_err(), "{line}");
    for field in [
        "INFO",
        "name=\"nightly\"",
        "verdict=\"normalized\"",
        "reason=\"Normalized\"",
    ] {
        assert!(line.contains(field), "{field} in {line}");
    }
}

/// An output whose writes wait for their results.
struct ControlledOutput {
    results: Receiver<io::Result<()>>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Write for ControlledOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.results.recv().unwrap_or(Ok(()))?;
        self.written.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A queue of 10 bytes with a controlled output.
struct ControlledQueue {
    queue: LogQueue,
    results: Sender<io::Result<()>>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl ControlledQueue {
    fn start() -> Self {
        let (sender, results) = channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let output = ControlledOutput {
            results,
            written: Arc::clone(&written),
        };
        Self {
            queue: LogQueue::start(output, 10).unwrap(),
            results: sender,
            written,
        }
    }

    /// Lets all writes succeed, and returns everything that was written.
    fn finish(self) -> Vec<u8> {
        drop(self.results);
        self.queue.flush(Duration::from_secs(60));
        self.written.lock().unwrap().clone()
    }
}

#[test]
fn a_full_queue_drops_and_counts_lines() {
    let controlled = ControlledQueue::start();
    let queue = controlled.queue.clone();
    queue.push(b"first\n");
    // The thread takes the first line, and waits for the output.
    let start = Instant::now();
    while queue.waiting_bytes() > 0 {
        assert!(start.elapsed() < DEADLINE, "the line still waits");
        std::thread::yield_now();
    }
    queue.push(b"12345678\n");
    queue.push(b"dropped\n");
    queue.push(b"\n");
    queue.push(b"dropped\n");
    assert_eq!(queue.dropped().queue_full(), 2);
    // A flush does not wait for a blocked output.
    queue.flush(Duration::ZERO);
    assert_eq!(controlled.finish(), b"first\n12345678\n\n");
    assert_eq!(queue.dropped().write_failed(), 0);
}

#[test]
fn a_failed_write_drops_and_counts_a_line() {
    let controlled = ControlledQueue::start();
    let (queue, results) = (controlled.queue.clone(), &controlled.results);
    results
        .send(Err(io::ErrorKind::StorageFull.into()))
        .unwrap();
    // Interrupted writes, and writes to a non-blocking pipe without room, are repeated.
    results
        .send(Err(io::ErrorKind::Interrupted.into()))
        .unwrap();
    results.send(Err(io::ErrorKind::WouldBlock.into())).unwrap();
    queue.push(b"one\n");
    queue.push(b"two\n");
    assert_eq!(controlled.finish(), b"two\n");
    assert_eq!(queue.dropped().write_failed(), 1);
    assert_eq!(queue.dropped().queue_full(), 0);
}

#[tokio::test]
async fn dropped_lines_are_reported_when_there_is_room() {
    let folder = create_folder("log-report-file");
    let path = folder.join("log");
    // The log is a pipe that nobody reads until the queue is full.
    let (mut reader, writer) = pipe();
    let args = ["--log-queue", "10000"];
    let process = WebhookProcess::start(&create_folder("log-report"), &args, writer.into()).await;
    let mut client = process.client().await;
    let switch = post("/mutate", sample_review("switch.json").to_string());
    let start = Instant::now();
    loop {
        client.send_and_read(&switch).await;
        let metrics = client.send_and_read(get("/metrics")).await;
        if dropped_lines(metrics.text(), "queue_full") > 0 {
            break;
        }
        assert!(start.elapsed() < DEADLINE, "no line is dropped");
    }
    let copying = std::thread::spawn(move || {
        io::copy(&mut reader, &mut File::create(path).unwrap()).unwrap()
    });
    // The next lines find room as soon as the pipe is read.
    let log = folder.join("log");
    let start = Instant::now();
    let report = loop {
        client.send_and_read(&switch).await;
        assert!(start.elapsed() < DEADLINE, "no report");
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let mut lines = text.lines().filter(|line| line.ends_with('}'));
        if let Some(line) = lines.find(|line| line.contains("log lines were dropped")) {
            break serde_json::from_str::<Value>(line).unwrap();
        }
    };
    assert_eq!(report["level"], "WARN");
    assert!(report["dropped"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["write_failed"], 0);
    assert_eq!(process.stop("TERM"), Some(0));
    copying.join().unwrap();
}
