//! The arguments of the listing.

use clap::ValueEnum;

/// The scope of the listing, and its form.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ListingArgs {
    /// List the unions that the rules of a schema declare, and what is wrong with them.
    #[arg(long, conflicts_with_all = ["old", "new"])]
    pub(super) list: bool,

    /// List what is weak too: optional fields alone, hints, what is not a union, and why, and what
    /// rules of lists say of their items together.
    #[arg(long, requires = "list")]
    pub(super) all: bool,

    /// List unions that are so by their names alone; no rule checks them.
    #[arg(long, requires = "list")]
    pub(super) by_convention: bool,

    /// Exit with code 1 if there is a strong finding.
    #[arg(long, requires = "list")]
    pub(super) strict: bool,

    /// Print the unions in a form: what the annotation of the CRD says of them, or `union_spec!`
    /// with its pointer.
    #[arg(long = "as", value_name = "FORM", value_enum, conflicts_with_all = ["old", "new", "jsonl", "list"])]
    pub(super) form: Option<Form>,
}

/// Forms of the unions for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// The value of the annotation `union-runtime.dev/unions`.
    Annotation,
    /// Rust, with `union_spec!`.
    Rust,
}

impl ListingArgs {
    pub(crate) const fn is_asked_for(&self) -> bool {
        self.list || self.form.is_some()
    }
}
