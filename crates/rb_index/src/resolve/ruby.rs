//! Ruby: `require_relative` by path, `require` by the load path.
//!
//! The load path is guessed: every `lib`, `test`, `spec` and folder in `app` of the tree, the nearest first. Constants
//! that a loader finds by their name are not imports and not seen here.

use std::sync::LazyLock;

use rb_lang::{Import, ImportKind, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Resolution, found, paths, words};
use crate::tree::{FileId, Tree};

pub(super) struct RubyResolver<'t> {
    tree: &'t Tree,
    /// Files by what `require` would call them.
    features: FxHashMap<&'t str, Vec<FileId>>,
    gems: FxHashSet<&'t str>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "Gemfile" || name.ends_with(".gemspec")
}

impl<'t> RubyResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let mut features: FxHashMap<&'t str, Vec<FileId>> = FxHashMap::default();
        let mut gems = FxHashSet::default();
        for id in tree.ids() {
            let file = tree.get(id);
            if let (Some(text), true) = (&file.manifest, is_manifest(paths::name(&file.path))) {
                gems.extend(gems_in(text));
            }
            if file.language == Some(Language::Ruby) {
                for feature in features_of(&file.path) {
                    features.entry(feature).or_default().push(id);
                }
            }
        }
        RubyResolver { tree, features, gems }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = &*import.specifier;
        let folder = paths::folder(&self.tree.get(from).path);
        if import.kind == ImportKind::Include || path.starts_with("../") {
            return found(self.file(folder, path));
        }
        if path.starts_with("./") {
            // Against the working folder, most often the top.
            return found(self.file("", path).or_else(|| self.file(folder, path)));
        }
        let feature = path.strip_suffix(".rb").unwrap_or(path);
        let files = self.features.get(feature).map_or(&[][..], Vec::as_slice);
        let nearest = paths::nearest(self.tree, from, files).first().copied();
        if STANDARD.contains(feature.split('/').next().unwrap_or_default()) {
            let own = nearest.filter(|&file| self.is_own(folder, file, feature));
            return own.map_or(Resolution::Builtin, |file| found(Some(file)));
        }
        match nearest.or_else(|| self.file(folder, path).filter(|&file| file != from)) {
            Some(file) => found(Some(file)),
            None => self.outside(folder, feature),
        }
    }

    fn file(&self, folder: &str, path: &str) -> Option<FileId> {
        let path = paths::join(folder, path)?;
        self.tree.find(&format!("{path}.rb")).or_else(|| self.tree.find(&path))
    }

    /// Is the file on the load path of the very project that asks for it? Then it shadows the standard library.
    fn is_own(&self, folder: &str, file: FileId, feature: &str) -> bool {
        let path = &*self.tree.get(file).path;
        let root = path.strip_suffix(".rb").and_then(|path| path.strip_suffix(feature));
        let project = root.map(|root| paths::folder(root.trim_end_matches('/')));
        project.is_some_and(|project| paths::strip(folder, project).is_some())
    }

    fn outside(&self, folder: &str, feature: &str) -> Resolution {
        if let Some(gem) = self.gem(feature) {
            return Resolution::External(gem.into());
        }
        // Beside other files of the project's own library, but not there.
        let beside = paths::folder(feature);
        let missing = !beside.is_empty()
            && paths::folders_up(folder).any(|folder| {
                let library = paths::below(folder, "lib");
                paths::has_folder(self.tree, &paths::below(&library, beside))
            });
        if missing {
            return Resolution::Unresolved;
        }
        Resolution::External(feature.split('/').next().unwrap_or_default().into())
    }

    /// The gem of the tree's manifests that a feature belongs to: `google/cloud/storage` is in `google-cloud-storage`,
    /// `active_support/all` in `activesupport`.
    fn gem(&self, feature: &str) -> Option<&'t str> {
        let first = feature.split('/').next().unwrap_or_default();
        let dashed = feature.replace('/', "-");
        let mut names: Vec<&str> = std::iter::successors(Some(&*dashed), |name| Some(name.rsplit_once('-')?.0))
            .collect();
        let underscored = first.replace('-', "_");
        let joined = first.replace('_', "");
        let parted = first.replace('_', "-");
        names.extend([&*underscored, &*joined, &*parted]);
        names.into_iter().find_map(|name| self.gems.get(name).copied())
    }
}

/// What a file is called by `require`, for every folder in its path that may be on the load path.
fn features_of(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_suffix(".rb").unwrap_or_default();
    let starts = path.match_indices('/').map(|(at, _)| at);
    starts.filter_map(move |at| {
        let folder = &path[..at];
        let is_root = matches!(paths::name(folder), "lib" | "test" | "spec")
            || paths::name(paths::folder(folder)) == "app";
        is_root.then(|| &path[at + 1..])
    })
}

/// `gem "name"` of a Gemfile, `add_dependency "name"` and its like of a gemspec.
fn gems_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let (head, rest) = line.split_once(['"', '\''])?;
        let head = head.trim_end_matches([' ', '(']);
        let is_gem = head == "gem" || (head.contains(".add_") && head.ends_with("dependency"));
        is_gem.then(|| rest.split_once(['"', '\'']).map(|(name, _)| name))?
    })
}

