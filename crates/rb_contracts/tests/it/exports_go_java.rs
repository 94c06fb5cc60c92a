use expect_test::expect;

use crate::support::{check, check_change, check_edits};

const MODULE: &str = r#"
//- go.mod
module example.com/shop/v2
//- cart/cart.go
package cart

// Cart holds things.
type Cart struct {
	Items []string
	owner string
	Base
}

type Base struct{ ID int }

type Store interface {
	Get(id string) (*Cart, error)
	io.Closer
}

type ID = string

const Max, min = 3, 1

var Default *Cart

func New(owner string, sizes ...int) (*Cart, error) { return nil, nil }

func (c *Cart) Add(a, b string) (n int, err error) { return 0, nil }

func (c *Cart) private() {}

func Map[K comparable, V any](m map[K]V) []K { return nil }
//- cart/cart_test.go
package cart
func TestX(t *testing.T) {}
func Exported() {}
//- internal/x/x.go
package x
func Hidden() {}
//- main.go
package main
func Exported() {}
"#;

#[test]
fn ve7_exports_of_a_go_module_are_read() {
    check(
        MODULE,
        &expect![[r#"
        example.com/shop/v2 example.com/shop/v2/cart struct Base (open) [cart/cart.go:10]
        example.com/shop/v2 example.com/shop/v2/cart field Base.ID: int [cart/cart.go:10]
        example.com/shop/v2 example.com/shop/v2/cart struct Cart (open) [cart/cart.go:4]
        example.com/shop/v2 example.com/shop/v2/cart method Cart.Add pointer (a: string, b: string) -> (int, error) [cart/cart.go:25]
        example.com/shop/v2 example.com/shop/v2/cart field Cart.Base: Base [cart/cart.go:7]
        example.com/shop/v2 example.com/shop/v2/cart field Cart.Items: []string [cart/cart.go:5]
        example.com/shop/v2 example.com/shop/v2/cart variable Default: *Cart [cart/cart.go:21]
        example.com/shop/v2 example.com/shop/v2/cart type ID: string [cart/cart.go:17]
        example.com/shop/v2 example.com/shop/v2/cart function Map [K comparable, V any](m: map[K]V) -> []K [cart/cart.go:29]
        example.com/shop/v2 example.com/shop/v2/cart constant Max [cart/cart.go:19]
        example.com/shop/v2 example.com/shop/v2/cart function New(owner: string, ...sizes: int) -> (*Cart, error) [cart/cart.go:23]
        example.com/shop/v2 example.com/shop/v2/cart interface Store of io.Closer [cart/cart.go:12]
        example.com/shop/v2 example.com/shop/v2/cart method Store.Get(id: string) -> (*Cart, error) [cart/cart.go:13]
    "#]],
    );
}

#[test]
fn ve7_changes_of_go_exports_are_told_and_good_refactorings_are_not() {
    check_edits(
        MODULE,
        &[
            (
                "func New(owner string, sizes ...int)",
                "func New(owner string, kind int, sizes ...int)",
            ),
            (
                "Get(id string) (*Cart, error)",
                "Get(id string) (*Cart, error)\n\tPut(c *Cart) error",
            ),
            ("	Items []string\n", ""),
            ("	Items []string\n", "	Items []string\n	More int\n"),
            (
                "func (c *Cart) Add(a, b string) (n int, err error)",
                "func (c *Cart) Add(x string, y string) (int, error)",
            ),
            ("const Max, min = 3, 1", "const Max, low = 4, 1"),
            ("func (c *Cart) private() {}", ""),
            ("type ID = string", "type ID = int"),
        ],
        &expect![[r#"
            # func New(owner string, kind int, sizes ...int)
            ! narrowed: `New` of `example.com/shop/v2/cart` takes one more required argument: `kind` (cart/cart.go:23)
            # Get(id string) (*Cart, error)
            ! narrowed: `Store.Put` of `example.com/shop/v2/cart` was added to an interface and is required (cart/cart.go:14)
            # - 	Items []string
            ! removed: `Cart.Items` of `example.com/shop/v2/cart` was removed (cart/cart.go:5)
            # 	Items []string
            ~ added: `Cart.More` of `example.com/shop/v2/cart` was added: field `: int` (cart/cart.go:6)
            # func (c *Cart) Add(x string, y string) (int, error)
            no change
            # const Max, low = 4, 1
            no change
            # - func (c *Cart) private() {}
            no change
            # type ID = int
            ! changed: `ID` of `example.com/shop/v2/cart` is `int` instead of `string` (cart/cart.go:17)
        "#]],
    );
    check_change(
        "
//- go.mod
module m
//- a/a.go
package a
func F() {}
func (t T) G() {}
type T struct{}
",
        "
//- go.mod
module m
//- a/b.go
package a
type T struct{}
//- a/c.go
package a
func (t T) G() {}
func F() {}
",
        &expect![[r#"
            no change
        "#]],
    );
}

#[test]
fn ve7_exports_of_java_are_read_and_compared() {
    let source = r#"
//- src/main/java/shop/Cart.java
package shop;
public class Cart extends Base implements Closeable {
    public static final int MAX = 3;
    private int secret;
    public Cart(String owner) {}
    public <T> List<T> add(T item, int... more) throws IOException { return null; }
    public int add(String item) { return 0; }
    protected void hook() {}
    void packagePrivate() {}
}
class Hidden { public void x() {} }
//- src/main/java/shop/Rate.java
package shop;
public interface Rate { int rate(int a); default String name() { return ""; } }
//- src/test/java/shop/CartTest.java
package shop;
public class CartTest { public void t() {} }
"#;
    check(
        source,
        &expect![[r#"
        shop shop class Cart of Base, Closeable [src/main/java/shop/Cart.java:2]
        shop shop field Cart.MAX: int [src/main/java/shop/Cart.java:3]
        shop shop method Cart.add(item: String) -> int [src/main/java/shop/Cart.java:7]
        shop shop method Cart.add<T>(item: T, ...more: int) -> List<T> [src/main/java/shop/Cart.java:6]
        shop shop method Cart.hook() -> void [src/main/java/shop/Cart.java:8]
        shop shop method Cart.new(owner: String) [src/main/java/shop/Cart.java:5]
        shop shop interface Rate [src/main/java/shop/Rate.java:2]
        shop shop method Rate.name ?() -> String [src/main/java/shop/Rate.java:2]
        shop shop method Rate.rate(a: int) -> int [src/main/java/shop/Rate.java:2]
    "#]],
    );
    check_edits(
        source,
        &[
            ("    public int add(String item) { return 0; }\n", ""),
            ("int rate(int a);", "int rate(int a); int other();"),
            ("protected void hook()", "private void hook()"),
            ("void packagePrivate() {}", ""),
        ],
        &expect![[r#"
            # -     public int add(String item) { return 0; }
            ! removed: `Cart.add` of `shop` lost the overload `(item: String) -> int` (src/main/java/shop/Cart.java:7)
            # int rate(int a); int other();
            ! narrowed: `Rate.other` of `shop` was added to an interface and is required (src/main/java/shop/Rate.java:2)
            # private void hook()
            ! removed: `Cart.hook` of `shop` was removed (src/main/java/shop/Cart.java:8)
            # - void packagePrivate() {}
            no change
        "#]],
    );
}
