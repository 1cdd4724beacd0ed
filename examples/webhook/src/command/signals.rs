//! The signals that the process handles.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// An action after a signal or an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopAction {
    Shutdown,
    /// Reads certificates and CRDs again.
    Reload,
    /// Reads CRDs again.
    Refresh,
}

/// The signals that the process handles.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Signals {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    pub(crate) async fn next(&mut self) -> LoopAction {
        tokio::select! {
            _ = self.terminate.recv() => LoopAction::Shutdown,
            _ = self.interrupt.recv() => LoopAction::Shutdown,
            _ = self.hangup.recv() => LoopAction::Reload,
        }
    }
}
