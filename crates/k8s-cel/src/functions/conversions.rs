//! Conversions between types, `size` and `type`. The rows and their functions share one file, so
//! that a row is near its function.

use k8s_go_text::duration::{self, NANOS_PER_SECOND};
use k8s_go_text::float;
use k8s_go_text::time::{self, CelTimestampError};

use super::actual_cost;
use super::call_form::{CallForm, Validator};
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::go_print::format_double;
use crate::values::opaque::Opaque;
use crate::values::timestamp::Timestamp;
use crate::values::value::{EvalError, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "size",
        Dispatch::Singleton(NoOverloadMessage::NamedUnlessReceiver),
        HiddenCost::Strings,
        &[row(
            &[
                "bytes -> int",
                "bytes. -> int",
                "list(A) -> int",
                "list(A). -> int",
                "map(A, B) -> int",
                "map(A, B). -> int",
                "string -> int",
                "string. -> int",
            ],
            ALWAYS,
            size,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Size)
    .unsorted(&[
        "string. -> int",
        "bytes. -> int",
        "list(A). -> int",
        "map(A, B). -> int",
        "string -> int",
        "bytes -> int",
        "list(A) -> int",
        "map(A, B) -> int",
    ]),
    function(
        "type",
        Dispatch::Singleton(NoOverloadMessage::Typed),
        HiddenCost::Strings,
        &[row(
            &["A -> type(A)"],
            ALWAYS,
            |tracker, args| match args {
                [value] => Ok(Val::Type(
                    value.type_name_in(tracker.declared_types.server_version()),
                )),
                _ => Err(EvalError::no_such_overload()),
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants(),
    function(
        "dyn",
        Dispatch::Singleton(NoOverloadMessage::Typed),
        HiddenCost::Strings,
        &[row(
            &["A -> dyn"],
            ALWAYS,
            |_, args| {
                args.first()
                    .cloned()
                    .ok_or_else(EvalError::no_such_overload)
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Dyn)
    .folding_constants(),
    function(
        "bool",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[row(
            &["bool -> bool", "string -> bool"],
            ALWAYS,
            to_bool,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants(),
    function(
        "int",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[row(
            &[
                "int -> int",
                "double -> int",
                "duration -> int",
                "string -> int",
                "timestamp -> int",
                "uint -> int",
            ],
            ALWAYS,
            to_int,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants(),
    function(
        "uint",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[row(
            &[
                "uint -> uint",
                "double -> uint",
                "int -> uint",
                "string -> uint",
            ],
            ALWAYS,
            to_uint,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants(),
    function(
        "double",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[row(
            &[
                "double -> double",
                "int -> double",
                "string -> double",
                "uint -> double",
            ],
            ALWAYS,
            to_double,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants(),
    function(
        "string",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[
            row(
                &["string -> string", "bool -> string"],
                ALWAYS,
                to_string,
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["bytes -> string"],
                ALWAYS,
                to_string,
                ActualCost::by_overload_or_one(actual_cost::traversal),
                estimated_cost::decoding,
            ),
            row(
                &[
                    "double -> string",
                    "duration -> string",
                    "int -> string",
                    "timestamp -> string",
                    "uint -> string",
                    "IP -> string",
                    "CIDR -> string",
                ],
                ALWAYS,
                to_string,
                ActualCost::ONE,
                estimated_cost::one,
            ),
        ],
    )
    .folding_constants(),
    function(
        "bytes",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[
            row(
                &["bytes -> bytes"],
                ALWAYS,
                to_bytes,
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["string -> bytes"],
                ALWAYS,
                to_bytes,
                ActualCost::by_overload_or_one(actual_cost::traversal),
                estimated_cost::encoding,
            ),
        ],
    )
    .folding_constants(),
    function(
        "timestamp",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[row(
            &[
                "timestamp -> timestamp",
                "int -> timestamp",
                "string -> timestamp",
            ],
            ALWAYS,
            to_timestamp,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .folding_constants()
    .validator(Validator::Timestamp),
    function(
        "duration",
        Dispatch::Conversion,
        HiddenCost::Strings,
        &[
            row(
                &["duration -> duration", "string -> duration"],
                ALWAYS,
                to_duration,
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["int -> duration"],
                ALWAYS,
                to_duration,
                ActualCost::ONE,
                estimated_cost::one,
            )
            .removed_by(Feature::NoDurationFromInt),
        ],
    )
    .folding_constants()
    .validator(Validator::Duration),
];

fn size<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [
            value @ (Val::String(_)
            | Val::Bytes(_)
            | Val::List(_)
            | Val::Map(_)
            | Val::JsonList(..)
            | Val::AppendedList(_)
            | Val::JsonObject(..)),
        ] => Ok(Val::Int(i64::try_from(value.size()).unwrap_or(i64::MAX))),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns the error for a string that does not represent a value of the type.
fn conversion_error(type_name: &str) -> EvalError {
    EvalError::new(format!(
        "type conversion error from 'string' to '{type_name}'"
    ))
}

fn to_bool<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Bool(value)] => Ok(Val::Bool(*value)),
        [Val::String(string)] => match string.as_str() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Val::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Val::Bool(false)),
            _ => Err(conversion_error("bool")),
        },
        _ => Err(EvalError::no_such_overload()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the range is checked first"
)]
fn to_int<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let value = match args {
        [Val::Int(value)] => Some(*value),
        [Val::Uint(value)] => i64::try_from(*value).ok(),
        [Val::Double(value)] => {
            (*value > i64::MIN as f64 && *value < i64::MAX as f64).then_some(*value as i64)
        }
        [Val::String(string)] => {
            let string = string.as_str();
            return string
                .parse()
                .map(Val::Int)
                .map_err(|_| conversion_error("int"));
        }
        [Val::Timestamp(time)] => Some(time.seconds),
        [Val::Duration(nanos)] => Some(*nanos),
        _ => return Err(EvalError::no_such_overload()),
    };
    value
        .map(Val::Int)
        .ok_or_else(|| EvalError::new("integer overflow"))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
fn to_uint<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let value = match args {
        [Val::Uint(value)] => Some(*value),
        [Val::Int(value)] => u64::try_from(*value).ok(),
        [Val::Double(value)] => {
            (*value >= 0.0 && *value < u64::MAX as f64).then_some(*value as u64)
        }
        [Val::String(string)] => {
            // Go's `strconv.ParseUint` rejects a sign, which Rust accepts.
            let digits = Some(string.as_str()).filter(|string| !string.starts_with('+'));
            let value = digits.and_then(|digits| digits.parse().ok());
            return value.map(Val::Uint).ok_or_else(|| conversion_error("uint"));
        }
        _ => return Err(EvalError::no_such_overload()),
    };
    value
        .map(Val::Uint)
        .ok_or_else(|| EvalError::new("unsigned integer overflow"))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "CEL rounds the integer to a double"
)]
fn to_double<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Double(value)] => Ok(Val::Double(*value)),
        [Val::Int(value)] => Ok(Val::Double(*value as f64)),
        [Val::Uint(value)] => Ok(Val::Double(*value as f64)),
        [Val::String(string)] => {
            let value = float::parse(string.as_str());
            value
                .map(Val::Double)
                .ok_or_else(|| conversion_error("double"))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

fn to_string<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    Ok(Val::string(match args {
        [Val::String(string)] => return Ok(Val::String(string.clone())),
        [Val::Bool(value)] => value.to_string(),
        [Val::Int(value)] => value.to_string(),
        [Val::Uint(value)] => value.to_string(),
        [Val::Double(value)] => format_double(*value),
        [Val::Bytes(bytes)] => decode_utf8(bytes).map_err(EvalError::new)?.to_owned(),
        [Val::Timestamp(time)] => time.to_string(),
        [Val::Duration(nanos)] => format_seconds(*nanos),
        [Val::Opaque(Opaque::Ip(address))] => address.to_string(),
        [Val::Opaque(Opaque::Cidr(cidr))] => cidr.to_string(),
        // Only a server without `ConversionOverloads` passes these values.
        [Val::Null] => "null".to_owned(),
        [Val::Type(name)] => (*name).to_owned(),
        _ => return Err(EvalError::no_such_overload()),
    }))
}

/// Returns the bytes as a string, or the server's error message for invalid UTF-8.
pub(super) fn decode_utf8(bytes: &[u8]) -> core::result::Result<&str, &'static str> {
    core::str::from_utf8(bytes).map_err(|_| "invalid UTF-8 in bytes, cannot convert to string")
}

fn to_bytes<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Bytes(bytes)] => Ok(Val::Bytes(bytes.clone())),
        [Val::String(string)] => Ok(Val::Bytes(string.as_str().as_bytes().into())),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn timestamp_error(error: CelTimestampError) -> EvalError {
    match error {
        CelTimestampError::InvalidFormat => conversion_error("google.protobuf.Timestamp"),
        CelTimestampError::OutOfRange => EvalError::new("timestamp overflow"),
    }
}

fn to_timestamp<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Timestamp(time)] => Ok(Val::Timestamp(*time)),
        [Val::Int(seconds)] => Timestamp::new(*seconds, 0)
            .map(Val::Timestamp)
            .ok_or_else(|| timestamp_error(CelTimestampError::OutOfRange)),
        [Val::String(string)] => time::parse_rfc3339(string.as_str())
            .map(|timestamp| Val::Timestamp(timestamp.into()))
            .map_err(timestamp_error),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Formats a duration in seconds, rounded to a float as on a server.
#[expect(
    clippy::cast_precision_loss,
    reason = "the server prints a rounded float"
)]
fn format_seconds(nanos: i64) -> String {
    let whole_seconds = (nanos / NANOS_PER_SECOND) as f64;
    format!(
        "{}s",
        whole_seconds + (nanos % NANOS_PER_SECOND) as f64 / 1e9
    )
}

fn to_duration<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Duration(nanos)] => Ok(Val::Duration(*nanos)),
        // The server declares this conversion, but rejects all values.
        [Val::Int(_)] => Err(EvalError::new(
            "type conversion error from 'int' to 'google.protobuf.Duration'",
        )),
        [Val::String(string)] => parse_duration(string.as_str())
            .map(Val::Duration)
            .ok_or_else(|| conversion_error("google.protobuf.Duration")),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Parses a duration, and returns it in nanoseconds.
pub(crate) fn parse_duration(string: &str) -> Option<i64> {
    duration::parse_duration(string)
}
