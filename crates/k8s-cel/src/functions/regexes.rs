//! Functions of regular expressions.

use core::ops::Deref;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::actual_cost;
use super::call_form::{RegexUse, Validator};
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, check_count, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::pattern::{MAX_TOTAL_SIZE, Matcher};
use crate::types::feature::Feature;
use crate::values::value::{EvalError, Str, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "matches",
        Dispatch::Singleton(NoOverloadMessage::NamedUnlessReceiver),
        HiddenCost::Strings,
        &[
            // The server does not have a price for this overload.
            row(
                &["string, string -> bool"],
                ALWAYS,
                matches,
                ActualCost::ONE,
                estimated_cost::one,
            )
            .language(Feature::GlobalMatches),
            row(
                &["string.string -> bool"],
                ALWAYS,
                matches,
                ActualCost::by_overload_or_one(actual_cost::matching),
                estimated_cost::matching,
            ),
        ],
    )
    .validated(Validator::Regex)
    .regex(RegexUse::Match),
    function(
        "find",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string.string -> string"],
            ALWAYS,
            find,
            ActualCost::by_function(actual_cost::finding),
            estimated_cost::finding,
        )],
    )
    .regex(RegexUse::Find),
    function(
        "findAll",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[
                "string.string -> list(string)",
                "string.string, int -> list(string)",
            ],
            ALWAYS,
            find_all,
            ActualCost::by_function(actual_cost::finding),
            estimated_cost::finding,
        )],
    )
    .regex(RegexUse::Find),
];

/// The number of expressions that a thread keeps, and the limit of their total weight.
const MAX_CACHED: usize = 512;
const MAX_CACHED_SIZE: u64 = MAX_TOTAL_SIZE;

/// The result of a compilation. The finder is shared, as a copy of an expression would start with
/// an empty cache.
type CompileResult = core::result::Result<Rc<Matcher>, Box<str>>;

#[derive(Default)]
struct PatternCache {
    matchers: HashMap<Box<str>, CompileResult>,
    size: u64,
}

thread_local! {
    static COMPILED: RefCell<PatternCache> = RefCell::default();
}

/// Returns a compiled expression that is not a literal of the rule. Most expressions are used
/// again.
fn cached_pattern(text: &str) -> CompileResult {
    COMPILED.with_borrow_mut(|kept| {
        if let Some(regex) = kept.matchers.get(text) {
            return regex.clone();
        }
        let regex = Matcher::compile(text, u64::MAX)
            .map(Rc::new)
            .map_err(Box::from);
        let weight = regex.as_ref().map_or(1, |regex| regex.size);
        if kept.matchers.len() >= MAX_CACHED || kept.size.saturating_add(weight) > MAX_CACHED_SIZE {
            *kept = PatternCache::default();
        }
        kept.size = kept.size.saturating_add(weight);
        kept.matchers.insert(text.into(), regex.clone());
        regex
    })
}

/// An expression of a rule, or of the object.
enum PatternRef<'v> {
    Literal(&'v Matcher),
    Cached(Rc<Matcher>),
}

impl Deref for PatternRef<'_> {
    type Target = Matcher;

    fn deref(&self) -> &Matcher {
        match self {
            Self::Literal(finder) => finder,
            Self::Cached(finder) => finder,
        }
    }
}

/// Returns the string and the expression.
fn arguments<'a, 'v>(
    meter: &mut CostTracker<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Str<'v>, PatternRef<'v>), EvalError> {
    let literal = meter.take_pattern();
    let [Val::String(text), Val::String(regex), ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    if let Some(finder) = literal {
        return Ok((text, PatternRef::Literal(finder)));
    }
    match cached_pattern(regex.as_str()) {
        Ok(finder) => {
            meter.charge_pattern(regex.as_str(), finder.size)?;
            Ok((text, PatternRef::Cached(finder)))
        }
        Err(why) => Err(EvalError::new(why)),
    }
}

fn matches<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = arguments(meter, args)?;
    Ok(Val::Bool(regex.is_match(text.as_str())))
}

/// Returns the result of [`arguments`], with a prefix in the error for an invalid expression.
fn find_arguments<'a, 'v>(
    meter: &mut CostTracker<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Str<'v>, PatternRef<'v>), EvalError> {
    arguments(meter, args).map_err(|fault| match fault {
        EvalError::Expression(why) if &*why != "no such overload" => {
            EvalError::new(format!("Illegal regex: {why}"))
        }
        fault => fault,
    })
}

fn find<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = find_arguments(meter, args)?;
    let found = regex.find_at(text.as_str(), 0);
    Ok(Val::string(found.map_or("", |found| found.as_str())))
}

fn find_all<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (text, regex) = find_arguments(meter, args)?;
    let limit = match args.get(2) {
        Some(Val::Int(limit)) => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let mut found = Vec::new();
    for text in regex.find_all(text.as_str()).take(limit) {
        check_count(found.len() as u64)?;
        found.push(Val::string(text));
    }
    Ok(Val::list(found))
}
