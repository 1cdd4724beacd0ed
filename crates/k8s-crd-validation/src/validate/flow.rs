//! The control flow of a walk that may stop at the first error.

use core::ops::ControlFlow;

/// The result of a check. `Break` ends the walk.
pub(super) type Flow = ControlFlow<()>;
