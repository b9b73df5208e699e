//! Runs work on several threads; the caller can read its progress and stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How often the caller's `tick` runs.
const TICK_INTERVAL: Duration = Duration::from_millis(50);
/// How long an idle worker spins before it sleeps.
const SPIN_DURATION: Duration = Duration::from_micros(200);

/// Progress counters that the caller may read while work runs, and the stop flag.
#[derive(Default)]
pub struct Watch {
    pub bytes: AtomicU64,
    pub articles: AtomicU64,
    /// Units of the current step that are done, and their total.
    pub done: AtomicU64,
    pub total: AtomicU64,
    stopped: Arc<AtomicBool>,
}

impl Watch {
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Begins a step of `total` units.
    pub fn begin(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total as u64, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The stop flag itself, for code that waits elsewhere.
    pub fn stopper(&self) -> Arc<AtomicBool> {
        self.stopped.clone()
    }
}

/// Called periodically on the caller's own thread; returns whether to continue.
pub type Tick<'a> = &'a mut dyn FnMut(&Watch) -> bool;

/// Runs `work` once on every thread and returns the results in thread order. The caller's thread only runs `tick`.
pub fn run<T: Send>(threads: usize, watch: &Watch, tick: Tick, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let (done, finished) = mpsc::channel::<()>();
        let handles: Vec<_> = (0..threads.max(1))
            .map(|number| {
                let (work, done) = (&work, done.clone());
                scope.spawn(move || {
                    let out = work(number);
                    drop(done);
                    out
                })
            })
            .collect();
        drop(done);
        while let Err(mpsc::RecvTimeoutError::Timeout) = finished.recv_timeout(TICK_INTERVAL) {
            if !tick(watch) {
                watch.stop();
            }
        }
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Hands out the numbers 0..count to the threads, in ranges of `step`; `watch.done` counts those handed out.
pub struct Deal<'a> {
    next: AtomicUsize,
    count: usize,
    step: usize,
    watch: &'a Watch,
}

impl<'a> Deal<'a> {
    pub fn new(count: usize, step: usize, watch: &'a Watch) -> Self {
        watch.begin(count);
        Deal { next: AtomicUsize::new(0), count, step, watch }
    }

    pub fn take(&self) -> Option<std::ops::Range<usize>> {
        let start = self.next.fetch_add(self.step, Ordering::Relaxed);
        self.watch.done.store(start.min(self.count) as u64, Ordering::Relaxed);
        (start < self.count).then(|| start..(start + self.step).min(self.count))
    }
}

/// One batch of questions and its progress.
struct Batch<Q> {
    questions: Vec<Q>,
    next: AtomicUsize,
    /// Questions without an answer.
    unanswered: AtomicUsize,
}

/// Shared state of a crew: the current batch, its number, and the answers so far, each with the index of its question.
struct BatchQueue<Q, A> {
    batch: Mutex<Arc<Batch<Q>>>,
    number: AtomicUsize,
    batch_ready: Condvar,
    answers: Mutex<Vec<(usize, A)>>,
    /// No batch will follow: all work is done, or a thread has panicked.
    closed: AtomicBool,
}

impl<Q, A> BatchQueue<Q, A> {
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn close(&self) {
        let _batch = self.batch.lock();
        self.closed.store(true, Ordering::Release);
        self.batch_ready.notify_all();
    }

    fn open(&self, questions: Vec<Q>) -> Arc<Batch<Q>> {
        let unanswered = AtomicUsize::new(questions.len());
        let batch = Arc::new(Batch { questions, next: AtomicUsize::new(0), unanswered });
        let mut place = self.batch.lock().expect("no panic while the lock is held");
        *place = batch.clone();
        self.number.fetch_add(1, Ordering::Release); // under the lock, so that no worker falls asleep in between
        drop(place);
        self.batch_ready.notify_all();
        batch
    }

