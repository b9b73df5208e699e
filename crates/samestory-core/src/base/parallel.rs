//! Work on several threads, with a caller that can watch and stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How often the caller is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);
/// How long a worker without work waits before it sleeps.
const PATIENCE: Duration = Duration::from_micros(200);

/// Counters that the caller may read while work goes on, and the word to stop it.
#[derive(Default)]
pub struct Watch {
    pub bytes: AtomicU64,
    pub articles: AtomicU64,
    /// How much of the step in hand is done, and how much there is of it.
    pub done: AtomicU64,
    pub total: AtomicU64,
    stopped: Arc<AtomicBool>,
}

impl Watch {
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// A step of so many parts begins.
    pub fn begin(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total as u64, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The word itself, for those who wait elsewhere.
    pub fn stopper(&self) -> Arc<AtomicBool> {
        self.stopped.clone()
    }
}

/// Called now and then on the caller's own thread; says whether to go on.
pub type Tick<'a> = &'a mut dyn FnMut(&Watch) -> bool;

/// Runs `work` once on every thread and gives the results in the order of the threads. The caller's thread only watches.
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
        while let Err(mpsc::RecvTimeoutError::Timeout) = finished.recv_timeout(TICK) {
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

/// Deals out the numbers 0..count to whoever asks next, in runs of `step`; who watches sees how many are dealt.
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

/// One batch of questions, and how far it has come.
struct Round<Q> {
    questions: Vec<Q>,
    next: AtomicUsize,
    /// Questions without an answer.
    open: AtomicUsize,
}

/// Where a crew meets: the round in hand, its number, and the answers so far, each with the number of its question.
struct Desk<Q, A> {
    round: Mutex<Arc<Round<Q>>>,
    number: AtomicUsize,
    arrived: Condvar,
    answers: Mutex<Vec<(usize, A)>>,
    /// No round will follow: all is done, or somebody has panicked.
    closed: AtomicBool,
}

impl<Q, A> Desk<Q, A> {
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn close(&self) {
        let _round = self.round.lock();
        self.closed.store(true, Ordering::Release);
        self.arrived.notify_all();
    }

    fn open(&self, questions: Vec<Q>) -> Arc<Round<Q>> {
        let open = AtomicUsize::new(questions.len());
        let round = Arc::new(Round { questions, next: AtomicUsize::new(0), open });
        let mut place = self.round.lock().expect("nobody panics with the lock");
        *place = round.clone();
        self.number.fetch_add(1, Ordering::Release); // under the lock, so that nobody falls asleep in between
        drop(place);
        self.arrived.notify_all();
        round
    }

    /// The round after the one of this number, when it has come; none when the desk is closed. Rounds follow one another
    /// so closely that sleeping at once would cost more than the work.
    fn wait(&self, number: usize) -> Option<Arc<Round<Q>>> {
        let is_over = || self.number.load(Ordering::Acquire) != number || self.is_closed();
        let waiting = Instant::now();
        while !is_over() && waiting.elapsed() < PATIENCE {
            std::hint::spin_loop();
        }
        let mut round = self.round.lock().expect("nobody panics with the lock");
        while !is_over() {
            round = self.arrived.wait(round).expect("nobody panics with the lock");
        }
        (!self.is_closed()).then(|| round.clone())
    }

    /// Answers questions of the round, one at a time, until all are taken.
    fn work(&self, round: &Round<Q>, mut answer: impl FnMut(&Q) -> A, mut between: impl FnMut()) {
        let mut answers = vec![];
        loop {
            let at = round.next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = round.questions.get(at) else {
                break;
            };
            answers.push((at, answer(question)));
            between();
        }
        let count = answers.len();
        self.answers.lock().expect("nobody panics with the lock").append(&mut answers);
        round.open.fetch_sub(count, Ordering::Release);
    }
}

/// Closes the desk when its holder leaves, in whatever way.
struct Closing<'a, Q, A>(&'a Desk<Q, A>, bool);

impl<Q, A> Drop for Closing<'_, Q, A> {
    fn drop(&mut self) {
        if self.1 || std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Threads that stay: `body` hands them batches of questions, again and again, and gets the answers in order (none when
/// the work was stopped). The caller's thread works too. Gives what `body` gave, and the workers with what they have
/// counted.
pub fn crew<Q: Send + Sync, A: Send, W: Send, R>(
    threads: usize,
    watch: &Watch,
    tick: Tick,
    hire: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, &Q) -> A + Sync,
    body: impl FnOnce(&mut dyn FnMut(Vec<Q>) -> Option<Vec<A>>) -> R,
) -> (R, Vec<W>) {
    let nothing = Round { questions: vec![], next: AtomicUsize::new(0), open: AtomicUsize::new(0) };
    let desk = Desk {
        round: Mutex::new(Arc::new(nothing)),
        number: AtomicUsize::new(0),
        arrived: Condvar::new(),
        answers: Mutex::new(vec![]),
        closed: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let closing = Closing(&desk, true);
        let mut handles = vec![];
        for _ in 1..threads {
            let (desk, hire, answer) = (&desk, &hire, &answer);
            handles.push(scope.spawn(move || {
                let _closing = Closing(desk, false);
                let mut worker = hire();
                let mut number = 0;
                while let Some(round) = desk.wait(number) {
                    number += 1;
                    desk.work(&round, |question| answer(&mut worker, question), || ());
                }
                worker
            }));
        }
        let mut worker = hire();
        let mut ticked = Instant::now();
        let mut ask = |questions: Vec<Q>| {
            let mut look_up = || {
                if ticked.elapsed() >= TICK {
                    ticked = Instant::now();
                    if !tick(watch) {
                        watch.stop();
                    }
                }
            };
            watch.done.fetch_add(questions.len() as u64, Ordering::Relaxed);
            let round = desk.open(questions);
            desk.work(&round, |question| answer(&mut worker, question), &mut look_up);
            while round.open.load(Ordering::Acquire) > 0 {
                if desk.is_closed() {
                    return None;
                }
                look_up();
                std::thread::yield_now(); // whoever holds the last answer may be waiting for this processor
            }
            let mut answers = std::mem::take(&mut *desk.answers.lock().expect("nobody panics with the lock"));
            answers.sort_unstable_by_key(|(at, _)| *at);
            (!watch.is_stopped()).then(|| answers.into_iter().map(|(_, answer)| answer).collect())
        };
        let result = body(&mut ask);
        drop(closing);
        let others =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut workers: Vec<W> = others.collect();
        workers.push(worker);
        (result, workers)
    })
}
