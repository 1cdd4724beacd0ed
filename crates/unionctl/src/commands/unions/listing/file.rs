//! Lists the unions of files in the selected format.

use serde_json::{Value, json};

use super::args::{ExportFormat, ListingArgs};
use super::finding::ListedFinding;
use super::model::Listing;
use super::{annotation, builtin, json as listing_json, rust, sarif, text};
use crate::cluster::Program;
use crate::error::CommandError;
use crate::input::{CrdFiles, Documents, InputReader};
use crate::judge::schema::SchemaArgs;
use crate::output::print::{self, CommandStatus, OutputFormat};

/// Lists the unions of a file, of the files with CRDs among many files, or of the CRDs of a
/// cluster.
pub(crate) fn run(
    args: &ListingArgs,
    schema_args: &SchemaArgs,
    program: Program,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    if let Some(kind_name) = &args.builtin {
        return builtin::run(kind_name, output);
    }
    // SARIF and the export formats cannot express rules of lists.
    let analyzes_lists = match output {
        OutputFormat::Text => args.all,
        OutputFormat::Json => args.list,
        OutputFormat::Sarif => false,
    };
    if !args.files.is_empty() {
        return list_crd_files(args, output, analyzes_lists);
    }
    let mut cluster = schema_args.cluster(program)?;
    let listing = match &mut cluster {
        Some(cluster) if !schema_args.is_given() => {
            Listing::read_cluster(cluster, schema_args, analyzes_lists)?
        }
        _ => Listing::read_file(&mut InputReader::default(), schema_args, analyzes_lists)?,
    };
    let complete_status = |status| match &cluster {
        Some(cluster) => cluster.complete_status(status),
        None => status,
    };
    print::notes(&listing.notes);
    if let Some(export_format) = args.form {
        output.text_or_json()?;
        let findings = listing.findings();
        let invalid = findings.filter(|finding| finding.is_invalid_declaration());
        let invalid = invalid.map(|finding| format!("{}: {}", listing.file, finding.message));
        print::notes(&invalid.collect::<Vec<_>>());
        let (exported, notes) = match export_format {
            ExportFormat::Annotation => annotation::annotation_value(&listing)?,
            ExportFormat::Rust => rust::rust_source(&listing),
        };
        print::notes(&notes);
        return print::raw_text(&exported).map(|()| complete_status(CommandStatus::Success));
    }
    match output {
        OutputFormat::Text => text::render(&listing, args).print()?,
        OutputFormat::Json => print::json(&[listing_json::listing_json(&listing)])?,
        OutputFormat::Sarif => print::json(&[sarif::sarif_log(&[&listing])])?,
    }
    Ok(complete_status(command_status(args, [&listing])))
}

/// Lists the unions of the CRDs in files, and ignores files without a CRD.
fn list_crd_files(
    args: &ListingArgs,
    output: OutputFormat,
    analyzes_lists: bool,
) -> Result<CommandStatus, CommandError> {
    let crd_files = CrdFiles::read(&mut InputReader::default(), &args.files, Documents::parse)?;
    let files = crd_files.files.into_iter();
    let listings =
        files.map(|(documents, source)| Listing::of_crds(documents, source, analyzes_lists));
    let listings = listings.inspect(|listing| print::notes(&listing.notes));
    let listings: Vec<Listing> = listings
        .filter(|listing| !listing.kinds.is_empty())
        .collect();
    match output {
        OutputFormat::Text => text::render_files(&listings, args).print()?,
        OutputFormat::Json => {
            let files = listings.iter().map(listing_json::listing_json);
            print::json(&[json!({"files": files.collect::<Vec<Value>>()})])?;
        }
        OutputFormat::Sarif => {
            print::json(&[sarif::sarif_log(&listings.iter().collect::<Vec<_>>())])?;
        }
    }
    print::failed_files(&crd_files.errors)?;
    Ok(command_status(args, &listings))
}

fn command_status<'l>(
    args: &ListingArgs,
    listings: impl IntoIterator<Item = &'l Listing>,
) -> CommandStatus {
    let mut findings = listings.into_iter().flat_map(Listing::findings);
    if args.strict && findings.any(ListedFinding::is_strong) {
        CommandStatus::Rejected
    } else {
        CommandStatus::Success
    }
}
