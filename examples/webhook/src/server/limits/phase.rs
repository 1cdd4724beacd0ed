//! The phases of a connection, with their deadlines.
//!
//! hyper's timeout for headers also runs while a connection is idle, and would close connections
//! that API servers keep open. This module therefore tracks the phase of a connection, and gives
//! each phase its own deadline.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::Instant;

use super::limits::Limits;

/// The time that a request may take in addition to the limits of waiting and reading.
const EXTRA_PROCESSING_TIME: Duration = Duration::from_secs(30);

/// The time that an idle connection may take to close.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The TLS handshake is in progress.
    Handshake,
    /// The connection has not sent a request yet.
    New,
    /// The connection waits for its next request.
    Idle,
    /// Headers are being received.
    Header,
    /// The body of a request is being received.
    Body,
    /// The webhook is processing a request.
    Answering,
    /// The idle connection is being closed.
    Closing,
}

/// A phase, with its start and its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedPhase {
    pub(crate) phase: Phase,
    pub(crate) start: Instant,
    pub(crate) deadline: Instant,
}

/// The current phase of a connection.
#[derive(Debug)]
pub(crate) struct PhaseTimer {
    current: watch::Sender<TimedPhase>,
    limits: Limits,
}

impl PhaseTimer {
    /// Creates a timer in the phase `Handshake`.
    pub(crate) fn new(limits: Limits) -> Self {
        let start = Instant::now();
        let deadline = start + limits.handshake_timeout;
        let (current, _) = watch::channel(TimedPhase {
            phase: Phase::Handshake,
            start,
            deadline,
        });
        Self { current, limits }
    }

    /// Enters a phase.
    pub(crate) fn enter(&self, phase: Phase) {
        let limits = &self.limits;
        let duration = match phase {
            Phase::Handshake => limits.handshake_timeout,
            Phase::New | Phase::Header => limits.header_timeout,
            Phase::Idle => limits.idle_timeout,
            // Waiting for memory and reading the body have error responses of their own. Discarding
            // the rest of a body takes as long as reading.
            Phase::Body => limits.queue_timeout + limits.body_timeout * 2 + EXTRA_PROCESSING_TIME,
            Phase::Answering => limits.queue_timeout + EXTRA_PROCESSING_TIME,
            Phase::Closing => CLOSING_TIME,
        };
        let start = Instant::now();
        self.current.send_replace(TimedPhase {
            phase,
            start,
            deadline: start + duration,
        });
    }

    /// Makes a connection that waits for its client end soon. An idle connection is closed
    /// gracefully, and every other connection at once.
    pub(crate) fn displace(&self) {
        if self.current().phase == Phase::Idle {
            self.enter(Phase::Closing);
        } else {
            let start = Instant::now();
            self.current.send_replace(TimedPhase {
                phase: Phase::Closing,
                start,
                deadline: start,
            });
        }
    }

    /// Returns the current phase.
    pub(crate) fn current(&self) -> TimedPhase {
        *self.current.borrow()
    }

    /// Returns a receiver of each change of the phase.
    pub(crate) fn subscribe(&self) -> watch::Receiver<TimedPhase> {
        self.current.subscribe()
    }

    fn begin_header(&self) {
        if matches!(self.current().phase, Phase::New | Phase::Idle) {
            self.enter(Phase::Header);
        }
    }
}

/// A stream that enters the phase `Header` at the first byte of a request.
pub(crate) struct HeaderTimedStream<S> {
    pub(crate) stream: S,
    pub(crate) timer: Arc<PhaseTimer>,
}

impl<S: AsyncRead + Unpin> AsyncRead for HeaderTimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let previous_length = buffer.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > previous_length {
            self.timer.begin_header();
        }
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeaderTimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
