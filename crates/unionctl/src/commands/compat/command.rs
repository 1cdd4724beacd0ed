//! The arguments of `unionctl compat`, and its implementation.

use std::path::{Path, PathBuf};

use serde_json::Value;
use union_compat::{CrdComparison, VersionError, compare_whole_crds, compare_whole_versions};
use union_json::SchemaError;
use union_json::document::Crd;

use super::accepted::CompatConfig;
use super::places::ComparedCrd;
use super::report::{CompatSummary, REMOVED, RemovedCrd};
use super::sarif;
use crate::cluster::{Cluster, ClusterArgs, FileInputs, Program};
use crate::error::CommandError;
use crate::input::{CrdFiles, Documents, InputReader, MergeBase, crd, object};
use crate::judge::crds::Crds;
use crate::judge::schema::notes_on_declarations;
use crate::output::print::{self, CommandStatus, OutputFormat};

/// Find breaking changes of a CRD, for stored objects and for clients.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct CompatArgs {
    #[arg(long, value_name = "OLD", required_unless_present = "from_cluster")]
    #[arg(conflicts_with = "from_cluster")]
    #[arg(
        help = "A file or a folder with the old CustomResourceDefinitions; with --base, the new ones"
    )]
    crd: Option<PathBuf>,

    #[arg(long, value_name = "NEW")]
    #[arg(
        help = "A file or a folder with the new CustomResourceDefinitions; without it, only the served versions of each old one are compared"
    )]
    crd_new: Option<PathBuf>,

    #[arg(
        long,
        value_name = "REVISION",
        requires = "crd",
        conflicts_with = "crd_new"
    )]
    #[arg(
        help = "Compare the CRDs in --crd with the same files at the merge base of this Git revision and HEAD"
    )]
    base: Option<String>,

    /// The lowest level of a finding for which the exit code is 1.
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = FailureLevel::Tolerated)]
    level: FailureLevel,

    /// Exit with code 1 for notices, too, as with `--level notice`.
    #[arg(long, conflicts_with = "level")]
    strict: bool,

    /// A YAML or JSON file with findings that do not count: `accepted`, a list of `code`, `path`,
    /// `reason` and, for one CRD, `crd`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// The lowest level of a finding that makes the command fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum FailureLevel {
    Notice,
    Tolerated,
    Breaking,
}

const LONG_ABOUT: &str = "\
Find breaking changes of a CRD, for stored objects and for clients.

Each version that the new CRD serves is compared with the old version of the same name, if the version was served, or else \
with the old storage version. Then the served versions of the CRD are compared with each other, unless a webhook converts \
them. Versions with the same schemas as those of an earlier comparison are named, and not compared again. The compared \
unions are the unions that the CRD declares, or else the unions of its rules. All other differences of the schemas are \
compared by keyword and place, and the rest of the CRD too: scope, names, versions, subresources, conversion, selectable \
fields and printer columns.

No stored objects are needed: for each union, enum and difference, small objects are generated, and both versions validate \
them, by the rules of unions and as an API server does. Each change is shown with the smallest object that has different \
results, the results of both versions, the effects on stored objects and on clients, and a remedy. A difference for which no \
object has different results is a note, with the number of objects that were tried. `unionctl tighten` finds the stored \
objects that a change affects, with the same codes.

A finding is \"tolerated\" if the new version rejects a create that the old version accepts, but tolerates updates of stored \
objects that do not change the invalid value; unions and enums do not have this level. It is \"breaking\" if the new version \
also rejects such updates, or drops or changes a value. Between versions that are served together, each difference is \
\"breaking\". A finding is otherwise a \"notice\", for example if only the new version accepts \
the object, because the effect then depends on the clients: for instance, clients whose enum does not have an `other` \
variant cannot read an object with a new value. A difference between versions that are served together is listed \"as \
before\", and does not count, if the old CRD has it too; run the command without --crd-new to see the details.

With --config, findings that a file accepts do not count; they are listed with their reasons.

