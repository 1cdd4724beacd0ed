//! The running executable, with its log or without.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader, pipe};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::Value;

use crate::support::client::{Client, get, trusting_config};
use crate::support::{DEADLINE, crd_path, wait_until};

pub(crate) const EXECUTABLE: &str = env!("CARGO_BIN_EXE_union-webhook");

/// A running webhook. The process is killed when the value is dropped.
pub(crate) struct WebhookProcess {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    /// All addresses on which the process listens.
    pub(crate) addresses: Vec<SocketAddr>,
    /// The folder of certificates, whose CA clients trust.
    certificates: PathBuf,
}

impl WebhookProcess {
    /// Starts the webhook with the CRD of `Backup`, and waits until the webhook is ready. `log` is
    /// its stderr.
    pub(crate) async fn start(certificates: &Path, args: &[&str], log: Stdio) -> Self {
        let crds = crd_path();
        let args = [&["--crds", crds.to_str().unwrap()], args].concat();
        let port_count = 1 + args.iter().filter(|arg| **arg == "--probes").count();
        let mut process = Self::spawn(certificates, &args, log);
        wait_until("the webhook listens", || {
            assert_eq!(process.child.try_wait().unwrap(), None);
            process.addresses = listening_addresses(process.child.id()).unwrap_or_default();
            process.addresses.len() == port_count
        })
        .await;
        let mut errors = Vec::new();
        for address in process.addresses.clone() {
            process.address = address;
            // The port of probes does not speak TLS.
            match process.try_client().await {
                Ok(mut client) => {
                    while client.send_and_read(get("/readyz")).await.code != 200 {}
                    return process;
                }
                Err(error) => errors.push((address, error)),
            }
        }
        panic!("no port speaks TLS: {errors:?}");
    }

    /// Starts the webhook. The address is unknown.
    fn spawn(certificates: &Path, args: &[&str], log: Stdio) -> Self {
        let mut command = Command::new(EXECUTABLE);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--self-signed"])
            .arg(certificates)
            .args(args);
        for default in [["--read-timeout", "60"], ["--drain", "0"]] {
            if !args.contains(&default[0]) {
                command.args(default);
            }
        }
        Self {
            child: command.stderr(log).spawn().unwrap(),
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            addresses: Vec::new(),
            certificates: certificates.to_owned(),
        }
    }

    /// Connects a client that trusts the CA in the folder of certificates.
    pub(crate) async fn client(&self) -> Client {
        self.try_client().await.unwrap()
    }

    pub(crate) async fn try_client(&self) -> io::Result<Client> {
        let tls_config = trusting_config(&self.certificates.join("ca.crt"));
        Client::connect(self.address, &tls_config).await
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(status.success());
    }

    /// Sends a signal to the process, and returns its exit code.
    pub(crate) fn stop(self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.wait()
    }

    /// Waits for the end of the process, and returns its exit code.
    pub(crate) fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for WebhookProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the addresses on which a process listens. The log may be unreadable, so the addresses
/// are found by the numbers of their sockets, in the tables of the system. An address may be twice
/// in such a table, if a socket is added while the table is read.
fn listening_addresses(process: u32) -> Option<Vec<SocketAddr>> {
    let files = fs::read_dir(format!("/proc/{process}/fd")).ok()?;
    let targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    let sockets: Vec<String> = targets
        .filter_map(|target| {
            let socket = target.to_str()?.strip_prefix("socket:[")?;
            Some(socket.strip_suffix(']')?.to_owned())
        })
        .collect();
    let table = fs::read_to_string(format!("/proc/{process}/net/tcp")).ok()?;
    let addresses = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (address, state, socket) = (columns.get(1)?, columns.get(3)?, columns.get(9)?);
        let port = address.split_once(':')?.1;
        // The state of a listening socket.
        let is_listening = *state == "0A" && sockets.iter().any(|own| own == socket);
        let port = is_listening.then(|| u16::from_str_radix(port, 16).ok())??;
        Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    });
    let addresses: BTreeSet<SocketAddr> = addresses.collect();
    Some(addresses.into_iter().collect())
}

/// A running webhook whose log is read by a thread.
pub(crate) struct LoggedProcess {
    pub(crate) process: WebhookProcess,
    lines: Receiver<Value>,
}

impl LoggedProcess {
    /// Starts the webhook, and waits until the schemas are compiled.
    pub(crate) fn start(certificates: &Path, args: &[&str]) -> Self {
        let mut process = Self::start_unread(certificates, args);
        process.wait_for_message("schemas compiled");
        process
    }

    /// Starts the webhook, and waits for nothing.
    pub(crate) fn start_unread(certificates: &Path, args: &[&str]) -> Self {
        let (reader, writer) = pipe().unwrap();
        let process = WebhookProcess::spawn(certificates, args, writer.into());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                let line = serde_json::from_str(&line.unwrap()).unwrap();
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { process, lines }
    }

    /// Waits until a line of the log has this message, and returns the line.
    #[track_caller]
    pub(crate) fn wait_for_message(&mut self, message: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(DEADLINE);
            let line = line.unwrap_or_else(|error| panic!("no line {message:?}: {error}"));
            if line["message"] == "listening" {
                self.process.address = line["address"].as_str().unwrap().parse().unwrap();
            }
            if line["message"] == message {
                return line;
            }
        }
    }

    pub(crate) async fn client(&self) -> Client {
        self.process.client().await
    }

    pub(crate) fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    /// Waits for the end of the process, and returns its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.process.child.wait().unwrap().code()
    }
}
