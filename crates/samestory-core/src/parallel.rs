//! Work on several threads, with a caller that can watch and stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{mpsc, Mutex};
use std::time::Duration;

/// How often the caller is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);
/// How many questions a worker takes at a time.
const BATCH: usize = 16;

/// Counters that the caller may read while work goes on, and the word to stop it.
#[derive(Default)]
pub struct Watch {
    pub bytes: AtomicU64,
    pub articles: AtomicU64,
    stopped: AtomicBool,
}

impl Watch {
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
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
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Deals out the numbers 0..count to whoever asks next, in runs of `step`.
pub struct Deal {
    next: AtomicUsize,
    count: usize,
    step: usize,
}

impl Deal {
    pub fn new(count: usize, step: usize) -> Self {
        Deal { next: AtomicUsize::new(0), count, step }
    }

    pub fn take(&self) -> Option<std::ops::Range<usize>> {
        let start = self.next.fetch_add(self.step, Ordering::Relaxed);
        (start < self.count).then(|| start..(start + self.step).min(self.count))
    }
}

/// Threads that stay: `body` hands them batches of questions, again and again, and gets the answers in order (none when
/// the work was stopped). Gives what `body` gave, and the workers with what they have counted.
pub fn crew<Q: Send, A: Send, W: Send, R>(
    threads: usize,
    watch: &Watch,
    tick: Tick,
    hire: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, Q) -> A + Sync,
    body: impl FnOnce(&mut dyn FnMut(Vec<Q>) -> Option<Vec<A>>) -> R,
) -> (R, Vec<W>) {
    let (desk, questions) = mpsc::channel::<Vec<(usize, Q)>>();
    let questions = Mutex::new(questions);
    std::thread::scope(|scope| {
        let (answers, answered) = mpsc::channel::<Vec<(usize, A)>>();
        let mut handles = vec![];
        for _ in 0..threads.max(1) {
            let (hire, answer, answers, questions) = (&hire, &answer, answers.clone(), &questions);
            handles.push(scope.spawn(move || {
                let mut worker = hire();
                loop {
                    let next = questions.lock().expect("nobody panics with the lock").recv();
                    let Ok(batch) = next else { break };
                    let batch = batch.into_iter().map(|(at, question)| (at, answer(&mut worker, question))).collect();
                    if answers.send(batch).is_err() {
                        break;
                    }
                }
                worker
            }));
        }
        drop(answers);
        let mut ask = |questions: Vec<Q>| {
            let count = questions.len();
            let mut waiting = 0;
            let mut questions = questions.into_iter().enumerate().peekable();
            while questions.peek().is_some() {
                desk.send(questions.by_ref().take(BATCH).collect()).ok()?;
                waiting += 1;
            }
            let mut out: Vec<Option<A>> = (0..count).map(|_| None).collect();
            while waiting > 0 {
                match answered.recv_timeout(TICK) {
                    Ok(batch) => {
                        waiting -= 1;
                        for (at, answer) in batch {
                            out[at] = Some(answer);
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        if !tick(watch) {
                            watch.stop();
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => return None,
                }
            }
            if watch.is_stopped() {
                return None;
            }
            out.into_iter().collect()
        };
        let result = body(&mut ask);
        drop(desk);
        let workers = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        (result, workers)
    })
}
