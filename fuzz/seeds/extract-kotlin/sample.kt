@file:JvmName("x")
package a.b
import c.d.*
import e.F as G
/** Doc. */
@Serializable
data class P<out T : Any>(val x: Int = 1, private var y: T?) : Base<T>(x), I by z where T : C {
    companion object { const val MAX = 3; fun of() = P(1, null) }
    init { check(x > 0) { "no $x ${y?.z ?: "n"}" } }
    override suspend fun <R> List<R>.f(vararg a: R, b: (R) -> Unit): R = when (val q = a) { is A, in 1..2 -> b(q) ; else -> TODO() }
    val p: Int get() { return if (x < 1 && y != null || true) 1 else 2 }
}
sealed interface S { object O : S }
enum class K(val v: Int) { A(1) { fun g() {} }; }
typealias M = Map<String, List<Int>>
fun main() { for (i in 0 until 3) try { run { it.x() } } catch (e: E) { throw e }
    val s = """raw "$i" """; a@ while (true) break@a }
