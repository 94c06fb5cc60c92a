package a.b
import c.{D, E => F, _}
import g.*
/** Doc. */
@deprecated("x") sealed abstract class S[+T <: A, F[_]: M](val x: Int = 1)(implicit y: T) extends Base[T](x) with I {
  val Max, min = 3
  def f[R](xs: R*)(g: R => Unit): Option[R] = xs match { case h :: _ if h != null && x < 1 => Some(h); case _ => None }
  lazy val s = s"a ${x + 1} $y" + """raw"""
  for { a <- xs; if a > 1; b = a } yield { try g(a) catch { case e: E => throw e } finally () }
  type Out = Map[String, List[Int]]
}
object S { def apply(): S[Int, List] = new S(1)(2) { override def z = super.z } ; given ord: Ord[Int] with { def c = 1 } }
case class P(a: Int)
trait T { self: S => private[this] var q = if (true) 1 else while (x) do_() }
enum K: case A, B(x: Int)
extension (s: String) def up: String = s.toUpperCase
@main def run(): Unit =
  if a then
    b
  else c
