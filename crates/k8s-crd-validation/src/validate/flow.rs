//! The end of a walk that wants no more errors.

use core::ops::ControlFlow;

/// The answer of a check: a break ends the walk.
pub(super) type Flow = ControlFlow<()>;
