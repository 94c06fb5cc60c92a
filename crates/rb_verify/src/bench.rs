//! Runs a benchmark often enough to know its times. What they mean is `gate`'s to say.

use rb_core::Verdict;
use rb_toolchains::{Command, Detected, Purpose, line_command};

use crate::gate::Times;
use crate::options::Benchmark;
use crate::verifier::{Part, Verifier, VerifyError};

/// Runs the benchmark so often as was chosen, after one run that warms up. `Err` in the result says why there are no times.
pub(crate) fn measure(
    verifier: &Verifier,
    benchmark: &Benchmark,
    detected: &Detected,
    name: &str,
) -> Result<Result<Times, String>, VerifyError> {
    let command =
        Command { purpose: Purpose::Benchmark, ..line_command(&benchmark.line, detected) };
    let mut times = Vec::new();
    for nth in 0..=benchmark.runs {
        let run = verifier.run(&command, Part::All, &format!("{name}-{nth:02}"), None)?;
        if run.verdict != Verdict::Pass {
            return Ok(Err(run.reasons.join("; ")));
        }
        if nth > 0 {
            #[expect(clippy::cast_precision_loss, reason = "nothing runs so long")]
            times.push(run.ms as f64);
        }
    }
    Ok(Ok(Times(times)))
}
