//! Languages whose files see each other without an import.

use expect_test::expect;

use super::check;

#[test]
fn ix4_go_packages_and_receivers() {
    check(
        r#"
//- go.mod
module example.com/shop
//- main.go
package main
import "example.com/shop/store"
func main() { s := store.New(); s.Get(); helper(); store.Missing(); len("x") }
//- other.go
package main
func helper() {}
//- store/a.go
package store
type Base struct{}
func (b *Base) Close() {}
type Store struct { Base }
func New() *Store { return &Store{} }
//- store/b.go
package store
func (s *Store) Get() { s.fetch(); s.Close(); s.items.each() }
func (s *Store) fetch() {}
func use(s *Store) { s.Get() }
"#,
        &expect![[r"
            main.go#main:3 -> store/a.go#New (member)
            main.go#main:3 -> store/b.go#Get (only-method)
            main.go#main:3 -> other.go#helper (sibling)
            main.go#main:3 -> Missing? unknown member
            store/a.go#New:5 -> store/a.go#Store (constructor)
            store/b.go#Get:2 -> store/b.go#fetch (declared)
            store/b.go#Get:2 -> store/a.go#Base.Close (inherited)
            store/b.go#Get:2 -> each? dynamic receiver
            store/b.go#use:4 -> store/b.go#Get (declared)
            9 calls: 6 resolved, 1 guessed, 0 external, 0 builtin, 2 unresolved
        "]],
    );
}

#[test]
fn ix4_c_definitions_and_namespaces() {
    check(
        r#"
//- c/main.c
#include "list.h"
int main(void) { list_add(1); printf("x"); return 0; }
//- c/list.h
int list_add(int a);
//- c/list.c
int list_add(int a) { return a; }
//- c/money.cpp
namespace money { int round(int a) { return a; } }
namespace money { int twice(int a) { return round(a); } }
//- c/use.cpp
int use(int a) { return money::round(a) + round(a) + usage(); }
//- c/one/a.c
void usage(void) { }
//- c/one/b.c
int main(void) { usage(); }
//- c/two/a.c
void usage(void) { }
"#,
        &expect![[r"
            c/main.c#main:2 -> c/list.c#list_add (sibling)
            c/money.cpp#money.twice:2 -> c/money.cpp#money.round (scope)
            c/one/b.c#main:1 -> c/one/a.c#usage (sibling)
            c/use.cpp#use:1 -> c/money.cpp#money.round (member)
            c/use.cpp#use:1 -> round? unknown name
            c/use.cpp#use:1 -> usage? ambiguous
            7 calls: 4 resolved, 0 guessed, 0 external, 1 builtin, 2 unresolved
        "]],
    );
}

#[test]
fn ix4_packages_namespaces_and_constants() {
    check(
        r#"
//- java/shop/Base.java
package shop;
class Base { void log() {} }
//- java/shop/Cart.java
package shop;
class Cart extends Base {
    Cart() { log(); this.add(new Item()); }
    void add(Item item) { item.price(); Item.of(); String.valueOf(1); super.log(); }
}
//- java/shop/Outer.java
package shop;
class Outer { static class Inner {} static void help() {} }
//- java/shop/Item.java
package shop;
class Item { int price() { return 1; } static Item of() { return null; } }
//- java/use/Use.java
package use;
import shop.Outer.Inner;
import static shop.Outer.help;
class Use { void run() { new Inner(); help(); } }
//- app/cart.rb
module Shop
  class Cart < Base
    def initialize; log; end
    def self.make; Cart.new; end
    def add; Item.new.price; puts 1; end
  end
end
//- app/base.rb
module Shop
  class Base
    def log; end
  end
  class Item; end
end
//- p/a.php
<?php
namespace Shop;
class A extends B { function f() { $this->g(); parent::g(); self::f(); strlen("x"); new C(); } }
//- p/b.php
<?php
namespace Shop;
class B { function g() {} }
class C { function __construct() {} }
//- lib/a.ex
defmodule Shop.A do
  alias Shop.B.Inner
  def run, do: helper(Shop.B.go(Inner.deep()))
  defp helper(x), do: x
end
//- lib/b.ex
defmodule Shop.B do
  def go, do: :ok
  defmodule Inner do
    def deep, do: :ok
  end
end
//- lib/c.ex
defmodule Shop.C do
  alias Shop.B
  import Shop.A
  def run, do: B.go(run())
end
//- n/a.cs
namespace Shop.Web;
using Shop.Tools;
class Page { void Show(Core core) { core.Run(); new Core(); Tool.Use(); } }
//- n/b.cs
namespace Shop { class Core { public void Run() {} } }
//- n/c.cs
namespace Shop.Tools { static class Tool { public static void Use() {} } }
"#,
        &expect![[r"
            app/cart.rb#Shop.Cart.initialize:3 -> app/base.rb#Shop.Base.log (inherited)
            app/cart.rb#Shop.Cart.make:4 -> app/cart.rb#Shop.Cart.initialize (constructor)
            app/cart.rb#Shop.Cart.add:5 -> price? unknown member
            app/cart.rb#Shop.Cart.add:5 -> app/base.rb#Shop.Item (constructor)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Base.java#Base.log (inherited)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Cart.java#Cart.add (own)
            java/shop/Cart.java#Cart.Cart:3 -> java/shop/Item.java#Item (constructor)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Item.java#Item.price (declared)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Item.java#Item.of (member)
            java/shop/Cart.java#Cart.add:4 -> java/shop/Base.java#Base.log (inherited)
            java/use/Use.java#Use.run:4 -> java/shop/Outer.java#Outer.Inner (constructor)
            java/use/Use.java#Use.run:4 -> java/shop/Outer.java#Outer.help (imported)
            lib/a.ex#Shop.A.run:3 -> lib/a.ex#Shop.A.helper (scope)
            lib/a.ex#Shop.A.run:3 -> lib/b.ex#Shop.B.go (member)
            lib/a.ex#Shop.A.run:3 -> lib/b.ex#Shop.B.Inner.deep (member)
            lib/c.ex#Shop.C.run:4 -> lib/b.ex#Shop.B.go (member)
            lib/c.ex#Shop.C.run:4 -> lib/c.ex#Shop.C.run (scope)
            n/a.cs#Page.Show:3 -> n/b.cs#Core.Run (declared)
            n/a.cs#Page.Show:3 -> n/b.cs#Core (constructor)
            n/a.cs#Page.Show:3 -> n/c.cs#Tool.Use (member)
            p/a.php#A.f:3 -> p/b.php#B.g (inherited) x2
            p/a.php#A.f:3 -> p/a.php#A.f (own)
            p/a.php#A.f:3 -> p/b.php#C.__construct (constructor)
            27 calls: 23 resolved, 0 guessed, 0 external, 3 builtin, 1 unresolved
        "]],
    );
}
