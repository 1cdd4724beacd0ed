//! The flags for reading from a cluster, with kubectl's names.

use std::ffi::OsString;
use std::path::PathBuf;

use super::connection::Cluster;
use super::kubectl::Kubectl;
use crate::error::{CommandError, reject_flags};

/// The reason why the flags for a cluster have no effect.
const ALL_INPUTS_ARE_FILES: &str =
    ", because all inputs are files; remove it, or add --from-cluster";

/// The program that the process runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `unionctl`, which reads from a cluster only with `--from-cluster`, so that a command in a
    /// script does not reach for a network by surprise.
    Unionctl,
    /// `kubectl union`, which reads from the cluster if no file is given.
    KubectlPlugin,
}

/// The state of the inputs that files supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileInputs {
    /// The files suffice for the command.
    Complete,
    /// The command needs an input that no flag names.
    Incomplete,
}

impl FileInputs {
    /// Returns `Complete` if the flags name all files that the command needs.
    pub(crate) const fn new(are_complete: bool) -> Self {
        if are_complete {
            Self::Complete
        } else {
            Self::Incomplete
        }
    }
}

/// The flags for a cluster. All but `--from-cluster` are passed to kubectl.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ClusterArgs {
    #[arg(long, help_heading = "Cluster")]
    #[arg(
        help = "Read the inputs that no flag names from the cluster, by kubectl; `kubectl union` does so without the flag if no CRD is named"
    )]
    from_cluster: bool,

    /// The context of the kubeconfig file.
    #[arg(long, value_name = "NAME", help_heading = "Cluster")]
    context: Option<String>,

    /// The kubeconfig file.
    #[arg(long, value_name = "FILE", help_heading = "Cluster")]
    kubeconfig: Option<PathBuf>,

    /// The time limit of a request to the cluster, such as 30s.
    #[arg(long, value_name = "DURATION", help_heading = "Cluster")]
    request_timeout: Option<String>,
}

/// The flags that select the stored objects of a cluster. `-n` is not among these flags, because it
/// also applies to objects in files.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SelectionArgs {
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = "Cluster")]
    #[arg(help = "The label selector of the stored objects to read, such as app=web,tier!=cache")]
    pub(crate) selector: Option<String>,

    #[arg(
        short = 'A',
        long,
        conflicts_with = "namespace",
        help_heading = "Cluster"
    )]
    #[arg(help = "Read the stored objects of all namespaces; this is the default without -n")]
    all_namespaces: bool,
}

impl ClusterArgs {
    /// Returns the cluster; `None` if the command does not read from a cluster. The other flags of
    /// the cluster are then an error, because they would have no effect.
    pub(crate) fn cluster(
        &self,
        program: Program,
        inputs: FileInputs,
    ) -> Result<Option<Cluster>, CommandError> {
        let is_plugin = program == Program::KubectlPlugin;
        if self.from_cluster || is_plugin && inputs == FileInputs::Incomplete {
            return Ok(Some(Cluster::new(Kubectl::new(self.kubectl_flags())?)));
        }
        reject_flags(&self.given_flags(), ALL_INPUTS_ARE_FILES)?;
        Ok(None)
    }

    /// Returns the flags, and true for each that is given.
    pub(crate) const fn given_flags(&self) -> [(&'static str, bool); 4] {
        [
            ("--from-cluster", self.from_cluster),
            ("--context", self.context.is_some()),
            ("--kubeconfig", self.kubeconfig.is_some()),
            ("--request-timeout", self.request_timeout.is_some()),
        ]
    }

    /// Returns an error if a flag is given to a command that reads lines.
    pub(crate) fn reject_with_lines(&self) -> Result<(), CommandError> {
        reject_flags(&self.given_flags(), " with --jsonl; remove it")
    }

    /// Returns the flags of kubectl. A flag and its value are one argument, so that kubectl cannot
    /// parse the value as a flag.
    fn kubectl_flags(&self) -> Vec<OsString> {
        let flags = [
            ("--context=", self.context.as_ref().map(OsString::from)),
            (
                "--kubeconfig=",
                self.kubeconfig.as_ref().map(OsString::from),
            ),
            (
                "--request-timeout=",
                self.request_timeout.as_ref().map(OsString::from),
            ),
        ];
        let flags = flags.into_iter();
        let flags = flags.filter_map(|(flag, value)| {
            let mut argument = OsString::from(flag);
            argument.push(value?);
            Some(argument)
        });
        flags.collect()
    }
}

impl SelectionArgs {
    /// Returns an error if a flag is given to a command that does not read from a cluster.
    pub(crate) fn reject_without_cluster(&self) -> Result<(), CommandError> {
        let flags = [
            ("--selector", self.selector.is_some()),
            ("--all-namespaces", self.all_namespaces),
        ];
        reject_flags(&flags, ALL_INPUTS_ARE_FILES)
    }
}
