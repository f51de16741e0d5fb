//! Limits the memory of large answers, across all clients and transports.
//!
//! A file that a client reads is in memory several times until it is sent: its bytes, base64, JSON, an event. So each
//! answer weighs as much as the files read for it, and all together weigh at most [`MOST`]; later ones wait their turn.
//! A client that stops reading would block all others, so while one waits, answers that make no progress are given up.

use std::{
    collections::{HashMap, VecDeque},
    io,
    sync::{Arc, Mutex, Weak},
    time::{Duration, Instant},
};

use rmcp::model::RequestId;
use skills::{Entry, SkillPath};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{Host, lock::lock};

/// The maximum weight of all answers, in bytes: the largest skill that is published (SEP-2640).
const MOST: u64 = 16 << 20;
/// Smaller files weigh nothing: the number of open answers is limited too.
const SMALL: u64 = 32 << 10;
/// The time without progress after which an answer counts as stalled.
const STILL: Duration = Duration::from_secs(5);
/// How often a waiting task looks for stalled answers.
const LOOK: Duration = Duration::from_millis(250);
/// The number of cancelled calls remembered, until their open work ends.
const CANCELLED: usize = 256;

/// The memory budget of a host for large answers. Cheap to clone; a process has one.
#[derive(Clone)]
pub struct MemoryBudget(Arc<Inner>);

struct Inner {
    most: u64,
    still: Duration,
    used: Mutex<Used>,
    freed: Notify,
    /// Held by the task that waits: later ones queue behind it, however little they need.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Used {
    bytes: u64,
    /// The outlets with an unsent answer that weighs.
    outlets: Vec<Weak<Outlet>>,
    /// The outlets that wait for memory.
    waiting: Vec<Weak<Outlet>>,
}

/// A waiting task; dropping it removes it from the list.
struct Waiting<'r> {
    room: &'r MemoryBudget,
    outlet: &'r Weak<Outlet>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut used = lock(&self.room.0.used);
        if let Some(at) = used.waiting.iter().position(|outlet| outlet.ptr_eq(self.outlet)) {
            used.waiting.swap_remove(at);
        }
    }
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self::new(MOST, STILL)
    }
}

impl MemoryBudget {
    /// A budget of `most` bytes of files. An answer without progress for `still` gives way to others.
    pub fn new(most: u64, still: Duration) -> Self {
        let (used, freed, turn) = (Mutex::default(), Notify::new(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { most, still, used, freed, turn }))
    }

    /// Runs work that holds so many bytes only while it runs.
    pub(crate) async fn hold<T>(&self, bytes: u64, work: impl Future<Output = T>) -> T {
        let _load = self.take(bytes, &Weak::new()).await;
        work.await
    }

