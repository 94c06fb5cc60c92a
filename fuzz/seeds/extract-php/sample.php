<p>html <?= $x ?></p>
<?php
declare(strict_types=1);
namespace A\B;
use C\{D, E as F};
use function g\h;
require_once __DIR__ . '/x.php';
const LIMIT = 3;
define('OTHER', 1);
/** Doc. */
#[Attr(1)]
abstract class S extends D implements F, \I {
    use T { a as protected b; }
    public const X = 1;
    public function __construct(private readonly ?int $x = null, string|int ...$r) {}
    public static function make(array &$a): static { return new static(...$a); }
    function f() { foreach ($a as $k => [$v]) if ($v && !$k or $x) echo "a{$b->c[1]} $d[0]", <<<T
      text {$x}
      T; return match (true) { $x?->y() => fn($z) => $z, default => throw new E };
    }
}
enum K: string { case A = 'a'; }
function g() { try { h(S::class, self::X); } catch (A|B $e) { } finally { } }
?>
end
