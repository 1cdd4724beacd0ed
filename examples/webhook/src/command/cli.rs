//! The command line. The doc comments of arguments are the help.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use tracing::level_filters::LevelFilter;
use union_runtime::{RestoreUnaware, Settings};
use union_webhook::app::Limits;
use union_webhook::log::LogFormat;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::MissingCrd;

/// An admission webhook for the unions of custom resources.
#[derive(Debug, Parser)]
#[command(name = "union-webhook", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve /mutate and /validate. SIGHUP reads CRDs and certificates again; SIGTERM and SIGINT
    /// end the server gracefully.
    Serve(Box<ServeArgs>),
    /// Make a CA and a certificate, for local runs and first tries: ca.crt, tls.crt and tls.key in
    /// a folder.
    Certs(CertsArgs),
    /// Print the manifests to apply to a cluster, with the certificates of a folder.
    Manifests(ManifestsArgs),
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("source").required(true).args(SOURCES))]
#[command(group = ArgGroup::new("certificates").required(true).args(["self_signed", "tls_cert"]))]
pub(crate) struct ServeArgs {
    /// A file of CRDs, or a folder of such files; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) crds: Vec<PathBuf>,

    /// Find the CRDs of the cluster that have the annotation `union-runtime.dev/unions`.
    #[cfg(feature = "cluster")]
    #[arg(long)]
    pub(crate) cluster: bool,

    /// The interval at which the webhook reads the CRDs of the cluster and renewed certificates, in
    /// seconds.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, requires = "cluster")]
    pub(crate) refresh: Duration,

    /// The address on which the webhook listens.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8443")]
    pub(crate) listen: SocketAddr,

    /// The address of a second port, which serves /healthz, /readyz and /metrics over plain HTTP on
    /// a thread of its own. Probes of this port are answered whatever the clients of the first port
    /// do.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) probes: Option<SocketAddr>,

    /// The PEM file of the certificate and its chain.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The PEM file of the key of the certificate.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// A folder of certificates for localhost, for local runs. The webhook makes the certificates
    /// if the folder does not have any.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) self_signed: Option<PathBuf>,

    /// A kind whose CRD declares unions only in its rules, as
    /// `HTTPRoute.gateway.networking.k8s.io`; may be given several times. The objects of the kind
    /// are normalized and validated by these unions.
    #[arg(long, value_name = "KIND.GROUP", value_parser = parse_kind_and_group)]
    pub(crate) foreign: Vec<String>,

    /// The treatment of objects whose CRD or unions have disappeared from the webhook since its
    /// start: the objects are rejected (reject), or the last CRD is still used (keep).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) missing_crd: MissingCrdArg,

    #[command(flatten)]
    pub(crate) review: ReviewSettingsArgs,

    #[command(flatten)]
    pub(crate) limits: LimitsArgs,

    /// The number of threads that answer requests; by default the number of cores.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,

    /// The time in seconds for which the webhook keeps serving after a signal to end. API servers
    /// stop sending requests in this time, because the webhook reports that it is not ready.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    pub(crate) drain: Duration,

    /// The time in seconds that requests in progress may take after that.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = parse_seconds)]
    pub(crate) grace: Duration,

    /// The log level: off, error, warn, info (changed, tolerated and rejected objects), debug (all
    /// requests), trace.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub(crate) log: LevelFilter,

    /// The format of log lines: JSON objects (json), or plain text (text).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) log_format: LogFormatArg,

    /// The memory for log lines that wait to be written, in bytes. Further lines are dropped and
    /// counted.
    #[arg(long, value_name = "BYTES", default_value = "4194304")]
    pub(crate) log_queue: usize,

    /// The interval in seconds at which the webhook warns about CRDs that have disappeared and
    /// about an expired certificate.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub(crate) warn_every: Duration,
}

#[cfg(feature = "cluster")]
const SOURCES: [&str; 2] = ["crds", "cluster"];
#[cfg(not(feature = "cluster"))]
const SOURCES: [&str; 1] = ["crds"];

/// The arguments of normalization and validation.
#[derive(Args, Debug)]
pub(crate) struct ReviewSettingsArgs {
    /// The errors that an update may keep: errors that the old object has for the same reason
    /// (same-reason), all errors of a union in an unchanged struct (unchanged), or no errors (off).
    #[arg(long, value_enum, default_value_t)]
    ratchet: RatchetArg,

    /// The members to restore after a client dropped them because it does not know them: no members
    /// (off), required members (required), or all members (all).
    #[arg(long, value_enum, default_value_t)]
    restore_unaware: RestoreArg,

    /// Validate the whole schema too, as an API server would. Use it for schemas that are tighter
    /// than the schemas of the cluster.
    #[arg(long)]
    pub(crate) whole_schema: bool,

    /// The errors of the whole schema that an update may keep: the errors that API servers tolerate
    /// (api-server), or the errors that KEP-4008 describes as tolerated (kep-4008).
    #[arg(long, value_enum, default_value_t, requires = "whole_schema")]
    policy: PolicyArg,
}

impl ReviewSettingsArgs {
    pub(crate) fn review_settings(&self) -> ReviewSettings {
        ReviewSettings {
            unions: Settings::default()
                .ratchet(self.ratchet.into())
                .restore_unaware(self.restore_unaware.into()),
            whole_object: k8s_crd_validation::ServerSettings::default().policy(self.policy.into()),
        }
    }
}

/// The limits on requests.
#[derive(Args, Debug)]
pub(crate) struct LimitsArgs {
    /// The greatest size of a body, in bytes. A review has two objects, and API servers store
    /// objects of up to 1.5 MiB.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_body_bytes)]
    max_body_bytes: usize,

