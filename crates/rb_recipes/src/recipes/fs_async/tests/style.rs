//! What a maintainer would merge: no copies, no long headers, the exit code of before.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_one_function_asks_whether_files_are_there() {
    check(
        r##"
//- src/a.js
import fs from 'fs';

export async function all(one, two) {
  if (!fs.existsSync(one)) return null;
  return fs.existsSync(two) ? two : one;
}
//- src/b.js
const { existsSync } = require('fs');

async function both(one, two) {
  return existsSync(one) && existsSync(two);
}
both('a', 'b');
"##,
        &expect![[r#"
            chain: src/a.js: 2 calls awaited, in functions that are already async
              src/a.js:4 `fs.existsSync` → `promises.access`
              src/a.js:5 `fs.existsSync` → `promises.access`
            chain: src/b.js: 2 calls awaited, in functions that are already async
              src/b.js:4 `existsSync` → `access`
            //- src/a.js
            import fs from 'fs';

            function exists(path) {
              return fs.promises.access(path).then(() => true, () => false);
            }

            export async function all(one, two) {
              if (!(await exists(one))) return null;
              return (await exists(two)) ? two : one;
            }

            //- src/b.js
            const { access } = require('fs/promises');

            function exists(path) {
              return access(path).then(() => true, () => false);
            }

            async function both(one, two) {
              return (await exists(one)) && (await exists(two));
            }
            both('a', 'b');

        "#]],
    );
}

#[test]
fn ru3_fs_async_what_a_loop_runs_over_gets_a_name_where_it_is_long() {
    check(
        r##"
//- src/a.js
const fs = require('fs');
async function clean(dir) {
  fs.readdirSync(dir)
    .filter((name) => name.endsWith('.tmp'))
    .sort()
    .map((name) => `${dir}/${name}`)
    .forEach((file) => {
      fs.unlinkSync(file);
    });
}
clean('a');
"##,
        &expect![[r#"
            chain: 2 calls awaited; 1 enclosing function becomes async
              src/a.js:3 `fs.readdirSync` → `promises.readdir`
              src/a.js:8 `fs.unlinkSync` → `promises.unlink`
            //- src/a.js
            const fs = require('fs');
            async function clean(dir) {
              const files = (await fs.promises.readdir(dir))
                .filter((name) => name.endsWith('.tmp'))
                .sort()
                .map((name) => `${dir}/${name}`);
              for (const file of files) {
                await fs.promises.unlink(file);
              }
            }
            clean('a');

        "#]],
    );
}

#[test]
fn ru3_fs_async_a_program_for_old_nodes_fails_as_it_did() {
    check(
        r##"
//- package.json
{ "engines": { "node": ">=14" } }
//- cli.js
const fs = require('fs');
function main() {
  console.log(fs.readFileSync('a', 'utf8'));
}
main();
//- other.js
const fs = require('fs');
const text = fs.readFileSync('a', 'utf8');
console.log(text);
"##,
        &expect![[r#"
            chain: `main` becomes async: 1 call awaited
              cli.js:3 `fs.readFileSync` → `promises.readFile`
            chain: other.js: 1 call awaited, in functions that are already async
              other.js:2 `fs.readFileSync` → `promises.readFile`
            //- cli.js
            const fs = require('fs');
            async function main() {
              console.log(await fs.promises.readFile('a', 'utf8'));
            }
            main().catch((error) => {
              console.error(error);
              process.exitCode = 1;
            });

            //- other.js
            const fs = require('fs');
            async function main() {
              const text = await fs.promises.readFile('a', 'utf8');
              console.log(text);
            }

            main().catch((error) => {
              console.error(error);
              process.exitCode = 1;
            });

        "#]],
    );
}
