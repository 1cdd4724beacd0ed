//! Runs `unionctl check`: on JSON lines, on objects in files, or on CRDs alone.

use super::args::CheckArgs;
use super::{definitions, files, jsonl};
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::Crds;
use crate::output::print::{self, CommandStatus, TextOrJson};

pub(crate) fn run(args: &CheckArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    if args.jsonl {
        return jsonl::run(args);
    }
    let mut inputs = InputReader::default();
    // clap requires the flag unless `--jsonl` is set.
    let Some(crd_path) = &args.crd else {
        return Err(CommandError::new("check", "missing --crd"));
    };
    let settings = args.file_settings();
    if !args.new.is_empty() {
        let crds = Crds::read_file(&mut inputs, "--crd", crd_path, args.version.clone())?;
        let crds = crds.with_settings(&settings);
        print::notes(&crds.notes_on_unknown_fields());
        return files::run(args, &mut inputs, crds, format);
    }
    let crds = Crds::read_file_with_sources(&mut inputs, "--crd", crd_path, args.version.clone())?;
    let crds = crds.with_settings(&settings);
    let old_crd_path = args.old_crd.as_deref();
    let old_crds = old_crd_path.map(|path| Crds::read_file(&mut inputs, "--old-crd", path, None));
    definitions::validate(&crds, old_crds.transpose()?.as_ref(), format)
}
