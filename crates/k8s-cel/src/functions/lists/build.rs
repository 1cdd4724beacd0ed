//! Lists and strings that are built from lists.

use crate::cost::tracker::CostTracker;
use crate::functions::row::{check_count, check_length};
use crate::functions::sets::elements;
use crate::values::go_print::{join_error, to_go_string};
use crate::values::value::{EvalError, Str, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

pub(super) fn join<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    joined(meter, args, |value| match value {
        Val::String(text) => Ok(text.clone()),
        other => Err(join_error(other)),
    })
}

/// Joins the elements of a list as servers before 1.29 do: elements are converted to Go strings.
pub(super) fn join_converted<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    joined(meter, args, to_go_string)
}

/// Joins the elements of a list to a string.
fn joined<'v>(
    meter: &CostTracker<'v>,
    args: &[Val<'v>],
    text_of: impl Fn(&Val<'v>) -> Result<'v, Str<'v>>,
) -> Result<'v> {
    let (list, by) = match args {
        [list] => (list, ""),
        [list, Val::String(by)] => (list, by.as_str()),
        _ => return Err(EvalError::no_such_overload()),
    };
    let values = elements(meter, list)?;
    let texts: Vec<Str<'v>> = values.iter().map(text_of).collect::<Result<'v, _>>()?;
    let texts: Vec<&str> = texts.iter().map(Str::as_str).collect();
    let length: usize = texts.iter().map(|text| text.len()).sum();
    check_length(length.saturating_add(texts.len().saturating_mul(by.len())))?;
    Ok(Val::string(texts.join(by)))
}

pub(super) fn slice<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list, Val::Int(start), Val::Int(end)] = args else {
        return Err(EvalError::no_such_overload());
    };
    let (from, to) = (usize::try_from(*start), usize::try_from(*end));
    let cannot = |why: &str| {
        Err(EvalError::new(format!(
            "cannot slice({start}, {end}), {why}"
        )))
    };
    let (Ok(from), Ok(to)) = (from, to) else {
        return cannot("negative indexes not supported");
    };
    if from > to {
        return cannot("start index must be less than or equal to end index");
    }
    let values = elements(meter, list)?;
    match values.get(from..to) {
        Some(part) => Ok(Val::list(part.to_vec())),
        None => cannot(&format!("list is length {}", values.len())),
    }
}

pub(super) fn flatten<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (list, depth) = match args {
        [list] => (list, 1),
        [list, Val::Int(depth)] => (list, *depth),
        _ => return Err(EvalError::no_such_overload()),
    };
    let mut values = elements(meter, list)?;
    if depth < 0 {
        return Err(EvalError::new("level must be non-negative"));
    }
    // Values do not have deeper levels.
    for _ in 0..depth.min(64) {
        if !values.iter().any(|value| {
            matches!(
                value,
                Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
            )
        }) {
            break;
        }
        let count = values.iter().map(Val::size).fold(0, u64::saturating_add);
        check_count(count)?;
        meter.charge_hidden(count)?;
        let mut flat = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
                    flat.extend(elements(meter, &value)?);
                }
                value => flat.push(value),
            }
        }
        values = flat;
    }
    Ok(Val::list(values))
}

pub(super) fn range<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Int(end)] = args else {
        return Err(EvalError::no_such_overload());
    };
    check_count(u64::try_from(*end).unwrap_or_default())?;
    Ok(Val::list((0..*end).map(Val::Int).collect()))
}

pub(super) fn reverse<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let mut values = elements(meter, list)?;
    values.reverse();
    Ok(Val::list(values))
}
