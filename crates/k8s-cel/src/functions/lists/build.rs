//! Functions that build lists and strings from lists.

use crate::cost::tracker::CostTracker;
use crate::functions::row::{MAX_RANGE, check_list_length, check_string_length};
use crate::functions::sets::elements;
use crate::types::declared::{DeclaredKind, DeclaredTypes};
use crate::types::feature::Feature;
use crate::values::go_print::{join_error, to_go_string};
use crate::values::value::{EvalError, Str, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

pub(super) fn join<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    join_with(tracker, args, |value| match value {
        Val::String(string) => Ok(string.clone()),
        other => Err(join_error(other)),
    })
}

/// Joins the elements of a list as servers before 1.29 do, after conversion to Go strings.
///
/// # Errors
///
/// Returns the panic of a server for a JSON list whose schema has elements of another type.
pub(super) fn join_converted<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    if let Some(list) = args.first()
        && !may_have_strings(tracker.declared_types, list)
    {
        let message = "internal error: interface conversion: interface {} is []interface {}, \
                       not []string";
        return Err(EvalError::ServerPanic(message.into()));
    }
    join_with(tracker, args, to_go_string)
}

/// Returns false for a JSON list whose elements are not strings by their schema.
fn may_have_strings(declared_types: &DeclaredTypes, list: &Val<'_>) -> bool {
    let id = match list {
        Val::JsonList(_, id) => *id,
        Val::AppendedList(list) => list.declaration,
        _ => return true,
    };
    match &declared_types.get(id).kind {
        DeclaredKind::List { items, .. } => declared_types.get(*items).kind.is_string(),
        _ => true,
    }
}

/// Joins the elements of a list, which `to_string` converts.
fn join_with<'v>(
    tracker: &CostTracker<'v>,
    args: &[Val<'v>],
    to_string: impl Fn(&Val<'v>) -> Result<'v, Str<'v>>,
) -> Result<'v> {
    let (list, separator) = match args {
        [list] => (list, ""),
        [list, Val::String(separator)] => (list, separator.as_str()),
        _ => return Err(EvalError::no_such_overload()),
    };
    let values = elements(tracker, list)?;
    let strings: Vec<Str<'v>> = values.iter().map(to_string).collect::<Result<'v, _>>()?;
    let strings: Vec<&str> = strings.iter().map(Str::as_str).collect();
    let length: usize = strings.iter().map(|string| string.len()).sum();
    check_string_length(length.saturating_add(strings.len().saturating_mul(separator.len())))?;
    Ok(Val::string(strings.join(separator)))
}

pub(super) fn slice<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list, Val::Int(start), Val::Int(end)] = args else {
        return Err(EvalError::no_such_overload());
    };
    let (from, to) = (usize::try_from(*start), usize::try_from(*end));
    let slice_error = |reason: &str| {
        Err(EvalError::new(format!(
            "cannot slice({start}, {end}), {reason}"
        )))
    };
    let (Ok(from), Ok(to)) = (from, to) else {
        return slice_error("negative indexes not supported");
    };
    if from > to {
        return slice_error("start index must be less than or equal to end index");
    }
    let values = elements(tracker, list)?;
    match values.get(from..to) {
        Some(elements) => Ok(Val::list(elements.to_vec())),
        None => slice_error(&format!("list is length {}", values.len())),
    }
}

/// Replaces each inner list by its elements, for as many levels as the second argument, or for one
/// level.
pub(super) fn flatten<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (list, depth) = match args {
        [list] => (list, 1),
        [list, Val::Int(depth)] => (list, *depth),
        _ => return Err(EvalError::no_such_overload()),
    };
    let mut values = elements(tracker, list)?;
    if depth < 0 {
        return Err(EvalError::new("level must be non-negative"));
    }
    for _ in 0..depth {
        if !values.iter().any(|value| {
            matches!(
                value,
                Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
            )
        }) {
            break;
        }
        let count = values.iter().map(Val::size).fold(0, u64::saturating_add);
        check_list_length(count)?;
        tracker.charge_hidden(count)?;
        let mut flat = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
                    flat.extend(elements(tracker, &value)?);
                }
                value => flat.push(value),
            }
        }
        values = flat;
    }
    Ok(Val::list(values))
}

pub(super) fn range<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Int(end)] = args else {
        return Err(EvalError::no_such_overload());
    };
    if tracker
        .declared_types
        .has(Feature::NonNegativeListArguments)
    {
        if *end < 0 {
            return Err(EvalError::new(format!(
                "lists.range: size must be non-negative, got {end}"
            )));
        }
        if u64::try_from(*end).is_ok_and(|end| end > MAX_RANGE) {
            return Err(EvalError::new(format!(
                "lists.range: size {end} exceeds maximum allowed ({MAX_RANGE})"
            )));
        }
    }
    check_list_length(u64::try_from(*end).unwrap_or_default())?;
    Ok(Val::list((0..*end).map(Val::Int).collect()))
}

pub(super) fn reverse<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let mut values = elements(tracker, list)?;
    values.reverse();
    Ok(Val::list(values))
}
