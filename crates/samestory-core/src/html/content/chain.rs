//! A linear chain of two labels: the probability of content at every block, given all blocks.
//!
//! ```text
//! P(y) ∝ exp( Σ score[i] · y[i] + Σ turns[y[i]][y[i+1]] )
//! ```
//!
//! One forward and one backward pass (Lafferty, McCallum, Pereira 2001) [lafferty2001], in log ratios of content to the
//! rest, so that long pages neither overflow nor underflow.

/// The probabilities of content from the scores of single blocks; `turns[a][b]` is the weight of label b after label a
/// (0: not content, 1: content), `shift` is added to the final log odds of content at every block.
pub(super) fn probabilities(scores: &[f64], turns: [[f64; 2]; 2], shift: f64) -> Vec<f32> {
    let [[none, begins], [ends, both]] = turns;
    let mut behind = vec![0.0; scores.len()];
    for at in (1..scores.len()).rev() {
        let ratio = behind[at] + scores[at];
        behind[at - 1] = ln_add(ends, ratio + both) - ln_add(none, ratio + begins);
    }
    let mut before = 0.0;
    let mut out = Vec::with_capacity(scores.len());
    for (score, behind) in scores.iter().zip(behind) {
        let ratio = before + score;
        out.push((1.0 / (1.0 + (-(ratio + behind + shift)).exp())) as f32);
        before = ln_add(begins, ratio + both) - ln_add(none, ratio + ends);
    }
    out
}

/// ln(eᵃ + eᵇ)
fn ln_add(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::probabilities;

    /// Directly from the formula: sums over all labellings of the blocks.
    fn slow(scores: &[f64], turns: [[f64; 2]; 2]) -> Vec<f64> {
        let (mut all, mut content) = (0.0, vec![0.0; scores.len()]);
        for labels in 0..1u32 << scores.len() {
            let label = |at: usize| (labels >> at & 1) as usize;
            let mut sum = 0.0;
            for (at, score) in scores.iter().enumerate() {
                sum += score * label(at) as f64;
                if at > 0 {
                    sum += turns[label(at - 1)][label(at)];
                }
            }
            all += sum.exp();
            (0..scores.len()).filter(|&at| label(at) == 1).for_each(|at| content[at] += sum.exp());
        }
        content.into_iter().map(|sum| sum / all).collect()
    }

    #[test]
    fn the_chain_agrees_with_summing_over_all_labels() {
        let scores = [1.5, -0.3, 0.2, -4.0, 3.1, 0.0, 0.7];
        for turns in [[[0.0, 0.0], [0.0, 0.0]], [[1.2, -0.3], [0.1, 0.4]], [[-0.5, 2.0], [-2.0, 0.3]]] {
            for length in 0..=scores.len() {
                let fast = probabilities(&scores[..length], turns, 0.0);
                for (fast, slow) in fast.iter().zip(slow(&scores[..length], turns)) {
                    assert!((f64::from(*fast) - slow).abs() < 1e-6, "{fast} {slow} {turns:?} {length}");
                }
            }
        }
    }

    #[test]
    fn scores_however_large_give_probabilities() {
        let scores: Vec<f64> = (0..5000).map(|at| if at % 7 < 4 { 900.0 } else { -900.0 }).collect();
        assert!(probabilities(&scores, [[50.0, -70.0], [-70.0, 60.0]], 1.0).iter().all(|p| (0.0..=1.0).contains(p)));
    }
}
