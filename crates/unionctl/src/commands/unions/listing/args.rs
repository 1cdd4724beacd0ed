//! The arguments of the listing.

use std::path::PathBuf;

use clap::ValueEnum;

/// The flags that select the content and the format of the listing.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ListingArgs {
    /// List the unions that the rules of a schema declare, and the mistakes in the rules.
    #[arg(long, conflicts_with_all = ["old", "new"])]
    pub(super) list: bool,

    #[arg(value_name = "FILES", requires = "list")]
    #[arg(conflicts_with_all = ["schema", "crd", "name", "version", "old", "new", "jsonl", "form", "from_cluster", "context", "kubeconfig", "request_timeout"])]
    #[arg(
        help = "Files whose CRDs are listed, such as the files of a commit; files without a CRD are ignored"
    )]
    pub(super) files: Vec<PathBuf>,

    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "", requires = "list")]
    #[arg(conflicts_with_all = ["files", "schema", "crd", "name", "version", "old", "new", "jsonl", "form", "from_cluster", "all", "by_convention", "strict"])]
    #[arg(help = "List the unions of built-in types, or the unions of a kind with their paths")]
    pub(super) builtin: Option<String>,

    /// Also list weak findings, hints, rules that form no union (with the reason), and relations
    /// between list items.
    #[arg(long, requires = "list", conflicts_with_all = ["form", "new"])]
    pub(super) all: bool,

    /// Also list likely unions: enum values named like sibling fields, without a rule.
    #[arg(long, requires = "list", conflicts_with_all = ["form", "new"])]
    pub(super) by_convention: bool,

    /// Exit with code 1 if there is a strong finding.
    #[arg(long, requires = "list", conflicts_with_all = ["form", "new"])]
    pub(super) strict: bool,

    /// Print the unions for another program: as the annotation of a CRD, or as `union_spec!` with a
    /// pointer.
    #[arg(long = "as", value_name = "FORM", value_enum, conflicts_with_all = ["old", "new", "jsonl", "list"])]
    pub(super) form: Option<ExportFormat>,
}

/// The formats of the unions for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportFormat {
    /// The value of the annotation `union-runtime.dev/unions`.
    Annotation,
    /// Rust, with `union_spec!`.
    Rust,
}

impl ListingArgs {
    /// Returns the flags of a listing of files, and true for each that is given.
    pub(crate) const fn given_flags(&self) -> [(&'static str, bool); 3] {
        [
            ("--all", self.all),
            ("--by-convention", self.by_convention),
            ("--strict", self.strict),
        ]
    }

    pub(crate) const fn is_requested(&self) -> bool {
        self.list || self.form.is_some()
    }
}
