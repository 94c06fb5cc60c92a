//! What a model takes. Newer ones choose how they sample and refuse to be told; the newest always think, which a
//! forced tool would keep them from. Which these are stands in the provider's file.

use crate::catalog::Quirks;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Capabilities {
    /// `temperature` may be in a request, whatever its value.
    pub(super) temperature: bool,
    /// A tool can be forced; otherwise the prompt asks for it.
    pub(super) forced_tool: bool,
}

impl Capabilities {
    /// A model that nobody told us about takes everything.
    pub(super) fn of(quirks: &Quirks, model: &str) -> Self {
        Capabilities {
            temperature: quirks.takes_temperature(model),
            forced_tool: quirks.takes_forced_tool(model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo6_temperature_is_sent_unless_the_model_refuses_it() {
        let quirks = super::super::bundled();
        let check = |name: &str, temperature: bool, forced_tool: bool| {
            assert_eq!(
                Capabilities::of(&quirks, name),
                Capabilities { temperature, forced_tool },
                "{name}"
            );
        };
        check("claude-3-5-haiku-20241022", true, true);
        check("claude-opus-4-6", true, true);
        check("claude-opus-4-7", false, true);
        check("claude-opus-5-20260724", false, true);
        check("claude-opus-5-5", false, false);
        check("claude-fable-5-1", false, false);
        check("somebody-elses", true, true);
        check("", true, true);
    }
}
