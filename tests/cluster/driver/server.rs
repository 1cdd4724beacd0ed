//! The process of the API server, which ends with this process.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The time that a server may take to start, and to end.
const START_TIMEOUT: Duration = Duration::from_secs(150);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// An API server that ends when its stdin is closed, and therefore also when this process dies.
pub(crate) struct Server {
    process: Child,
    /// The kubeconfig of an administrator.
    pub(crate) kubeconfig: String,
}

impl Server {
    /// Starts a program of `../server` or `../full`, with its stderr in a log file.
    pub(crate) async fn start(program: &str, log: &Path) -> Result<Self, Box<dyn Error>> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(log)?)
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let stdout = process.stdout.take().ok_or("no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let line = timeout(START_TIMEOUT, lines.next_line()).await;
        let Ok(Ok(Some(line))) = line else {
            process.kill().await?;
            return Err(format!("the API server does not start; see {}", log.display()).into());
        };
        let access: Value = serde_json::from_str(&line)?;
        let kubeconfig = access["kubeconfig"]
            .as_str()
            .ok_or("no kubeconfig")?
            .to_owned();
        Ok(Self {
            process,
            kubeconfig,
        })
    }

    /// Ends the server. It is killed, which is an error, if it does not end in time.
    pub(crate) async fn stop(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.process.stdin.take());
        if timeout(STOP_TIMEOUT, self.process.wait()).await.is_err() {
            self.process.kill().await?;
            return Err("the API server had to be killed".into());
        }
        Ok(())
    }
}