    /// The memory for bodies of more than 64 KiB, in bytes. A large body reserves its whole length,
    /// and waits for that up to --queue-timeout.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_body_memory)]
    body_memory: usize,

    /// The number of reviews that are processed at once; by default the number of cores. It bounds
    /// the objects in memory.
    #[arg(long, value_name = "NUMBER", default_value_t = at_least_one(Limits::default().max_concurrency))]
    concurrency: std::num::NonZeroU16,

    /// The greatest number of open connections. A further connection ends the connection that has
    /// waited longest for its client, if that is longer than half of --read-timeout. Otherwise the
    /// further connection waits.
    #[arg(long, value_name = "NUMBER", default_value_t = at_least_one(Limits::default().max_connections))]
    connections: std::num::NonZeroU16,

    /// The greatest number of connections from one address; by default as many as --connections,
    /// because all requests may come from one API server.
    #[arg(long, value_name = "NUMBER")]
    connections_per_peer: Option<std::num::NonZeroU16>,

    /// The time in seconds that a request waits for its turn before it is answered with 503.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    queue_timeout: Duration,

    /// The time limits of a handshake, of a header and of a body, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    read_timeout: Duration,

    /// The time in seconds that a connection may wait for its next request. API servers keep a
    /// connection for 90 seconds.
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = parse_seconds)]
    idle_timeout: Duration,
}

impl LimitsArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            max_body_bytes: self.max_body_bytes,
            max_body_memory: self.body_memory,
            max_concurrency: self.concurrency.get().into(),
            queue_timeout: self.queue_timeout,
            max_connections: self.connections.get().into(),
            max_connections_per_peer: self
                .connections_per_peer
                .unwrap_or(self.connections)
                .get()
                .into(),
            handshake_timeout: self.read_timeout,
            header_timeout: self.read_timeout,
            body_timeout: self.read_timeout,
            idle_timeout: self.idle_timeout,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CertsArgs {
    /// The folder for the files ca.crt, tls.crt and tls.key.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,

    /// A host name of the certificate; may be given several times. By default, the host names of
    /// the service in the manifests.
    #[arg(long, value_name = "NAME", default_values = union_webhook::manifests::SERVICE_HOSTS)]
    pub(crate) host: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ManifestsArgs {
    /// A folder with ca.crt, tls.crt and tls.key.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) certs: PathBuf,

    #[command(flatten)]
    pub(crate) location: WebhookLocationArgs,
}

/// The location of the webhook: in the cluster, or outside of the cluster.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct WebhookLocationArgs {
    /// The image of the webhook, built with feature `cluster`. The manifests then run the webhook
    /// in the cluster.
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,

    /// The URL by which API servers reach a webhook outside of the cluster, as
    /// `https://localhost:8443`. Only the two webhook configurations are printed.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// Checks that an argument is a kind and its group, and returns the argument.
fn parse_kind_and_group(argument: &str) -> Result<String, String> {
    match argument.split_once('.') {
        Some((kind, group)) if !kind.is_empty() && !group.is_empty() => Ok(argument.to_owned()),
        _ => Err(format!(
            "{argument:?} must be a kind and its group, such as HTTPRoute.gateway.networking.k8s.io"
        )),
    }
}

/// Parses a number of seconds, which may have a fraction.
fn parse_seconds(argument: &str) -> Result<Duration, String> {
    let duration = argument.parse().ok().and_then(|seconds| {
        // A longer time is a mistake of the user, and may overflow an `Instant`.
        let max_duration = Duration::from_secs(24 * 60 * 60);
        let duration = Duration::try_from_secs_f64(seconds).ok()?;
        (duration <= max_duration).then_some(duration)
    });
    duration.ok_or_else(|| {
        format!("{argument:?} must be a number of seconds from 0 to 86400, such as 2.5")
    })
}

/// Converts a default limit to the type of its argument.
fn at_least_one(limit: usize) -> std::num::NonZeroU16 {
    let limit = u16::try_from(limit).unwrap_or(u16::MAX);
    std::num::NonZeroU16::new(limit).unwrap_or(std::num::NonZeroU16::MIN)
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum RatchetArg {
    #[default]
    SameReason,
    Unchanged,
    Off,
}

impl From<RatchetArg> for union_runtime::Ratchet {
    fn from(ratchet: RatchetArg) -> Self {
        match ratchet {
            RatchetArg::SameReason => Self::SameReason,
            RatchetArg::Unchanged => Self::Unchanged,
            RatchetArg::Off => Self::Off,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum RestoreArg {
    #[default]
    Off,
    Required,
    All,
}

impl From<RestoreArg> for RestoreUnaware {
    fn from(restore: RestoreArg) -> Self {
        match restore {
            RestoreArg::Off => Self::Off,
            RestoreArg::Required => Self::Required,
            RestoreArg::All => Self::All,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum PolicyArg {
    #[default]
    ApiServer,
    #[value(name = "kep-4008")]
    Kep4008,
}

impl From<PolicyArg> for k8s_crd_validation::RatchetingPolicy {
    fn from(policy: PolicyArg) -> Self {
        match policy {
            PolicyArg::ApiServer => Self::ApiServer,
            PolicyArg::Kep4008 => Self::Kep4008,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum MissingCrdArg {
    #[default]
    Reject,
    Keep,
}

impl From<MissingCrdArg> for MissingCrd {
    fn from(treatment: MissingCrdArg) -> Self {
        match treatment {
            MissingCrdArg::Reject => Self::Reject,
            MissingCrdArg::Keep => Self::Keep,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum LogFormatArg {
    #[default]
    Json,
    Text,
}

impl From<LogFormatArg> for LogFormat {
    fn from(format: LogFormatArg) -> Self {
        match format {
            LogFormatArg::Json => Self::Json,
            LogFormatArg::Text => Self::Text,
        }
    }
}
