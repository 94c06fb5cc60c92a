//! C#: namespaces that files declare.
//!
//! A `using` opens a namespace, so it leads to all files of it. Which project references which is not looked at.

use rb_lang::{Import, Language};
use rustc_hash::FxHashSet;

use super::packages::Packages;
use super::{Resolution, inside, paths, single_names};
use crate::tree::{FileId, Tree};

pub(super) struct CSharpResolver<'t> {
    packages: Packages<'t>,
    /// Packages that projects of the tree refer to.
    references: FxHashSet<&'t str>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name.ends_with(".csproj") || name == "Directory.Packages.props" || name == "Directory.Build.props"
}

impl<'t> CSharpResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let projects = tree.files.iter().filter(|file| is_manifest(paths::name(&file.path)));
        let references = projects
            .filter_map(|file| file.manifest.as_deref())
            .flat_map(package_references)
            .collect();
        CSharpResolver { packages: Packages::new(tree, &[Language::CSharp]), references }
    }

    pub(super) fn resolve(&self, _from: FileId, import: &Import) -> Resolution {
        let namespace = import.specifier.trim_start_matches("global::");
        let mut files: Vec<FileId> = Vec::new();
        for name in single_names(import) {
            files.extend(self.packages.named(namespace, name));
        }
        if files.is_empty() {
            files.extend(self.packages.files(namespace));
        }
        if files.is_empty() {
            files.extend(self.class(namespace));
        }
        inside(files).unwrap_or_else(|| self.outside(namespace))
    }

    /// `using static A.B.Class` and aliases of nested classes.
    fn class(&self, mut path: &str) -> &[FileId] {
        while let Some((namespace, class)) = path.rsplit_once('.') {
            let files = self.packages.named(namespace, class);
            if !files.is_empty() {
                return files;
            }
            path = namespace;
        }
        &[]
    }

    fn outside(&self, namespace: &str) -> Resolution {
        let prefixes = || std::iter::successors(Some(namespace), |path| Some(path.rsplit_once('.')?.0));
        if let Some(package) = prefixes().find(|prefix| self.references.contains(prefix)) {
            return Resolution::External(package.into());
        }
        match namespace.split('.').next().unwrap_or_default() {
            "System" | "Microsoft" | "Windows" => Resolution::Builtin,
            // A namespace inside one of the tree, which no file declares.
            _ if prefixes().skip(1).any(|prefix| !self.packages.files(prefix).is_empty()) => {
                Resolution::Unresolved
            }
            first => Resolution::External(first.into()),
        }
    }
}

/// `<PackageReference Include="…">` and `<PackageVersion Include="…">`. Read as text: a project file that is not quite
/// XML still names its packages.
fn package_references(project: &str) -> impl Iterator<Item = &str> {
    project.split("<Package").skip(1).filter_map(|element| {
        let element = element.split_once('>').map_or(element, |(head, _)| head);
        let (_, value) = element.split_once("Include=\"").or_else(|| element.split_once("Update=\""))?;
        value.split_once('"').map(|(name, _)| name)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    #[test]
    fn ix3_c_sharp() {
        check(
            "
//- App/App.csproj
<Project><ItemGroup>
  <PackageReference Include=\"Newtonsoft.Json\" Version=\"13.0.1\" />
  <PackageReference Include=\"Microsoft.EntityFrameworkCore\">
//- App/Program.cs package Shop.App
//- Core/Cart.cs package Shop.Core
//- Core/Item.cs package Shop.Core
//- Core/Text/Names.cs package Shop.Core.Text
//- Vendored/Stuff.cs package Microsoft.Vendored
",
            "
            App/Program.cs: Shop.Core *
            App/Program.cs: global::Shop.Core.Text *
            App/Program.cs: Shop.Core Cart
            App/Program.cs: Shop.Core Alias
            App/Program.cs: Shop.Core.Cart *
            App/Program.cs: Shop.Core.Cart.Line *
            App/Program.cs: Shop.Core.Resources *
            App/Program.cs: Microsoft.Vendored *
            App/Program.cs: System.Linq *
            App/Program.cs: Microsoft.EntityFrameworkCore.Metadata *
            App/Program.cs: Newtonsoft.Json.Linq *
            App/Program.cs: Serilog.Events *
            App/Program.cs: '' *
            ",
            &expect![[r#"
                App/Program.cs: Shop.Core * -> Core/Cart.cs Core/Item.cs
                App/Program.cs: global::Shop.Core.Text * -> Core/Text/Names.cs
                App/Program.cs: Shop.Core Cart -> Core/Cart.cs
                App/Program.cs: Shop.Core Alias -> Core/Cart.cs Core/Item.cs
                App/Program.cs: Shop.Core.Cart * -> Core/Cart.cs
                App/Program.cs: Shop.Core.Cart.Line * -> Core/Cart.cs
                App/Program.cs: Shop.Core.Resources * -> UNRESOLVED
                App/Program.cs: Microsoft.Vendored * -> Vendored/Stuff.cs
                App/Program.cs: System.Linq * -> builtin
                App/Program.cs: Microsoft.EntityFrameworkCore.Metadata * -> external Microsoft.EntityFrameworkCore
                App/Program.cs: Newtonsoft.Json.Linq * -> external Newtonsoft.Json
                App/Program.cs: Serilog.Events * -> external Serilog
                App/Program.cs: '' * -> UNRESOLVED
            "#]],
        );
    }

    #[test]
    fn ix3_c_sharp_hostile_projects() {
        check(
            "
//- a.csproj
<Package <PackageReference Include=\"\" <PackageReference Include=\"x
//- b.csproj
//- A.cs
",
            "
            A.cs: x.y *
            A.cs: . *
            ",
            &expect![[r#"
                A.cs: x.y * -> external x
                A.cs: . * -> UNRESOLVED
            "#]],
        );
    }
}
