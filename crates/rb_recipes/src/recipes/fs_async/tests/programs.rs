//! Where a chain ends: programs, and functions that have a twin.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_a_program_is_wrapped() {
    check(
        r##"
//- cli.js
#!/usr/bin/env node
const fs = require('fs');
const path = require('path');

// Where it is.
const config = read('config.json');
const text = `a
  b`;
if (config.verbose) {
  console.log(text);
}
show(config);

function read(name) {
  return JSON.parse(fs.readFileSync(path.resolve(name), 'utf8'));
}
function show(it) {
  console.log(it);
}
"##,
        &expect![[r#"
            chain: `read` becomes async: 1 call awaited
              cli.js:15 `fs.readFileSync` → `promises.readFile`
            //- cli.js
            #!/usr/bin/env node
            const fs = require('fs');
            const path = require('path');

            async function main() {
              // Where it is.
              const config = await read('config.json');
              const text = `a
              b`;
              if (config.verbose) {
                console.log(text);
              }
              show(config);
            }

            main();

            async function read(name) {
              return JSON.parse(await fs.promises.readFile(path.resolve(name), 'utf8'));
            }
            function show(it) {
              console.log(it);
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_a_program_ends_with_its_call() {
    check(
        r##"
//- cli.js
const fs = require('fs');
function main() {
  console.log(fs.readFileSync('a', 'utf8'));
}
main();
//- other.js
const { load } = require('./lib');
if (require.main === module) {
  // Shown.
  const it = load('x');
  console.log(it);
}
//- lib.js
const fs = require('fs');
function load(path) {
  return fs.readFileSync(path);
}
module.exports = { load };
if (require.main === module) {
  load('y');
}
"##,
        &expect![[r#"
            chain: `main` becomes async: 1 call awaited
              cli.js:3 `fs.readFileSync` → `promises.readFile`
            chain: `load` becomes async: 1 call awaited
              lib.js:3 `fs.readFileSync` → `promises.readFile`
              api lib.js#load: returns its result -> returns a promise
            //- cli.js
            const fs = require('fs');
            async function main() {
              console.log(await fs.promises.readFile('a', 'utf8'));
            }
            main();

            //- lib.js
            const fs = require('fs');
            async function load(path) {
              return fs.promises.readFile(path);
            }
            module.exports = { load };
            if (require.main === module) {
              load('y');
            }

            //- other.js
            const { load } = require('./lib');
            if (require.main === module) {
              (async () => {
                // Shown.
                const it = await load('x');
                console.log(it);
              })();
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_twins() {
    check(
        r##"
//- fsx.js
const fs = require('fs');
async function readText(path) {
  return fs.promises.readFile(path, 'utf8');
}
function readTextSync(path) {
  return fs.readFileSync(path, 'utf8');
}
const fsx = { readText, readTextSync };
module.exports = fsx;
//- a.js
const fsx = require('./fsx');
function load(path) {
  return JSON.parse(fsx.readTextSync(path));
}
async function main() {
  console.log(load('a'), fsx.readTextSync('b'));
}
class Early {
  constructor() {
    this.text = fsx.readTextSync('c');
  }
}
new Early();
main();
"##,
        &expect![[r#"
            chain: `load` becomes async: 2 calls awaited
              a.js:3 `fsx.readTextSync` → its async counterpart `readText`
              a.js:6 `fsx.readTextSync` → its async counterpart `readText`
            left: a.js:10:17 `fsx.readTextSync`: the constructor of `Early` cannot be async (a.js:9); read the file in an async static `create`, and pass the content to the constructor
              through a.js:9 constructor
            left: fsx.js:6:10 `fs.readFileSync(path, 'utf8')`: `readTextSync` has an async counterpart, `readText`, which callers use if they can (fsx.js:5); delete `readTextSync` when nothing calls it any more
              through fsx.js:5 readTextSync
            //- a.js
            const fsx = require('./fsx');
            async function load(path) {
              return JSON.parse(await fsx.readText(path));
            }
            async function main() {
              console.log(await load('a'), await fsx.readText('b'));
            }
            class Early {
              constructor() {
                this.text = fsx.readTextSync('c');
              }
            }
            new Early();
            main();

        "#]],
    );
}
