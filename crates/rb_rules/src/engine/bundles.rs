//! RU2: from what a person asks for to the rules that serve it.

use crate::rule::Rule;
use crate::rules::ALL;

/// Rules that belong to one order of a person, in the order of work.
#[derive(Debug)]
pub struct Bundle {
    pub name: &'static str,
    /// As a person would say it.
    pub directive: &'static str,
    /// Stems of words: each list must have one of them in the directive.
    stems: &'static [&'static [&'static str]],
    /// Ids; empty for every rule.
    ids: &'static [&'static str],
}

impl Bundle {
    pub fn rules(&self) -> Vec<&'static Rule> {
        if self.ids.is_empty() {
            let mut all = ALL.to_vec();
            all.sort_by_key(|rule| rule.category);
            return all;
        }
        let of = |id: &&str| ALL.iter().copied().find(|rule| rule.id == *id);
        self.ids.iter().filter_map(of).collect()
    }
}

pub fn bundle(name: &str) -> Option<&'static Bundle> {
    BUNDLES.iter().find(|bundle| bundle.name == name)
}

/// The bundles that a directive asks for, in the order of their importance. Empty where it speaks of something else.
pub fn by_directive(directive: &str) -> Vec<&'static Bundle> {
    let words: Vec<String> = directive
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let has = |stem: &&str| match stem.split_once(' ') {
        Some((first, second)) => {
            words.windows(2).any(|pair| pair[0].starts_with(first) && pair[1].starts_with(second))
        }
        None => words.iter().any(|word| word.starts_with(*stem)),
    };
    let asked: Vec<&Bundle> =
        BUNDLES.iter().filter(|it| it.stems.iter().all(|any| any.iter().any(has))).collect();
    // Who asks for one thing does not ask for everything.
    let is_special = asked.iter().any(|it| !it.ids.is_empty());
    asked.into_iter().filter(|it| !it.ids.is_empty() || !is_special).collect()
}

pub static BUNDLES: &[Bundle] = &[
    Bundle {
        name: "waterfalls",
        directive: "Eliminate request waterfalls",
        stems: &[&["waterfall", "paralleli", "parallel", "sequential", "slow load"]],
        ids: &[
            "async-defer-await",
            "async-parallel",
            "async-dependencies",
            "async-api-routes",
            "async-cheap-condition-before-await",
            "server-parallel-fetching",
            "server-parallel-nested-fetching",
            "async-suspense-boundaries",
            "server-cache-react",
            "client-swr-dedup",
        ],
    },
    Bundle {
        name: "bundle",
        directive: "Reduce bundle size",
        stems: &[&["bundle", "tree shak", "treeshak", "code split", "lazy load", "lazy", "barrel"]],
        ids: &[
            "bundle-barrel-imports",
            "bundle-dynamic-imports",
            "bundle-defer-third-party",
            "bundle-conditional",
            "bundle-analyzable-paths",
            "bundle-preload",
            "rendering-svg-precision",
            "rendering-script-defer-async",
            "server-serialization",
        ],
    },
    Bundle {
        name: "rerenders",
        directive: "Fix unnecessary re-renders",
        stems: &[&[
            "rerender",
            "re render",
            "unnecessary render",
            "render too",
            "memo",
            "useeffect",
        ]],
        ids: &[
            "rerender-no-inline-components",
            "rerender-derived-state-no-effect",
            "rerender-functional-setstate",
            "rerender-lazy-state-init",
            "rerender-memo-with-default-value",
            "rerender-dependencies",
            "rerender-simple-expression-in-memo",
            "rerender-move-effect-to-event",
            "rerender-use-ref-transient-values",
            "rerender-defer-reads",
            "rerender-derived-state",
            "rerender-memo",
            "rerender-transitions",
            "rerender-split-combined-hooks",
            "rerender-use-deferred-value",
            "advanced-event-handler-refs",
            "advanced-use-latest",
            "advanced-effect-event-deps",
            "rendering-hoist-jsx",
        ],
    },
    Bundle {
        name: "server",
        directive: "Optimize server components",
        stems: &[&["server", "rsc", "api route", "ttfb", "serializ"]],
        ids: &[
            "server-auth-actions",
            "server-no-shared-module-state",
            "server-parallel-fetching",
            "server-parallel-nested-fetching",
            "async-api-routes",
            "server-serialization",
            "server-cache-react",
            "server-hoist-static-io",
            "server-after-nonblocking",
            "server-dedup-props",
            "server-cache-lru",
            "async-suspense-boundaries",
        ],
    },
    Bundle {
        name: "audit",
        directive: "General performance audit",
        stems: &[&["performance", "best practice", "faster", "audit", "optimi"]],
        ids: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ru2_directives_lead_to_bundles() {
        #[track_caller]
        fn check(directive: &str, expected: &[&str]) {
            let names: Vec<&str> = by_directive(directive).iter().map(|it| it.name).collect();
            assert_eq!(names, expected, "{directive}");
        }
        check("Eliminate request waterfalls across the project.", &["waterfalls"]);
        check(
            "Reduce bundle size by fixing barrel imports and lazy-loading heavy components.",
            &["bundle"],
        );
        check("Fix unnecessary re-renders across components.", &["rerenders"]);
        check("Optimize server component data fetching and serialization.", &["server"]);
        check("Eliminate waterfalls and reduce bundle size", &["waterfalls", "bundle"]);
        check("General performance audit", &["audit"]);
        check("Make it faster", &["audit"]);
        check("Convert all synchronous file operations to async", &[]);
    }

    /// S0's table names them as the primary rules of each directive.
    #[test]
    fn ru2_each_bundle_has_the_primary_rules_of_its_directive() {
        let primary: &[(&str, &[&str])] = &[
            (
                "waterfalls",
                &[
                    "async-parallel",
                    "async-defer-await",
                    "async-suspense-boundaries",
                    "server-parallel-fetching",
                ],
            ),
            (
                "bundle",
                &[
                    "bundle-barrel-imports",
                    "bundle-dynamic-imports",
                    "bundle-defer-third-party",
                    "bundle-conditional",
                ],
            ),
            (
                "rerenders",
                &[
                    "rerender-memo",
                    "rerender-derived-state",
                    "rerender-move-effect-to-event",
                    "rerender-functional-setstate",
                ],
            ),
            (
                "server",
                &[
                    "server-cache-react",
                    "server-serialization",
                    "server-dedup-props",
                    "server-after-nonblocking",
                ],
            ),
        ];
        for (name, ids) in primary {
            let rules = bundle(name).unwrap().rules();
            for id in *ids {
                assert!(rules.iter().any(|rule| rule.id == *id), "{id} is not in {name}");
            }
        }
        for bundle in BUNDLES {
            assert_eq!(
                bundle.rules().len(),
                if bundle.ids.is_empty() { ALL.len() } else { bundle.ids.len() }
            );
        }
    }
}
