//! Functions of strings.

use super::actual_cost;
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::estimated_cost;
use super::row::{
    ALWAYS, ActualCost, FunctionRow, check_list_length, check_string_length, function, row,
};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::value::{EvalError, Str, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

const STRING_TEST: &[&str] = &["string.string -> bool"];
const STRING_TO_STRING: &[&str] = &["string. -> string"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "startsWith",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[
            row(
                STRING_TEST,
                ALWAYS,
                |_, args| string_test(args, starts_with),
                ActualCost::by_overload_or_one(actual_cost::traversal),
                estimated_cost::affix,
            )
            .string_test(actual_cost::borrowed_traversal, starts_with)
            .removed_by(Feature::AffixCost),
            row(
                STRING_TEST,
                ALWAYS,
                |_, args| string_test(args, starts_with),
                ActualCost::by_overload_or_one(actual_cost::affix),
                estimated_cost::affix,
            )
            .string_test(actual_cost::borrowed_affix, starts_with)
            .language(Feature::AffixCost),
        ],
    ),
    function(
        "endsWith",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[
            row(
                STRING_TEST,
                ALWAYS,
                |_, args| string_test(args, ends_with),
                ActualCost::by_overload_or_one(actual_cost::traversal),
                estimated_cost::affix,
            )
            .string_test(actual_cost::borrowed_traversal, ends_with)
            .removed_by(Feature::AffixCost),
            row(
                STRING_TEST,
                ALWAYS,
                |_, args| string_test(args, ends_with),
                ActualCost::by_overload_or_one(actual_cost::affix),
                estimated_cost::affix,
            )
            .string_test(actual_cost::borrowed_affix, ends_with)
            .language(Feature::AffixCost),
        ],
    ),
    function(
        "contains",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            STRING_TEST,
            ALWAYS,
            |_, args| string_test(args, contains),
            ActualCost::by_overload_or_one(actual_cost::search),
            estimated_cost::search,
        )
        .string_test(actual_cost::borrowed_search, contains)],
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
            STRING_TO_STRING,
            ALWAYS,
            |_, args| map_string(args, str::to_ascii_lowercase),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "upperAscii",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            STRING_TO_STRING,
            ALWAYS,
            |_, args| map_string(args, str::to_ascii_uppercase),
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::mapping,
        )],
    ),
    function(
        "trim",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            STRING_TO_STRING,
            ALWAYS,
            |_, args| map_string(args, |string| string.trim().to_owned()),
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
            Some(Feature::StringsVersion2),
            |_, args| {
                let [Val::String(string)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                Ok(Val::string(quote(string.as_str())))
            },
            ActualCost::by_overload_or_one(actual_cost::traversal),
            estimated_cost::quoting,
        )],
    ),
];

/// Returns the string in double quotes, and escapes control characters, quotes and backslashes.
fn quote(string: &str) -> String {
    let mut quoted = String::with_capacity(string.len() + 2);
    quoted.push('"');
    for character in string.chars() {
        let escape = match character {
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\\' | '"' => character,
            character => {
                quoted.push(character);
                continue;
            }
        };
        quoted.push('\\');
        quoted.push(escape);
    }
    quoted.push('"');
    quoted
}

fn starts_with(string: &str, prefix: &str) -> bool {
    string.starts_with(prefix)
}

fn ends_with(string: &str, suffix: &str) -> bool {
    string.ends_with(suffix)
}

fn contains(string: &str, substring: &str) -> bool {
    string.contains(substring)
}

fn string_test<'v>(args: &[Val<'v>], holds: fn(&str, &str) -> bool) -> Result<'v> {
    let [Val::String(string), Val::String(substring)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(Val::Bool(holds(string.as_str(), substring.as_str())))
}

fn map_string<'v>(args: &[Val<'v>], convert: fn(&str) -> String) -> Result<'v> {
    let [Val::String(string)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(Val::string(convert(string.as_str())))
}

/// Returns the character at an index, or the empty string for the index after the last character.
fn char_at<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(string), Val::Int(index)] = args else {
        return Err(EvalError::no_such_overload());
    };
    let size = string.size();
    match usize::try_from(*index) {
        Ok(position) if position as u64 <= size => {
            let c = string.as_str().chars().nth(position);
            Ok(Val::string(c.map(String::from).unwrap_or_default()))
        }
        _ => Err(EvalError::new(format!("index out of range: {index}"))),
    }
}

fn replace<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [
        Val::String(string),
        Val::String(old),
        Val::String(new),
        rest @ ..,
    ] = args
    else {
        return Err(EvalError::no_such_overload());
    };
    let (string, old, new) = (string.as_str(), old.as_str(), new.as_str());
    let limit = match rest {
        [Val::Int(limit)] => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let count = string.matches(old).count().min(limit);
    check_string_length(string.len().saturating_add(count.saturating_mul(new.len())))?;
    Ok(Val::string(string.replacen(old, new, limit)))
}

