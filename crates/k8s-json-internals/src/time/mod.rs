//! Points in time: the calendar, and texts as Go reads them.

mod calendar;
mod read;

pub use calendar::{Civil, DAY};
pub use read::{Clock, Layout, Moment, Stop, Unread, hours_and_minutes, read};
