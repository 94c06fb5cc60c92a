//! Ruby. Blocks and lambdas stay.

use rb_lang::Language;

use super::{Bodies, Spot, Step};

pub(super) const BODIES: Bodies =
    Bodies { languages: &[Language::Ruby], visit, consequences: None };

fn visit(spot: &Spot<'_, '_>) -> Step {
    if !matches!(spot.node.kind(), "method" | "singleton_method") {
        return Step::Walk;
    }
    let end = spot.node.end_byte();
    match spot.field("body") {
        Some(body) if body.kind() == "body_statement" => {
            // The body has the end of its last statement, too: a new line or a semicolon.
            let text = spot.text.get(body.byte_range()).unwrap_or_default();
            let length = text.trim_end_matches(|c: char| c.is_whitespace() || c == ';').len();
            spot.becomes(body.start_byte(), body.start_byte() + length, "raise \"stubbed\"")
        }
        // `def one = 1`
        Some(body) => spot.becomes(body.start_byte(), body.end_byte(), "raise(\"stubbed\")"),
        None => match spot.text.get(..end).and_then(|text| text.strip_suffix("end")) {
            Some(head) => spot.becomes(head.len(), head.len(), "raise \"stubbed\"; "),
            None => Step::Keep,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_none};

    #[test]
    fn ka5_ruby_bodies() {
        let check = |before: &str, after: &str| check("lib/roman.rb", before, after);
        check(
            "def roman(n)\n  n.times.map { |i| i }\n  \"I\"\nend\n",
            "def roman(n)\n  raise \"stubbed\"\nend\n",
        );
        check(
            "class Roman\n  attr_reader :n\n\n  def self.of(n)\n    new(n)\n  rescue TypeError\n    nil\n  \
             end\n\n  private def a = 1\nend\n",
            "class Roman\n  attr_reader :n\n\n  def self.of(n)\n    raise \"stubbed\"\n  \
             end\n\n  private def a = raise(\"stubbed\")\nend\n",
        );
        check("def a; 1; end\n", "def a; raise \"stubbed\"; end\n");
        check("def a\nend\n", "def a\nraise \"stubbed\"; end\n");
        check(
            "P = Struct.new(:x) do\n  def twice\n    2 * x\n  end\nend\n",
            "P = Struct.new(:x) do\n  def twice\n    raise \"stubbed\"\n  end\nend\n",
        );
    }

    #[test]
    fn ka5_ruby_without_bodies() {
        check_none("lib/roman.rb", "X = ->(n) { n }\n");
        check_none("lib/roman.rb", "def a(\n");
    }
}
