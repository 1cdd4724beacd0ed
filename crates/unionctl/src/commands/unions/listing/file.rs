//! Lists the unions of a file in the selected format.

use super::args::{ExportFormat, ListingArgs};
use super::finding::ListedFinding;
use super::model::Listing;
use super::{annotation, json, rust, sarif, text};
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::schema::SchemaArgs;
use crate::output::print::{self, CommandStatus, OutputFormat};

/// Lists the unions of a file.
pub(crate) fn run(
    args: &ListingArgs,
    schema_args: &SchemaArgs,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    // SARIF and the export formats cannot express rules of lists.
    let analyzes_lists = match output {
        OutputFormat::Text => args.all,
        OutputFormat::Json => args.list,
        OutputFormat::Sarif => false,
    };
    let listing = Listing::read_file(&mut InputReader::default(), schema_args, analyzes_lists)?;
    print::notes(&listing.notes);
    if let Some(export_format) = args.form {
        output.text_or_json()?;
        let (exported, notes) = match export_format {
            ExportFormat::Annotation => annotation::annotation_value(&listing)?,
            ExportFormat::Rust => rust::rust_source(&listing),
        };
        print::notes(&notes);
        return print::raw_text(&exported).map(|()| CommandStatus::Success);
    }
    match output {
        OutputFormat::Text => text::render(&listing, args).print()?,
        OutputFormat::Json => print::json(&[json::listing_json(&listing)])?,
        OutputFormat::Sarif => print::json(&[sarif::sarif_log(&listing)])?,
    }
    let is_rejected = args.strict && listing.findings().any(ListedFinding::is_strong);
    Ok(if is_rejected {
        CommandStatus::Rejected
    } else {
        CommandStatus::Success
    })
}
