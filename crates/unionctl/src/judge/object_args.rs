//! The flags for files with objects, with kubectl's names.

/// The flags for the objects of a file or a folder.
#[derive(Debug, clap::Args)]
pub(crate) struct ObjectArgs {
    #[arg(short = 'R', long, value_name = "BOOL", num_args = 0..=1, require_equals = true)]
    #[arg(default_value_t = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    #[arg(
        help = "Read the subfolders of a folder, too; unlike in kubectl, this is the default, so that no object is missed"
    )]
    pub(crate) recursive: bool,

    #[arg(short, long, value_name = "NAMESPACE")]
    #[arg(
        help = "The namespace of objects that do not have one, by default \"default\" or the namespace of kubectl's context; with a cluster, the namespace whose objects are read"
    )]
    pub(crate) namespace: Option<String>,

    #[arg(long)]
    #[arg(
        help = "Reject objects of a CRD's group that no CRD describes; by default, they are only named, because the other CRDs of a group are often in other files"
    )]
    pub(crate) strict_kinds: bool,
}

impl ObjectArgs {
    /// Returns the flags, and true for each that differs from its default.
    pub(crate) const fn given_flags(&self) -> [(&'static str, bool); 3] {
        [
            ("--recursive", !self.recursive),
            ("--namespace", self.namespace.is_some()),
            ("--strict-kinds", self.strict_kinds),
        ]
    }
}