With --base, the files in --crd are the new CRDs, and git reads the old ones: the files at the same path in the merge base \
of the revision and HEAD, as with `--crd config/crd --base origin/main`. CRDs are paired by name, so they may move between the files of the \
folder. An unchanged CRD is not compared. A removed CRD is breaking, because a server deletes the objects of the CRD. \
Files without a CRD are ignored.

Without --crd, the old CRDs are the stored CRDs of a cluster, which kubectl reads (unionctl needs --from-cluster); without \
--crd-new too, the served versions of all stored CRDs are compared.

Exit code: 0 if no finding has the level of --level or a higher one (by default, if nothing that was accepted is rejected), 1 otherwise; 2 if the command could not run; 3 if the code would be 0, but a part of the \
cluster could not be read.";

const EXAMPLES: &str = "\
Examples:
  unionctl compat --crd crd.yaml --crd-new crd_next.yaml
  unionctl compat --crd crd.yaml --crd-new crd_next.yaml --level breaking \\
      --config accepted.yaml
  kubectl union compat --crd-new crd_next.yaml";

pub(crate) fn run(
    args: &CompatArgs,
    program: Program,
    format: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let file_inputs = FileInputs::new(args.crd.is_some());
    let mut cluster = args.cluster.cluster(program, file_inputs)?;
    let mut inputs = InputReader::default();
    let config = match &args.config {
        Some(path) => CompatConfig::read(&mut inputs, path)?,
        None => CompatConfig::default(),
    };
    let mut comparison = Comparisons {
        summary: CompatSummary::default(),
        config: &config,
    };
    let mut errors = Vec::new();
    let new_path = args.crd_new.as_deref();
    match (&args.crd, &args.base, &mut cluster) {
        (Some(path), Some(revision), _) => {
            errors = compare_with_base(&mut comparison, &mut inputs, revision, path)?;
        }
        (Some(path), None, _) => compare_files(&mut comparison, &mut inputs, path, new_path)?,
        (None, _, Some(cluster)) => {
            compare_with_cluster(&mut comparison, &mut inputs, cluster, new_path)?;
        }
        // clap has already reported the missing flag, unless the cluster is read.
        (None, _, None) => return Err(CommandError::new("the command line", "missing --crd")),
    }
    let summary = comparison.summary;
    print::notes(&config.unused_notes());
    match format {
        OutputFormat::Json => print::json(&[summary.to_json()])?,
        OutputFormat::Text => summary.render().print()?,
        OutputFormat::Sarif => print::json(&[sarif::sarif_log(&summary)])?,
    }
    print::failed_files(&errors)?;
    let level = if args.strict {
        FailureLevel::Notice
    } else {
        args.level
    };
    let is_rejected = summary.breaking_count > 0
        || level <= FailureLevel::Tolerated && summary.tolerated_count > 0
        || level <= FailureLevel::Notice && summary.notice_count > 0;
    let status = if is_rejected {
        CommandStatus::Rejected
    } else {
        CommandStatus::Success
    };
    Ok(cluster.map_or(status, |cluster| cluster.complete_status(status)))
}

/// The comparisons so far, and the configuration of the command.
struct Comparisons<'c> {
    summary: CompatSummary,
    config: &'c CompatConfig,
}

/// Compares the CRDs of two files or folders. Without `new_path`, compares the served versions of
/// each CRD with each other.
fn compare_files(
    comparisons: &mut Comparisons<'_>,
    inputs: &mut InputReader,
    old_path: &Path,
    new_path: Option<&Path>,
) -> Result<(), CommandError> {
    let Some(new_path) = new_path else {
        let crds = Crds::read_file_with_sources(inputs, "--crd", old_path, None)?;
        crds.require_unique_keys()?;
        return crds
            .with_sources()
            .try_for_each(|crd| compare(comparisons, None, crd));
    };
    let old_crds = Crds::read_file_with_sources(inputs, "--crd", old_path, None)?;
    let new_crds = Crds::read_file_with_sources(inputs, "--crd-new", new_path, None)?;
    compare_pairs(comparisons, &old_crds, &new_crds)
}

