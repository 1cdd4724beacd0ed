//! The running executable, with its log or without.

use std::fs;
use std::io::{BufRead as _, BufReader, PipeReader, pipe};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::client::{Client, get, trusting_config};
use crate::support::crd_path;

pub(crate) const EXECUTABLE: &str = env!("CARGO_BIN_EXE_union-webhook");

/// A running webhook. The process is killed when the value is dropped.
pub(crate) struct WebhookProcess {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    /// The folder of certificates, whose CA clients trust.
    certificates: PathBuf,
}

impl WebhookProcess {
    /// Starts the webhook with the CRD of `Backup`, and waits until the webhook is ready. `log` is
    /// its stderr.
    pub(crate) async fn start(certificates: &Path, args: &[&str], log: Stdio) -> Self {
        let crds = crd_path();
        let args = [&["--crds", crds.to_str().unwrap(), "--drain", "0"], args].concat();
        let mut process = Self::spawn(certificates, &args, log);
        process.address = loop {
            assert_eq!(process.child.try_wait().unwrap(), None);
            if let Some(address) = listening_address(process.child.id()) {
                break address;
            }
            tokio::task::yield_now().await;
        };
        let mut client = process.client().await;
        while client.send_and_read(get("/readyz")).await.code != 200 {}
        process
    }

    /// Starts the webhook. The address is unknown.
    fn spawn(certificates: &Path, args: &[&str], log: Stdio) -> Self {
        let mut command = Command::new(EXECUTABLE);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--read-timeout", "60"])
            .arg("--self-signed")
            .arg(certificates)
            .args(args);
        Self {
            child: command.stderr(log).spawn().unwrap(),
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            certificates: certificates.to_owned(),
        }
    }

    /// Connects a client that trusts the CA in the folder of certificates.
    pub(crate) async fn client(&self) -> Client {
        let tls_config = trusting_config(&self.certificates.join("ca.crt"));
        Client::connect(self.address, &tls_config).await.unwrap()
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(status.success());
    }

    /// Sends a signal to the process, and returns its exit code.
    pub(crate) fn stop(mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.child.wait().unwrap().code()
    }
}

impl Drop for WebhookProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the address on which a process listens. The log may be unreadable, so the address is
/// found by the number of its socket, in the tables of the system.
fn listening_address(process: u32) -> Option<SocketAddr> {
    let files = fs::read_dir(format!("/proc/{process}/fd")).ok()?;
    let targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    let sockets: Vec<String> = targets
        .filter_map(|target| {
            let socket = target.to_str()?.strip_prefix("socket:[")?;
            Some(socket.strip_suffix(']')?.to_owned())
        })
        .collect();
    let table = fs::read_to_string(format!("/proc/{process}/net/tcp")).ok()?;
    table.lines().find_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (address, state, socket) = (columns.get(1)?, columns.get(3)?, columns.get(9)?);
        let port = address.split_once(':')?.1;
        // The state of a listening socket.
        let is_listening = *state == "0A" && sockets.iter().any(|own| own == socket);
        let port = is_listening.then(|| u16::from_str_radix(port, 16).ok())??;
        Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    })
}

/// A running webhook whose log is read.
pub(crate) struct LoggedProcess {
    pub(crate) process: WebhookProcess,
    log: BufReader<PipeReader>,
}

impl LoggedProcess {
    /// Starts the webhook, and waits until the schemas are compiled.
    pub(crate) fn start(certificates: &Path, args: &[&str]) -> Self {
        let (reader, writer) = pipe().unwrap();
        let process = WebhookProcess::spawn(certificates, args, writer.into());
        let mut process = Self {
            process,
            log: BufReader::new(reader),
        };
        let line = process.wait_for_message("listening");
        process.process.address = line["address"].as_str().unwrap().parse().unwrap();
        process.wait_for_message("schemas compiled");
        process
    }

    /// Reads the log until a line has this message, and returns the line.
    #[track_caller]
    pub(crate) fn wait_for_message(&mut self, message: &str) -> Value {
        loop {
            let mut line = String::new();
            self.log.read_line(&mut line).unwrap();
            assert!(
                !line.is_empty(),
                "the webhook ended before it logged {message:?}"
            );
            let line: Value = serde_json::from_str(&line).unwrap();
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
