//! Functions of versions such as `1.2.3`.

use std::rc::Rc;

use k8s_go_text::semver::Semver;

use super::cost;
use super::dispatch::Dispatch;
use super::estimate;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use crate::cost::work::Work;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "semver",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> Semver", "string, bool -> Semver"],
            ALWAYS,
            |_, args| {
                let version = read(args)?.map_err(Fault::error)?;
                Ok(Val::Opaque(Opaque::Semver(Rc::new(version))))
            },
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "isSemver",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool", "string, bool -> bool"],
            since(33),
            |_, args| Ok(Val::Bool(read(args)?.is_ok())),
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "major",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            PART,
            ALWAYS,
            |_, args| part(args, |v| v.major),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "minor",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            PART,
            ALWAYS,
            |_, args| part(args, |v| v.minor),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "patch",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            PART,
            ALWAYS,
            |_, args| part(args, |v| v.patch),
            Cost::ONE,
            estimate::one,
        )],
    ),
];

const PART: &[&str] = &["Semver. -> int"];

/// Parses a version, or returns the error of the parser.
fn read<'v>(args: &[Val<'v>]) -> Result<'v, core::result::Result<Semver, String>> {
    let (text, normalize) = match args {
        [Val::Text(text)] => (text, false),
        [Val::Text(text), Val::Bool(normalize)] => (text, *normalize),
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Semver::parse(text.as_str(), normalize))
}

fn part<'v>(args: &[Val<'v>], of: fn(&Semver) -> u64) -> Result<'v> {
    let [Val::Opaque(Opaque::Semver(version))] = args else {
        return Err(Fault::no_such_overload());
    };
    // A number beyond 63 bits becomes negative on a server.
    Ok(Val::Int(of(version).cast_signed()))
}
