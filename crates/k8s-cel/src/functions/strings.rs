//! Functions of strings.

use super::actual_cost;
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::estimated_cost;
use super::row::{
    ALWAYS, ActualCost, FunctionRow, check_count, check_length, function, row, since,
};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::value::{EvalError, Str, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

const TEST: &[&str] = &["string.string -> bool"];
const SAME: &[&str] = &["string. -> string"];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "startsWith",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            TEST,
            ALWAYS,
            |_, args| test(args, starts_with),
            ActualCost::by_overload_or_one(actual_cost::traversal),
            estimated_cost::affix,
        )
        .string_test(actual_cost::traversal_of, starts_with)],
    ),
    function(
        "endsWith",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            TEST,
            ALWAYS,
            |_, args| test(args, ends_with),
            ActualCost::by_overload_or_one(actual_cost::traversal),
            estimated_cost::affix,
        )
        .string_test(actual_cost::traversal_of, ends_with)],
    ),
    function(
        "contains",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            TEST,
            ALWAYS,
            |_, args| test(args, contains),
            ActualCost::by_overload_or_one(actual_cost::search),
            estimated_cost::search,
        )
        .string_test(actual_cost::search_of, contains)],
    ),
    function(
        "charAt",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string.int -> string"],
            ALWAYS,
            char_at,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "lowerAscii",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SAME,
            ALWAYS,
            |_, args| map(args, str::to_ascii_lowercase),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "upperAscii",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SAME,
            ALWAYS,
            |_, args| map(args, str::to_ascii_uppercase),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "trim",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            SAME,
            ALWAYS,
            |_, args| map(args, |text| text.trim().to_owned()),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "replace",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[
                "string.string, string -> string",
                "string.string, string, int -> string",
            ],
            ALWAYS,
            replace,
            ActualCost::by_function(actual_cost::rewriting),
            estimated_cost::replacing,
        )],
    ),
    function(
        "split",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[
                "string.string -> list(string)",
                "string.string, int -> list(string)",
            ],
            ALWAYS,
            split,
            ActualCost::by_function(actual_cost::rewriting),
            estimated_cost::splitting,
        )],
    ),
    function(
        "substring",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string.int -> string", "string.int, int -> string"],
            ALWAYS,
            substring,
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "strings.quote",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> string"],
            since(Feature::StringsVersion2),
            |_, args| {
                let [Val::String(text)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                Ok(Val::string(quoted(text.as_str())))
            },
            ActualCost::by_overload_or_one(actual_cost::traversal),
            estimated_cost::quoting,
        )],
    ),
];

/// Returns a string in double quotes, with escapes for control characters, quotes and backslashes.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        let escape = match letter {
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\\' | '"' => letter,
            letter => {
                quoted.push(letter);
                continue;
            }
        };
        quoted.push('\\');
        quoted.push(escape);
    }
    quoted.push('"');
    quoted
}

fn starts_with(text: &str, start: &str) -> bool {
    text.starts_with(start)
}

fn ends_with(text: &str, end: &str) -> bool {
    text.ends_with(end)
}

fn contains(text: &str, part: &str) -> bool {
    text.contains(part)
}

fn test<'v>(args: &[Val<'v>], holds: fn(&str, &str) -> bool) -> Result<'v> {
    let [Val::String(text), Val::String(part)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(Val::Bool(holds(text.as_str(), part.as_str())))
}

fn map<'v>(args: &[Val<'v>], of: fn(&str) -> String) -> Result<'v> {
    let [Val::String(text)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(Val::string(of(text.as_str())))
}

fn char_at<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(text), Val::Int(at)] = args else {
        return Err(EvalError::no_such_overload());
    };
    let size = text.size();
    match usize::try_from(*at) {
        Ok(place) if place as u64 <= size => {
            let c = text.as_str().chars().nth(place);
            Ok(Val::string(c.map(String::from).unwrap_or_default()))
        }
        _ => Err(EvalError::new(format!("index out of range: {at}"))),
    }
}

