//! How much of large answers is in memory at once, whoever asks and by whichever way.
//!
//! A file that a client reads is there several times over until it is sent: its bytes, base64, JSON, an event. So each answer
//! weighs as much as the files that were read for it, and all together weigh no more than [`MOST`]: who comes later waits its
//! turn. A client that stops reading would hold up all others with that, so while somebody waits, answers that stand still are
//! given up.

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

use crate::{Host, server::lock};

/// What all answers may weigh together, in bytes: the largest skill that is published (SEP-2640).
const MOST: u64 = 16 << 20;
/// Smaller files weigh nothing: there are no more answers at once than have room.
const SMALL: u64 = 32 << 10;
/// An answer that has not moved for so long stands still.
const STILL: Duration = Duration::from_secs(5);
/// How often somebody who waits looks for such answers.
const LOOK: Duration = Duration::from_millis(250);
/// How many cancelled calls are remembered: until the work that is under way for them ends.
const CANCELLED: usize = 256;

/// The room that a host has for large answers. Cheap to clone; one for all that a process serves.
#[derive(Clone)]
pub struct Room(Arc<Inner>);

struct Inner {
    most: u64,
    still: Duration,
    used: Mutex<Used>,
    freed: Notify,
    /// Whoever waits has it: the next one waits behind, however little it needs.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Used {
    bytes: u64,
    /// Where something that weighs waits to be sent.
    outlets: Vec<Weak<Outlet>>,
    /// Who waits for room, and for which outlet.
    waiting: Vec<Weak<Outlet>>,
}

/// Somebody who waits; dropped, it waits no more.
struct Waiting<'r> {
    room: &'r Room,
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

impl Default for Room {
    fn default() -> Self {
        Self::new(MOST, STILL)
    }
}

impl Room {
    /// Room for so many bytes of files together. An answer that has not moved for `still` gives way to others.
    pub fn new(most: u64, still: Duration) -> Self {
        let (used, freed, turn) = (Mutex::default(), Notify::new(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { most, still, used, freed, turn }))
    }

    /// Does something that holds so many bytes for its own time only.
    pub(crate) async fn hold<T>(&self, bytes: u64, work: impl Future<Output = T>) -> T {
        let _load = self.take(bytes, &Weak::new()).await;
        work.await
    }

    /// Waits for room, in turn, for something that this outlet sends.
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

    /// Remembers that something in this outlet weighs.
    fn watch(&self, outlet: &Arc<Outlet>) {
        let mut used = lock(&self.0.used);
        used.outlets.retain(|outlet| outlet.strong_count() > 0);
        if !used.outlets.iter().any(|other| other.as_ptr() == Arc::as_ptr(outlet)) {
            used.outlets.push(Arc::downgrade(outlet));
        }
    }

    /// Gives up what has stood still for longest, as long as somebody else waits: who holds up itself alone is left in peace.
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

/// One way out to a client: an answer over HTTP, or a connection of lines.
#[derive(Default)]
pub(crate) struct Outlet {
    loads: Mutex<Loads>,
    /// When something last moved, as long as something is being sent.
    moved: Mutex<Option<Instant>>,
    given_up: CancellationToken,
}

#[derive(Default)]
struct Loads {
    of: HashMap<RequestId, Vec<Load>>,
    /// The calls that were cancelled last: nothing is ever sent for them.
    cancelled: VecDeque<RequestId>,
}

/// Room that is taken; dropped, it is free again.
struct Load {
    bytes: u64,
    room: Room,
}

impl Drop for Load {
    fn drop(&mut self) {
        lock(&self.room.0.used).bytes -= self.bytes;
        self.room.0.freed.notify_waiters();
    }
}

impl Outlet {
    /// From now on something is sent, and this much later it stands still.
    pub(crate) fn moves(&self) {
        *lock(&self.moved) = Some(Instant::now());
    }

    /// Whether anything here weighs.
    pub(crate) fn is_loaded(&self) -> bool {
        !lock(&self.loads).of.is_empty()
    }

    /// From now on the answer to this request is sent: what it weighs, it weighs until that is dropped. `None` where it
    /// weighs nothing.
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

    /// The client wants no answer to this request any more.
    pub(crate) fn cancelled(&self, id: RequestId) {
        self.settled(&id);
        let cancelled = &mut lock(&self.loads).cancelled;
        cancelled.push_back(id);
        if cancelled.len() > CANCELLED {
            cancelled.pop_front();
        }
    }

    /// Cancelled when what stands still here is given up.
    pub(crate) fn given_up(&self) -> &CancellationToken {
        &self.given_up
    }

    /// What is left of it is never sent.
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

/// An answer that weighs and is under way. Dropped, it was sent, or never will be.
pub(crate) struct Sending {
    outlet: Arc<Outlet>,
    id: RequestId,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.outlet.settled(&self.id);
    }
}

/// How many bytes a file of a skill has, as far as is known. One that is not listed may have any number.
pub(crate) fn size(entry: &Entry, path: &SkillPath) -> u64 {
    entry.file(path).map_or(u64::MAX, |file| file.size)
}

/// Who reads files, and for which request.
pub(crate) struct Reader {
    pub(crate) outlet: Arc<Outlet>,
    pub(crate) id: RequestId,
    /// Cancelled when nobody wants the answer any more.
    pub(crate) unwanted: CancellationToken,
}

impl Reader {
    /// Who reads for an answer that is wanted until it is there.
    pub(crate) fn new(outlet: Arc<Outlet>, id: RequestId) -> Self {
        Self { outlet, id, unwanted: CancellationToken::new() }
    }

    /// The present bytes of one file. It weighs until the answer is sent.
    pub(crate) async fn read<H: Host>(&self, host: &H, entry: &Entry, path: &SkillPath) -> io::Result<Vec<u8>> {
        self.carry(host, entry.file(path).map_or(0, |file| file.size)).await?;
        let read = host.read(entry, path).await;
        if read.is_err() {
            self.outlet.settled(&self.id);
        }
        read
    }

    /// Waits until there is room for so many bytes in this answer.
    ///
    /// # Errors
    /// When the client stopped reading its answers, or wants this one no more.
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
        // What is answered now is not sent.
        if self.unwanted.is_cancelled() {
            self.outlet.settled(&self.id);
        }
    }
}
