using System;
using static A.B;
using X = A.C<int>;
namespace N.M;
#nullable enable
/// <summary>Doc.</summary>
[Attr("x"), Obsolete]
public abstract partial class S<T> : Base<T>, I.J where T : class, new() {
    public const int Max = 1, Min = 2;
    public event Action<T>? E;
    public int P { get => f; private set { f = value; } } = 3;
    public S(int x) : base(x) { }
    public async Task<(int a, T? b)> F<R>(ref int x, params R[] r) => await g?.H(@"a""b", $"{x:D} {{}}")!;
    public static S<T> operator +(S<T> a, S<T> b) { foreach (var v in a) if (v is { P: > 1 } and not null) yield return v switch { 1 => 2, _ => throw new E() }; }
#if DEBUG
    void D() { using var a = new B { C = 1, [2] = 3 }; }
#endif
}
record struct R(int X) : I;
delegate void D(int x);
enum K : byte { A, B }
