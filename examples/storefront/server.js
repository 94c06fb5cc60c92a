// Hands out the pages and their files on 127.0.0.1, on the port in PORT.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const PAGES = new Map([
  ["/", "public/index.html"],
  ["/cart", "public/cart.html"],
]);
const ASSET = /^\/(?:public|lib)\/[a-z-]+\.(?:css|js)$/;
const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript" };

async function answer(pathname) {
  const file = PAGES.get(pathname) ?? (ASSET.test(pathname) ? pathname.slice(1) : undefined);
  try {
    const body = await readFile(new URL(file, import.meta.url));
    return { status: 200, type: TYPES[extname(file)], body };
  } catch {
    return { status: 404, type: "text/plain", body: "Page not found\n" };
  }
}

const server = createServer(async (request, response) => {
  const { status, type, body } = await answer(request.url.split("?")[0]);
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  response.end(body);
});

const port = Number(process.env.PORT ?? 3000);
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