fn replace<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [
        Val::String(text),
        Val::String(from),
        Val::String(to),
        rest @ ..,
    ] = args
    else {
        return Err(EvalError::no_such_overload());
    };
    let (text, from, to) = (text.as_str(), from.as_str(), to.as_str());
    let limit = match rest {
        [Val::Int(limit)] => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let count = text.matches(from).count().min(limit);
    check_length(text.len().saturating_add(count.saturating_mul(to.len())))?;
    Ok(Val::string(text.replacen(from, to, limit)))
}

fn split<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(text), Val::String(by), rest @ ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    let limit = match rest {
        [Val::Int(limit)] => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let (text, by) = (text.as_str(), by.as_str());
    let most = text.matches(by).count().min(limit);
    check_count(most as u64)?;
    let parts: Vec<Val<'v>> = if limit == 0 {
        Vec::new()
    } else if by.is_empty() {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = if parts.len() + 1 == limit {
                rest.len()
            } else {
                c.len_utf8()
            };
            let (part, after) = rest.split_at(length);
            parts.push(Val::string(part));
            rest = after;
        }
        parts
    } else {
        text.splitn(limit, by).map(Val::string).collect()
    };
    Ok(Val::list(parts))
}

fn substring<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(text), Val::Int(start), rest @ ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    let size = text.size();
    let end = match rest {
        [Val::Int(end)] => *end,
        _ => i64::try_from(size).unwrap_or(i64::MAX),
    };
    if !rest.is_empty() && *start > end {
        return Err(EvalError::new(format!(
            "invalid substring range. start: {start}, end: {end}"
        )));
    }
    let out_of_range = |at: i64| Err(EvalError::new(format!("index out of range: {at}")));
    let within = |at: i64| {
        u64::try_from(at)
            .ok()
            .filter(|at| *at <= size)
            .and_then(|at| usize::try_from(at).ok())
    };
    let Some(first) = within(*start) else {
        return out_of_range(*start);
    };
    let Some(last) = within(end) else {
        return out_of_range(end);
    };
    let part: String = text
        .as_str()
        .chars()
        .skip(first)
        .take(last - first)
        .collect();
    Ok(Val::string(part))
}

/// Returns the position of a string in another string, in code points; of the last match if `last`.
pub(super) fn index_of<'v>(
    text: &Str<'v>,
    part: &Str<'v>,
    offset: Option<i64>,
    last: bool,
) -> Result<'v> {
    let size = i64::try_from(text.size()).unwrap_or(i64::MAX);
    let (text, part) = (text.as_str(), part.as_str());
    if part.is_empty() {
        let end = if last { size } else { 0 };
        return Ok(Val::Int(offset.unwrap_or(end)));
    }
    let Some(offset) = offset else {
        let found = if last {
            text.rfind(part)
        } else {
            text.find(part)
        };
        return Ok(place_of(text, found));
    };
    let Ok(from) = usize::try_from(offset) else {
        return Err(EvalError::new(format!("index out of range: {offset}")));
    };
    let Some((at, _)) = text.char_indices().nth(from) else {
        return Ok(Val::Int(-1));
    };
    let found = if last {
        // The last match may begin at `at`, so it ends at `at` plus the length of the part.
        let end = at.saturating_add(part.len()).min(text.len());
        let head = (at..=end).rev().find_map(|end| text.get(..end));
        head.and_then(|head| head.rfind(part))
    } else {
        let (_, tail) = text.split_at(at);
        tail.find(part).map(|found| found + at)
    };
    Ok(place_of(text, found))
}

/// Returns a position in code points, or -1.
fn place_of<'v>(text: &str, found: Option<usize>) -> Val<'v> {
    let before = found.and_then(|found| text.get(..found));
    let place = before.map_or(-1, |before| {
        i64::try_from(before.chars().count()).unwrap_or(-1)
    });
    Val::Int(place)
}
