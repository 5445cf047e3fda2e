// Embedding the library in other projects, as README and guide describe.
import assert from "node:assert/strict";
import {
  type Agent,
  type ConveningEvent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  createDialogueWorkflow,
  createParticipant,
  memoryRecord,
  type Participant,
} from "@convenings/convenings";
import { type CallGate, LimitStop } from "@convenings/convenings/studies";
import type {
  AgentReply,
  AgentRequest,
  ConveningStart,
  Draft,
  Fact,
  Guard,
  Objection,
  OpenRecord,
  RecordStore,
} from "@convenings/convenings/protocol";
import { join, relative } from "@std/path";
import project from "../deno.json" with { type: "json" };
import { ensureDir } from "@std/fs";
import { withFolder } from "./support/cli.ts";
import { ROOT, runDeno } from "./support/deno_process.ts";
import { blocksOf } from "./support/readme_commands.ts";

const GUIDE = await Deno.readTextFile(join(ROOT, "context-network/guides/embedding.md"));
const README = await Deno.readTextFile(join(ROOT, "README.md"));
const PROGRAM = blocksOf(GUIDE, "ts").find((block) => block.includes("composeConvening")) ?? "";
const WAYS = blocksOf(GUIDE, "json");
const RUN = ["run", "--no-prompt", "--allow-read", "--allow-write=.", "main.ts"];

Deno.test("README and guide print one program of about ten lines, and two ways to embed it", () => {
  assert.deepEqual(blocksOf(README, "ts"), [PROGRAM]);
  assert.ok(PROGRAM.trim().split("\n").length <= 10);
  assert.equal(WAYS.length, 2);
});

class OwnAgent implements Agent {
  readonly model = "own";
  reply({ context, schema }: AgentRequest): Promise<AgentReply> {
    const text = schema === undefined
      ? context.label + " speaks in turn " + context.seq + (context.attempt === 1 ? ", umm" : "")
      : JSON.stringify(
        context.kind === "verdict" ? { reasons: "None", winner: "tie" } : {
          reasons: "None",
          scores: Object.fromEntries(
            [
              "logical_coherence",
              "evidence_quality",
              "responsiveness",
              "persuasiveness",
              "rule_adherence",
            ]
              .map((id) => [id, 5]),
          ),
        },
      );
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 };
    return Promise.resolve({ text, finishReason: "stop", model: this.model, usage });
  }
}

class OwnGuard implements Guard {
  readonly name = "no_umm";
  check({ body }: Draft): Objection | undefined {
    return body.includes("umm") ? { reason: "Say it without umm." } : undefined;
  }
}

class OwnRecord implements RecordStore {
  readonly kept: string[] = [];
  open(start: ConveningStart): Promise<OpenRecord> {
    const facts: Fact[] = [];
    return Promise.resolve({
      start,
      facts,
      resumed: false,
      status: "running",
      lastEvent: 0,
      apply: ({ type }: ConveningEvent) => Promise.resolve(void this.kept.push(type)),
      close: () => Promise.resolve(void this.kept.push("closed")),
    });
  }
}

class Advocate implements Participant {
  readonly role = "position_advocate";
  constructor(
    readonly id: string,
    readonly name: string,
    readonly position: string,
    readonly agent: Agent,
  ) {}
}

Deno.test("embedding: a debate with a custom participant, agent, guard and record", async () => {
  const agent = new OwnAgent();
  const record = new OwnRecord();
  const result = await createDebateWorkflow("Should bread be free for all?", [
    createDebateModerator({}, agent),
    new Advocate("ada", "Ada", "Yes, it should", agent),
    createDebateParticipant({ name: "Ben", position: "No, it should not" }, agent),
  ], { roundCount: 1, seed: 1, moreGuards: [new OwnGuard()], record }).run();
  assert.equal(result.status, "completed");
  assert.equal(result.messages.length, 11);
  assert.equal(result.scores["ada"]?.total, 5);
  assert.ok(
    result.messages.slice(1).every(({ body, attempts }) => attempts === 2 && !body.includes("umm")),
  );
  assert.equal(record.kept.filter((type) => type === "message").length, 11);
  assert.equal(record.kept.filter((type) => type === "turn-reject").length, 10);
  assert.equal(record.kept.at(-1), "closed");
});

withFolder.test("embedding: the package's name is linked to a checkout; the path of mod.ts alone does not work, as the guide says", async (parent) => {
  const run = async (name: string, config: string, program: string) => {
    const folder = join(parent, name);
    await ensureDir(folder);
    await Deno.writeTextFile(join(folder, "deno.json"), config);
    await Deno.writeTextFile(join(folder, "main.ts"), program);
    return await runDeno(RUN, { folder });
  };
  const links = WAYS[1]!.replace("../convenings", relative(join(parent, "links"), ROOT));
  const linked = await run("links", links, PROGRAM);
  assert.equal(linked.code, 0, linked.stderr);
  assert.match(linked.stdout, /^1\. Moderator: [^]*^27\. Moderator: /m);
  const path = await run(
    "bare",
    "{}",
    PROGRAM.replace("@convenings/convenings", `${ROOT}/mod.ts`),
  );
  assert.equal(path.code, 1);
  assert.match(path.stderr, /not a dependency/);
});

Deno.test("embedding: a program's own gate stops a run at a limit of its own", async () => {
  let calls = 0;
  const gate: CallGate = {
    enter: () =>
      ++calls > 6
        ? Promise.reject(new LimitStop("maxCost", 5, 5.1))
        : Promise.resolve(() => Promise.resolve()),
  };
  const cast = ["Ada", "Ben"].map((name) => createParticipant({ name }, new OwnAgent()));
  const record = memoryRecord();
  const topic = "Should bread be free for all?";
  const result = await createDialogueWorkflow(topic, cast, { record, gate }).run();
  assert.deepEqual([result.status, result.endReason], ["stopped", "max_cost"]);
});

Deno.test("embedding: the guide's paths are those of the package", () => {
  assert.deepEqual(
    JSON.parse(WAYS[0]!).imports,
    Object.fromEntries(
      Object.entries(project.exports).map(([name, path]) =>
        [join(project.name, name), `../${join("convenings", path)}`] as const
      ),
    ),
  );
});
