//! Relations to groups, each with its certificate: its representative, its weakest verified link, the nearest article
//! outside and why that one is outside.
//!
//! `star`: articles are taken best representative first; each one that is still free opens a group and takes the free
//! articles related to it, so that every member is verified against the representative and chains cannot grow.
//! `components`: whatever hangs together.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::detectors::{Kind, Overlap};
use crate::relate::Link;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Star,
    Components,
}

/// What people said about pairs: it stands above what was measured.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    pub same: Vec<(u32, u32)>,
    apart: HashMap<u32, Vec<u32>>,
}

impl Decisions {
    pub fn new(same: Vec<(u32, u32)>, apart: &[(u32, u32)]) -> Self {
        let mut map: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(a, b) in apart {
            map.entry(a).or_default().push(b);
            map.entry(b).or_default().push(a);
        }
        Decisions { same, apart: map }
    }

    fn forbids(&self, article: u32, mut inside: impl FnMut(u32) -> bool) -> bool {
        self.apart.get(&article).is_some_and(|others| others.iter().any(|&other| inside(other)))
    }
}

/// Why the nearest article outside a group is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Too little in common.
    Apart,
    /// One form, other facts.
    Form,
    /// Related, but in a way that does not join groups.
    Kind,
    /// Related to the representative, but a member of another group.
    Taken,
    /// Somebody decided so.
    Forbidden,
}

impl Outside {
    pub fn name(self) -> &'static str {
        match self {
            Outside::Apart => "below the threshold",
            Outside::Form => "one form, other facts",
            Outside::Kind => "related in another way",
            Outside::Taken => "in another group",
            Outside::Forbidden => "decided to be apart",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Group {
    pub representative: u32,
    /// The representative first, then the others in the order of the input.
    pub members: Vec<u32>,
    /// (left, right, overlap) of the weakest of the links that hold the group together.
    pub weakest: Option<(u32, u32, Overlap)>,
    pub nearest: Option<(u32, Overlap, Outside)>,
    /// Joined because somebody decided so.
    pub forced: bool,
}

impl Group {
    fn hold(&mut self, left: u32, right: u32, overlap: Overlap) {
        let stronger = |(_, _, weakest): (u32, u32, Overlap)| weakest.share() <= overlap.share();
        if !self.weakest.is_some_and(stronger) {
            self.weakest = Some((left, right, overlap));
        }
    }

    fn see(&mut self, to: u32, overlap: Overlap, why: Outside) {
        if self.nearest.is_none_or(|(_, nearest, _)| nearest.share() < overlap.share()) {
            self.nearest = Some((to, overlap, why));
        }
    }
}

/// The kinds that make one story of two articles.
pub fn joins(kind: Kind, also_parts: bool) -> bool {
    match kind {
        Kind::Identical | Kind::Near | Kind::Update | Kind::SameEvent => true,
        Kind::PartOf | Kind::HasPart => also_parts,
        Kind::None => false,
    }
}

pub struct Rules<'a> {
    pub method: Method,
    /// Articles, best representative first.
    pub order: &'a [u32],
    pub join_parts: bool,
    pub decisions: &'a Decisions,
}

/// How many free articles are looked at together: enough for several threads, few enough that they seldom turn out to
/// be related to each other.
const AHEAD: usize = 128;

/// For every article the number of its group, or FREE; read by those who look for links while groups form.
pub struct Owners {
    groups: Vec<AtomicU32>,
    /// A bit for every article: is it free? So many fit into the nearest cache that asking costs nothing.
    free: Vec<AtomicU64>,
}

const FREE: u32 = u32::MAX;

impl Owners {
    pub fn new(count: usize) -> Self {
        Owners {
            groups: (0..count).map(|_| AtomicU32::new(FREE)).collect(),
            free: (0..count.div_ceil(64)).map(|_| AtomicU64::new(u64::MAX)).collect(),
        }
    }

    #[inline(always)]
    pub fn is_free(&self, article: u32) -> bool {
        self.free[article as usize / 64].load(Ordering::Relaxed) >> (article % 64) & 1 != 0
    }

    pub fn get(&self, article: u32) -> u32 {
        self.groups[article as usize].load(Ordering::Relaxed)
    }

