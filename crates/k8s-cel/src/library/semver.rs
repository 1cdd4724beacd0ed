//! Versions such as `1.2.3`.

use std::rc::Rc;

use super::{Entry, row};
use crate::meter::Meter;
use crate::opaque::Opaque;
use crate::semver::Semver;
use crate::value::{Fault, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "semver",
        &[row(
            &["string -> Semver", "string, bool -> Semver"],
            |m, args| {
                let version = read(m, args)?.map_err(Fault::error)?;
                Ok(Val::Opaque(Opaque::Semver(Rc::new(version))))
            },
        )],
    ),
    (
        "isSemver",
        &[row(&["string -> bool", "string, bool -> bool"], |m, args| {
            Ok(Val::Bool(read(m, args)?.is_ok()))
        })
        .since(33)],
    ),
    ("major", &[row(PART, |m, args| part(m, args, |v| v.major))]),
    ("minor", &[row(PART, |m, args| part(m, args, |v| v.minor))]),
    ("patch", &[row(PART, |m, args| part(m, args, |v| v.patch))]),
];

const PART: &[&str] = &["Semver. -> int"];

/// Reads a version, or says what is wrong with it.
fn read<'v>(
    meter: &mut Meter<'v>,
    args: &[Val<'v>],
) -> Result<'v, core::result::Result<Semver, String>> {
    let (text, normalize) = match args {
        [Val::Text(text)] => (text, false),
        [Val::Text(text), Val::Bool(normalize)] => (text, *normalize),
        _ => return Err(Fault::no_such_overload()),
    };
    meter.charge_tenths(text.size())?;
    Ok(Semver::parse(text.as_str(), normalize))
}

fn part<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], of: fn(&Semver) -> u64) -> Result<'v> {
    meter.charge(1)?;
    let [Val::Opaque(Opaque::Semver(version))] = args else {
        return Err(Fault::no_such_overload());
    };
    // What is beyond 63 bits becomes negative on a server.
    Ok(Val::Int(of(version).cast_signed()))
}
