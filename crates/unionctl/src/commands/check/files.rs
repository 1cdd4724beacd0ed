//! Validates requests whose objects are in files.

use std::path::Path;

use k8s_crd_validation::ServerSettings;
use serde_json::Value;

use super::args::CheckArgs;
use super::object_report::ObjectReport;
use super::stored_objects::StoredObjects;
use super::summary::CheckSummary;
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::Crds;
use crate::judge::manifest;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest, RequestBody};
use crate::output::print::{self, CommandStatus, TextOrJson};
use crate::output::table::pluralize;

pub(super) fn run(
    args: &CheckArgs,
    inputs: &mut InputReader,
    mut crds: Crds,
    new: &Path,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let new = ObjectFiles {
        flag: "--new",
        path: new,
        with_sources: true,
    };
    let old = args.old.as_deref().map(|path| ObjectFiles {
        flag: "--old",
        path,
        with_sources: false,
    });
    let mut reports = CheckSummary::default();
    let mut stored = StoredObjects::default();
    if let Some(old) = old {
        let (read, skipped) = StoredObjects::load(old, inputs, &mut crds)?;
        stored = read;
        reports.skipped_objects.unreadable += skipped.unreadable;
    }
    let mut objects = Vec::new();
    let settings = args.file_settings();
    let skipped = new.for_each(inputs, &mut crds, |mut object, crds| {
        // A single file is read completely first, because pairing depends on the number of objects.
        // Objects in a folder are validated one by one.
        if !new.path.is_dir() {
            objects.push(object);
            return Ok(());
        }
        let report = check_object(&mut object, &stored, false, args, &settings, crds)?;
        reports.add(report);
        Ok(())
    })?;
    let is_only = objects.len() == 1;
    for mut object in objects {
        let report = check_object(&mut object, &stored, is_only, args, &settings, &mut crds)?;
        reports.add(report);
    }
    reports.skipped_objects.skipped += skipped.skipped;
    reports.skipped_objects.unreadable += skipped.unreadable;
    print::notes(crds.note_on_errors().as_slice());
    match format {
        TextOrJson::Json => print::json(&[&reports])?,
        TextOrJson::Text => reports.render().print()?,
    }
    match reports.skipped_objects.unreadable {
        0 => Ok(reports.command_status()),
        count => Err(CommandError::new(
            new.path.display().to_string(),
            format!(
                "{} could not be read, so there is no verdict; see the errors above",
                pluralize(count, "file")
            ),
        )),
    }
}

fn check_object(
    new: &mut InputObject,
    stored: &StoredObjects,
    is_only: bool,
    args: &CheckArgs,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<ObjectReport, CommandError> {
    let is_namespaced = crds.is_namespaced(new.crd);
    // Stored objects have a namespace, so the new object needs its default to be found.
    let mut namespaced = new.value.clone();
    manifest::complete(&mut namespaced, None, is_namespaced);
    let key = InputObject {
        file: new.file.clone(),
        value: namespaced,
        crd: new.crd,
        source: None,
    };
    let old = stored.find_for(&key, is_only);
    manifest::complete(&mut new.value, old, is_namespaced);
    if old.is_none() && args.status {
        return Err(CommandError::new(
            new.file.as_str(),
            format!(
                "cannot update the status of {}, which is not stored; pass the stored object to --old",
                new.title()
            ),
        ));
    }
    check_request(new, old, args.status, settings, crds)
}

/// Validates a create, an update or a status update. `new` must be complete: it has all fields that
/// kubectl sends.
pub(crate) fn check_request(
    new: &InputObject,
    old: Option<&Value>,
    is_status_update: bool,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<ObjectReport, CommandError> {
    let request = match old {
        Some(old) if is_status_update => ObjectRequest::UpdateStatus(old),
        Some(old) => ObjectRequest::Update(old),
        None => ObjectRequest::Create,
    };
    let schema = crds.schema(new.crd, &new.value)?;
    let body = RequestBody {
        value: new.value.clone(),
        source: new.source.as_ref(),
    };
    let reply = CheckReply::validate_body(schema, request, body, settings);
    Ok(ObjectReport::new(new, request, reply))
}
