//! The list of rules, and the pages that are made of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::{expect, expect_file};
use rb_rules::engine::markdown;
use rb_rules::rules::ALL;
use rb_rules::{Category, FixKind, Impact};

/// Ids, order and impact of the guide: 57 rules in 8 categories, then the 13 that came later.
#[test]
fn ru1_the_rules_are_those_of_the_guide() {
    let mut text = String::new();
    for rule in ALL {
        writeln!(text, "{} {} {}", rule.id, rule.impact.name(), rule.fix.name())
            .expect("a string takes it");
    }
    expect![[r#"
        async-defer-await HIGH assist, in part auto
        async-parallel CRITICAL assist, in part auto
        async-dependencies CRITICAL assist
        async-api-routes CRITICAL assist, in part auto
        async-suspense-boundaries HIGH detect
        bundle-barrel-imports CRITICAL auto
        bundle-dynamic-imports CRITICAL assist
        bundle-defer-third-party MEDIUM assist
        bundle-conditional HIGH detect
        bundle-preload MEDIUM detect
        server-auth-actions CRITICAL detect
        server-cache-react MEDIUM assist
        server-cache-lru HIGH detect
        server-dedup-props LOW detect
        server-serialization HIGH detect
        server-parallel-fetching CRITICAL detect
        server-after-nonblocking MEDIUM assist
        client-swr-dedup MEDIUM-HIGH detect
        client-event-listeners LOW detect
        client-passive-event-listeners MEDIUM auto
        client-localstorage-schema MEDIUM detect
        rerender-defer-reads MEDIUM assist
        rerender-memo MEDIUM detect
        rerender-memo-with-default-value MEDIUM auto
        rerender-dependencies LOW assist, in part auto
        rerender-derived-state MEDIUM detect
        rerender-derived-state-no-effect MEDIUM auto
        rerender-functional-setstate MEDIUM assist, in part auto
        rerender-lazy-state-init MEDIUM auto
        rerender-simple-expression-in-memo LOW-MEDIUM auto
        rerender-move-effect-to-event MEDIUM detect
        rerender-transitions MEDIUM assist
        rerender-use-ref-transient-values MEDIUM assist
        rendering-animate-svg-wrapper LOW detect
        rendering-content-visibility HIGH detect
        rendering-hoist-jsx LOW auto
        rendering-svg-precision LOW assist
        rendering-hydration-no-flicker MEDIUM detect
        rendering-hydration-suppress-warning LOW-MEDIUM assist
        rendering-activity MEDIUM assist
        rendering-conditional-render LOW auto
        rendering-usetransition-loading LOW assist
        js-batch-dom-css MEDIUM detect
        js-index-maps LOW-MEDIUM assist, in part auto
        js-cache-property-access LOW-MEDIUM detect
        js-cache-function-results MEDIUM detect
        js-cache-storage LOW-MEDIUM assist
        js-combine-iterations LOW-MEDIUM detect
        js-length-check-first MEDIUM-HIGH assist
        js-early-exit LOW-MEDIUM detect
        js-hoist-regexp LOW-MEDIUM auto
        js-min-max-loop LOW assist, in part auto
        js-set-map-lookups LOW-MEDIUM auto
        js-tosorted-immutable MEDIUM-HIGH assist, in part auto
        advanced-event-handler-refs LOW assist
        advanced-init-once LOW-MEDIUM detect
        advanced-use-latest LOW assist
        async-cheap-condition-before-await HIGH assist, in part auto
        server-parallel-nested-fetching CRITICAL assist
        server-hoist-static-io HIGH assist
        server-no-shared-module-state HIGH detect
        bundle-analyzable-paths HIGH assist
        rerender-no-inline-components HIGH assist, in part auto
        rerender-split-combined-hooks MEDIUM assist
        rerender-use-deferred-value MEDIUM assist
        rendering-resource-hints HIGH detect
        rendering-script-defer-async HIGH assist
        js-request-idle-callback MEDIUM detect
        js-flatmap-filter LOW-MEDIUM detect
        advanced-effect-event-deps LOW auto
    "#]]
    .assert_eq(&text);
}

#[test]
fn ru1_counts_per_category_are_those_of_the_guide() {
    let guide = &ALL[..57];
    let counts: Vec<usize> = Category::ALL
        .iter()
        .map(|category| guide.iter().filter(|rule| rule.category == *category).count())
        .collect();
    assert_eq!(counts, [5, 5, 7, 4, 12, 9, 12, 3]);
    let impacts: Vec<Impact> = Category::ALL.iter().map(|it| it.impact()).collect();
    assert!(impacts.is_sorted(), "categories go from the greatest impact to the least");
    assert_eq!(ALL.len(), 70);
    let ids: BTreeSet<&str> = ALL.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), 70);
    let of = |kind: FixKind| ALL.iter().filter(|rule| rule.fix == kind).count();
    assert_eq!(
        [FixKind::Auto, FixKind::AssistWithAuto, FixKind::Assist, FixKind::Detect].map(of),
        [11, 10, 22, 27]
    );
}

/// `docs/rules.md` is made of the rules' own words.
#[test]
fn ru1_the_documentation_is_made_from_the_rules() {
    let mut text = String::from(
        "# Rules\n\n`refactor-bot rules explain RULE` prints the same text. \
         To write your own rules, see [custom rules](custom-rules.md).\n",
    );
    for category in Category::ALL {
        writeln!(text, "\n## {} ({})\n", category.title(), category.impact().name())
            .expect("a string takes it");
        let own: Vec<String> = ALL
            .iter()
            .filter(|rule| rule.category == category)
            .map(|rule| markdown(rule))
            .collect();
        text.push_str(&own.join("\n"));
    }
    expect_file!["../../../../docs/rules.md"].assert_eq(&text);
}
