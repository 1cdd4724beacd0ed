//! Times, as Go parses them, and the calendar.

mod calendar;
mod formats;
mod parse;

pub use calendar::{CivilTime, SECONDS_PER_DAY};
pub use formats::{
    CEL_TIMESTAMP_SECONDS, CelTimestampError, parse_date, parse_date_time, parse_rfc3339,
};
pub use parse::{
    Layout, OffsetDateTime, TimeOfDay, TimeOfDayError, TimeParseError, parse_hours_and_minutes,
    parse_time,
};
