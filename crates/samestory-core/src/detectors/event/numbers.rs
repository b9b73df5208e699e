//! The numbers that describe the agreement of two news items, by name.

/// The names of the numbers, in the order of `Agreement::measure`.
pub const NAMES: [&str; 47] = [
    "cosine",
    "held_most",
    "held_least",
    "close",
    "mass",
    "words_shared",
    "missing_most",
    "missing_least",
    "lead_missing_least",
    "names_most",
    "names_least",
    "nameless",
    "names_apart",
    "names_shared",
    "numbers_shared",
    "numbers_other",
    "numbers_apart",
    "numbers_one",
    "counts_conflict",
    "counts_near",
    "dates_apart",
    "ways_conflict",
    "words_least",
    "words_most",
    "lead",
    "lead_held_most",
    "lead_held_least",
    "runs",
    "turned",
    "letters",
    "slots_numbers",
    "slots_names",
    "slots_words",
    "runs_slots",
    "runs_turned",
    "days",
    "days_runs",
    "exchanged",
    "ahead_of",
    "ahead_one",
    "ordinals_apart",
    "opposed",
    "rest_apart",
    "swapped",
    "dates_shared",
    "slots_dates",
    "main_names_apart",
];

/// Indexes of those that also count between whole articles.
pub const NAMES_APART: usize = index_of("names_apart");
pub const COUNTS_CONFLICT: usize = index_of("counts_conflict");
pub const DATES_APART: usize = index_of("dates_apart");
pub const WAYS_CONFLICT: usize = index_of("ways_conflict");
pub const RUNS: usize = index_of("runs");
pub const SLOTS_NUMBERS: usize = index_of("slots_numbers");
pub const SLOTS_NAMES: usize = index_of("slots_names");
pub const ORDINALS_APART: usize = index_of("ordinals_apart");
pub const REST_APART: usize = index_of("rest_apart");
pub const SWAPPED: usize = index_of("swapped");
pub const SLOTS_DATES: usize = index_of("slots_dates");
pub const MAIN_NAMES_APART: usize = index_of("main_names_apart");

/// The index of a name; does not compile for any other.
const fn index_of(name: &str) -> usize {
    let (mut at, name) = (0, name.as_bytes());
    loop {
        let known = NAMES[at].as_bytes();
        let mut same = 0;
        while same < known.len() && same < name.len() && known[same] == name[same] {
            same += 1;
        }
        if same == known.len() && same == name.len() {
            return at;
        }
        at += 1;
    }
}

/// One for every name.
pub type Numbers = [f64; NAMES.len()];
