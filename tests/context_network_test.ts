// The context network: sections, links, relations, and the table of the record format.
import assert from "node:assert/strict";
import { dirname, join, relative } from "@std/path";
import { exists, walk } from "@std/fs";
import { z } from "zod";
import { composeConvening, memoryRecord } from "../mod.ts";
import { fileSchemas } from "../src/record/read.ts";
import { readFrontMatter } from "../src/record/read_pages.ts";
import { ASSESSMENT, PAPER_RESULTS } from "../src/record/metadata_file.ts";
import { snakeCase } from "../src/record/fact_row.ts";
import { ROOT } from "./support/deno_process.ts";
import { GOLDEN } from "./support/golden.ts";

const FOLDER = join(ROOT, "context-network");
const START = "discovery.md";
const SECTIONS = [
  "Purpose",
  "Classification",
  "Content",
  "Relationships",
  "Navigation Guidance",
  "Metadata",
  "Change History",
];
const MAX_LINES = 80;

/** A node: its path relative to the network, and its text. */
interface Node {
  readonly path: string;
  readonly text: string;
  readonly relations: readonly Relation[];
}

interface Relation {
  readonly kind: string;
  /** Path relative to the network. */
  readonly to: string;
}

async function readNodes(): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>();
  for await (const entry of walk(FOLDER, { includeDirs: false })) {
    const path = relative(FOLDER, entry.path);
    if (path.startsWith("guides/")) continue; // tests/readme_test.ts
    const text = await Deno.readTextFile(entry.path);
    const lines = sectionOf(text, "Relationships").matchAll(/^- (\w+): \[[^\]]+\]\(([^)]+)\)/gm);
    const relations = [...lines].map(([, kind, to]) => ({
      kind: kind!,
      to: join(dirname(path), to!),
    }));
    nodes.set(path, { path, text, relations });
  }
  return nodes;
}

function sectionOf(text: string, title: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}

const NODES = await readNodes();

/** Returns the problems of all nodes as `path: problem`. */
function problems(find: (node: Node) => readonly string[]): string[] {
  return [...NODES.values()].flatMap((node) => find(node).map((each) => `${node.path}: ${each}`));
}

Deno.test("context network: the root file links to it", async () => {
  const text = await Deno.readTextFile(join(ROOT, ".context-network.md"));
  assert.match(text, /\(context-network\/discovery\.md\)/);
  assert.ok(NODES.has(START));
});

