use expect_test::{Expect, expect};

use super::RULE;
use crate::facts::{Realm, Route};
use crate::finding::Applicability;
use crate::testing::{Setup, check_doc};

fn setup() -> Setup {
    Setup::new().next(15, 1).realm(Realm::Server).path("src/app/og/route.ts").route(Route::Handler)
}

fn check(text: &str, expected: Expect) {
    setup().check(&RULE, text, expected);
}

#[test]
fn ru1_server_hoist_static_io_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_server_hoist_static_io_finds_reads() {
    check(
        "import fs from 'fs'
import { promises as files } from 'node:fs'
import path from 'path'

const DIR = path.join(process.cwd(), 'fonts')

export const GET = async () => {
  const font = await fs.promises.readFile(path.join(DIR, 'a.ttf'))
  const text = fs.readFileSync('./terms.md', 'utf8')
  const logo = await fetch(new URL('./logo.png', import.meta.url)).then((it) => it.arrayBuffer())
  const [a] = await Promise.all([files.readFile('b.ttf')])
  return draw(font, text, logo, a)
}",
        expect![[r#"
            8:22 warning: `GET` reads `fonts/a.ttf` on every request; read it once at module load [assist: read it at module load]
            9:16 warning: `GET` reads `./terms.md` on every request; read it once at module load [assist: read it at module load]
            10:22 warning: `GET` reads `./logo.png` on every request; read it once at module load [assist: read it at module load]
            11:34 warning: `GET` reads `b.ttf` on every request; read it once at module load [assist: read it at module load]
            --- assist
            import fs from 'fs'
            import { promises as files } from 'node:fs'
            import path from 'path'

            const textFile = fs.readFileSync('./terms.md', 'utf8')

            const DIR = path.join(process.cwd(), 'fonts')
            const fontPromise = fs.promises.readFile(path.join(DIR, 'a.ttf'))
            fontPromise.catch(() => {})

            export const GET = async () => {
              const font = await fontPromise
              const text = textFile
              const logo = await fetch(new URL('./logo.png', import.meta.url)).then((it) => it.arrayBuffer())
              const [a] = await Promise.all([files.readFile('b.ttf')])
              return draw(font, text, logo, a)
            }
        "#]],
    );
}

#[test]
fn ru1_server_hoist_static_io_keeps_the_layout() {
    let text = "import { readFile } from 'fs/promises';
export async function GET() {
  const [font] = await Promise.all([
    readFile(
      new URL('./Roman-Bold.ttf', import.meta.url),
    ),
  ]);
  return draw(font);
}";
    check(
        text,
        expect![[r#"
            4:5 warning: `GET` reads `./Roman-Bold.ttf` on every request; read it once at module load [assist: read it at module load]
            --- assist
            import { readFile } from 'fs/promises';

            const romanBoldPromise = readFile(
              new URL('./Roman-Bold.ttf', import.meta.url),
            );
            romanBoldPromise.catch(() => {});

            export async function GET() {
              const [font] = await Promise.all([
                romanBoldPromise,
              ]);
              return draw(font);
            }
        "#]],
    );
    let text = text.replace('\n', "\r\n");
    let fixed = setup().fixed(&RULE, &text, Applicability::Assist).expect("a draft");
    assert!(!fixed.replace("\r\n", "").contains('\n'), "{fixed:?}");
}

#[test]
fn ru1_server_hoist_static_io_without_a_draft() {
    check(
        "import { readFile } from 'fs/promises';
export async function GET() {
  const name = 'a.ttf';
  const a = await readFile(`./fonts/${name}`);
  const res = await fetch(new URL('./logo.png', import.meta.url));
  return draw(a, await res.arrayBuffer());
}",
        expect![[r#"
            4:19 warning: `GET` reads `./fonts/a.ttf` on every request; read it once at module load
            5:21 warning: `GET` reads `./logo.png` on every request; read it once at module load
        "#]],
    );
}

#[test]
fn ru1_server_hoist_static_io_in_images_and_actions() {
    setup().path("src/app/opengraph-image.tsx").check(
        &RULE,
        "import { readFile } from 'fs/promises';
export default async function Image({ params }) {
  return new ImageResponse(<p />, { fonts: [{ data: await readFile('./a.ttf') }] });
}",
        expect![[r#"
            3:59 warning: `Image` reads `./a.ttf` on every request; read it once at module load [assist: read it at module load]
            --- assist
            import { readFile } from 'fs/promises';

            const aPromise = readFile('./a.ttf');
            aPromise.catch(() => {});

            export default async function Image({ params }) {
              return new ImageResponse(<p />, { fonts: [{ data: await aPromise }] });
            }
        "#]],
    );
    setup().path("src/app/actions.ts").check(
        &RULE,
        "'use server';
import { readFileSync } from 'fs';
export async function terms() {
  return readFileSync('terms.md', 'utf8');
}",
        expect![[r#"
            4:10 warning: `terms` reads `terms.md` on every request; read it once at module load [assist: read it at module load]
            --- assist
            'use server';
            import { readFileSync } from 'fs';

            const termsFile = readFileSync('terms.md', 'utf8');

            export async function terms() {
              return termsFile;
            }
        "#]],
    );
}

#[test]
fn ru1_server_hoist_static_io_leaves_false_positives() {
    let text = |body: &str| format!("import {{ readFile, writeFile }} from 'fs/promises';\n{body}");
    let get = |body: &str| text(&format!("export async function GET(req) {{ {body} }}"));
    for code in [
        // The path comes from the request.
        get("return send(await readFile(`./f/${req.id}`));"),
        // The file changes while the server runs.
        get("return send(await readFile('./data/db.json'));"),
        get("await writeFile('a.txt', 'x'); return send(await readFile('a.txt'));"),
        get("return send(await readFile('/tmp/a.txt'));"),
        // Kept already.
        text(
            "let kept; export async function GET() { kept ??= await readFile('a.ttf'); return send(kept); }",
        ),
        text(
            "let kept; export async function GET() { if (!kept) { const it = await readFile('a.ttf'); kept = it; } return send(kept); }",
        ),
        // No file system there.
        text(
            "export const runtime = 'edge'; export async function GET() { return send(await readFile('a.ttf')); }",
        ),
        // Read anew on purpose: nothing else makes the answer another one.
        text(
            "export const dynamic = 'force-dynamic'; export async function GET() { return send(await readFile('a.css')); }",
        ),
        text(
            "export async function GET() { return new Response(await readFile('a.css'), { headers: { 'cache-control': 'no-store' } }); }",
        ),
        text(
            "// Read from disk so that it is never stale.\nexport async function GET() { return send(await readFile('a.css')); }",
        ),
        // Made once.
        text(
            "export const dynamic = 'force-static'; export async function GET() { return send(await readFile('a.ttf')); }",
        ),
        // Not for a request.
        text("export async function load() { return readFile('a.ttf'); }"),
        text(
            "const file = readFile('a.ttf'); export async function GET() { return send(await file); }",
        ),
        // Only while developing.
        get(
            "if (process.env.NODE_ENV === 'development') { return send(await readFile('a.ttf')); }",
        ),
        // Some other function of that name.
        "export async function GET() { return send(await readFile('a.ttf')); }".to_owned(),
    ] {
        setup().silent(&RULE, &code);
    }
    // An image that is made when the project is built, and a handler whose answer is kept.
    let image =
        text("export default async function Image() { return <p>{await readFile('a.ttf')}</p>; }");
    setup().path("src/app/opengraph-image.tsx").silent(&RULE, &image);
    let still = text("export async function GET() { return send(await readFile('a.ttf')); }");
    setup().next(14, 2).silent(&RULE, &still);
    assert!(!setup().findings(&RULE, &still).is_empty());
    // Huge files.
    let large = "x".repeat(6 << 20);
    setup()
        .file("video.mp4", &large)
        .silent(&RULE, &get("return send(await readFile('./video.mp4'));"));
}

#[test]
fn ru1_server_hoist_static_io_candidates() {
    let text = |body: &str| format!("import {{ readFile }} from 'fs/promises';\n{body}");
    // A comment that may complain as well as explain.
    setup().likely(&RULE, &text("export async function GET(req) { // Runs on every request.\n return send(await readFile('a.ttf')); }"));
    // Reached by who knows whom.
    setup().likely(
        &RULE,
        &text(
            "export async function render(data) { return fill(await readFile('a.html'), data); }",
        ),
    );
}
