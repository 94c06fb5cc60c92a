//! What minitest prints, without what says nothing about a failure and what differs from run to run.

/// minitest names the encoding of numbers as text. They are equal to the same text in UTF-8.
const ENCODING: [&str; 2] = ["# encoding: US-ASCII", "#    valid: true"];

pub(super) fn failures_in(printed: &str) -> String {
    let mut text = printed.to_owned();
    // The marks of a diff, and none.
    for mark in ["+", "-", " ", ""] {
        text = text.replace(&format!("{mark}{}\n{mark}{}\n", ENCODING[0], ENCODING[1]), "");
    }
    let lines = text.lines().filter(|line| !is_noise(line)).map(without_addresses);
    lines.collect::<Vec<_>>().join("\n")
}

fn is_noise(line: &str) -> bool {
    line.starts_with("Run options: ")
        || line == "# Running:"
        || line.starts_with("Finished in ")
        // It counts lines that are left out.
        || (line.starts_with("@@ -") && line.ends_with(" @@"))
        || is_result(line)
}

/// `SumTest#test_one = 0.00 s = .`: failures follow behind all results.
fn is_result(line: &str) -> bool {
    line.rsplit_once(" s = ").is_some_and(|(before, mark)| {
        let time = before.rsplit(' ').next().unwrap_or_default();
        matches!(mark, "." | "F" | "E" | "S") && time.parse::<f64>().is_ok()
    })
}

/// `#<Sum:0x00007f67af250468 @a=1>` as `#<Sum @a=1>`, and the object of a test as `#<SumTest>`: it holds times.
fn without_addresses(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once(":0x") {
        text.push_str(before);
        let is_class = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
        let digits = behind.bytes().take_while(u8::is_ascii_hexdigit).count();
        let is_object = before.rsplit_once("#<").is_some_and(|(_, name)| is_class(name));
        if !is_object || digits < 8 {
            text.push_str(":0x");
            rest = behind;
            continue;
        }
        rest = &behind[digits..];
        if rest.starts_with(" @NAME=") {
            rest = rest.rfind('>').map_or(rest, |end| &rest[end..]);
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_ruby_output_has_only_failures_and_nothing_that_changes() {
        let printed = "\
Run options: -v --seed 0

# Running:

SumTest#test_one = 0.00 s = .
SumTest#test_two = 12.01 s = F
SumTest#test_three = printed
0.00 s = E

Finished in 0.008998s, 666.8450 runs/s, 222.2817 assertions/s.

  1) Failure:
SumTest#test_two [test/sum_test.rb:10]:
--- expected
+++ actual
@@ -1 +1,3 @@
-\"Two\"
+# encoding: US-ASCII
+#    valid: true
+\"2\"

  2) Error:
SumTest#test_three:
NoMethodError: undefined method `third' for #<SumTest:0x00007f31fe0f4f60 @NAME=\"test_three\", \
@failures=[#<Minitest::UnexpectedError: Unexpected exception>], @time=5.14819985255599e-05>
    test/sum_test.rb:14:in `test_three'

3 runs, 1 assertions, 1 failures, 1 errors, 0 skips";
        assert_eq!(
            failures_in(printed).trim_start(),
            "\
SumTest#test_three = printed


  1) Failure:
SumTest#test_two [test/sum_test.rb:10]:
--- expected
+++ actual
-\"Two\"
+\"2\"

  2) Error:
SumTest#test_three:
NoMethodError: undefined method `third' for #<SumTest>
    test/sum_test.rb:14:in `test_three'

3 runs, 1 assertions, 1 failures, 1 errors, 0 skips"
        );
    }

    #[test]
    fn ka2_ruby_objects_have_no_addresses() {
        let check = |line: &str, expected: &str| assert_eq!(failures_in(line), expected);
        check("for #<A::Sum:0x00007f31fe0f4f60 @a=1>", "for #<A::Sum @a=1>");
        check("#<A:0x00007f31fe0f4f60> #<B:0x00007f31fe0f4f61>", "#<A> #<B>");
        check("-\"color:0xff8800ff\"", "-\"color:0xff8800ff\"");
        check(
            "Expected # encoding: US-ASCII\n#    valid: true\n\"3\" to include \"F\".",
            "Expected \"3\" to include \"F\".",
        );
        check(
            "+# encoding: ASCII-8BIT\n+#    valid: true",
            "+# encoding: ASCII-8BIT\n+#    valid: true",
        );
    }
}
