//! Elixir: modules by the names that files declare, else by the usual path.

use std::sync::LazyLock;

use rb_lang::{Import, Language};
use rustc_hash::FxHashSet;

use super::packages::Packages;
use super::paths::{self, Endings};
use super::{Resolution, inside, manifests, single_names, words};
use crate::tree::{FileId, Tree};

pub(super) struct ElixirResolver<'t> {
    tree: &'t Tree,
    packages: Packages<'t>,
    files: Endings<'t>,
    /// Packages that `mix.exs` asks for.
    dependencies: FxHashSet<&'t str>,
    /// First parts of the modules of this tree.
    own: FxHashSet<&'t str>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "mix.exs"
}

impl<'t> ElixirResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let is_elixir = |language: Option<Language>| language == Some(Language::Elixir);
        let packages = tree.files.iter().filter(|file| is_elixir(file.language));
        let own = packages
            .filter_map(|file| file.package.as_deref()?.split('.').next())
            .collect();
        ElixirResolver {
            tree,
            packages: Packages::new(tree, &[Language::Elixir]),
            files: Endings::new(tree, |file| is_elixir(file.language)),
            dependencies: manifests(tree, "mix.exs").flat_map(|(_, text)| atoms_in(text)).collect(),
            own,
        }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let module = import.specifier.trim_start_matches("Elixir.");
        if module.starts_with(':') {
            return Resolution::Builtin;
        }
        let mut files: Vec<FileId> = Vec::new();
        for name in single_names(import) {
            files.extend(self.module(from, &format!("{module}.{name}")));
        }
        if files.is_empty() {
            files.extend(self.module(from, module).or_else(|| self.around(from, module)));
        }
        inside(files).unwrap_or_else(|| self.outside(module))
    }

    fn module(&self, from: FileId, module: &str) -> Option<FileId> {
        if module.is_empty() {
            return None;
        }
        if let Some(file) = paths::nearest(self.tree, from, self.packages.files(module)).first() {
            return Some(*file);
        }
        let path = format!("{}.ex", underscored(module).replace('.', "/"));
        match self.files.find(&path) {
            [file] => Some(*file),
            _ => None,
        }
    }

    /// A module inside the one of a file: `Shop.Cart.Line` in `shop/cart.ex`. The first part alone is too wide a net.
    fn around(&self, from: FileId, mut module: &str) -> Option<FileId> {
        while let Some((outer, _)) = module.rsplit_once('.').filter(|(outer, _)| outer.contains('.')) {
            if let Some(file) = self.module(from, outer) {
                return Some(file);
            }
            module = outer;
        }
        None
    }

    fn outside(&self, module: &str) -> Resolution {
        let first = module.split('.').next().unwrap_or_default();
        let package = underscored(module).replace('.', "_");
        let mut names = std::iter::successors(Some(&*package), |name| Some(name.rsplit_once('_')?.0));
        if let Some(dependency) = names.find_map(|name| self.dependencies.get(name)) {
            return Resolution::External((*dependency).into());
        }
        match () {
            () if self.own.contains(first) => Resolution::Unresolved,
            () if STANDARD.contains(first) => Resolution::Builtin,
            () => Resolution::External(underscored(first).into()),
        }
    }
}

/// `LiveView` as `live_view`.
fn underscored(module: &str) -> String {
    let mut name = String::with_capacity(module.len() + 4);
    let mut before = '.';
    for c in module.chars() {
        if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            name.push('_');
        }
        name.extend(c.to_lowercase());
        before = c;
    }
    name
}

/// The names of tuples like `{:phoenix, "~> 1.7"}`.
fn atoms_in(text: &str) -> impl Iterator<Item = &str> {
    text.split("{:").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// First parts of the modules that come with Elixir.
static STANDARD: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "Access Agent Application ArgumentError ArithmeticError Atom BadFunctionError Base Behaviour Bitwise Calendar \
         Code Collectable Config Date DateTime Dict Duration DynamicSupervisor EEx Enum Enumerable ErlangError ExUnit \
         Exception File Float Function FunctionClauseError GenEvent GenServer HashDict HashSet IEx IO Inspect Integer \
         JSON Kernel KeyError Keyword List Logger Macro Map MapSet MatchError Mix Module NaiveDateTime Node \
         OptionParser PartitionSupervisor Path Port Process Protocol Range Record Regex Registry RuntimeError Set Stream \
         String StringIO Supervisor System Task Time Tuple URI Version",
    )
});

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    #[test]
    fn ix3_elixir() {
        check(
            "
//- mix.exs
defp deps do
  [{:phoenix_live_view, \"~> 1.0\"}, {:ecto, \">= 3.0\"}, {:
//- lib/shop.ex package Shop
//- lib/shop/cart.ex package Shop.Cart
//- lib/shop/http_client.ex
//- test/shop_test.exs package ShopTest
",
            "
            test/shop_test.exs: Shop
            test/shop_test.exs: Shop.Cart
            test/shop_test.exs: Shop Cart
            test/shop_test.exs: Shop.Cart.Line
            test/shop_test.exs: Shop.HttpClient
            test/shop_test.exs: Shop.Missing
            test/shop_test.exs: Phoenix.LiveView.Socket
            test/shop_test.exs: Ecto.Query
            test/shop_test.exs: Jason.Encoder
            test/shop_test.exs: ExUnit.Case
            test/shop_test.exs: :ets
            test/shop_test.exs: ''
            ",
            &expect![[r#"
                test/shop_test.exs: Shop -> lib/shop.ex
                test/shop_test.exs: Shop.Cart -> lib/shop/cart.ex
                test/shop_test.exs: Shop Cart -> lib/shop/cart.ex
                test/shop_test.exs: Shop.Cart.Line -> lib/shop/cart.ex
                test/shop_test.exs: Shop.HttpClient -> lib/shop/http_client.ex
                test/shop_test.exs: Shop.Missing -> UNRESOLVED
                test/shop_test.exs: Phoenix.LiveView.Socket -> external phoenix_live_view
                test/shop_test.exs: Ecto.Query -> external ecto
                test/shop_test.exs: Jason.Encoder -> external jason
                test/shop_test.exs: ExUnit.Case -> builtin
                test/shop_test.exs: :ets -> builtin
                test/shop_test.exs: '' -> UNRESOLVED
            "#]],
        );
    }
}
