//! Edges without imports in small trees, through the extractors of their languages.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_lang::extract;

use super::*;
use crate::tree::TreeFile;

/// Files under `//- path` headers.
fn read(fixture: &str) -> (Tree, Vec<Facts>) {
    let mut files: Vec<(TreeFile, Facts)> = format!("\n{}", fixture.trim_start())
        .split("\n//- ")
        .skip(1)
        .map(|entry| {
            let (path, text) = entry.split_once('\n').unwrap_or((entry, ""));
            let language = Language::of(path.as_bytes(), text);
            let facts = extract(language.unwrap(), text).unwrap();
            (TreeFile { path: path.into(), language, ..TreeFile::default() }, facts)
        })
        .collect();
    files.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    let (files, facts) = files.into_iter().unzip();
    (Tree { files }, facts)
}

fn siblings_of(tree: &Tree, facts: &[Facts]) -> Siblings {
    let surfaces: Vec<(FileId, Surface)> = tree
        .ids()
        .zip(facts)
        .filter_map(|(id, facts)| Some((id, Surface::of(facts, tree.get(id).language?)?)))
        .collect();
    Siblings::new(tree, surfaces.iter().map(|(id, surface)| (*id, surface)))
}

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    let (tree, facts) = read(fixture);
    let siblings = siblings_of(&tree, &facts);
    let mut lines = String::new();
    for (id, facts) in tree.ids().zip(&facts) {
        let wants = Wants::of(facts, tree.get(id).language.unwrap()).unwrap();
        for (to, count) in siblings.edges(id, &wants) {
            let _ = writeln!(lines, "{} -> {} x{count}", tree.get(id).path, tree.get(to).path);
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn ix3_go_files_of_one_package() {
    check(
        r#"
//- a/a.go
package a
import "fmt"
func A() { helper(); helper(); fmt.Println(); var s Store; s.Get(); local() }
func local() {}
//- a/b.go
package a
type Store struct{}
func helper() { A() }
//- a/a_test.go
package a_test
func TestA() { helper() }
//- b/c.go
package a
func helper() {}
"#,
        &expect![[r"
            a/a.go -> a/b.go x3
            a/b.go -> a/a.go x1
        "]],
    );
}

#[test]
fn ix3_jvm_files_of_one_package() {
    check(
        r"
//- src/main/java/shop/Cart.java
package shop;
import other.Price;
class Cart extends Base {
    void add(Price price) { new Item(); Util.log(); }
}
//- src/main/java/shop/Item.java
package shop;
class Item {}
//- src/main/kotlin/shop/Base.kt
package shop
open class Base
fun build() = Item()
//- src/main/java/other/Util.java
package other;
class Util { static void log() {} }
",
        &expect![[r"
            src/main/java/shop/Cart.java -> src/main/java/shop/Item.java x1
            src/main/java/shop/Cart.java -> src/main/kotlin/shop/Base.kt x1
            src/main/kotlin/shop/Base.kt -> src/main/java/shop/Item.java x1
        "]],
    );
}

#[test]
fn ix3_c_sharp_namespaces_from_the_inside_out() {
    check(
        r"
//- A.cs
namespace Shop.Web;
class Page { void Show() { new Helper(); new Core(); } }
//- B.cs
namespace Shop.Web { class Helper {} }
//- C.cs
namespace Shop { class Core {} class Helper {} }
//- D.cs
namespace Other { class Core {} }
",
        &expect![[r"
            A.cs -> B.cs x1
            A.cs -> C.cs x1
        "]],
    );
}

#[test]
fn ix3_php_namespaces() {
    check(
        r"
//- a.php
<?php
namespace Shop;
use Other\Thing;
class A extends Base { function f() { new Thing(); Deep\Helper::go(); \Other\Far::go(); shared(); } }
//- b.php
<?php
namespace Shop;
class Base {}
//- c.php
<?php
namespace Shop\Deep;
class Helper { static function go() {} }
//- d.php
<?php
namespace Other;
class Thing {}
class Far { static function go() {} }
class Base {}
//- e.php
<?php
function shared() {}
",
        &expect![[r"
            a.php -> b.php x1
            a.php -> c.php x1
            a.php -> d.php x1
            a.php -> e.php x1
        "]],
    );
}

#[test]
fn ix3_ruby_constants_from_the_inside_out() {
    check(
        r"
//- app/a.rb
module Shop
  class Cart < Base
    def total
      Price.new
      Other::Price.new
      String.new
    end
  end
end
//- app/b.rb
module Shop
  class Base; end
  class Price; end
end
//- app/c.rb
module Other
  class Price; end
end
class Price; end
",
        &expect![[r"
            app/a.rb -> app/b.rb x2
            app/a.rb -> app/c.rb x1
        "]],
    );
}

#[test]
fn ix3_elixir_modules() {
    check(
        r"
//- lib/a.ex
defmodule Shop.A do
  alias Shop.Aliased
  def run do
    Shop.B.go()
    Aliased.go()
    Enum.map([], & &1)
  end
end
//- lib/b.ex
defmodule Shop.B do
  def go, do: :ok
end
//- lib/c.ex
defmodule Shop.Aliased do
  def go, do: :ok
end
",
        &expect![[r"
            lib/a.ex -> lib/b.ex x1
        "]],
    );
}

#[test]
fn ix3_swift_modules() {
    check(
        r"
//- Sources/Shop/Cart.swift
class Cart { func add() { let item = Item(); hidden() } }
//- Sources/Shop/deep/Item.swift
struct Item {}
private func hidden() {}
//- Sources/Other/Item.swift
struct Item {}
",
        &expect![[r"
            Sources/Shop/Cart.swift -> Sources/Shop/deep/Item.swift x1
        "]],
    );
}

#[test]
fn ix3_c_definitions_behind_declarations() {
    check(
        r#"
//- a.c
#include "list.h"
static void own(void) {}
int main(void) { list_add(1); own(); printf("x"); return 0; }
//- list.h
int list_add(int a);
//- list.c
#include "list.h"
static int count(void) { return 1; }
int list_add(int a) { return a + count(); }
//- other.c
int count(void) { return 1; }
static void own(void) {}
"#,
        &expect![[r"
            a.c -> list.c x1
            a.c -> list.h x1
        "]],
    );
}

#[test]
fn ix3_cpp_namespaces_and_classes() {
    check(
        r"
//- a.cpp
int main() { shop::pay(); shop::Cart::make(); std::sort(); cart.add(); }
//- b.cpp
namespace shop { void pay() {} }
//- c.hpp
namespace shop { class Cart { public: static void make(); void add(); }; }
//- d.cpp
void sort() {}
",
        &expect![[r"
            a.cpp -> b.cpp x1
            a.cpp -> c.hpp x1
        "]],
    );
}

#[test]
fn ix3_a_name_of_many_files_says_nothing() {
    let files: String = (0..4).fold(String::new(), |files, at| {
        files + &format!("//- a/f{at}.go\npackage a\nfunc many() {{}}\n")
    });
    check(&format!("{files}//- a/use.go\npackage a\nfunc Use() {{ many() }}\n"), &expect![[""]]);
}

#[test]
fn ix3_a_package_import_is_narrowed_to_what_is_used() {
    let (tree, facts) = read(
        r#"
//- main.go
package main
import ("x/store"; "x/other")
func main() { store.Get(); store.Get(); store.Put() }
//- store/get.go
package store
func Get() {}
//- store/put.go
package store
func Put() {}
//- store/rest.go
package store
func Rest() {}
//- store/rest_test.go
package store
func TestRest() {}
"#,
    );
    let siblings = siblings_of(&tree, &facts);
    let wants = Wants::of(&facts[0], Language::Go).unwrap();
    let package: Vec<FileId> = tree.ids().skip(1).collect();
    let narrow = |import: usize| {
        let used = wants.of_import(import, &facts[0].imports[import]);
        let edges = siblings.narrow(&package, used);
        edges
            .iter()
            .map(|(to, count)| format!("{} x{count}", tree.get(*to).path))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(narrow(0), "store/get.go x2, store/put.go x1");
    assert_eq!(narrow(1), "store/get.go x0, store/put.go x0, store/rest.go x0");
}

#[test]
fn ix3_languages_that_import_all_they_see_have_no_siblings() {
    for language in [
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Python,
        Language::Rust,
        Language::Bash,
        Language::Lua,
    ] {
        assert_eq!(Surface::of(&Facts::default(), language), None);
        assert_eq!(Wants::of(&Facts::default(), language), None);
    }
}
