//! The process of the program `union-webhook`, run as its Deployment runs it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::cluster::{Cluster, Deadline, Fallible, text};

/// The file with the CA of the API server, in the folder of certificates.
const CA_FILE: &str = "ca.crt";

/// The time that the webhook may take to end: it closes the connections that the API server keeps
/// open.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The program and its files.
pub(crate) struct Webhook {
    program: String,
    folder: PathBuf,
    /// The flags of the Deployment, adapted to this machine.
    flags: Vec<String>,
}

impl Webhook {
    /// Creates a folder with certificates for loopback addresses.
    pub(crate) async fn prepare(program: &str, folder: &Path) -> Fallible<Self> {
        fs::create_dir_all(folder)?;
        let webhook = Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            flags: Vec::new(),
        };
        webhook.create_certificates(&webhook.certificates()).await?;
        Ok(webhook)
    }

    /// Creates certificates for loopback addresses in a folder, with a new CA.
    async fn create_certificates(&self, folder: &str) -> Fallible {
        let hosts = ["--host", "localhost", "--host", "127.0.0.1"];
        let args = [&["certs", "--out", folder], &hosts[..]].concat();
        self.run(&args).await.map(drop)
    }

    /// Overwrites the certificate files with certificates of another CA, as Kubernetes does in a
    /// mounted Secret.
    pub(crate) async fn renew(&self) -> Fallible {
        let new_folder = self.folder.join("renewed");
        self.create_certificates(&new_folder.display().to_string())
            .await?;
        for file in fs::read_dir(&new_folder)? {
            let file = file?;
            fs::copy(
                file.path(),
                Path::new(&self.certificates()).join(file.file_name()),
            )?;
        }
        Ok(())
    }

    /// Returns the manifests that the program prints.
    pub(crate) async fn manifests(&self) -> Fallible<Vec<Value>> {
        let certificates = self.certificates();
        let image = "registry.example.com/union-webhook:1";
        let args = ["manifests", "--certs", &certificates, "--image", image];
        let output = self.run(&args).await?;
        Ok(serde_saphyr::from_multiple(&String::from_utf8(
            output.stdout,
        )?)?)
    }

    /// Returns the flags of the Deployment with local paths and ports. The webhook looks for
    /// changed CRDs often, and ends without a delay.
    pub(crate) fn take_flags(&mut self, deployment: &Value) -> Fallible {
        let flags = deployment.pointer("/spec/template/spec/containers/0/args");
        let flags = flags.and_then(Value::as_array).ok_or("no args")?;
        let (folder, mut kept_flags) = (self.certificates(), 0);
        let flags = flags.iter().map(|flag| {
            let flag = text(flag);
            let (name, value) = flag.split_once('=').unwrap_or((&flag, ""));
            match (name, value.strip_prefix("/certificates")) {
                ("--listen", _) => "--listen=127.0.0.1:0".to_owned(),
                ("--probes", _) => "--probes=127.0.0.1:0".to_owned(),
                ("--drain", _) => "--drain=0".to_owned(),
                (_, Some(file)) => format!("{name}={folder}{file}"),
                _ => {
                    kept_flags += 1;
                    flag
                }
            }
        });
        self.flags = flags.collect();
        self.flags.push("--refresh=1".to_owned());
        // The flags `serve`, `--cluster`, `--concurrency` and `--grace` stay as they are.
        if kept_flags != 4 {
            return Err(format!("the Deployment's flags are others: {:?}", self.flags).into());
        }
        Ok(())
    }

    /// Writes a kubeconfig for a server, and returns its path.
    pub(crate) fn write_kubeconfig(
        &self,
        name: &str,
        cluster: &Value,
        user: &Value,
    ) -> Fallible<String> {
        let kubeconfig = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": name,
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        });
        let path = self.folder.join(name);
        fs::write(&path, kubeconfig.to_string())?;
        Ok(path.display().to_string())
    }

    /// Starts the webhook, and waits until it is ready. It listens at the given address, or at a
    /// free port.
    pub(crate) async fn start(
        &self,
        kubeconfig: &str,
        address: Option<&str>,
    ) -> Fallible<Process<'_>> {
        let mut flags = self.flags.clone();
        for flag in flags.iter_mut().filter(|_| address.is_some()) {
            if flag.starts_with("--listen=") {
                *flag = format!("--listen={}", address.unwrap_or_default());
            }
        }
        self.start_with(&flags, "log", kubeconfig).await
    }

    /// Starts a further process of the webhook at a free port, which drains for a second when it
    /// ends.
    pub(crate) async fn start_replica(
        &self,
        kubeconfig: &str,
        number: usize,
    ) -> Fallible<Process<'_>> {
        let flags = self.flags.iter().map(|flag| match flag.as_str() {
            "--drain=0" => "--drain=1".to_owned(),
            flag => flag.to_owned(),
        });
        let flags: Vec<String> = flags.collect();
        let log = format!("log-of-replica-{number}");
        self.start_with(&flags, &log, kubeconfig).await
    }

    async fn start_with(
        &self,
        flags: &[String],
        log: &str,
        kubeconfig: &str,
    ) -> Fallible<Process<'_>> {
        let log = self.folder.join(log);
        let child = Command::new(&self.program)
            .args(flags)
            .env("KUBECONFIG", kubeconfig)
            .stderr(File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program))?;
        let mut process = Process {
            webhook: self,
            child,
            address: String::new(),
            log,
        };
        let deadline = Deadline::new();
        while process.address.is_empty() {
            process.check_running()?;
            let lines = process.log()?;
            let listening = lines.iter().find(|line| line["message"] == "listening");
            process.address = listening.map_or_else(String::new, |line| text(&line["address"]));
            deadline.wait("the webhook listens").await?;
        }
        let probe_client = process.probe_client().await?;
        while !probe_client
            .get("/readyz")
            .await
            .is_ok_and(|response| response.is_accepted())
        {
            process.check_running()?;
            deadline.wait("the webhook is ready").await?;
        }
        Ok(process)
    }

    async fn run(&self, args: &[&str]) -> Fallible<Output> {
        let output = Command::new(&self.program).args(args).output().await;
        let output = output.map_err(|error| format!("{}: {error}", self.program))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!("union-webhook {args:?}: {stderr}").into());
        }
        Ok(output)
    }

    fn certificates(&self) -> String {
        self.folder.join("certificates").display().to_string()
    }
}

