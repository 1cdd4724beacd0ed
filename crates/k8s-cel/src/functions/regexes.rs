//! Functions of regular expressions.

use core::ops::Deref;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::cost;
use super::dispatch::{Dispatch, NoOverload};
use super::estimate;
use super::form::{Regex, Validator};
use super::row::{ALWAYS, Cost, FunctionRow, check_count, function, row};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::pattern::{Finder, LARGEST_IN_ALL};
use crate::values::value::{Fault, Text, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "matches",
        Dispatch::Shared(NoOverload::NamedUnlessReceiver),
        Work::Texts,
        &[
            // The server does not have a price for this overload.
            row(
                &["string, string -> bool"],
                ALWAYS,
                matches,
                Cost::ONE,
                estimate::one,
            ),
            row(
                &["string.string -> bool"],
                ALWAYS,
                matches,
                Cost::if_known(cost::matching),
                estimate::matching,
            ),
        ],
    )
    .validated(Validator::Regex)
    .regex(Regex::Match),
    function(
        "find",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string.string -> string"],
            ALWAYS,
            find,
            Cost::of(cost::finding),
            estimate::finding,
        )],
    )
    .regex(Regex::Find),
    function(
        "findAll",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &[
                "string.string -> list(string)",
                "string.string, int -> list(string)",
            ],
            ALWAYS,
            find_all,
            Cost::of(cost::finding),
            estimate::finding,
        )],
    )
    .regex(Regex::Find),
];

/// The number of expressions that a thread keeps, and the limit of their total weight.
const KEPT: usize = 512;
const KEPT_WEIGHT: u64 = LARGEST_IN_ALL;

/// The result of a compilation. The finder is shared, as a copy of an expression would start with
/// an empty cache.
type Compiled = core::result::Result<Rc<Finder>, Box<str>>;

#[derive(Default)]
struct Kept {
    finders: HashMap<Box<str>, Compiled>,
    weight: u64,
}

thread_local! {
    static COMPILED: RefCell<Kept> = RefCell::default();
}

/// Returns a compiled expression that is not a literal of the rule. Most expressions are used
/// again.
fn compiled(text: &str) -> Compiled {
    COMPILED.with_borrow_mut(|kept| {
        if let Some(regex) = kept.finders.get(text) {
            return regex.clone();
        }
        let regex = Finder::compile(text, u64::MAX)
            .map(Rc::new)
            .map_err(Box::from);
        let weight = regex.as_ref().map_or(1, |regex| regex.weight);
        if kept.finders.len() >= KEPT || kept.weight.saturating_add(weight) > KEPT_WEIGHT {
            *kept = Kept::default();
        }
        kept.weight = kept.weight.saturating_add(weight);
        kept.finders.insert(text.into(), regex.clone());
        regex
    })
}

/// An expression of a rule, or of the object.
enum Found<'v> {
    Literal(&'v Finder),
    Kept(Rc<Finder>),
}

impl Deref for Found<'_> {
    type Target = Finder;

    fn deref(&self) -> &Finder {
        match self {
            Self::Literal(finder) => finder,
            Self::Kept(finder) => finder,
        }
    }
}

/// Returns the string and the expression.
fn arguments<'a, 'v>(
    meter: &mut Meter<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Text<'v>, Found<'v>), Fault> {
    let literal = meter.take_pattern();
    let [Val::Text(text), Val::Text(regex), ..] = args else {
        return Err(Fault::no_such_overload());
    };
    if let Some(finder) = literal {
        return Ok((text, Found::Literal(finder)));
    }
    match compiled(regex.as_str()) {
        Ok(finder) => {
            meter.compile(regex.as_str(), finder.weight)?;
            Ok((text, Found::Kept(finder)))
        }
        Err(why) => Err(Fault::error(why)),
    }
}

fn matches<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = arguments(meter, args)?;
    Ok(Val::Bool(regex.is_match(text.as_str())))
}

/// Returns the result of [`arguments`], with a prefix in the error for an invalid expression.
fn found_by<'a, 'v>(
    meter: &mut Meter<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Text<'v>, Found<'v>), Fault> {
    arguments(meter, args).map_err(|fault| match fault {
        Fault::Error(why) if &*why != "no such overload" => {
            Fault::error(format!("Illegal regex: {why}"))
        }
        fault => fault,
    })
}

fn find<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = found_by(meter, args)?;
    let found = regex.find_at(text.as_str(), 0);
    Ok(Val::text(found.map_or("", |found| found.as_str())))
}

fn find_all<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = found_by(meter, args)?;
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
