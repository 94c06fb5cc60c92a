//! Python.

use expect_test::expect;

use super::check;

#[test]
fn ix4_python_names_and_modules() {
    check(
        r#"
//- shop/__init__.py
from .models import Cart
from .late import *
//- shop/late.py
def checkout(): pass
//- shop/models.py
import json
import requests
from . import prices
from .missing import gone

class Base:
    def save(self): pass

class Cart(Base):
    def __init__(self, items):
        self.items = items
    def total(self):
        def inner(): return helper()
        inner()
        self.save()
        self.total()
        self.unknown()
        return prices.sum_up(self.items) + prices.nothing()

def helper():
    json.dumps(len([]))
    requests.get("x")
    gone()
    callback()

def typed(cart: Cart, other):
    cart.total()
    cart.save()
    other.total()
    other.nobody_has_this()
//- shop/prices.py
def sum_up(items): return sum(items)
//- run.py
import shop
import shop.prices
import shop.prices as p
from shop import Cart, checkout
from shop.models import helper as h

Cart([]).total()
shop.Cart([])
shop.prices.sum_up([])
p.sum_up([])
checkout()
h()
h()
"#,
        &expect![[r"
            run.py:7 -> shop/models.py#Cart.total (only-method)
            run.py:7 -> shop/models.py#Cart.__init__ (constructor) x2
            run.py:9 -> shop/prices.py#sum_up (member) x2
            run.py:11 -> shop/late.py#checkout (re-exported)
            run.py:12 -> shop/models.py#helper (imported) x2
            shop/models.py#Cart.total:14 -> shop/models.py#Cart.total.inner (scope)
            shop/models.py#Cart.total:15 -> shop/models.py#Base.save (inherited)
            shop/models.py#Cart.total:16 -> shop/models.py#Cart.total (own)
            shop/models.py#Cart.total:17 -> unknown? unknown member
            shop/models.py#Cart.total:18 -> shop/prices.py#sum_up (member)
            shop/models.py#Cart.total:18 -> nothing? unknown member
            shop/models.py#Cart.total.inner:13 -> shop/models.py#helper (scope)
            shop/models.py#helper:22 -> external requests
            shop/models.py#helper:23 -> gone? import not found
            shop/models.py#helper:24 -> callback? unknown name
            shop/models.py#typed:27 -> shop/models.py#Cart.total (declared)
            shop/models.py#typed:28 -> shop/models.py#Base.save (inherited)
            shop/models.py#typed:29 -> shop/models.py#Cart.total (only-method)
            shop/models.py#typed:30 -> nobody_has_this? dynamic receiver
            25 calls: 14 resolved, 2 guessed, 1 external, 3 builtin, 5 unresolved
        "]],
    );
}

#[test]
fn ix4_python_classes() {
    check(
        r"
//- a.py
from unittest import TestCase
from b import Middle
import b

class Leaf(Middle):
    def run(self):
        self.deep()
        super().deep()
        self.made_elsewhere()
    @classmethod
    def make(cls):
        return cls.deep()

class Test(TestCase):
    def test_it(self):
        self.assertEqual(1, 1)
        Leaf.make()
        b.Middle()

class Loop(Loop):
    def f(self): self.g()
//- b.py
class Middle(Root): pass
class Root(Middle):
    def deep(self): pass
",
        &expect![[r#"
            a.py#Leaf.run:7 -> b.py#Root.deep (inherited) x2
            a.py#Leaf.run:9 -> made_elsewhere? unknown member
            a.py#Leaf.make:12 -> b.py#Root.deep (inherited)
            a.py#Test.test_it:17 -> a.py#Leaf.make (member)
            a.py#Test.test_it:18 -> b.py#Middle (constructor)
            a.py#Loop.f:21 -> g? unknown member
            9 calls: 5 resolved, 0 guessed, 0 external, 2 builtin, 2 unresolved
        "#]],
    );
}

#[test]
fn ix4_python_a_module_is_not_what_others_call_so() {
    check(
        r"
//- shop/__init__.py
//- shop/forms/__init__.py
from .fields import *
//- shop/forms/fields.py
from shop import other as forms
def field(): pass
//- shop/other.py
//- shop/cart.py
def cart(): pass
//- run.py
from shop import forms
from shop.cart import cart
forms.field()
forms.values.all()
cart()
",
        &expect![[r"
            run.py:3 -> shop/forms/fields.py#field (re-exported)
            run.py:4 -> all? dynamic receiver
            run.py:5 -> shop/cart.py#cart (imported)
            3 calls: 2 resolved, 0 guessed, 0 external, 0 builtin, 1 unresolved
        "]],
    );
}

#[test]
fn ix4_re_exports_in_a_circle_end() {
    check(
        r"
//- a.py
from b import *
from b import x
x()
y()
//- b.py
from a import *
from a import x
",
        &expect![[r"
            a.py:3 -> x? import not found
            a.py:4 -> y? unknown name
            2 calls: 0 resolved, 0 guessed, 0 external, 0 builtin, 2 unresolved
        "]],
    );
}
