//! The limits on connections and requests.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

/// The limits on the number, the size and the duration of connections and requests.
///
/// Memory is bounded. Of each body, 64 KiB need no reservation, so that small requests never wait
/// for large ones: `max_connections` bound these parts. All other parts share `max_body_memory`.
/// `max_concurrency` bounds the objects that are parsed from bodies.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a body, in bytes.
    ///
    /// A review contains the new and the old object. An API server stores objects of at most 1.5
    /// MiB (etcd), so two objects have up to 3 MiB. 1 MiB remains for the rest of the review.
    pub max_body_bytes: usize,
    /// The memory for bodies of more than 64 KiB, in bytes. A large body reserves its whole length.
    pub max_body_memory: usize,
    /// The maximum number of reviews that are processed at once. By default, the number of cores.
    pub max_concurrency: usize,
    /// The time that further requests wait for a permit, and that large bodies wait for memory.
    pub queue_timeout: Duration,
    /// The maximum number of connections. A further connection displaces the connection that has
    /// waited longest for its client, if that is longer than half of `header_timeout`. Otherwise,
    /// further connections wait in the backlog of the system.
    pub max_connections: usize,
    /// The maximum number of connections from one address. By default, as many as
    /// `max_connections`, because all requests may come from one API server.
    pub max_connections_per_peer: usize,
    /// The time limit of a TLS handshake.
    pub handshake_timeout: Duration,
    /// The time limit for receiving the headers of a request, from their first byte.
    pub header_timeout: Duration,
    /// The time limit for receiving a body.
    pub body_timeout: Duration,
    /// The time that a connection may be idle. API servers close idle connections after 90 s. The
    /// limit is longer, so that the webhook does not close a connection as a request arrives.
    pub idle_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 4 << 20,
            max_body_memory: 64 << 20,
            max_concurrency: available_parallelism().map_or(1, NonZeroUsize::get),
            queue_timeout: Duration::from_secs(2),
            max_connections: 500,
            max_connections_per_peer: 500,
            handshake_timeout: Duration::from_secs(5),
            header_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(120),
        }
    }
}

impl Limits {
    /// Returns the time that a connection may wait for its client before a new connection may
    /// displace it.
    pub(crate) fn displacement_delay(&self) -> Duration {
        self.header_timeout / 2
    }
}
