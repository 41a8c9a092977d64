// Writes the offline icon subset: names.txt plus every icon name found in the source.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const web = join(here, "../..");
const target = join(web, "src/kernel/ui/icons.gen.json");
const prefixes = ["ep", "fa", "fa-solid"];
const require = createRequire(join(web, "package.json"));

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|tsx)$/.test(entry.name)) yield path;
  }
}

const listed = readFileSync(join(here, "names.txt"), "utf8")
  .split("\n")
  .map((line) => line.replace(/#.*/, "").trim())
  .filter(Boolean);
const used = [...sources(join(web, "src"))].flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/["'`]((?:ep|fa|fa-solid):[a-z0-9-]+)["'`]/g)].map((m) => m[1]),
);
const names = [...new Set([...listed, ...used])].sort();
const missing = [];

const collections = prefixes.map((prefix) => {
  const pack = JSON.parse(readFileSync(require.resolve(`@iconify-json/${prefix}/icons.json`), "utf8"));
  const icons = {};
  for (const name of names.filter((n) => n.startsWith(`${prefix}:`))) {
    const key = name.slice(prefix.length + 1);
    const alias = pack.aliases?.[key];
    const icon = pack.icons[key] ?? (alias && { ...pack.icons[alias.parent], ...alias, parent: undefined });
    if (icon?.body) icons[key] = { ...icon, parent: undefined };
    else missing.push(name);
  }
  return { prefix, width: pack.width, height: pack.height, icons };
});

const foreign = names.filter((name) => !prefixes.some((prefix) => name.startsWith(`${prefix}:`)));
writeFileSync(target, `${JSON.stringify(collections)}\n`);
console.log(`${names.length - missing.length - foreign.length} icons written`);
if (missing.length + foreign.length > 0) {
  console.error(`not in the packs: ${[...missing, ...foreign].join(" ")}`);
  process.exitCode = listed.some((name) => missing.includes(name)) ? 1 : 0;
}
