//! What a patch can hold.

use super::*;

#[test]
fn ux4_lines_are_paired_and_their_words_marked() {
    check(
        "diff --git a/a.rs b/a.rs
--- a/a.rs
+++ b/a.rs
@@ -1,4 +1,5 @@ fn main()
 same
-let total = sum(prices);
-old();
+// A new line above.
+let total = sum(prices, taxes);
+completely.different(thing, altogether);
 same
",
        &expect![[r#"
            a.rs: modified +3 -2
            @@ -1,4 +1,5 @@ fn main()
            1 = 1 same
             | 2 // A new line above.
            2 let total = sum(prices); | 3 let total = sum(prices[, taxes]);
            3 old(); | 4 completely.different(thing, altogether);
            4 = 5 same"#]],
    );
}

#[test]
fn ux4_marks_are_dropped_where_most_of_the_line_differs() {
    check(
        "--- a\n+++ b\n@@ -1 +1 @@\n-alpha = beta(gamma)\n+delta = omega.phi\n",
        &expect![[r#"
        b: modified +1 -1
        @@ -1 +1 @@
        1 alpha = beta(gamma) | 1 delta = omega.phi"#]],
    );
    check(
        "--- a\n+++ b\n@@ -1 +1 @@\n-one two three four five\n+five four three two one\n",
        &expect![[r#"
            b: modified +1 -1
            @@ -1 +1 @@
            1 one two three four five | 1 five four three two one"#]],
    );
}

#[test]
fn ux4_headers_of_all_kinds_are_read() {
    check(
        "diff --git a/old name.rs b/new name.rs
similarity index 90%
rename from old name.rs
rename to new name.rs
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/x.png b/x.png
index 1..2 100644
Binary files a/x.png and b/x.png differ
diff --git \"a/t\\303\\244b\\t.c\" \"b/t\\303\\244b\\t.c\"
new file mode 100644
--- /dev/null
+++ \"b/t\\303\\244b\\t.c\"
@@ -0,0 +1 @@
+int a;
\\ No newline at end of file
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x = 1
",
        &expect![[r#"
            new name.rs: renamed from old name.rs +0 -0
            run.sh: modified +0 -0 mode 100644 100755
            x.png: modified +0 -0 binary
            täb	.c: created +1 -0
            @@ -0,0 +1 @@
             | 1 int a;\0
            gone.py: deleted +0 -1
            @@ -1 +0,0 @@
            1 x = 1 |"#]],
    );
}

#[test]
fn ux4_line_ends_are_told_apart() {
    check(
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\r\n+one\n-two\n\\ No newline at end of file\n+two\n",
        &expect![[r#"
            a: modified +2 -2
            @@ -1,2 +1,2 @@
            1 one\r | 1 one
            2 two\0 | 2 two"#]],
    );
}

#[test]
fn ux4_lines_that_look_like_headers_are_lines() {
    check(
        "diff --git a/a.sql b/a.sql
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,3 @@
--- a comment
+++ b comment
 x

-@@ -1 +1 @@
+@@ -2 +2 @@
",
        &expect![[r#"
            a.sql: modified +2 -2
            @@ -1,3 +1,3 @@
            1 [-- a] comment | 1 [++ b] comment
            2 = 2 x
            3 = 3 
            4 @@ -[1] +[1] @@ | 4 @@ -[2] +[2] @@"#]],
    );
}

#[test]
fn ux4_counts_that_lie_hide_no_line() {
    check(
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n+hidden\n-- \n2.43.0\n",
        &expect![[r#"
        a: modified +2 -1
        @@ -1 +1 @@
        1 a | 1 b
         | 2 hidden"#]],
    );
    check(
        "--- a/a\n+++ b/a\n@@ -4294967295,9 +1,99999 @@\n-a\n-b\n",
        &expect![[r#"
        a: modified +0 -2
        @@ -4294967295,9 +1,99999 @@
        4294967295 a |
        4294967295 b |"#]],
    );
}

#[test]
fn ux4_a_patch_that_is_too_large_is_cut() {
    let patch = format!("--- a/a\n+++ b/a\n@@ -1 +1 @@\n{}", "-a\n+b\n".repeat(60_000));
    let diff = Diff::read(patch.as_bytes());
    assert_eq!(diff.files[0].lines(), 100_000 - 3);
    assert_eq!(diff.bytes_left_out, 3 * 20_003);
}

#[test]
fn ux4_what_is_no_patch_has_no_files() {
    check("", &expect![[""]]);
    check("@@ -1 +1 @@\n-a\n+b\n", &expect![[""]]);
    check("Dear reviewer,\n--- see below\n+++\n", &expect![""]);
}

const MOVED: &str = "diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,6 +1,1 @@
-def total(prices):
-    result = sum(prices)
-
-    return result
-
 other = 1
diff --git a/b.py b/b.py
--- a/b.py
+++ b/b.py
@@ -1,2 +1,7 @@
 class Cart:
+    def total(prices):
+        result = sum(prices)
+
+        return result
+    extra = 2
 end = 1
";

#[test]
fn ux4_moved_lines_are_told_apart_from_changed_ones() {
    check(
        MOVED,
        &expect![[r#"
        a.py: modified +0 -5
        @@ -1,6 +1,1 @@
        1 def total(prices): <b.py:2 indented> |
        2     result = sum(prices) <b.py:3 indented> |
        3  <b.py:4> |
        4     return result <b.py:5 indented> |
        5  |
        6 = 1 other = 1
        b.py: modified +5 -0
        @@ -1,2 +1,7 @@
        1 = 1 class Cart:
         | 2     def total(prices): <a.py:1 indented>
         | 3         result = sum(prices) <a.py:2 indented>
         | 4  <a.py:3>
         | 5         return result <a.py:4 indented>
         | 6     extra = 2
        2 = 7 end = 1"#]],
    );
}

#[test]
fn ux4_lines_that_are_indented_stay_beside_themselves() {
    check(
        "--- a/a.js
+++ b/a.js
@@ -1,3 +1,5 @@
-const first = read(path);
-const second = parse(first);
-return second.value;
+if (path) {
+  const first = read(path);
+  const second = parse(first);
+  return second.value;
+}
",
        &expect![[r#"
            a.js: modified +5 -3
            @@ -1,3 +1,5 @@
             | 1 if (path) {
            1 const first = read(path); <a.js:2 indented> | 2   const first = read(path); <a.js:1 indented>
            2 const second = parse(first); <a.js:3 indented> | 3   const second = parse(first); <a.js:2 indented>
            3 return second.value; <a.js:4 indented> | 4   return second.value; <a.js:3 indented>
             | 5 }"#]],
    );
}

#[test]
fn ux4_few_short_lines_are_no_move() {
    check(
        "--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n-}\n-end\n x\n@@ -9 +8,3 @@\n y\n+}\n+end\n",
        &expect![[r#"
        a: modified +2 -2
        @@ -1,2 +1,1 @@
        1 } |
        2 end |
        3 = 1 x
        @@ -9 +8,3 @@
        9 = 8 y
         | 9 }
         | 10 end"#]],
    );
    let long = "the quick brown fox jumps over the lazy dog, and again";
    check(
        &format!("--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n-{long}\n x\n@@ -9 +8,3 @@\n y\n+{long}\n"),
        &expect![[r#"
            a: modified +1 -1
            @@ -1,2 +1,1 @@
            1 the quick brown fox jumps over the lazy dog, and again <a:9> |
            2 = 1 x
            @@ -9 +8,3 @@
            9 = 8 y
             | 9 the quick brown fox jumps over the lazy dog, and again <a:1>"#]],
    );
}