    /// Waits for the batch after this number; None when the queue is closed. Batches follow one another so closely that
    /// sleeping at once would cost more than the work.
    fn wait(&self, number: usize) -> Option<Arc<Batch<Q>>> {
        let is_over = || self.number.load(Ordering::Acquire) != number || self.is_closed();
        let waiting = Instant::now();
        while !is_over() && waiting.elapsed() < SPIN_DURATION {
            std::hint::spin_loop();
        }
        let mut batch = self.batch.lock().expect("no panic while the lock is held");
        while !is_over() {
            batch = self.batch_ready.wait(batch).expect("no panic while the lock is held");
        }
        (!self.is_closed()).then(|| batch.clone())
    }

    /// Answers questions of the batch, one at a time, until none is left.
    fn work(&self, batch: &Batch<Q>, mut answer: impl FnMut(&Q) -> A, mut between: impl FnMut()) {
        let mut answers = vec![];
        loop {
            let at = batch.next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = batch.questions.get(at) else {
                break;
            };
            answers.push((at, answer(question)));
            between();
        }
        let count = answers.len();
        self.answers.lock().expect("no panic while the lock is held").append(&mut answers);
        batch.unanswered.fetch_sub(count, Ordering::Release);
    }
}

/// Closes the queue on drop: always if the flag is set, else only on a panic.
struct CloseOnDrop<'a, Q, A>(&'a BatchQueue<Q, A>, bool);

impl<Q, A> Drop for CloseOnDrop<'_, Q, A> {
    fn drop(&mut self) {
        if self.1 || std::thread::panicking() {
            self.0.close();
        }
    }
}

/// A thread pool for repeated batches: `body` submits batches of questions and receives the answers in order (None when
/// the work was stopped). The caller's thread works too. Returns the result of `body`, and the workers with their
/// counts.
pub fn crew<Q: Send + Sync, A: Send, W: Send, R>(
    threads: usize,
    watch: &Watch,
    tick: Tick,
    new_worker: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, &Q) -> A + Sync,
    body: impl FnOnce(&mut dyn FnMut(Vec<Q>) -> Option<Vec<A>>) -> R,
) -> (R, Vec<W>) {
    let empty = Batch { questions: vec![], next: AtomicUsize::new(0), unanswered: AtomicUsize::new(0) };
    let queue = BatchQueue {
        batch: Mutex::new(Arc::new(empty)),
        number: AtomicUsize::new(0),
        batch_ready: Condvar::new(),
        answers: Mutex::new(vec![]),
        closed: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let close_guard = CloseOnDrop(&queue, true);
        let mut handles = vec![];
        for _ in 1..threads {
            let (queue, new_worker, answer) = (&queue, &new_worker, &answer);
            handles.push(scope.spawn(move || {
                let _close_guard = CloseOnDrop(queue, false);
                let mut worker = new_worker();
                let mut number = 0;
                while let Some(batch) = queue.wait(number) {
                    number += 1;
                    queue.work(&batch, |question| answer(&mut worker, question), || ());
                }
                worker
            }));
        }
        let mut worker = new_worker();
        let mut ticked = Instant::now();
        let mut ask = |questions: Vec<Q>| {
            let mut run_tick = || {
                if ticked.elapsed() >= TICK_INTERVAL {
                    ticked = Instant::now();
                    if !tick(watch) {
                        watch.stop();
                    }
                }
            };
            watch.done.fetch_add(questions.len() as u64, Ordering::Relaxed);
            let batch = queue.open(questions);
            queue.work(&batch, |question| answer(&mut worker, question), &mut run_tick);
            while batch.unanswered.load(Ordering::Acquire) > 0 {
                if queue.is_closed() {
                    return None;
                }
                run_tick();
                std::thread::yield_now(); // the thread with the last answer may be waiting for this processor
            }
            let mut answers = std::mem::take(&mut *queue.answers.lock().expect("no panic while the lock is held"));
            answers.sort_unstable_by_key(|(at, _)| *at);
            (!watch.is_stopped()).then(|| answers.into_iter().map(|(_, answer)| answer).collect())
        };
        let result = body(&mut ask);
        drop(close_guard);
        let others =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut workers: Vec<W> = others.collect();
        workers.push(worker);
        (result, workers)
    })
}