/// Compares each new CRD with the old CRD of the same name. Without an old CRD, compares the served
/// versions of the new CRD with each other.
fn compare_pairs(
    comparisons: &mut Comparisons<'_>,
    old_crds: &Crds,
    new_crds: &Crds,
) -> Result<(), CommandError> {
    new_crds.require_unique_keys()?;
    let stored_crds: Vec<_> = new_crds.with_stored_crds(old_crds).collect();
    let is_compared = |old_crd: &Value| {
        let mut compared = stored_crds.iter().filter_map(|(_, stored_crd)| *stored_crd);
        compared.any(|stored_crd| core::ptr::eq(stored_crd, old_crd))
    };
    let left_out = old_crds
        .with_sources()
        .filter(|(_, old_crd, _)| !is_compared(old_crd));
    let notes = left_out.map(|(file, old_crd, _)| {
        let title = object::display_name(old_crd);
        format!(
            "{file}: {title} is only in --crd, so it is not compared; --base finds removed CRDs"
        )
    });
    print::notes(&notes.collect::<Vec<_>>());
    new_crds
        .with_sources()
        .zip(stored_crds)
        .try_for_each(|(crd, (_, stored_crd))| {
            let mut old_crds = old_crds.with_sources();
            let stored_crd = stored_crd.and_then(|stored_crd| {
                old_crds.find(|(_, document, _)| core::ptr::eq(*document, stored_crd))
            });
            compare(comparisons, stored_crd, crd)
        })
}

/// Compares the CRDs of a file with the stored CRDs of a cluster. Without `new_path`, compares the
/// served versions of each stored CRD with each other.
fn compare_with_cluster(
    comparisons: &mut Comparisons<'_>,
    inputs: &mut InputReader,
    cluster: &mut Cluster,
    new_path: Option<&Path>,
) -> Result<(), CommandError> {
    let Some(new_path) = new_path else {
        let crds = Crds::from_cluster_documents(&cluster.crds(|_| true)?);
        for crd @ (_, document, _) in crds.with_sources() {
            if let Err(error) = compare(comparisons, None, crd) {
                cluster.skip(&object::display_name(document), error.message());
            }
        }
        return Ok(());
    };
    let new_crds = Crds::read_file_with_sources(inputs, "--crd-new", new_path, None)?;
    let old_crds = new_crds.read_stored_crds(cluster)?;
    compare_pairs(comparisons, &old_crds, &new_crds)
}

/// Compares the CRDs of a path with the CRDs of the path at the merge base. Returns the errors of
/// files that cannot be read, and of CRDs that cannot be compared.
fn compare_with_base(
    comparisons: &mut Comparisons<'_>,
    inputs: &mut InputReader,
    revision: &str,
    path: &Path,
) -> Result<Vec<CommandError>, CommandError> {
    if path.as_os_str() == "-" {
        let message = "--base compares files of a Git repository, not stdin; pass a file or a folder to --crd";
        return Err(CommandError::new("stdin", message));
    }
    let merge_base = MergeBase::find(revision, path)?;
    let old_files = merge_base.crd_files()?;
    let old_crds = crds_in(&old_files);
    // The path may exist only at the merge base, if the branch removes the path.
    let new_paths = if path.exists() {
        vec![path.to_owned()]
    } else {
        Vec::new()
    };
    let new_files = CrdFiles::read(inputs, &new_paths, Documents::parse_with_sources)?;
    let new_crds = crds_in(&new_files);
    let notes = old_files.errors.iter();
    let notes = notes.map(|error| format!("{error}; the CRDs of this file count as new"));
    print::notes(&notes.collect::<Vec<_>>());
    let mut errors = new_files.errors;
    if old_crds.is_empty() && new_crds.is_empty() && errors.is_empty() {
        let commit = &merge_base.commit;
        return Err(CommandError::new(
            path.display().to_string(),
            format!(
                "found no CustomResourceDefinition (--crd), and none at the merge base {commit}"
            ),
        ));
    }
    comparisons.summary.base = Some(merge_base.commit);
    for crds in &new_crds {
        crds.require_unique_keys()?;
        for crd @ (_, document, _) in crds.with_sources() {
            let old_crd = find_by_name(&old_crds, document);
            match old_crd {
                Some((_, old_crd, _)) if old_crd == document => {
                    comparisons.summary.unchanged_count += 1;
                    comparisons.config.add_uncompared();
                }
                // A CRD that cannot be compared does not hide the changes of the others.
                old_crd => errors.extend(compare(comparisons, old_crd, crd).err()),
            }
        }
    }
    for (file, old_crd, _) in old_crds.iter().flat_map(Crds::with_sources) {
        if find_by_name(&new_crds, old_crd).is_none() {
            let removed_crd = RemovedCrd {
                title: object::display_name(old_crd),
                file: file.to_owned(),
            };
            let name = Crd::new(old_crd).name().unwrap_or_default();
            let accepted = comparisons.config.find(name, REMOVED, "");
            comparisons.summary.add_removed(removed_crd, accepted);
        }
    }
    Ok(errors)
}

