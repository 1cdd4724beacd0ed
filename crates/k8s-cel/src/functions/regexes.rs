//! Functions of regular expressions.

use core::ops::Deref;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::actual_cost;
use super::call_form::{RegexUse, Validator};
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, check_list_length, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::pattern::{MAX_TOTAL_SIZE, Matcher};
use crate::types::feature::Feature;
use crate::values::value::{EvalError, Str, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

const GLOBAL_MATCHES: &[&str] = &["string, string -> bool"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "matches",
        Dispatch::Singleton(NoOverloadMessage::NamedUnlessReceiver),
        HiddenCost::Strings,
        &[
            // On older servers, this overload costs 1.
            row(
                GLOBAL_MATCHES,
                ALWAYS,
                matches,
                ActualCost::ONE,
                estimated_cost::one,
            )
            .language(Feature::GlobalMatches)
            .removed_by(Feature::GlobalMatchesCost),
            row(
                GLOBAL_MATCHES,
                ALWAYS,
                matches,
                ActualCost::by_overload_or_one(actual_cost::matching),
                estimated_cost::matching,
            )
            .language(Feature::GlobalMatchesCost),
            row(
                &["string.string -> bool"],
                ALWAYS,
                matches,
                ActualCost::by_overload_or_one(actual_cost::matching),
                estimated_cost::matching,
            ),
        ],
    )
    .validator(Validator::Regex)
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

/// The maximum number of cached regular expressions of a thread.
const MAX_CACHED: usize = 512;
/// The maximum total compiled size of the cached regular expressions of a thread.
const MAX_CACHED_SIZE: u64 = MAX_TOTAL_SIZE;

/// The result of a compilation. The matcher is shared, because a copy would start with an empty
/// cache of search states.
type CompileResult = core::result::Result<Rc<Matcher>, Box<str>>;

/// The compiled regular expressions of a thread, and their total size.
#[derive(Default)]
struct PatternCache {
    matchers: HashMap<Box<str>, CompileResult>,
    size: u64,
}

thread_local! {
    static PATTERN_CACHE: RefCell<PatternCache> = RefCell::default();
}

/// Returns the compiled regular expression from the cache, or compiles a regular expression that is
/// not in the cache. Literals of the rule are compiled with the program instead.
fn cached_pattern(pattern: &str) -> CompileResult {
    PATTERN_CACHE.with_borrow_mut(|cache| {
        if let Some(matcher) = cache.matchers.get(pattern) {
            return matcher.clone();
        }
        let matcher = Matcher::compile(pattern, u64::MAX)
            .map(Rc::new)
            .map_err(Box::from);
        let size = matcher.as_ref().map_or(1, |matcher| matcher.size);
        if cache.matchers.len() >= MAX_CACHED || cache.size.saturating_add(size) > MAX_CACHED_SIZE {
            *cache = PatternCache::default();
        }
        cache.size = cache.size.saturating_add(size);
        cache.matchers.insert(pattern.into(), matcher.clone());
        matcher
    })
}

/// A reference to a compiled regular expression, which is a literal of the rule or a computed
/// string.
enum PatternRef<'v> {
    Literal(&'v Matcher),
    Cached(Rc<Matcher>),
}

impl Deref for PatternRef<'_> {
    type Target = Matcher;

    fn deref(&self) -> &Matcher {
        match self {
            Self::Literal(matcher) => matcher,
            Self::Cached(matcher) => matcher,
        }
    }
}

/// Returns the string, and the matcher of the regular expression.
fn string_and_matcher<'a, 'v>(
    tracker: &mut CostTracker<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Str<'v>, PatternRef<'v>), EvalError> {
    let literal = tracker.take_pattern();
    let [Val::String(string), Val::String(pattern), ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    if let Some(matcher) = literal {
        return Ok((string, PatternRef::Literal(matcher)));
    }
    match cached_pattern(pattern.as_str()) {
        Ok(matcher) => {
            tracker.charge_pattern(pattern.as_str(), matcher.size)?;
            Ok((string, PatternRef::Cached(matcher)))
        }
        Err(message) => Err(EvalError::new(message)),
    }
}

fn matches<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (string, regex) = string_and_matcher(tracker, args)?;
    Ok(Val::Bool(regex.is_match(string.as_str())))
}

/// Returns the result of [`string_and_matcher`], but adds the server's prefix to the error of an
/// invalid regular expression.
fn find_string_and_matcher<'a, 'v>(
    tracker: &mut CostTracker<'v>,
    args: &'a [Val<'v>],
) -> core::result::Result<(&'a Str<'v>, PatternRef<'v>), EvalError> {
    string_and_matcher(tracker, args).map_err(|error| match error {
        EvalError::Expression(message) if &*message != "no such overload" => {
            EvalError::new(format!("Illegal regex: {message}"))
        }
        error => error,
    })
}

fn find<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (string, regex) = find_string_and_matcher(tracker, args)?;
    let first_match = regex.find_at(string.as_str(), 0);
    Ok(Val::string(first_match.map_or("", |first| first.as_str())))
}

fn find_all<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (string, regex) = find_string_and_matcher(tracker, args)?;
    let limit = match args.get(2) {
        Some(Val::Int(limit)) => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let mut matches = Vec::new();
    for substring in regex.find_all(string.as_str()).take(limit) {
        check_list_length(matches.len() as u64)?;
        matches.push(Val::string(substring));
    }
    Ok(Val::strings(matches))
}
