// Checks every import against the zones kernel <- layout <- features <- app; also resolves
// relative paths, which the linter's patterns cannot.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const src = join(dirname(fileURLToPath(import.meta.url)), "../../src");
const ranks = { kernel: 0, testing: 0, layout: 1, features: 2, app: 3 };
const problems = [];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(ts|tsx)$/.test(entry.name)) yield path;
  }
}

function zoneOf(path) {
  const [zone, feature] = relative(src, path).split(/[\\/]/);
  return { zone, feature: zone === "features" ? feature : undefined };
}

const pattern =
  /(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|import\s*\(\s*["']([^"']+)["']|import\s+["']([^"']+)["']/g;

for (const file of files(src)) {
  const text = readFileSync(file, "utf8");
  const from = zoneOf(file);
  // A folder's own testing.tsx helps its tests only.
  const isTest = /(\.test|\/testing)\.tsx?$/.test(file);
  for (const match of text.matchAll(pattern)) {
    const target = match[1] ?? match[2] ?? match[3];
    const path = target.startsWith("@/")
      ? join(src, target.slice(2))
      : target.startsWith(".")
        ? resolve(dirname(file), target)
        : null;
    if (!path || relative(src, path).startsWith("..")) continue;
    const to = zoneOf(path);
    const say = (why) => problems.push(`${relative(src, file)} imports ${target}: ${why}`);
    if (!(to.zone in ranks)) say("outside the zones");
    else if ((to.zone === "testing" || /\/testing$/.test(path)) && !isTest && from.zone !== "testing")
      say("test support in production code");
    else if (
      ranks[to.zone] > ranks[from.zone] &&
      !(isTest && from.zone === "kernel" && to.zone === "testing")
    )
      say(`${from.zone} may not import ${to.zone}`);
    else if (from.feature && to.feature && from.feature !== to.feature)
      say("features never import each other");
  }
  if (/dangerouslySetInnerHTML/.test(text) && !file.endsWith("kernel/html/SafeHtml.tsx")) {
    problems.push(`${relative(src, file)}: dangerouslySetInnerHTML belongs to kernel/html/SafeHtml alone`);
  }
  if (/@ts-ignore|@ts-nocheck/.test(text)) problems.push(`${relative(src, file)}: type checks switched off`);
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log("import zones: ok");
