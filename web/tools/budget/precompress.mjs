// Writes .br and .gz beside every text file of the build; the server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../../dist");
let count = 0;

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== ".vite") walk(path);
    } else if (/\.(js|mjs|css|json|svg|wasm|bcmap)$/.test(entry.name)) compress(path);
  }
}

function compress(path) {
  const content = readFileSync(path);
  if (content.length < 512) return;
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  count += 1;
}

walk(dist);
// The folder is embedded by the Go build and must exist in a fresh checkout, too.
writeFileSync(join(dist, ".gitkeep"), "");
console.log(`${count} files precompressed`);
