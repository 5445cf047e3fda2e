// Whole debates and paper debates by command line, on a local server of each provider.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { parse } from "@std/yaml";
import { jsonOf } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { PROVIDER_ROWS, type ProviderRow } from "../support/provider_rows.ts";
import { runMain } from "../support/run_main.ts";

const KINDS = {
  debate: {
    topic: "Should cities ban private cars from their centres?",
    kind: "debate",
    roundCount: 1,
    participants: [
      { id: "ada", name: "Ada", position: "Ban them" },
      { id: "ben", name: "Ben", position: "Keep them" },
    ],
    judges: [{ name: "Jo" }],
    sources: ["source.md"],
    factCheck: { mode: "standard", maxClaims: 1 },
  },
  paper: { kind: "paper-debate", papers: ["paper.md"], pick: 1, postures: 2 },
} as const;

/** Outcome, marks, dropped parameters and lessons of a run. */
async function heldOn(row: ProviderRow, kind: keyof typeof KINDS) {
  await using server = await row.start();
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      join(folder, "source.md"),
      "Streets without cars had half as many accidents.",
    );
    await Deno.writeTextFile(
      join(folder, "paper.md"),
      "# Trees and heat\n\nWe measured the air of forty streets. Streets with trees were two degrees cooler at noon.",
    );
    const settings = {
      ...KINDS[kind],
      ...(kind === "paper" || row.judges === undefined ? {} : {
        judges: Array.from({ length: row.judges }, (_, at) => ({ name: `Judge ${at + 1}` })),
      }),
      model: `${row.prefix}:${row.model}`,
      providers: { [row.prefix]: { baseUrl: server.url, ...row.provider } },
      ...(row.temperature === undefined ? {} : { temperature: row.temperature }),
      seed: 1,
      allowUnknownPrices: true,
    };
    await Deno.writeTextFile(join(folder, "settings.yaml"), JSON.stringify(settings));
    const end = await runMain([kind, "--config", "settings.yaml", "--json", "--quiet"], { folder });
    const { dir } = jsonOf(end);
    assert.ok(typeof dir === "string", `${row.name}, ${kind}: ${end.stderr}${end.stdout}`);
    const files = await filesUnder(dir);
    const metadata = parse(files.get("metadata.md")!.split("---\n")[1]!, {
      schema: "core",
    }) as Record<string, never>;
    const { mostConcurrent = 0 } = server;
    return { code: end.code, stderr: end.stderr, files, metadata, mostConcurrent };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the distinct values of a key in a list of the metadata. */
function named(list: readonly Readonly<Record<string, string>>[] = [], key: string): string[] {
  return [...new Set(list.map((each) => each[key]!))].sort();
}

for (const row of PROVIDER_ROWS) {
  Deno.test(`${row.name}: a debate with judge and fact checks, and a paper debate, complete`, async () => {
    const dropped = new Set<string>();
    const learned = new Set<string>();
    for (const kind of ["debate", "paper"] as const) {
      const { code, stderr, files, metadata, mostConcurrent } = await heldOn(row, kind);
      const { status, outcome, unscored } = metadata;
      const statistics: Readonly<Record<string, number>> = metadata["statistics"]!;
      const texts = [...files].filter(([path]) => path.endsWith(".md")).map(([, text]) => text);
      const marks = texts.flatMap((text) => /^marks: \[(.+)\]$/m.exec(text)?.[1] ?? []);
      for (const name of named(metadata["dropped"], "parameter")) dropped.add(name);
      for (const name of named(metadata["learned"], "key")) learned.add(name);
      assert.equal(code, 0, stderr);
      assert.deepEqual({ status, outcome, unscored, marks }, {
        status: "completed",
        outcome: "decided",
        unscored: [],
        marks: [],
      });
      assert.equal(statistics["failures"], 0);
      assert.ok(statistics["rejected"]! <= (row.rejected ?? 0), [...files.keys()].join(" "));
      if (kind === "debate") {
        const { judges = 1, slots = Infinity } = row;
        assert.equal(statistics["fact_checks"]! * judges, statistics["scores"]);
        assert.ok(slots === Infinity || mostConcurrent > slots, "no request was refused");
      } else assert.equal(statistics["evidence"], 2, "both debaters cite what they looked up");
      for (const [path, text] of files) assert.ok(!text.includes("PRIVATE:"), path);
    }
    assert.deepEqual([...dropped].sort(), row.dropped);
    assert.deepEqual([...learned].sort(), row.learned);
  });
}
