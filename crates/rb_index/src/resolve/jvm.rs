//! Java, Kotlin and Scala: packages that files declare, classes that are called like their files.
//!
//! Names that are declared outside of a class lead to all files of their package in these languages, since files are
//! free to be called otherwise. What a build makes (annotation processors, protocol buffers) is not seen.

use std::sync::LazyLock;

use rb_lang::{Import, Language};
use rustc_hash::FxHashSet;

use super::packages::Packages;
use super::{Resolution, found, inside, words};
use crate::tree::{FileId, Tree};

pub(super) struct JvmResolver<'t> {
    tree: &'t Tree,
    packages: Packages<'t>,
}

pub(super) fn is_manifest(_name: &str) -> bool {
    false
}

impl<'t> JvmResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let languages = [Language::Java, Language::Kotlin, Language::Scala];
        JvmResolver { tree, packages: Packages::new(tree, &languages) }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = import.specifier.trim_start_matches("_root_.").replace('`', "");
        let path = &*path;
        let files: Vec<FileId> = if import.names.is_empty() {
            self.name(from, path, "*")
        } else {
            import.names.iter().flat_map(|name| self.name(from, path, &name.name)).collect()
        };
        match inside(files) {
            Some(inside) => inside,
            None if self.is_own(path) => Resolution::Unresolved,
            None if is_builtin(path) => Resolution::Builtin,
            None if self.tree.get(from).language == Some(Language::Scala) && is_in_scala(path) => {
                Resolution::Builtin
            }
            // Not a package: an enum or object that the file itself declares.
            None if is_capitalised(path) => found(Some(from)),
            None => Resolution::External(library(path).into()),
        }
    }

    fn name(&self, from: FileId, path: &str, name: &str) -> Vec<FileId> {
        let file = self.tree.get(from);
        let files = self.absolute(file.language, path, name, Objects::Any);
        if !files.is_empty() || file.language != Some(Language::Scala) {
            return files;
        }
        // Scala's packages are open: a path may begin in any package around the file.
        let package = file.package.as_deref();
        let mut around = std::iter::successors(package, |package| Some(package.rsplit_once('.')?.0));
        let relative = around.find_map(|package| {
            let path = join(package, path);
            let files = self.absolute(file.language, &path, name, Objects::Capitalised);
            (!files.is_empty()).then_some(files)
        });
        relative.unwrap_or_default()
    }

    /// Is the package in one of this tree? The part that says who made it is not enough.
    fn is_own(&self, package: &str) -> bool {
        let who = library(package).len();
        std::iter::successors(Some(package), |package| Some(package.rsplit_once('.')?.0))
            .take_while(|package| package.len() >= who)
            .any(|package| !self.packages.files(package).is_empty())
    }

    fn absolute(
        &self,
        language: Option<Language>,
        path: &str,
        name: &str,
        objects: Objects,
    ) -> Vec<FileId> {
        let first = match name {
            "*" => self.packages.files(path),
            name => self.class(path, name),
        };
        let files = if first.is_empty() { self.member(path) } else { first };
        if !files.is_empty() || path.is_empty() {
            return files.to_vec();
        }
        match language {
            Some(Language::Kotlin) => self.loose(path, Objects::Capitalised),
            Some(Language::Scala) => {
                // A package itself can be imported.
                let package = self.packages.files(&join(path, name));
                if package.is_empty() { self.loose(path, objects) } else { package.to_vec() }
            }
            _ => Vec::new(),
        }
    }

    /// `a.b.Outer.Inner` and static members: the nearest class on the way up.
    fn member(&self, mut path: &str) -> &[FileId] {
        while let Some((package, class)) = path.rsplit_once('.') {
            let files = self.class(package, class);
            if !files.is_empty() {
                return files;
            }
            path = package;
        }
        &[]
    }

    fn class(&self, package: &str, class: &str) -> &[FileId] {
        let files = self.packages.named(package, class);
        // Java sees the functions of `Names.kt` as members of `NamesKt`.
        match class.strip_suffix("Kt") {
            Some(stem) if files.is_empty() => self.packages.named(package, stem),
            _ => files,
        }
    }

    /// Where names may be declared that no file is called after: all files of the package but those in Java. The path
    /// may go on into an object that is in one of them.
    fn loose(&self, path: &str, objects: Objects) -> Vec<FileId> {
        let mut package = path;
        loop {
            let files = self.packages.files(package).iter().copied();
            let files: Vec<FileId> = files
                .filter(|&file| self.tree.get(file).language != Some(Language::Java))
                .collect();
            let Some((outer, object)) = package.rsplit_once('.').filter(|_| files.is_empty()) else {
                return files;
            };
            let is_object = is_capitalised(object) || (package == path && objects == Objects::Any);
            if !is_object || is_host(outer) {
                return Vec::new();
            }
            package = outer;
        }
    }
}

