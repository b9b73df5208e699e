//! Shared-key filter: finds hashes that occur more than once, from a few bits each, so that only those are sent whole.
//!
//! Every partition sends each part its truncated hashes, sorted and delta-coded; a part responds with one bit per hash.
//! Different hashes may collide when truncated: then a hash is sent needlessly. Equal hashes always match.

use super::buffer::{first_of, part_of_hash, put, BufferReader, CorruptBuffer};

/// Upper bits to compare hashes by: with seven more than it takes to number all, one in a hundred collides by chance.
pub fn bits_for(count: u64) -> u32 {
    (64 - count.leading_zeros() + 7).clamp(16, 56)
}

/// The request of one partition for its hashes, a buffer for every part.
pub fn request(hashes: &[u64], bits: u32, parts: usize) -> Vec<Vec<u8>> {
    let mut short: Vec<u64> = hashes.iter().map(|hash| hash >> (64 - bits)).collect();
    short.sort_unstable();
    short.dedup();
    let mut rest = &short[..];
    let mut out = vec![];
    for part in 0..parts {
        let (here, behind) = rest.split_at(rest.partition_point(|&hash| part_of_hash(hash, bits, parts) == part));
        rest = behind;
        out.push(distances(here, first_of(part, bits, parts), first_of(part + 1, bits, parts)));
    }
    out
}

/// The responses of a part, one per request, with a bit for every hash: is it in another request too?
pub fn respond(buffers: &[&[u8]]) -> Result<Vec<Vec<u8>>, CorruptBuffer> {
    let requests: Vec<Vec<u64>> = buffers.iter().map(|buffer| hashes_of(buffer)).collect::<Result<_, _>>()?;
    let mut all = requests.concat();
    all.sort_unstable();
    let mut repeated: Vec<u64> =
        all.chunk_by(|x, y| x == y).filter(|same| same.len() > 1).map(|same| same[0]).collect();
    repeated.push(u64::MAX); // sentinel: no hash is as large
    let responses = requests.iter().map(|own| {
        let mut out = vec![0u8; own.len().div_ceil(8)];
        let mut at = 0;
        for (bit, &hash) in own.iter().enumerate() {
            while repeated[at] < hash {
                at += 1;
            }
            out[bit / 8] |= u8::from(repeated[at] == hash) << (bit % 8);
        }
        out
    });
    Ok(responses.collect())
}

/// For every hash of the requesting partition: does it occur there more than once, or in another partition too?
pub fn read_responses(hashes: &[u64], bits: u32, parts: usize, answers: &[&[u8]]) -> Result<Vec<bool>, CorruptBuffer> {
    let mut short: Vec<(u64, u32)> = hashes.iter().map(|hash| hash >> (64 - bits)).zip(0..).collect();
    short.sort_unstable();
    let mut out = vec![false; hashes.len()];
    let (mut part, mut bit) = (0, 0);
    for same in short.chunk_by(|x, y| x.0 == y.0) {
        let here = part_of_hash(same[0].0, bits, parts);
        if here != part {
            (part, bit) = (here, 0);
        }
        let byte = answers.get(part).and_then(|own| own.get(bit / 8)).ok_or(CorruptBuffer)?;
        if same.len() > 1 || byte >> (bit % 8) & 1 == 1 {
            same.iter().for_each(|&(_, at)| out[at as usize] = true);
        }
        bit += 1;
    }
    Ok(out)
}

/// Ascending numbers of a range as distances (Golomb-Rice): as many low bits as a usual distance has, the rest unary.
fn distances(numbers: &[u64], first: u64, end: u64) -> Vec<u8> {
    let mut out = vec![];
    put(&mut out, numbers.len() as u64);
    let usual = (end - first) / (numbers.len() as u64 + 1);
    let low = 64 - (usual | 1).leading_zeros() - 1;
    put(&mut out, u64::from(low));
    let (mut pending, mut used) = (0u128, 0);
    // appends a value, which must fit into `bits`
    let mut write = |value: u64, bits: u32| {
        pending |= u128::from(value) << used;
        used += bits;
        if used >= 64 {
            out.extend_from_slice(&(pending as u64).to_le_bytes());
            pending >>= 64;
            used -= 64;
        }
    };
    let mut next = first;
    for &number in numbers {
        let distance = number - next;
        next = number + 1;
        for _ in 0..distance >> low {
            write(1, 1);
        }
        write(0, 1);
        write(distance & ((1 << low) - 1), low);
    }
    if used > 0 {
        out.extend_from_slice(&(pending as u64).to_le_bytes());
    }
    out
}

/// The numbers relative to the first of their range, decoded from the output of `distances`.
fn hashes_of(buffer: &[u8]) -> Result<Vec<u64>, CorruptBuffer> {
    let mut buffer = BufferReader(buffer);
    let (count, low) = (buffer.number()?, buffer.number()?);
    let words: Vec<u64> =
        buffer.0.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect();
    if low >= 64 || count > 64 * words.len() as u64 {
        return Err(CorruptBuffer);
    }
    let mut at = 0usize;
    let mut out = Vec::with_capacity(count as usize);
    let mut next = 0u64;
    for _ in 0..count {
        let mut ones = 0u64;
        while words.get(at / 64).ok_or(CorruptBuffer)? >> (at % 64) & 1 == 1 {
            ones += 1;
            at += 1;
        }
        at += 1;
        let mut rest = 0u64;
        if low > 0 {
            let (word, shift) = (at / 64, at % 64);
            rest = words.get(word).ok_or(CorruptBuffer)? >> shift;
            if shift > 0 && shift + low as usize > 64 {
                rest |= words.get(word + 1).ok_or(CorruptBuffer)? << (64 - shift);
            }
            rest &= (1 << low) - 1;
            at += low as usize;
        }
        let number = next.checked_add(ones << low | rest).ok_or(CorruptBuffer)?;
        out.push(number);
        next = number + 1;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::postings::partitioned::mixed;

    #[test]
    fn what_somebody_else_has_or_oneself_twice_is_heard_of_and_little_else() {
        for parts in [1, 3, 40] {
            let hash = mixed;
            let own: Vec<Vec<u64>> =
                vec![(0..3000).map(hash).collect(), (2500..6000).chain([2600, 5000]).map(hash).collect(), vec![]];
            let bits = bits_for(own.iter().map(|some| some.len() as u64).sum());
            let requests: Vec<Vec<Vec<u8>>> = own.iter().map(|some| request(some, bits, parts)).collect();
            assert!(requests.iter().flatten().map(Vec::len).sum::<usize>() < 6500 * 2 + 40 * 3 * parts);
            let responses: Vec<Vec<Vec<u8>>> = (0..parts)
                .map(|part| respond(&requests.iter().map(|buffers| &buffers[part][..]).collect::<Vec<_>>()).unwrap())
                .collect();
            for (at, some) in own.iter().enumerate() {
                let answers: Vec<&[u8]> = responses.iter().map(|part| &part[at][..]).collect();
                let heard = read_responses(some, bits, parts, &answers).unwrap();
                let shared = |one: &u64| own.iter().flatten().filter(|other| other == &one).count() > 1;
                assert!(some.iter().zip(&heard).all(|(one, &heard)| heard || !shared(one)));
                let needless = some.iter().zip(&heard).filter(|(one, &heard)| heard && !shared(one)).count();
                assert!(needless < 100, "{needless} of {}", some.len());
            }
        }
        assert!(respond(&[&[5, 3]]).is_err());
        assert!(read_responses(&[1, 2], 16, 1, &[&[]]).is_err());
    }
}