    fn set(&self, article: u32, group: u32) {
        self.groups[article as usize].store(group, Ordering::Relaxed);
        self.free[article as usize / 64].fetch_and(!(1 << (article % 64)), Ordering::Relaxed);
    }
}

/// What is asked about an article while groups form.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// Its links to the articles that are free.
    Links(u32),
    /// Its link to the nearest of those that were in one of the first groups, so many, when its turn came.
    Nearest(u32, u32),
}

/// The links of one article.
pub type Answer = Vec<Link>;

/// None: the answers were stopped.
pub fn group(
    owners: &Owners,
    rules: &Rules,
    ask: &mut dyn FnMut(Vec<Question>) -> Option<Vec<Answer>>,
) -> Option<Vec<Group>> {
    let mut expand = |articles: &[u32]| ask(articles.iter().map(|&a| Question::Links(a)).collect());
    let mut groups: Vec<Group> = vec![];
    let mut closed: Vec<Question> = vec![];
    let mut order = rules.order.iter().copied();
    loop {
        let ahead: Vec<u32> = order.by_ref().filter(|&a| owners.is_free(a)).take(AHEAD).collect();
        if ahead.is_empty() {
            break;
        }
        let before = groups.len() as u32;
        let answers = expand(&ahead)?;
        for (article, links) in ahead.into_iter().zip(answers) {
            if !owners.is_free(article) {
                continue;
            }
            let number = groups.len() as u32;
            owners.set(article, number);
            let mut group =
                Group { representative: article, members: vec![article], weakest: None, nearest: None, forced: false };
            take(&mut group, number, article, links, owners, rules);
            if group.members.len() > 1 {
                closed.push(Question::Nearest(article, before));
            }
            let mut asked = 1;
            while rules.method == Method::Components && asked < group.members.len() {
                let front = group.members[asked..].to_vec();
                asked = group.members.len();
                for (&member, links) in front.iter().zip(expand(&front)?) {
                    take(&mut group, number, member, links, owners, rules);
                }
            }
            groups.push(group);
        }
    }
    // for the certificate of a group, also what stands nearest among those that other groups had taken before
    for (question, links) in closed.clone().into_iter().zip(ask(closed)?) {
        if let Question::Nearest(article, _) = question {
            let number = owners.get(article);
            take(&mut groups[number as usize], number, article, links, owners, rules);
        }
    }
    force(&mut groups, owners, rules);
    for group in &mut groups {
        group.members[1..].sort_unstable();
    }
    Some(groups)
}

fn take(group: &mut Group, number: u32, from: u32, links: Vec<Link>, owners: &Owners, rules: &Rules) {
    for Link { to, overlap } in links {
        if owners.get(to) == number {
            continue;
        }
        let why = match overlap.kind {
            Kind::None if overlap.why == crate::detectors::Why::Form => Outside::Form,
            Kind::None => Outside::Apart,
            kind if !joins(kind, rules.join_parts) => Outside::Kind,
            _ if !owners.is_free(to) => Outside::Taken,
            _ if rules.decisions.forbids(to, |other| owners.get(other) == number) => Outside::Forbidden,
            _ => {
                owners.set(to, number);
                group.members.push(to);
                group.hold(from, to, overlap);
                continue;
            }
        };
        if from == group.representative {
            group.see(to, overlap, why);
        }
    }
}

/// Joins what people joined. The better representative of the two stays.
fn force(groups: &mut Vec<Group>, owners: &Owners, rules: &Rules) {
    for &(a, b) in &rules.decisions.same {
        let (x, y) = (owners.get(a).min(owners.get(b)), owners.get(a).max(owners.get(b)));
        if x == y {
            groups[x as usize].forced = true;
            continue;
        }
        // groups were opened best representative first, so the lower number keeps its own
        let joined = std::mem::replace(
            &mut groups[y as usize],
            Group { representative: 0, members: vec![], weakest: None, nearest: None, forced: false },
        );
        for &member in &joined.members {
            owners.set(member, x);
        }
        let group = &mut groups[x as usize];
        group.members.extend(joined.members);
        group.forced = true;
        if let Some((left, right, overlap)) = joined.weakest {
            group.hold(left, right, overlap);
        }
        if group.nearest.is_some_and(|(to, ..)| owners.get(to) == x) {
            group.nearest = None;
        }
    }
    groups.retain(|group| !group.members.is_empty());
}