/// Which last parts of a path may be objects rather than packages.
#[derive(Clone, Copy, PartialEq)]
enum Objects {
    Any,
    Capitalised,
}

fn is_capitalised(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

/// Does the package say who made it, and nothing more: `com.google`?
fn is_host(package: &str) -> bool {
    let mut parts = package.split('.');
    parts.next().is_some_and(|first| HOSTS.contains(first)) && parts.nth(1).is_none()
}

fn join(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }
}

/// Does the package come with the JDK, the Kotlin or Scala library, or the Android platform?
fn is_builtin(package: &str) -> bool {
    let mut parts = package.splitn(3, '.');
    let first = parts.next().unwrap_or_default();
    let second = parts.next().unwrap_or_default();
    match first {
        "java" | "kotlin" | "scala" | "jdk" | "sun" | "android" | "dalvik" => true,
        // The rest of `javax` is libraries: `javax.inject`, `javax.servlet`.
        "javax" => JAVAX.contains(second),
        "com" => second == "sun",
        "org" => matches!(second, "w3c" | "xml" | "ietf"),
        _ => false,
    }
}

/// Scala sees what is in `scala` without its name.
fn is_in_scala(path: &str) -> bool {
    IN_SCALA.contains(path.split('.').next().unwrap_or_default())
}

static IN_SCALA: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "annotation beans collection compat compiletime concurrent deriving io jdk language math quoted ref reflect \
         runtime sys text util",
    )
});

static JAVAX: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "accessibility crypto imageio lang management naming net print rmi script security \
         smartcardio sound sql swing tools transaction xml",
    )
});

/// The part of a package that a library is known by: `com.google.common`, `org.junit`, `okhttp3`.
fn library(package: &str) -> &str {
    let first = package.split('.').next().unwrap_or_default();
    let depth = if HOSTS.contains(first) { 3 } else { 2 };
    let parts = package.split('.').take(depth).enumerate();
    let parts = parts.take_while(|(at, part)| *at == 0 || !is_capitalised(part)).count();
    let end = package.match_indices('.').nth(parts - 1);
    end.map_or(package, |(end, _)| &package[..end])
}

