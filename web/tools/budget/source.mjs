// Size budgets of the source: files aim 250 / hard 400 lines, components aim 100 / hard 150 lines.
// Beyond the aim is told, beyond the hard limit fails.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const src = join(dirname(fileURLToPath(import.meta.url)), "../../src");
const limits = { file: [250, 400], component: [100, 150] };
const hard = [];
const soft = [];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (
      /\.(ts|tsx)$/.test(entry.name) &&
      !/\.(test|gen)\./.test(entry.name) &&
      !entry.name.endsWith(".gen.d.ts")
    )
      yield path;
  }
}

function judge(what, lines, [aim, limit]) {
  if (lines > limit) hard.push(`${what}: ${lines} lines, limit ${limit}`);
  else if (lines > aim) soft.push(`${what}: ${lines} lines, aim ${aim}`);
}

for (const file of files(src)) {
  const name = relative(src, file);
  const lines = readFileSync(file, "utf8").split("\n");
  judge(name, lines.length, limits.file);
  if (!file.endsWith(".tsx")) continue;
  // A formatted top-level function ends with the first line that is a lone closing brace.
  lines.forEach((line, start) => {
    const match = /^(?:export )?(?:default )?(?:async )?function (\w+)/.exec(line);
    if (!match) return;
    const end = lines.findIndex((other, index) => index > start && other === "}");
    judge(`${name} ${match[1]}`, end - start + 1, limits.component);
  });
}

for (const line of soft) console.log(`aim: ${line}`);
if (hard.length > 0) {
  console.error(hard.join("\n"));
  process.exit(1);
}
console.log("source budgets: ok");
