// Bundle budgets: walks the import closure of each route in Vite's manifest and sums the brotli
// sizes. Above the aim is told, above the hard limit (aim + 20 %) fails. Run after `npm run build`.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../../dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** Files a chunk needs before it runs: itself, static imports and their styles. */
function closure(keys, seen = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk || seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    for (const css of chunk.css ?? []) seen.add(css);
    closure(chunk.imports ?? [], seen);
  }
  return seen;
}

function size(file) {
  const path = join(dist, file);
  return existsSync(`${path}.br`)
    ? readFileSync(`${path}.br`).length
    : brotliCompressSync(readFileSync(path)).length;
}

function total(files) {
  return [...files].reduce((sum, file) => sum + size(file), 0) / 1000;
}

function find(pattern) {
  return Object.keys(manifest).filter((key) => pattern.test(manifest[key].src ?? key));
}

const entry = Object.keys(manifest).filter((key) => manifest[key].isEntry);
// What start-up fetches beside the entry's closure: the language of the page.
const texts = {
  auth: find(/features\/auth\/locales\/zh-CN\.json$/),
  layout: find(/layout\/locales\/zh-CN\.json$/),
};
const icons = find(/kernel\/ui\/icons\.gen\.json$/);
const signIn = find(/features\/auth\/(pages|signin)\/.*(StudentLogin|Login|SignIn)[^/]*\.tsx$/);
const shell = find(/app\/shellRoute\.tsx$/);
const home = find(/features\/.*\/(index|home|Home)\.tsx$/);
const lists = Object.keys(manifest).filter((key) =>
  /features\/(identity|system|infra|academic|thesis)\/.*\.tsx$/.test(manifest[key].src ?? ""),
);
const first = closure(entry);

const rows = [
  ["login", 250, total(closure([...entry, ...signIn, ...texts.auth]))],
  ["shell + home", 300, total(closure([...entry, ...shell, ...home, ...texts.layout, ...icons]))],
];
const shellFiles = closure([...entry, ...shell, ...home, ...texts.layout, ...icons]);
function increment(name, aim, keys, present = shellFiles) {
  if (keys.length === 0) return;
  const files = [...closure(keys)].filter((file) => !present.has(file));
  rows.push([name, aim, total(files)]);
}
const pages = new Set(
  lists.filter((key) => !Object.keys(manifest).some((by) => lists.includes(by) && opens(by, key))),
);
function opens(by, key) {
  return (manifest[by].dynamicImports ?? []).includes(key);
}
for (const key of pages) increment(`+ ${manifest[key].src.replace("src/features/", "")}`, 110, [key]);
// What a page opens on demand (dialogs, parts) stands on that page.
for (const by of pages) {
  for (const key of manifest[by].dynamicImports ?? []) {
    if (!/src\/features\//.test(key) || pages.has(key)) continue;
    const name = `  on demand in ${by.replace(/^.*features\//, "")}: ${key.replace(/^.*\//, "")}`;
    increment(name, 110, [key], closure([by], new Set(shellFiles)));
  }
}
increment("+ designer", 200, find(/workflow\/designer\/[^/]*Designer[^/]*\.tsx$/));
increment("+ viewer", 70, find(/workflow\/.*Viewer[^/]*\.tsx$/));
// The editor stands in a form that is already there.
const form = find(/kernel\/crud\/FormDrawer\.tsx$/);
increment("+ form (on demand)", 110, form, closure([...entry, ...shell, ...lists.slice(0, 1)]));
const withForm = closure([...entry, ...shell, ...lists.slice(0, 1), ...form]);
increment("+ rich text editor", 130, find(/kernel\/html\/RichTextEditor\.tsx$/), withForm);

let failed = false;
console.log(`entry: ${total(first).toFixed(1)} kB brotli in ${first.size} files`);
for (const [name, aim, kb] of rows) {
  const over = kb > aim * 1.2;
  failed ||= over;
  const verdict = over ? "OVER THE LIMIT" : kb > aim ? "over the aim" : "ok";
  console.log(`${name.padEnd(44)} ${kb.toFixed(1).padStart(7)} kB  aim ${aim}  ${verdict}`);
}
process.exit(failed ? 1 : 0);