fn crds_in(files: &CrdFiles) -> Vec<Crds> {
    let documents = files.files.iter().map(|(documents, _)| documents);
    documents
        .filter_map(|documents| Crds::from_documents(documents, None))
        .collect()
}

/// Returns the CRD with the name of another CRD.
fn find_by_name<'c>(crds: &'c [Crds], other_crd: &Value) -> Option<ComparedCrd<'c>> {
    let name = Crd::new(other_crd).name();
    let mut crds = crds.iter().flat_map(Crds::with_sources);
    crds.find(|(_, crd, _)| Crd::new(crd).name() == name)
}

/// Compares a CRD with the old CRD. Without an old CRD, compares the served versions of the CRD
/// with each other.
fn compare(
    comparisons: &mut Comparisons<'_>,
    old_crd: Option<ComparedCrd<'_>>,
    new_crd: ComparedCrd<'_>,
) -> Result<(), CommandError> {
    let (_, crd, _) = new_crd;
    for (file, crd, _) in old_crd.into_iter().chain([new_crd]) {
        // The report has notes on the errors in the schema.
        let is_in_annotation = |error: &SchemaError| error.pointer().starts_with("/metadata");
        print::notes(&notes_on_declarations(file, crd, None, is_in_annotation));
    }
    let Comparisons { summary, config } = comparisons;
    let comparison = compare_documents(summary.base.as_deref(), old_crd, new_crd);
    let comparison = comparison.inspect_err(|_| config.add_uncompared())?;
    if old_crd.is_some() {
        config.add_compared(Crd::new(crd).name().unwrap_or_default());
    } else {
        config.add_uncompared();
    }
    summary.add_comparison(old_crd, new_crd, comparison, config);
    Ok(())
}

/// Compares a CRD with the old CRD. An error names the file that cannot be compared. `base` is the
/// commit of the old CRD; `None` if the old CRD is a file.
fn compare_documents(
    base: Option<&str>,
    old_crd: Option<ComparedCrd<'_>>,
    (file, crd, _): ComparedCrd<'_>,
) -> Result<CrdComparison, CommandError> {
    crd::require_v1(file, crd)?;
    let file_error = |file: &str, error: &VersionError| CommandError::new(file, error.to_string());
    let Some((old_file, old_crd, _)) = old_crd else {
        return compare_whole_versions(crd).map_err(|error| file_error(file, &error));
    };
    let old_file = match base {
        Some(commit) => format!("{commit}:{old_file}"),
        None => old_file.to_owned(),
    };
    crd::require_v1(&old_file, old_crd)?;
    compare_whole_crds(old_crd, crd).map_err(|error| match compare_whole_crds(old_crd, old_crd) {
        Ok(_) => file_error(file, &error),
        // The old CRD cannot be compared with any CRD.
        Err(old_error) => file_error(&old_file, &old_error),
    })
}