    /// Waits in turn for memory, for an answer of this outlet.
    async fn take(&self, bytes: u64, outlet: &Weak<Outlet>) -> Option<Load> {
        let bytes = bytes.min(self.0.most);
        if bytes < SMALL {
            return None;
        }
        lock(&self.0.used).waiting.push(outlet.clone());
        let _waiting = Waiting { room: self, outlet };
        let _turn = self.0.turn.lock().await;
        loop {
            let freed = self.0.freed.notified();
            {
                let mut used = lock(&self.0.used);
                if used.bytes + bytes <= self.0.most {
                    used.bytes += bytes;
                    return Some(Load { bytes, room: self.clone() });
                }
            }
            self.give_up_one();
            tokio::select! {
                () = freed => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Records that an answer of this outlet weighs.
    fn watch(&self, outlet: &Arc<Outlet>) {
        let mut used = lock(&self.0.used);
        used.outlets.retain(|outlet| outlet.strong_count() > 0);
        if !used.outlets.iter().any(|other| other.as_ptr() == Arc::as_ptr(outlet)) {
            used.outlets.push(Arc::downgrade(outlet));
        }
    }

    /// Gives up the answer stalled for longest if another outlet waits; a client that blocks only itself is not
    /// disturbed.
    fn give_up_one(&self) {
        let outlets: Vec<_> = {
            let used = lock(&self.0.used);
            let in_the_way = |outlet: &&Weak<Outlet>| used.waiting.iter().any(|other| !other.ptr_eq(outlet));
            used.outlets.iter().filter(in_the_way).filter_map(Weak::upgrade).collect()
        };
        let still = outlets.iter().filter_map(|outlet| Some((outlet.still_since(self.0.still)?, outlet)));
        if let Some((_, outlet)) = still.min_by_key(|(since, _)| *since) {
            tracing::info!("A client stopped reading a large answer, so it was given up.");
            outlet.give_up();
        }
    }
}

/// One path to a client: an answer over HTTP, or a connection of lines.
#[derive(Default)]
pub(crate) struct Outlet {
    loads: Mutex<Loads>,
    /// The time of the last progress, while an answer is being sent.
    moved: Mutex<Option<Instant>>,
    given_up: CancellationToken,
}

#[derive(Default)]
struct Loads {
    of: HashMap<RequestId, Vec<Load>>,
    /// The calls cancelled last: no answer is sent for them.
    cancelled: VecDeque<RequestId>,
}

/// Reserved memory; dropping it releases the memory.
struct Load {
    bytes: u64,
    room: MemoryBudget,
}

impl Drop for Load {
    fn drop(&mut self) {
        lock(&self.room.0.used).bytes -= self.bytes;
        self.room.0.freed.notify_waiters();
    }
}

impl Outlet {
    /// Records progress in sending; the time until stalled starts again.
    pub(crate) fn moves(&self) {
        *lock(&self.moved) = Some(Instant::now());
    }

    /// Whether an answer here weighs.
    pub(crate) fn is_loaded(&self) -> bool {
        !lock(&self.loads).of.is_empty()
    }

    /// Starts sending the answer to this request: it weighs until the result is dropped. `None` if it weighs nothing.
    pub(crate) fn sends(self: &Arc<Self>, id: &RequestId) -> Option<Sending> {
        let weighs = lock(&self.loads).of.contains_key(id);
        weighs.then(|| {
            self.moves();
            Sending { outlet: Arc::clone(self), id: id.clone() }
        })
    }

    /// The answer to this request is sent, or never will be.
    pub(crate) fn settled(&self, id: &RequestId) {
        let mut loads = lock(&self.loads);
        let load = loads.of.remove(id);
        if loads.of.is_empty() {
            *lock(&self.moved) = None;
        }
        drop(loads);
        drop(load);
    }

    /// The client cancelled this request.
    pub(crate) fn cancelled(&self, id: RequestId) {
        self.settled(&id);
        let cancelled = &mut lock(&self.loads).cancelled;
        cancelled.push_back(id);
        if cancelled.len() > CANCELLED {
            cancelled.pop_front();
        }
    }

    /// Cancelled when a stalled answer here is given up.
    pub(crate) fn given_up(&self) -> &CancellationToken {
        &self.given_up
    }

    /// Gives up all unsent answers.
    fn give_up(&self) {
        self.given_up.cancel();
        let loads = std::mem::take(&mut lock(&self.loads).of);
        drop(loads);
    }

    fn still_since(&self, still: Duration) -> Option<Instant> {
        let moved = *lock(&self.moved);
        moved.filter(|moved| moved.elapsed() >= still && self.is_loaded())
    }
}

/// A weighing answer that is being sent. It is dropped when sent or given up.
pub(crate) struct Sending {
    outlet: Arc<Outlet>,
    id: RequestId,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.outlet.settled(&self.id);
    }
}

/// The known size of a skill's file in bytes. An unlisted file may have any size.
pub(crate) fn size(entry: &Entry, path: &SkillPath) -> u64 {
    entry.file(path).map_or(u64::MAX, |file| file.size)
}

/// Reads files for one request.
pub(crate) struct Reader {
    pub(crate) outlet: Arc<Outlet>,
    pub(crate) id: RequestId,
    /// Cancelled when the answer is no longer wanted.
    pub(crate) unwanted: CancellationToken,
}

impl Reader {
    /// Reads for an answer that is not cancelled.
    pub(crate) fn new(outlet: Arc<Outlet>, id: RequestId) -> Self {
        Self { outlet, id, unwanted: CancellationToken::new() }
    }

    /// The current bytes of one file. They weigh until the answer is sent.
    pub(crate) async fn read<H: Host>(&self, host: &H, entry: &Entry, path: &SkillPath) -> io::Result<Vec<u8>> {
        self.carry(host, entry.file(path).map_or(0, |file| file.size)).await?;
        let read = host.read(entry, path).await;
        if read.is_err() {
            self.outlet.settled(&self.id);
        }
        read
    }

    /// Waits for memory for so many bytes of this answer.
    ///
    /// # Errors
    /// If the client stopped reading its answers, or cancelled this one.
    pub(crate) async fn carry<H: Host>(&self, host: &H, bytes: u64) -> io::Result<()> {
        let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "nobody reads the answer");
        let outlet = Arc::downgrade(&self.outlet);
        let load = tokio::select! {
            biased;
            () = self.outlet.given_up.cancelled() => return Err(gone()),
            () = self.unwanted.cancelled() => return Err(gone()),
            load = host.room().take(bytes, &outlet) => load,
        };
        let Some(load) = load else { return Ok(()) };
        let mut loads = lock(&self.outlet.loads);
        if loads.cancelled.contains(&self.id) {
            return Err(gone());
        }
        loads.of.entry(self.id.clone()).or_default().push(load);
        drop(loads);
        host.room().watch(&self.outlet);
        Ok(())
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // A cancelled request gets no answer.
        if self.unwanted.is_cancelled() {
            self.outlet.settled(&self.id);
        }
    }
}
