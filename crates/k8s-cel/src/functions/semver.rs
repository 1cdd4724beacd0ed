//! Functions of semantic versions such as `1.2.3`.

use std::rc::Rc;

use k8s_go_text::semver::Semver;

use super::actual_cost;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::types::feature::Feature;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "semver",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> Semver", "string, bool -> Semver"],
            ALWAYS,
            |_, args| {
                let version = parse(args)?.map_err(EvalError::new)?;
                Ok(Val::Opaque(Opaque::Semver(Rc::new(version))))
            },
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::reading,
        )],
    ),
    function(
        "isSemver",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> bool", "string, bool -> bool"],
            Some(Feature::Semver),
            |_, args| Ok(Val::Bool(parse(args)?.is_ok())),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::reading,
        )],
    ),
    function(
        "major",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SEMVER_TO_INT,
            ALWAYS,
            |_, args| version_number(args, |v| v.major),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "minor",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SEMVER_TO_INT,
            ALWAYS,
            |_, args| version_number(args, |v| v.minor),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "patch",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SEMVER_TO_INT,
            ALWAYS,
            |_, args| version_number(args, |v| v.patch),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

const SEMVER_TO_INT: &[&str] = &["Semver. -> int"];

/// Parses the argument as a version. The inner error is the message of the parser.
fn parse<'v>(args: &[Val<'v>]) -> Result<'v, core::result::Result<Semver, String>> {
    let (string, normalize) = match args {
        [Val::String(string)] => (string, false),
        [Val::String(string), Val::Bool(normalize)] => (string, *normalize),
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Semver::parse(string.as_str(), normalize))
}

fn version_number<'v>(args: &[Val<'v>], component: fn(&Semver) -> u64) -> Result<'v> {
    let [Val::Opaque(Opaque::Semver(version))] = args else {
        return Err(EvalError::no_such_overload());
    };
    // As on a server, a number of 64 bits becomes negative.
    Ok(Val::Int(component(version).cast_signed()))
}