/// First parts that say who, not what.
static HOSTS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| words("com org net io edu gov dev me de fr uk ru ch cn jp app co eu info"));

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- core/src/main/java/com/shop/Cart.java package com.shop
//- core/src/main/java/com/shop/Item.java package com.shop
//- core/src/main/java/com/shop/util/Text.java package com.shop.util
//- core/src/test/java/com/shop/CartTest.java package com.shop
//- app/src/main/kotlin/Main.kt package com.shop.app
//- app/src/main/kotlin/Names.kt package com.shop.app
//- app/src/main/kotlin/Legacy.java package com.shop.app
//- scala/Rates.scala package com.shop.money
//- scala/Deep.scala package com.shop.money.deep
//- scala/Use.scala package com.shop.use
//- scala/Acme.scala package org.acme
//- Plain.java
";

    #[test]
    fn ix3_java() {
        check(
            TREE,
            "
            Plain.java: com.shop Cart
            Plain.java: com.shop *
            Plain.java: com.shop.Cart Line
            Plain.java: com.shop.Cart.Line.Part DEEP
            Plain.java: com.shop.Cart *
            Plain.java: com.shop Missing
            Plain.java: com.shop.app.NamesKt greet
            Plain.java: com.shop.app Missing
            Plain.java: com.shop.util.made Generated
            Plain.java: com.shopping Cart
            Plain.java: com.other.lib Thing
            Plain.java: org.junit Test
            Plain.java: org.junit.Assert assertEquals
            Plain.java: java.util List
            Plain.java: javax.crypto Cipher
            Plain.java: javax.inject Inject
            Plain.java: org.w3c.dom Node
            Plain.java: okhttp3 OkHttpClient
            Plain.java: Single
            Plain.java: '' Plain
            Plain.java: .é.é x
            Plain.java: .. *
            ",
            &expect![[r#"
                Plain.java: com.shop Cart -> core/src/main/java/com/shop/Cart.java
                Plain.java: com.shop * -> core/src/main/java/com/shop/Cart.java core/src/main/java/com/shop/Item.java core/src/test/java/com/shop/CartTest.java
                Plain.java: com.shop.Cart Line -> core/src/main/java/com/shop/Cart.java
                Plain.java: com.shop.Cart.Line.Part DEEP -> core/src/main/java/com/shop/Cart.java
                Plain.java: com.shop.Cart * -> core/src/main/java/com/shop/Cart.java
                Plain.java: com.shop Missing -> UNRESOLVED
                Plain.java: com.shop.app.NamesKt greet -> app/src/main/kotlin/Names.kt
                Plain.java: com.shop.app Missing -> UNRESOLVED
                Plain.java: com.shop.util.made Generated -> UNRESOLVED
                Plain.java: com.shopping Cart -> external com.shopping
                Plain.java: com.other.lib Thing -> external com.other.lib
                Plain.java: org.junit Test -> external org.junit
                Plain.java: org.junit.Assert assertEquals -> external org.junit
                Plain.java: java.util List -> builtin
                Plain.java: javax.crypto Cipher -> builtin
                Plain.java: javax.inject Inject -> external javax.inject
                Plain.java: org.w3c.dom Node -> builtin
                Plain.java: okhttp3 OkHttpClient -> external okhttp3
                Plain.java: Single -> Plain.java
                Plain.java: '' Plain -> Plain.java
                Plain.java: .é.é x -> external .é
                Plain.java: .. * -> external .
            "#]],
        );
    }

    #[test]
    fn ix3_kotlin_and_scala() {
        check(
            TREE,
            "
            app/src/main/kotlin/Main.kt: com.shop.app greet
            app/src/main/kotlin/Main.kt: com.shop.app Legacy
            app/src/main/kotlin/Main.kt: com.shop Cart
            app/src/main/kotlin/Main.kt: com.shop missing
            app/src/main/kotlin/Main.kt: kotlin.collections List
            app/src/main/kotlin/Main.kt: kotlinx.coroutines launch
            app/src/main/kotlin/Main.kt: androidx.core.view ViewCompat
            scala/Use.scala: com.shop.money Rates
            scala/Use.scala: com.shop.money Currency Rates
            scala/Use.scala: com.shop.money.Rates *
            scala/Use.scala: money Rates
            scala/Use.scala: com.shop money
            scala/Use.scala: _root_.com.shop.money.deep *
            scala/Use.scala: scala.collection mutable
            scala/Use.scala: akka.actor ActorRef
            scala/Use.scala: org.acme thing
            scala/Use.scala: org.acme.other Thing
            scala/Use.scala: utest *
            scala/Use.scala: collection mutable
            scala/Use.scala: com.shop.money.default read
            scala/Use.scala: com.shop.Things Part
            scala/Use.scala: Local Part
            app/src/main/kotlin/Main.kt: com.shop.app.Sealed.Case one
            app/src/main/kotlin/Main.kt: com.shop.app.`Names` one
            app/src/main/kotlin/Main.kt: com.shop.app.other one
            app/src/main/kotlin/Main.kt: Mode FAST
            ",
            &expect![[r#"
                app/src/main/kotlin/Main.kt: com.shop.app greet -> app/src/main/kotlin/Main.kt app/src/main/kotlin/Names.kt
                app/src/main/kotlin/Main.kt: com.shop.app Legacy -> app/src/main/kotlin/Legacy.java
                app/src/main/kotlin/Main.kt: com.shop Cart -> core/src/main/java/com/shop/Cart.java
                app/src/main/kotlin/Main.kt: com.shop missing -> UNRESOLVED
                app/src/main/kotlin/Main.kt: kotlin.collections List -> builtin
                app/src/main/kotlin/Main.kt: kotlinx.coroutines launch -> external kotlinx.coroutines
                app/src/main/kotlin/Main.kt: androidx.core.view ViewCompat -> external androidx.core
                scala/Use.scala: com.shop.money Rates -> scala/Rates.scala
                scala/Use.scala: com.shop.money Currency Rates -> scala/Rates.scala
                scala/Use.scala: com.shop.money.Rates * -> scala/Rates.scala
                scala/Use.scala: money Rates -> scala/Rates.scala
                scala/Use.scala: com.shop money -> scala/Rates.scala
                scala/Use.scala: _root_.com.shop.money.deep * -> scala/Deep.scala
                scala/Use.scala: scala.collection mutable -> builtin
                scala/Use.scala: akka.actor ActorRef -> external akka.actor
                scala/Use.scala: org.acme thing -> scala/Acme.scala
                scala/Use.scala: org.acme.other Thing -> external org.acme.other
                scala/Use.scala: utest * -> external utest
                scala/Use.scala: collection mutable -> builtin
                scala/Use.scala: com.shop.money.default read -> scala/Rates.scala
                scala/Use.scala: com.shop.Things Part -> UNRESOLVED
                scala/Use.scala: Local Part -> scala/Use.scala
                app/src/main/kotlin/Main.kt: com.shop.app.Sealed.Case one -> app/src/main/kotlin/Main.kt app/src/main/kotlin/Names.kt
                app/src/main/kotlin/Main.kt: com.shop.app.`Names` one -> app/src/main/kotlin/Names.kt
                app/src/main/kotlin/Main.kt: com.shop.app.other one -> UNRESOLVED
                app/src/main/kotlin/Main.kt: Mode FAST -> app/src/main/kotlin/Main.kt
            "#]],
        );
    }
}
