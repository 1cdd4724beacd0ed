//! Versions such as `1.2.3`.

use std::rc::Rc;

use k8s_go_text::semver::Semver;

use super::cost;
use super::row::{Entry, row};
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "semver",
        &[row(
            &["string -> Semver", "string, bool -> Semver"],
            |_, args| {
                let version = read(args)?.map_err(Fault::error)?;
                Ok(Val::Opaque(Opaque::Semver(Rc::new(version))))
            },
        )
        .costs(cost::reading)],
    ),
    (
        "isSemver",
        &[row(&["string -> bool", "string, bool -> bool"], |_, args| {
            Ok(Val::Bool(read(args)?.is_ok()))
        })
        .costs(cost::reading)
        .since(33)],
    ),
    ("major", &[row(PART, |_, args| part(args, |v| v.major))]),
    ("minor", &[row(PART, |_, args| part(args, |v| v.minor))]),
    ("patch", &[row(PART, |_, args| part(args, |v| v.patch))]),
];

const PART: &[&str] = &["Semver. -> int"];

/// Reads a version, or says what is wrong with it.
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
    // What is beyond 63 bits becomes negative on a server.
    Ok(Val::Int(of(version).cast_signed()))
}
