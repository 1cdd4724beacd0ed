//! `unionctl unions --list`: the unions that the rules of schemas declare, and what is wrong with them.

mod annotation;
mod declared;
mod json;
mod lines;
mod lists;
mod placed;
mod read;
mod remark;
mod rust;
mod sarif;
mod server;
mod text;

use clap::ValueEnum;

use crate::input::Inputs;
use crate::judge::schema::SchemaArgs;
use crate::output::output::{self, Output, Verdict};
use crate::problem::Problem;

pub(crate) use lines::run as jsonl;
pub(crate) use placed::of_text;
use read::Listing;
use remark::Remark;

/// What is listed, and how.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ListingArgs {
    /// List the unions that the rules of a schema declare, and what is wrong with them.
    #[arg(long, conflicts_with_all = ["old", "new"])]
    list: bool,

    /// List what is weak too: optional fields alone, hints, what is not a union, and why, and what rules of lists say of their items
    /// together.
    #[arg(long, requires = "list")]
    all: bool,

    /// List unions that are so by their names alone; no rule checks them.
    #[arg(long, requires = "list")]
    by_convention: bool,

    /// Exit with code 1 if there is a strong finding.
    #[arg(long, requires = "list")]
    strict: bool,

    /// Print the unions in a form: what the annotation of the CRD says of them, or `union_spec!` with its pointer.
    #[arg(long = "as", value_name = "FORM", value_enum, conflicts_with_all = ["old", "new", "jsonl", "list"])]
    form: Option<Form>,
}

/// Forms of the unions for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The value of the annotation `union-runtime/unions`.
    Annotation,
    /// Rust, with `union_spec!`.
    Rust,
}

impl ListingArgs {
    pub(crate) const fn is_asked_for(&self) -> bool {
        self.list || self.form.is_some()
    }
}

/// Lists the unions of a file.
pub(crate) fn run(
    args: &ListingArgs,
    schema: &SchemaArgs,
    output: Output,
) -> Result<Verdict, Problem> {
    // SARIF and the other forms have no place for them.
    let with_lists = match output {
        Output::Text => args.all,
        Output::Json => args.list,
        Output::Sarif => false,
    };
    let listing = Listing::read(&mut Inputs::default(), schema, with_lists)?;
    output::notes(&listing.notes);
    if let Some(form) = args.form {
        output.format()?;
        let (text, notes) = match form {
            Form::Annotation => annotation::print(&listing)?,
            Form::Rust => rust::print(&listing),
        };
        output::notes(&notes);
        return output::plain(&text).map(|()| Verdict::Fine);
    }
    match output {
        Output::Text => text::print(&listing, args).print()?,
        Output::Json => output::json(&[json::of(&listing)])?,
        Output::Sarif => output::json(&[sarif::of(&listing)])?,
    }
    let is_wrong = args.strict && listing.remarks().any(Remark::is_strong);
    Ok(if is_wrong {
        Verdict::Refused
    } else {
        Verdict::Fine
    })
}
