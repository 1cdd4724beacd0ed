//! Attacks on the webhook beside honest clients, and the end of the process under load.
//!
//! Each attack runs against one webhook, while honest clients send requests to that webhook and to
//! a second webhook without an attack. Both share the machine, so the ratio of their rates does not
//! depend on the load of the machine. `.ci/run "webhook with a cluster"` runs these tests, because
//! they take longer than others.

#[expect(dead_code, reason = "other tests need more of it")]
mod program;
#[expect(dead_code, reason = "other tests need more of it")]
mod support;

use std::fs::File;
use std::io::pipe;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::rustls::ClientConfig;

use program::WebhookProcess;
use support::client::{Client, get, post, trusting_config};
use support::{create_folder, sample_review};

/// The number of honest clients of each webhook.
const HONEST_CLIENTS: usize = 4;

/// The number of requests that each client of the second webhook sends before a measurement, in
/// which the attack begins with its handshakes, and during the measurement.
const REQUESTS_BEFORE: usize = 300;
const REQUESTS: usize = 700;

/// The part of their rate that honest clients must keep.
const MIN_RATIO: f64 = 0.8;

/// The number of measurements of an attack, of which one must succeed: on a machine with two cores,
/// the scheduler may prefer one of the webhooks.
const MAX_TRIES: usize = 3;

/// The results of honest clients.
#[derive(Debug, Default)]
struct Answers {
    received: AtomicU64,
    lost: AtomicU64,
}

impl Answers {
    fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// A webhook with probes, and its address.
struct Target {
    process: WebhookProcess,
    tls_config: Arc<ClientConfig>,
}

impl Target {
    /// Starts a webhook with certificates that all webhooks of the test share.
    async fn start(certificates: &Path, log: Stdio) -> Self {
        let args = ["--probes", "127.0.0.1:0", "--read-timeout", "5"];
        let process = WebhookProcess::start(certificates, &args, log).await;
        let tls_config = trusting_config(&certificates.join("ca.crt"));
        Self {
            process,
            tls_config,
        }
    }

    fn address(&self) -> SocketAddr {
        self.process.address
    }

    /// Returns the address of probes.
    fn probes(&self) -> SocketAddr {
        let mut addresses = self.process.addresses.iter();
        *addresses
            .find(|address| **address != self.address())
            .unwrap()
    }

