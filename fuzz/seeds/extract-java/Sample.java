package a.b;
import java.util.*;
import static a.C.d;
/** Doc. */
@Named(value = {"x", "y"})
public sealed abstract class S<T extends A & B<? super T>> extends Base<T> implements io.C permits X {
    static final int MAX = 1, MIN = f();
    static { d("\u00fc"); }
    @Test(timeout = 1) public <R> List<R[]> pick(Map.Entry<String, R> e, int... r) throws E {
        for (var i : r) if (i < MAX && i > 1 || (int) i == 2) g(x -> x, S::new, (a, b) -> { return; });
        return switch (e) { case Point(int x, var y) when x > 1 -> null; default -> { yield new A<>() { void in() {} }; } };
    }
    record P(int x) { P { check(x); } }
    enum K implements I { A(1), B { void b() {} }; K() {} }
    @interface N { String v() default """
        text"""; }
}
