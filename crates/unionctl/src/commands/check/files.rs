//! Requests whose objects are in files.

use std::path::Path;

use k8s_crd_validation::ServerSettings;
use serde_json::Value;

use super::args::CheckArgs;
use super::report::Report;
use super::reports::Reports;
use super::stored::Stored;
use crate::input::Inputs;
use crate::judge::crds::Crds;
use crate::judge::judgement::{Judgement, Request};
use crate::judge::manifest;
use crate::judge::objects::{From, Object};
use crate::output::output::{self, Format, Verdict};
use crate::output::table::count;
use crate::problem::Problem;

pub(super) fn run(
    args: &CheckArgs,
    inputs: &mut Inputs,
    mut crds: Crds,
    new: &Path,
    format: Format,
) -> Result<Verdict, Problem> {
    let new = From {
        flag: "--new",
        path: new,
    };
    let old = args.old.as_deref().map(|path| From {
        flag: "--old",
        path,
    });
    let mut reports = Reports::default();
    let mut stored = Stored::default();
    if let Some(old) = old {
        let (read, left_out) = Stored::read(old, inputs, &mut crds)?;
        stored = read;
        reports.left_out.unread += left_out.unread;
    }
    let mut objects = Vec::new();
    let settings = args.server.settings();
    let left_out = new.each(inputs, &mut crds, |mut object, crds| {
        // The number of objects is known before they are judged only if they are in one file.
        if !new.path.is_dir() {
            objects.push(object);
            return Ok(());
        }
        let report = judge(&mut object, &stored, false, args, &settings, crds)?;
        reports.add(report);
        Ok(())
    })?;
    let is_only = objects.len() == 1;
    for mut object in objects {
        let report = judge(&mut object, &stored, is_only, args, &settings, &mut crds)?;
        reports.add(report);
    }
    reports.left_out.skipped += left_out.skipped;
    reports.left_out.unread += left_out.unread;
    output::notes(crds.note_on_errors().as_slice());
    match format {
        Format::Json => output::json(&[&reports])?,
        Format::Text => reports.text().print()?,
    }
    match reports.left_out.unread {
        0 => Ok(reports.verdict()),
        unread => Err(Problem::new(
            new.path.display().to_string(),
            format!(
                "{} could not be read, so there is no verdict; see the errors above",
                count(unread, "file")
            ),
        )),
    }
}

fn judge(
    new: &mut Object,
    stored: &Stored,
    is_only: bool,
    args: &CheckArgs,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<Report, Problem> {
    let is_namespaced = crds.is_namespaced(new.crd);
    let mut with_namespace = new.value.clone();
    manifest::complete(&mut with_namespace, None, is_namespaced);
    let key = Object {
        file: new.file.clone(),
        value: with_namespace,
        crd: new.crd,
    };
    let old = stored.of(&key, is_only);
    manifest::complete(&mut new.value, old, is_namespaced);
    if old.is_none() && args.status {
        return Err(Problem::new(
            new.file.as_str(),
            format!(
                "cannot update the status of {}, which is not stored; pass the stored object to --old",
                new.title()
            ),
        ));
    }
    ask(new, old, args.status, settings, crds)
}

/// Judges a request for an object that has all fields that kubectl sends: to create it, or to
/// replace the stored object, or its status.
pub(crate) fn ask(
    new: &Object,
    old: Option<&Value>,
    of_status: bool,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<Report, Problem> {
    let request = match old {
        Some(old) if of_status => Request::Status(old),
        Some(old) => Request::Update(old),
        None => Request::Create,
    };
    let schema = crds.schema(new.crd, &new.value)?;
    let judgement = Judgement::of(schema, request, new.value.clone(), settings);
    Ok(Report::new(new, request, judgement))
}
