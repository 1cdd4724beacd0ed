//! The open connections, and the limits on their number.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::limits::Limits;
use super::phase::{Phase, PhaseTimer};
use crate::metrics::{ClosedConnection, Metrics};

/// The maximum number of connections that are displaced in the time that a connection may wait for
/// its client.
const DISPLACEMENTS_PER_DELAY: u32 = 50;

/// The open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    /// One permit for each allowed connection.
    places: Arc<Semaphore>,
    open: Mutex<OpenConnections>,
    limits: Limits,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next_id: u64,
    last_displacement: Option<Instant>,
    by_id: BTreeMap<u64, OpenConnection>,
}

#[derive(Debug)]
struct OpenConnection {
    peer: IpAddr,
    timer: Arc<PhaseTimer>,
}

/// The place of an open connection, which ends with this value.
#[derive(Debug)]
pub(crate) struct ConnectionPlace {
    connections: Arc<Connections>,
    id: u64,
    pub(crate) timer: Arc<PhaseTimer>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limits.max_connections)),
            open: Mutex::default(),
            limits,
        }
    }

    /// Returns the number of open connections.
    pub(crate) fn count(&self) -> usize {
        self.lock().by_id.len()
    }

    /// Returns a place for a connection of a peer. If all places are taken, closes the connection
    /// that has waited longest for its client, or waits until a connection has waited long enough.
    ///
    /// Returns `None` if the peer has too many connections, and none of them has waited long.
    pub(crate) async fn admit(
        self: &Arc<Self>,
        peer: IpAddr,
        metrics: &Metrics,
    ) -> Option<ConnectionPlace> {
        let max_per_peer = self.limits.max_connections_per_peer;
        // A peer that may have all connections waits for a place, as all peers do.
        if max_per_peer < self.limits.max_connections
            && self.lock().count_of(peer) >= max_per_peer
            && self.displace_oldest(Some(peer), metrics).is_err()
        {
            metrics.count_closed_connection(ClosedConnection::PeerLimit);
            return None;
        }
        let permit = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait_for_place(metrics).await?,
        };
        let timer = Arc::new(PhaseTimer::new(self.limits));
        let mut open = self.lock();
        let id = open.next_id;
        open.next_id += 1;
        let connection = OpenConnection {
            peer,
            timer: Arc::clone(&timer),
        };
        open.by_id.insert(id, connection);
        drop(open);
        Some(ConnectionPlace {
            connections: Arc::clone(self),
            id,
            timer,
            _permit: permit,
        })
    }

    /// Waits for a place, and closes connections that have waited long for their client.
    async fn wait_for_place(&self, metrics: &Metrics) -> Option<OwnedSemaphorePermit> {
        let mut acquiring = pin!(Arc::clone(&self.places).acquire_owned());
        loop {
            let next_try = match self.displace_oldest(None, metrics) {
                Ok(()) => Instant::now() + self.limits.displacement_delay(),
                Err(next_try) => next_try,
            };
            tokio::select! {
                permit = acquiring.as_mut() => return permit.ok(),
                () = sleep_until(next_try) => {}
            }
        }
    }

    /// Closes the connection that has waited longest for its client, of one peer or of all peers.
    /// If no connection has waited long, returns the time when one may have.
    fn displace_oldest(&self, peer: Option<IpAddr>, metrics: &Metrics) -> Result<(), Instant> {
        let delay = self.limits.displacement_delay();
        let mut open = self.lock();
        // Hostile clients that connect again at once would keep the webhook busy with handshakes.
        if let Some(last_displacement) = open.last_displacement
            && last_displacement.elapsed() < delay / DISPLACEMENTS_PER_DELAY
        {
            return Err(last_displacement + delay / DISPLACEMENTS_PER_DELAY);
        }
        let waiting = open.by_id.values().filter_map(|connection| {
            let current = connection.timer.current();
            let waits_for_client = !matches!(current.phase, Phase::Answering | Phase::Closing);
            let is_included = peer.is_none_or(|peer| connection.peer == peer);
            (waits_for_client && is_included).then_some((current.start, &connection.timer))
        });
        let oldest = waiting.min_by_key(|(start, _)| *start);
        let Some((start, timer)) = oldest else {
            return Err(Instant::now() + delay);
        };
        if start.elapsed() < delay {
            return Err(start + delay);
        }
        timer.displace();
        open.last_displacement = Some(Instant::now());
        drop(open);
        metrics.count_closed_connection(ClosedConnection::Displaced);
        Ok(())
    }

    /// Waits until all connections have ended.
    pub(crate) async fn wait_for_end(&self) -> bool {
        let count = u32::try_from(self.limits.max_connections).unwrap_or(u32::MAX);
        self.places.acquire_many(count).await.is_ok()
    }

    /// Locks the connections. A panic of another thread cannot make them inconsistent.
    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Returns the number of connections of a peer, without connections that are being closed.
    fn count_of(&self, peer: IpAddr) -> usize {
        let connections = self.by_id.values().filter(|connection| {
            connection.peer == peer && connection.timer.current().phase != Phase::Closing
        });
        connections.count()
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.connections.lock().by_id.remove(&self.id);
    }
}