/// The standard library with its default and bundled gems, by first parts.
static STANDARD: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "English abbrev base64 benchmark bigdecimal bundler cgi cmath continuation coverage csv date dbm debug \
         delegate did_you_mean digest drb e2mmap erb error_highlight etc expect fcntl fiber fiddle fileutils find \
         forwardable gdbm getoptlong io ipaddr irb json kconv logger matrix minitest mkmf monitor mutex_m net nkf \
         objspace observer open-uri open3 openssl optionparser optparse ostruct pathname power_assert pp prettyprint \
         prime profile profiler pstore psych pty racc rake random rbconfig rbs rdoc readline reline resolv rexml \
         rinda ripper rss ruby2_keywords rubygems scanf sdbm securerandom set shell shellwords singleton socket \
         stringio strscan sync syntax_suggest syslog tempfile test-unit thread thwait time timeout tmpdir tracer tsort \
         typeprof un unicode_normalize uri weakref webrick win32 win32ole xmlrpc yaml zlib",
    )
});

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- Gemfile
source 'https://example.org'
gem 'rails', '~> 7'
gem \"google-cloud-storage\"
# gem 'commented'
//- shop.gemspec
Gem::Specification.new do |s|
  s.add_dependency 'activesupport'
  s.add_development_dependency(\"rspec\")
end
//- lib/shop.rb
//- lib/shop/cart.rb
//- lib/shop/parts/wheel.rb
//- lib/logger.rb
//- app/models/user.rb
//- spec/spec_helper.rb
//- spec/shop_spec.rb
//- contrib/lib/contrib.rb
//- contrib/lib/json.rb
//- contrib/spec/spec_helper.rb
//- contrib/spec/contrib_spec.rb
//- bin/setup.rb
//- bin/tool.rb
";

    #[test]
    fn ix3_ruby() {
        check(
            TREE,
            "
            lib/shop.rb: Include shop/cart
            lib/shop/cart.rb: Include ../shop.rb
            lib/shop/cart.rb: Include parts/missing
            spec/shop_spec.rb: SystemInclude shop
            spec/shop_spec.rb: SystemInclude shop/parts/wheel
            spec/shop_spec.rb: SystemInclude shop/cart.rb
            spec/shop_spec.rb: SystemInclude spec_helper
            contrib/spec/contrib_spec.rb: SystemInclude spec_helper
            contrib/spec/contrib_spec.rb: SystemInclude shop
            spec/shop_spec.rb: SystemInclude contrib
            spec/shop_spec.rb: SystemInclude user
            spec/shop_spec.rb: SystemInclude logger
            spec/shop_spec.rb: SystemInclude json
            contrib/spec/contrib_spec.rb: SystemInclude json
            spec/shop_spec.rb: SystemInclude net/http
            spec/shop_spec.rb: SystemInclude active_support/all
            spec/shop_spec.rb: SystemInclude google/cloud/storage/bucket
            spec/shop_spec.rb: SystemInclude rspec/core
            spec/shop_spec.rb: SystemInclude nokogiri/html
            spec/shop_spec.rb: SystemInclude shop/nothing
            bin/tool.rb: SystemInclude ./lib/shop
            bin/tool.rb: SystemInclude setup
            bin/tool.rb: SystemInclude tool
            bin/tool.rb: SystemInclude ''
            bin/tool.rb: Include ../../../x
            ",
            &expect![[r#"
                lib/shop.rb: Include shop/cart -> lib/shop/cart.rb
                lib/shop/cart.rb: Include ../shop.rb -> lib/shop.rb
                lib/shop/cart.rb: Include parts/missing -> UNRESOLVED
                spec/shop_spec.rb: SystemInclude shop -> lib/shop.rb
                spec/shop_spec.rb: SystemInclude shop/parts/wheel -> lib/shop/parts/wheel.rb
                spec/shop_spec.rb: SystemInclude shop/cart.rb -> lib/shop/cart.rb
                spec/shop_spec.rb: SystemInclude spec_helper -> spec/spec_helper.rb
                contrib/spec/contrib_spec.rb: SystemInclude spec_helper -> contrib/spec/spec_helper.rb
                contrib/spec/contrib_spec.rb: SystemInclude shop -> lib/shop.rb
                spec/shop_spec.rb: SystemInclude contrib -> contrib/lib/contrib.rb
                spec/shop_spec.rb: SystemInclude user -> app/models/user.rb
                spec/shop_spec.rb: SystemInclude logger -> lib/logger.rb
                spec/shop_spec.rb: SystemInclude json -> builtin
                contrib/spec/contrib_spec.rb: SystemInclude json -> contrib/lib/json.rb
                spec/shop_spec.rb: SystemInclude net/http -> builtin
                spec/shop_spec.rb: SystemInclude active_support/all -> external activesupport
                spec/shop_spec.rb: SystemInclude google/cloud/storage/bucket -> external google-cloud-storage
                spec/shop_spec.rb: SystemInclude rspec/core -> external rspec
                spec/shop_spec.rb: SystemInclude nokogiri/html -> external nokogiri
                spec/shop_spec.rb: SystemInclude shop/nothing -> UNRESOLVED
                bin/tool.rb: SystemInclude ./lib/shop -> lib/shop.rb
                bin/tool.rb: SystemInclude setup -> bin/setup.rb
                bin/tool.rb: SystemInclude tool -> external tool
                bin/tool.rb: SystemInclude '' -> UNRESOLVED
                bin/tool.rb: Include ../../../x -> UNRESOLVED
            "#]],
        );
    }
}