    async fn client(&self) -> Client {
        Client::connect(self.address(), &self.tls_config)
            .await
            .unwrap()
    }
}

/// Sends a request, and counts its answer. Returns false if the request is lost.
async fn send_request(client: &mut Client, request: &[u8], answers: &Answers) -> bool {
    let is_sent = client.send(request).await.is_ok();
    let response = if is_sent {
        client.read_response().await
    } else {
        None
    };
    let is_answered = response.is_some_and(|response| response.code == 200);
    let counter = if is_answered {
        &answers.received
    } else {
        &answers.lost
    };
    counter.fetch_add(1, Ordering::Relaxed);
    is_answered
}

fn switch_request() -> Vec<u8> {
    post("/mutate", sample_review("switch.json").to_string())
}

/// Sends requests until `is_over`, or until a request is lost.
async fn send_until_over(mut client: Client, answers: Arc<Answers>, is_over: Arc<AtomicBool>) {
    let request = switch_request();
    while !is_over.load(Ordering::Relaxed) && send_request(&mut client, &request, &answers).await {}
}

/// Sends a number of requests on each connection, and waits for the answers.
async fn send_requests(clients: Vec<Client>, answers: &Arc<Answers>, count: usize) -> Vec<Client> {
    let mut tasks = JoinSet::new();
    for mut client in clients {
        let answers = Arc::clone(answers);
        tasks.spawn(async move {
            let request = switch_request();
            for _ in 0..count {
                send_request(&mut client, &request, &answers).await;
            }
            client
        });
    }
    tasks.join_all().await
}

/// Sends requests to the port of probes, each on a new connection, until `is_over`.
async fn send_probes(address: SocketAddr, answers: Arc<Answers>, is_over: Arc<AtomicBool>) {
    while !is_over.load(Ordering::Relaxed) {
        let mut response = Vec::new();
        let result = async {
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(&get("/readyz")).await?;
            stream.read_to_end(&mut response).await
        };
        let is_answered = result.await.is_ok() && response.starts_with(b"HTTP/1.1 200");
        let counter = if is_answered {
            &answers.received
        } else {
            &answers.lost
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// A kind of hostile clients.
#[derive(Clone, Copy, Debug)]
enum Attack {
    /// Only the log of the webhook is attacked.
    None,
    /// Connections that send a header and no body.
    SilentBodies(usize),
    /// Connections that send the start of a large body, and then nothing.
    StalledLargeBodies(usize),
    /// Connections that have received an answer, and then send nothing.
    Idle(usize),
    /// Connections that send a header slowly.
    SlowHeaders(usize),
    /// TCP connections that send nothing.
    SilentConnections(usize),
    /// Connections to the port of probes that send nothing.
    SilentProbes(usize),
}

impl Attack {
    const fn client_count(self) -> usize {
        match self {
            Self::None => 0,
            Self::SilentBodies(count)
            | Self::StalledLargeBodies(count)
            | Self::Idle(count)
            | Self::SlowHeaders(count)
            | Self::SilentConnections(count)
            | Self::SilentProbes(count) => count,
        }
    }

    /// Runs one hostile client, until the webhook closes its connection.
    async fn run_client(
        self,
        address: SocketAddr,
        probes: SocketAddr,
        tls_config: &Arc<ClientConfig>,
    ) -> std::io::Result<()> {
        let address = match self {
            Self::SilentConnections(_) => address,
            Self::SilentProbes(_) => probes,
            _ => return self.run_tls_client(address, tls_config).await,
        };
        let mut stream = TcpStream::connect(address).await?;
        stream.read(&mut [0]).await.map(drop)
    }

    async fn run_tls_client(
        self,
        address: SocketAddr,
        tls_config: &Arc<ClientConfig>,
    ) -> std::io::Result<()> {
        let mut client = Client::connect(address, tls_config).await?;
        let head = "POST /mutate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        match self {
            Self::SilentBodies(_) => {
                let head = format!("{head}content-length: 9\r\n\r\n");
                client.send(head).await?;
            }
            Self::StalledLargeBodies(_) => {
                let head = format!("{head}content-length: 4000000\r\n\r\n");
                client.send(head + &" ".repeat(100_000)).await?;
            }
            Self::Idle(_) => client.send(get("/healthz")).await?,
            _ => {
                client.send(head).await?;
                // The interval is part of the attack: the client seems to be only slow.
                let mut interval = tokio::time::interval(Duration::from_millis(100));
                while client.send("a").await.is_ok() {
                    interval.tick().await;
                }
            }
        }
        while client.read_response().await.is_some() {}
        Ok(())
    }
}

/// Runs an attack and honest clients once. Returns the ratio of the rates.
async fn measure(attack: Attack, target: &Target, control: &Target) -> f64 {
    let is_over = Arc::new(AtomicBool::new(false));
    let [answers, control_answers, probe_answers] = [(); 3].map(|()| Arc::new(Answers::default()));
    let mut honest_clients = JoinSet::new();
    // The honest clients are connected before the attack, as API servers are.
    let mut control_clients = Vec::new();
    for _ in 0..HONEST_CLIENTS {
        control_clients.push(control.client().await);
        let client = target.client().await;
        let (answers, is_over) = (Arc::clone(&answers), Arc::clone(&is_over));
        honest_clients.spawn(send_until_over(client, answers, is_over));
    }
    let mut attackers = JoinSet::new();
    let (address, probes) = (target.address(), target.probes());
    for _ in 0..attack.client_count() {
        let tls_config = Arc::clone(&target.tls_config);
        attackers.spawn(async move {
            loop {
                let _ = attack.run_client(address, probes, &tls_config).await;
            }
        });
    }
    let (sent_probes, is_probing_over) = (Arc::clone(&probe_answers), Arc::clone(&is_over));
    honest_clients.spawn(send_probes(probes, sent_probes, is_probing_over));
    let control_clients = send_requests(control_clients, &control_answers, REQUESTS_BEFORE).await;
    let start_counts = [answers.received(), control_answers.received()];
    send_requests(control_clients, &control_answers, REQUESTS).await;
    let counts = [
        answers.received() - start_counts[0],
        control_answers.received() - start_counts[1],
    ];
    is_over.store(true, Ordering::Relaxed);
    honest_clients.join_all().await;
    // The webhook still accepts clients, although the attack goes on.
    let mut new_client = target.client().await;
    assert_eq!(new_client.send_and_read(get("/healthz")).await.code, 200);
    attackers.shutdown().await;
    let lost = [&answers, &control_answers, &probe_answers].map(|answers| answers.lost());
    #[expect(clippy::cast_precision_loss, reason = "the counts are small")]
    let ratio = counts[0] as f64 / counts[1] as f64;
    println!(
        "{attack:?}: {} answers, {} without the attack, ratio {ratio:.2}, {} probes; lost {lost:?}",
        counts[0],
        counts[1],
        probe_answers.received(),
    );
    assert_eq!(lost, [0; 3], "{attack:?}");
    ratio
}

/// Asserts that honest clients keep their rate beside an attack, and lose no answer.
async fn assert_harmless(name: &str, attack: Attack, log: Stdio) {
    let certificates = create_folder(&format!("attacks-{name}"));
    let target = Target::start(&certificates, log).await;
    let control = Target::start(&certificates, Stdio::null()).await;
    for _ in 0..MAX_TRIES {
        if measure(attack, &target, &control).await >= MIN_RATIO {
            assert_eq!(target.process.stop("TERM"), Some(0));
            return;
        }
    }
    panic!("{attack:?}: the honest clients lost more than a fifth of their rate");
}

/// All attacks run one after the other, because they share the cores.
#[tokio::test(flavor = "multi_thread")]
async fn attacks_do_not_slow_honest_clients() {
    let attacks = [
        ("bodies", Attack::SilentBodies(32)),
        ("many-bodies", Attack::SilentBodies(450)),
        ("large", Attack::StalledLargeBodies(32)),
        ("idle", Attack::Idle(500)),
        ("headers", Attack::SlowHeaders(200)),
        ("connections", Attack::SilentConnections(500)),
        ("probes", Attack::SilentProbes(400)),
    ];
    for (name, attack) in attacks {
        assert_harmless(name, attack, Stdio::null()).await;
    }
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    assert_harmless("log-closed", Attack::None, writer.into()).await;
    let (reader, writer) = pipe().unwrap();
    assert_harmless("log-unread", Attack::None, writer.into()).await;
    drop(reader);
    let full = File::options().write(true).open("/dev/full").unwrap();
    assert_harmless("log-full", Attack::None, full.into()).await;
    end_under_load().await;
}

/// The number of clients of [`end_under_load`], and the number of processes that are ended.
const CLIENTS_AT_END: usize = 64;
const ENDS: usize = 20;

/// Asserts that clients lose no answer when the process receives SIGTERM.
async fn end_under_load() {
    let certificates = create_folder("attacks-end");
    let (mut received, mut lost) = (0, 0);
    for _ in 0..ENDS {
        let args = ["--drain", "1"];
        let process = WebhookProcess::start(&certificates, &args, Stdio::null()).await;
        let tls_config = trusting_config(&certificates.join("ca.crt"));
        let answers = Arc::new(Answers::default());
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS_AT_END {
            let (answers, tls_config) = (Arc::clone(&answers), Arc::clone(&tls_config));
            clients.spawn(send_until_refused(process.address, tls_config, answers));
        }
        let start = Instant::now();
        while answers.received() < 2 * CLIENTS_AT_END as u64 {
            assert!(start.elapsed() < Duration::from_secs(60));
            tokio::task::yield_now().await;
        }
        process.signal("TERM");
        clients.join_all().await;
        assert_eq!(process.wait(), Some(0));
        received += answers.received();
        lost += answers.lost();
    }
    println!("{ENDS} ends under {CLIENTS_AT_END} clients: {received} answers, {lost} lost");
    assert_eq!(lost, 0);
}

/// Sends requests on a kept connection, and on a new connection after a response that closes the
/// connection, until the server accepts no connection.
async fn send_until_refused(
    address: SocketAddr,
    tls_config: Arc<ClientConfig>,
    answers: Arc<Answers>,
) {
    let request = switch_request();
    while let Ok(mut client) = Client::connect(address, &tls_config).await {
        loop {
            let _ = client.send(&request).await;
            let Some(response) = client.read_response().await else {
                answers.lost.fetch_add(1, Ordering::Relaxed);
                break;
            };
            answers.received.fetch_add(1, Ordering::Relaxed);
            if response.header("connection") == Some("close") {
                break;
            }
        }
    }
}
