//! Where work pays most: what is changed often, hard to read and used by many.
//!
//! A pure ranking of numbers that others have found. Each part is put on a logarithmic scale from 0 to 1 against the
//! largest of its kind, and the score is the product: one part near zero makes it no hotspot. The parts stay visible.

/// What is known of one file or function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measured {
    /// A path or a symbol id.
    pub name: Box<str>,
    /// Of all functions in it, and of the worst of them.
    pub complexity_sum: u32,
    pub complexity_max: u32,
    /// Commits that touched it.
    pub commits: u32,
    /// How many use it.
    pub fan_in: u32,
}

/// One place in the ranking. The parts are from 0 to 1, and the score is their product.
#[derive(Debug, Clone, PartialEq)]
pub struct Hotspot {
    pub measured: Measured,
    pub score: f64,
    pub churn: f64,
    pub complexity: f64,
    pub fan_in: f64,
}

impl Hotspot {
    /// Why it stands where it stands, in one line.
    pub fn explained(&self) -> String {
        let Measured { complexity_sum, complexity_max, commits, fan_in, .. } = &self.measured;
        format!(
            "{commits} commits ({:.2}) × complexity {complexity_sum}, worst {complexity_max} ({:.2}) × used by {fan_in} ({:.2})",
            self.churn, self.complexity, self.fan_in
        )
    }
}

/// What nobody uses is still worth work when it is complex and changes, so this part does not begin at zero.
const UNUSED: f64 = 0.5;

/// The ranking, highest first; equals by name. What never changed or holds no code is left out.
pub fn rank(measured: Vec<Measured>) -> Vec<Hotspot> {
    let most = |part: fn(&Measured) -> u32| measured.iter().map(part).max().unwrap_or(0);
    let (commits, sum, worst, fan_in) = (
        most(|one| one.commits),
        most(|one| one.complexity_sum),
        most(|one| one.complexity_max),
        most(|one| one.fan_in),
    );
    let mut ranking: Vec<Hotspot> = measured
        .into_iter()
        .map(|one| {
            let churn = scaled(one.commits, commits);
            let complexity =
                f64::midpoint(scaled(one.complexity_sum, sum), scaled(one.complexity_max, worst));
            let fan_in = UNUSED + (1.0 - UNUSED) * scaled(one.fan_in, fan_in);
            let score = churn * complexity * fan_in;
            Hotspot { measured: one, score, churn, complexity, fan_in }
        })
        .filter(|hotspot| hotspot.score > 0.0)
        .collect();
    ranking.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.measured.name.cmp(&b.measured.name))
    });
    ranking
}

/// `value` against the largest, both as logarithms: half of the largest is far more than half the way.
fn scaled(value: u32, most: u32) -> f64 {
    if most == 0 { 0.0 } else { f64::from(value).ln_1p() / f64::from(most).ln_1p() }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Rows of name, sum and maximum of complexity, commits, fan-in.
    #[track_caller]
    fn check(rows: &[(&str, u32, u32, u32, u32)], expected: &Expect) {
        let measured = rows
            .iter()
            .map(|&(name, complexity_sum, complexity_max, commits, fan_in)| Measured {
                name: name.into(),
                complexity_sum,
                complexity_max,
                commits,
                fan_in,
            })
            .collect();
        let lines: Vec<String> = rank(measured)
            .iter()
            .map(|spot| format!("{:.3} {}: {}", spot.score, spot.measured.name, spot.explained()))
            .collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn ix10_hotspots_are_changed_complex_and_used() {
        check(
            &[
                ("core.py", 120, 30, 80, 40),
                ("busy_but_simple.py", 3, 1, 80, 40),
                ("complex_but_quiet.py", 120, 30, 1, 40),
                ("unused.py", 120, 30, 80, 0),
                ("never_changed.py", 120, 30, 0, 40),
                ("data.py", 0, 0, 80, 40),
                ("a_twin.py", 50, 10, 20, 5),
                ("twin.py", 50, 10, 20, 5),
            ],
            &expect![[r"
                1.000 core.py: 80 commits (1.00) × complexity 120, worst 30 (1.00) × used by 40 (1.00)
                0.500 unused.py: 80 commits (1.00) × complexity 120, worst 30 (1.00) × used by 0 (0.50)
                0.390 a_twin.py: 20 commits (0.69) × complexity 50, worst 10 (0.76) × used by 5 (0.74)
                0.390 twin.py: 20 commits (0.69) × complexity 50, worst 10 (0.76) × used by 5 (0.74)
                0.245 busy_but_simple.py: 80 commits (1.00) × complexity 3, worst 1 (0.25) × used by 40 (1.00)
                0.158 complex_but_quiet.py: 1 commits (0.16) × complexity 120, worst 30 (1.00) × used by 40 (1.00)"]],
        );
    }

    #[test]
    fn ix10_nothing_gives_nothing() {
        check(&[], &expect![[""]]);
        check(&[("a.py", 0, 0, 0, 0)], &expect![[""]]);
    }
}
