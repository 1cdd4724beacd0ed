//! Runs `unionctl check`: on JSON lines, on objects in files, or on CRDs alone.

use std::slice;

use k8s_crd_validation::ServerSettings;

use super::args::CheckArgs;
use super::{builtin, definitions, files, jsonl};
use crate::cluster::Program;
use crate::error::CommandError;
use crate::input::{CrdFiles, Documents, InputReader};
use crate::judge::crds::Crds;
use crate::output::print::{self, CommandStatus, OutputFormat};

pub(crate) fn run(
    args: &CheckArgs,
    program: Program,
    format: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    args.reject_ineffective_flags()?;
    if args.jsonl {
        format.text_or_json()?;
        return jsonl::run(args);
    }
    let mut cluster = args.cluster(program)?;
    let settings = args.file_settings(cluster.as_ref())?;
    let mut inputs = InputReader::default();
    if !args.files.is_empty() {
        return check_crd_files(args, &settings, &mut inputs, format);
    }
    if !args.new.is_empty() && args.crd.is_none() && cluster.is_none() {
        return builtin::run(args, &settings, &mut inputs, format);
    }
    if !args.new.is_empty() {
        let mut crds = match &args.crd {
            Some(path) => Crds::read_file(&mut inputs, "--crd", path, args.version.clone())?,
            None => Crds::without_definitions(),
        };
        if let Some(cluster) = cluster {
            crds = crds.with_cluster(cluster);
        }
        let crds = crds.with_settings(&settings);
        print::notes(&crds.notes_on_unknown_fields());
        return files::run(args, &settings, &mut inputs, crds, format);
    }
    let crds = match (&args.crd, &mut cluster) {
        (Some(path), _) => {
            Crds::read_file_with_sources(&mut inputs, "--crd", path, args.version.clone())?
        }
        (None, Some(cluster)) => Crds::from_cluster_documents(&cluster.crds(|_| true)?),
        // clap requires the flag unless the cluster supplies the CRDs.
        (None, None) => return Err(CommandError::new("check", "missing --crd")),
    };
    let crds = crds.with_settings(&settings);
    let old_crds = match (&args.old_crd, &args.crd, &mut cluster) {
        (Some(path), ..) => Some(Crds::read_file(&mut inputs, "--old-crd", path, None)?),
        (None, Some(_), Some(cluster)) => Some(crds.read_stored_crds(cluster)?),
        _ => None,
    };
    if let Some(old_crds) = &old_crds {
        old_crds.require_v1()?;
        if args.old_crd.is_some() {
            print::notes(&crds.notes_on_new_crds(old_crds));
        }
    }
    let only_file = Some(&*crds.file);
    let crds = slice::from_ref(&crds);
    let status = definitions::validate(crds, old_crds.as_ref(), only_file, format)?;
    Ok(cluster.map_or(status, |cluster| cluster.complete_status(status)))
}

/// Checks the CRDs of files, and ignores files without a CRD.
fn check_crd_files(
    args: &CheckArgs,
    settings: &ServerSettings,
    inputs: &mut InputReader,
    format: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let crd_files = CrdFiles::read(inputs, &args.files, Documents::parse_with_sources)?;
    let documents = crd_files.files.iter().map(|(documents, _)| documents);
    let crds = documents.filter_map(|documents| Crds::from_documents(documents, None));
    let crds: Vec<Crds> = crds.map(|crds| crds.with_settings(settings)).collect();
    let status = definitions::validate(&crds, None, None, format)?;
    print::failed_files(&crd_files.errors).map(|()| status)
}
