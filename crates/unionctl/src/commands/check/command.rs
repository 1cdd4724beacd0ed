//! The choice between lines, objects in files, and CRDs alone.

use super::args::CheckArgs;
use super::{definitions, files, jsonl};
use crate::input::Inputs;
use crate::judge::crds::Crds;
use crate::output::output::{Format, Verdict};
use crate::problem::Problem;

pub(crate) fn run(args: &CheckArgs, format: Format) -> Result<Verdict, Problem> {
    if args.jsonl {
        return jsonl::run(args);
    }
    let mut inputs = Inputs::default();
    // clap requires the flag.
    let Some(crd) = &args.crd else {
        return Err(Problem::new("check", "missing --crd"));
    };
    let crds = Crds::read(&mut inputs, "--crd", crd, args.version.clone())?;
    let crds = crds.for_server(args.server.settings().version);
    if let Some(new) = &args.new {
        return files::run(args, &mut inputs, crds, new, format);
    }
    let old = args.old_crd.as_deref();
    let old = old.map(|old| Crds::read(&mut inputs, "--old-crd", old, None));
    definitions::judge(&crds, old.transpose()?.as_ref(), format)
}
