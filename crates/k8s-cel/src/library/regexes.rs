//! Regular expressions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::{Entry, charge, check_count, row};
use crate::meter::Meter;
use crate::pattern::Finder;
use crate::value::{Fault, Text, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "matches",
        &[
            // The server knows no price of this one.
            row(&["string, string -> bool"], matches),
            row(&["string.string -> bool"], matches).costs_if_known(charge::matching),
        ],
    ),
    (
        "find",
        &[row(&["string.string -> string"], find).costs(charge::finding)],
    ),
    (
        "findAll",
        &[row(
            &[
                "string.string -> list(string)",
                "string.string, int -> list(string)",
            ],
            find_all,
        )
        .costs(charge::finding)],
    ),
];

/// How many expressions are kept.
const KEPT: usize = 512;

/// Shared, as a copy of an expression would start with an empty cache.
type Compiled = core::result::Result<Rc<Finder>, Box<str>>;

thread_local! {
    static COMPILED: RefCell<HashMap<Box<str>, Compiled>> = RefCell::default();
}

/// A compiled expression; most are written in rules, and used again.
fn compiled(text: &str) -> Compiled {
    COMPILED.with_borrow_mut(|kept| {
        if let Some(regex) = kept.get(text) {
            return regex.clone();
        }
        if kept.len() >= KEPT {
            kept.clear();
        }
        let regex = Finder::compile(text).map(Rc::new).map_err(Box::from);
        kept.insert(text.into(), regex.clone());
        regex
    })
}

/// What is wrong with an expression, in the words of the server.
pub(crate) fn check(text: &str) -> core::result::Result<(), String> {
    compiled(text).map(drop).map_err(String::from)
}

/// The text and the expression.
fn arguments<'a, 'v>(
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Text<'v>, Rc<Finder>), Fault> {
    let [Val::Text(text), Val::Text(regex), ..] = args else {
        return Err(Fault::no_such_overload());
    };
    match compiled(regex.as_str()) {
        Ok(regex) => Ok((text, regex)),
        Err(why) => Err(Fault::error(why)),
    }
}

fn matches<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = arguments(args)?;
    Ok(Val::Bool(regex.is_match(text.as_str())))
}

/// As [`arguments`], with the words for an expression that is no literal.
fn found_by<'a, 'v>(
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Text<'v>, Rc<Finder>), Fault> {
    arguments(args).map_err(|fault| match fault {
        Fault::Error(why) if &*why != "no such overload" => {
            Fault::error(format!("Illegal regex: {why}"))
        }
        fault => fault,
    })
}

fn find<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = found_by(args)?;
    let found = regex.find_at(text.as_str(), 0);
    Ok(Val::text(found.map_or("", |found| found.as_str())))
}

fn find_all<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = found_by(args)?;
    let limit = match args.get(2) {
        Some(Val::Int(limit)) => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let mut found = Vec::new();
    for text in regex.find_all(text.as_str()).take(limit) {
        check_count(found.len() as u64)?;
        found.push(Val::text(text));
    }
    Ok(Val::list(found))
}