Deno.test("context network: nodes have the template's sections in order, and none is empty", () => {
  assert.deepEqual(
    problems(({ text }) => {
      const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      const empty = SECTIONS.filter((title) =>
        sectionOf(text, title).split("\n").slice(1).every((line) => line.trim() === "")
      );
      return [
        ...(String(titles) === String(SECTIONS) ? [] : [`sections ${titles}`]),
        ...empty.map((title) => `nothing under ${title}`),
        ...(/^# \S/.test(text) ? [] : ["no title"]),
      ];
    }),
    [],
  );
});

Deno.test(`context network: nodes are short, at most two levels deep, and have no blanks`, () => {
  assert.deepEqual(
    problems(({ path, text }) => {
      const lines = text.split("\n").length - 1;
      const prose = text.replace(/`[^`]*`/g, "").replace(/\[[^\]]+\]\([^)]+\)/g, "");
      return [
        ...(lines > MAX_LINES ? [`${lines} lines`] : []),
        ...(path.split("/").length > 2 ? ["too deep"] : []),
        ...(/\[[^\]]*\]|\bTODO\b|\bTBD\b|\bFIXME\b/.test(prose) ? ["a blank"] : []),
      ];
    }),
    [],
  );
});

Deno.test("context network: every link and every named file exists", async () => {
  const wrong: string[] = [];
  for (const { path, text } of NODES.values()) {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)]
      .map(([, to]) => join("context-network", dirname(path), to!));
    const files = [...text.matchAll(/`((?:src|tests|examples|context-network)\/[\w./-]*)`/g)]
      .map(([, name]) => name!);
    for (const target of [...links, ...files]) {
      if (!await exists(join(ROOT, target))) wrong.push(`${path}: ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("context network: every node is reachable from discovery", () => {
  const reached = new Set([START]);
  for (const path of reached) {
    for (const { kind, to } of NODES.get(path)?.relations ?? []) {
      if (kind === "Child") reached.add(to);
    }
  }
  assert.deepEqual([...NODES.keys()].filter((path) => !reached.has(path)), []);
});

Deno.test("context network: relations are stated in both nodes", () => {
  const back: Readonly<Record<string, string>> = {
    Parent: "Child",
    Child: "Parent",
    Related: "Related",
  };
  assert.deepEqual(
    problems(({ path, relations }) =>
      relations
        .filter(({ kind, to }) =>
          NODES.get(to)?.relations.some((other) =>
            other.to === path && other.kind === back[kind]
          ) !== true
        )
        .map(({ kind, to }) => `${kind} ${to} does not say so too`)
    ),
    [],
  );
});

Deno.test("context network: nodes about code name their files", () => {
  assert.deepEqual(
    problems(({ path, text }) =>
      path.startsWith("elements/") && !/`src\/[\w./]+`/.test(sectionOf(text, "Content"))
        ? ["names no file"]
        : []
    ),
    [],
  );
});

/** Returns the fields in the record format's table by type; an optional field ends with `?`. */
function tableFields(): Map<string, string[]> {
  const nodes = ["record_format", "paper_record", "briefs", "flow"];
  const text = nodes.map((each) => `elements/${each}.md`)
    .map((path) => NODES.get(path)?.text ?? "").join("\n");
  const rows = [...text.matchAll(/^\| (`.+?`) +\| (.+?) +\| /gm)];
  const fields = new Map<string, string[]>();
  for (const [, names = "", types = ""] of rows) {
    for (const type of types.split(", ")) {
      const optional = type.endsWith("?") ? "?" : "";
      const all = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}${optional}`);
      const key = type.replace("?", "");
      fields.set(key, [...fields.get(key) ?? [], ...all]);
    }
  }
  const common = fields.get("all") ?? [];
  fields.delete("all");
  return new Map([...fields].map(([type, own]) => [type, [...common, ...own].sort()]));
}

function schemaFields(schema: unknown): string[] {
  assert.ok(schema instanceof z.ZodObject);
  return Object.entries(schema.shape)
    .map(([name, type]) => type instanceof z.ZodOptional ? `${name}?` : name)
    .sort();
}

Deno.test("context network: the record format's table equals the schemas that verify checks", () => {
  const table = tableFields();
  for (const [type, schema] of Object.entries(fileSchemas())) {
    // Computed fields are never read, so no schema has them.
    const reckoned = type === "metadata"
      ? Object.keys({ ...ASSESSMENT, ...PAPER_RESULTS }).map(snakeCase)
      : [];
    assert.deepEqual(table.get(type), [...schemaFields(schema), ...reckoned].sort(), type);
  }
});

Deno.test("context network: the record format's table equals the fields of derived pages", async () => {
  const record = memoryRecord();
  const workflow = await composeConvening({
    kind: "debate",
    topic: "What makes a good teacher?",
    model: "offline",
    roundCount: 12,
    flow: true,
    transcript: ["md"],
    seed: 1,
  }, { record });
  await workflow.run();
  const table = tableFields();
  const pages = {
    index: "index.md",
    summary: "summary.md",
    scores: "scores.md",
    files: "files.md",
    arguments: "arguments.md",
    page: "pages/001.md",
    transcript: "transcript.md",
  };
  const kept = {
    report: `${GOLDEN}/paper/report.md`,
    "paper-page": `${GOLDEN}/paper/paper-2/001.md`,
    "paper-index": `${GOLDEN}/paper/paper-2/index.md`,
    claims: `${GOLDEN}/runs/fact-checks/claims.md`,
    "brief-page": "examples/records/2026-11-23/2026-11-23T01-14-00_debate/brief.md",
  };
  const texts = [
    ...Object.entries(pages).map(([type, path]) => [type, path, record.files.get(path)] as const),
    ...await Promise.all(
      Object.entries(kept).map(async ([type, path]) =>
        [type, path, await Deno.readTextFile(path)] as const
      ),
    ),
  ];
  for (const [type, path, text] of texts) {
    assert.ok(text !== undefined, path);
    const { data } = readFrontMatter(text, path);
    const always = table.get(type)?.filter((name) => !name.endsWith("?"));
    assert.deepEqual(Object.keys(data).sort(), always, path);
  }
  const known = [...Object.keys(fileSchemas()), ...texts.map(([type]) => type)].sort();
  assert.deepEqual([...table.keys()].sort(), known);
});