/// The running webhook, which ends with this process at the latest.
pub(crate) struct Process<'w> {
    webhook: &'w Webhook,
    child: Child,
    pub(crate) address: String,
    log: PathBuf,
}

impl Process<'_> {
    /// Returns a client of the webhook, for its probes.
    pub(crate) async fn probe_client(&self) -> Fallible<Cluster> {
        let certificates = self.webhook.certificates();
        let cluster = json!({
            "server": self.url(""),
            "certificate-authority": format!("{certificates}/{CA_FILE}"),
        });
        let kubeconfig = self
            .webhook
            .write_kubeconfig("probe", &cluster, &json!({}))?;
        Cluster::connect(&kubeconfig).await
    }

    /// Returns the URL of a path of the webhook.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    /// Returns the complete lines of the log.
    pub(crate) fn log(&self) -> Fallible<Vec<Value>> {
        let text = fs::read_to_string(&self.log)?;
        let lines = text.split_inclusive('\n');
        let complete_lines = lines.filter(|line| line.ends_with('\n'));
        Ok(complete_lines.flat_map(serde_json::from_str).collect())
    }

    /// Sends SIGHUP, at which the webhook reads its certificates and the CRDs again.
    pub(crate) async fn hang_up(&self) -> Fallible {
        let id = self.child.id().ok_or("the webhook has ended")?;
        let mut kill = Command::new("kill");
        let kill_status = kill.args(["-HUP", &id.to_string()]).status().await?;
        kill_status
            .success()
            .then_some(())
            .ok_or_else(|| "`kill` failed".into())
    }

    /// Returns the number of log entries with this message.
    pub(crate) fn count_log_lines(&self, message: &str) -> Fallible<usize> {
        let log = self.log()?;
        Ok(log.iter().filter(|line| line["message"] == message).count())
    }

    /// Ends the webhook by SIGTERM, as Kubernetes does, and returns an error unless it exits with
    /// code 0.
    pub(crate) async fn stop(mut self) -> Fallible {
        let id = self.child.id().ok_or("the webhook has already ended")?;
        let mut kill = Command::new("kill");
        let kill_status = kill.args(["-TERM", &id.to_string()]).status().await?;
        let exit_result = timeout(STOP_TIMEOUT, self.child.wait()).await;
        let exit_status = exit_result.map_err(|_| "the webhook did not end in time")??;
        if !kill_status.success() || !exit_status.success() {
            return Err(format!("{} ended with {exit_status}", self.webhook.program).into());
        }
        Ok(())
    }

    /// Returns an error if the webhook has ended.
    fn check_running(&mut self) -> Fallible {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(exit_status) => {
                let log = fs::read_to_string(&self.log)?;
                Err(format!("the webhook ended with {exit_status}:\n{log}").into())
            }
        }
    }
}
