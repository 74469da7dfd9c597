// Type-checks every ```ts and ```tsx block of the README and the docs against the package's doors. A comment right
// before a block, `<!-- given: … -->`, is code the block leans on and readers need not see.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Inside the package, so that it resolves itself by name.
const folder = ".snippets";
const block = /(?:<!-- given:\s*(?<given>[\s\S]*?)-->\s*)?^```(?<kind>tsx?)\n(?<code>[\s\S]*?)^```$/gm;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
let count = 0;
for (const page of ["README.md", ...globSync("docs/*.md")].filter((name) => globSync(name).length > 0)) {
  const text = readFileSync(page, "utf8").replaceAll("\r\n", "\n");
  for (const { index, groups } of text.matchAll(block)) {
    const line = text.slice(0, text.indexOf("```", index)).split("\n").length;
    const name = `${page.replaceAll(/[\\/]/g, "-").replace(/\.md$/, "")}-line-${line}.${groups?.["kind"]}`;
    writeFileSync(join(folder, name), `${groups?.["given"] ?? ""}\n${groups?.["code"]}\nexport {};\n`);
    count += 1;
  }
}
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({ extends: "../tsconfig.json", compilerOptions: { rootDir: ".." }, include: ["*.ts", "*.tsx"] }),
);

if (count > 0) process.exitCode = spawnSync(`tsc -p ${folder}`, { shell: true, stdio: "inherit" }).status ?? 1;
console.log(`${count} snippets of the docs checked`);
rmSync(folder, { recursive: true, force: true });