fn split<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(string), Val::String(separator), rest @ ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    let limit = match rest {
        [Val::Int(limit)] => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let (string, separator) = (string.as_str(), separator.as_str());
    let max_parts = string.matches(separator).count().min(limit);
    check_list_length(max_parts as u64)?;
    let parts: Vec<Val<'v>> = if limit == 0 {
        Vec::new()
    } else if separator.is_empty() {
        let mut parts = Vec::new();
        let mut rest = string;
        while let Some(c) = rest.chars().next() {
            let length = if parts.len() + 1 == limit {
                rest.len()
            } else {
                c.len_utf8()
            };
            let (first, after) = rest.split_at(length);
            parts.push(Val::string(first));
            rest = after;
        }
        parts
    } else {
        string.splitn(limit, separator).map(Val::string).collect()
    };
    Ok(Val::strings(parts))
}

fn substring<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::String(string), Val::Int(start), rest @ ..] = args else {
        return Err(EvalError::no_such_overload());
    };
    let size = string.size();
    let end = match rest {
        [Val::Int(end)] => *end,
        _ => i64::try_from(size).unwrap_or(i64::MAX),
    };
    if !rest.is_empty() && *start > end {
        return Err(EvalError::new(format!(
            "invalid substring range. start: {start}, end: {end}"
        )));
    }
    let out_of_range = |index: i64| Err(EvalError::new(format!("index out of range: {index}")));
    let position = |index: i64| {
        u64::try_from(index)
            .ok()
            .filter(|index| *index <= size)
            .and_then(|index| usize::try_from(index).ok())
    };
    let Some(start_position) = position(*start) else {
        return out_of_range(*start);
    };
    let Some(end_position) = position(end) else {
        return out_of_range(end);
    };
    let substring: String = string
        .as_str()
        .chars()
        .skip(start_position)
        .take(end_position - start_position)
        .collect();
    Ok(Val::string(substring))
}

/// The occurrence of a value that a search returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    First,
    Last,
}

/// Returns the position, in code points, of the first or the last match of a substring; -1 if the
/// string does not contain the substring.
pub(super) fn index_of<'v>(
    tracker: &CostTracker<'v>,
    string: &Str<'v>,
    substring: &Str<'v>,
    offset: Option<i64>,
    occurrence: Occurrence,
) -> Result<'v> {
    let size = i64::try_from(string.size()).unwrap_or(i64::MAX);
    let (string, substring) = (string.as_str(), substring.as_str());
    let has = |feature| tracker.declared_types.has(feature);
    let out_of_range = |offset: i64| Err(EvalError::new(format!("index out of range: {offset}")));
    if substring.is_empty() {
        let default_index = match occurrence {
            Occurrence::First => 0,
            Occurrence::Last => size,
        };
        let index = offset.unwrap_or(default_index);
        return match index {
            index if !has(Feature::EmptySubstringBounds) => Ok(Val::Int(index)),
            ..0 => out_of_range(index),
            index => Ok(Val::Int(index.min(size))),
        };
    }
    let Some(offset) = offset else {
        match occurrence {
            _ if !string.is_empty() => {}
            Occurrence::First if !has(Feature::OffsetsBeyondEnd) => return out_of_range(0),
            Occurrence::Last if !has(Feature::LastIndexInEmptyString) => return out_of_range(-1),
            _ => {}
        }
        let byte_position = match occurrence {
            Occurrence::First => string.find(substring),
            Occurrence::Last => string.rfind(substring),
        };
        return Ok(code_point_position(string, byte_position));
    };
    let Ok(start) = usize::try_from(offset) else {
        return out_of_range(offset);
    };
    let Some((index, _)) = string.char_indices().nth(start) else {
        return if has(Feature::OffsetsBeyondEnd) {
            Ok(Val::Int(-1))
        } else {
            out_of_range(offset)
        };
    };
    let byte_position = if occurrence == Occurrence::Last {
        // The last match may begin at `index`, so it ends at most one substring length after
        // `index`.
        let end = index.saturating_add(substring.len()).min(string.len());
        let head = (index..=end).rev().find_map(|end| string.get(..end));
        head.and_then(|head| head.rfind(substring))
    } else {
        let (_, tail) = string.split_at(index);
        tail.find(substring).map(|offset| offset + index)
    };
    Ok(code_point_position(string, byte_position))
}

/// Converts a byte position to a position in code points; `None` becomes -1.
fn code_point_position<'v>(string: &str, byte_position: Option<usize>) -> Val<'v> {
    let before = byte_position.and_then(|byte_position| string.get(..byte_position));
    let position = before.map_or(-1, |before| {
        i64::try_from(before.chars().count()).unwrap_or(i64::MAX)
    });
    Val::Int(position)
}
