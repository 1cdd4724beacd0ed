//! Points in time: the calendar, and strings as Go parses them.

mod calendar;
mod formats;
mod read;

pub use calendar::{Civil, DAY};
pub use formats::{Misread, YEARS, parse_date, parse_date_time, parse_rfc3339};
pub use read::{Clock, Layout, Moment, Stop, Unread, hours_and_minutes, read};
