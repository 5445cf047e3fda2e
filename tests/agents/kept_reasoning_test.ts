// Recorded reasoning is in drafts and thoughts alone, in any provider's format, also after a crash.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { z } from "zod";
import {
  type Agent,
  AgentError,
  composeConvening,
  createAgent,
  createLibrary,
  openConvening,
  resume,
  verify,
} from "../../mod.ts";
import type { Guard } from "../../protocol.ts";
import { messageMarkup } from "../../src/record/html/message.tsx";
import { RecordModel } from "../../src/record/record_model.ts";
import { outlineTranscript } from "../../src/record/transcript_outline.ts";
import { withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { streamed } from "../support/model_reply.ts";
import { startModelServer } from "../support/model_server.ts";
import { startOwnProtocolServer } from "../support/own_protocol_server.ts";

const THOUGHT = "PRIVATE: is there any proof?";

const SETTINGS = {
  kind: "dialogue",
  topic: "Should cities ban private cars from their centres?",
  participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }],
  maxTurns: 2,
  guards: { repetition: "off" },
  seed: 1,
  keepReasoning: true,
  allowUnknownPrices: true,
  transcript: ["md", "json", "html"],
} as const;

const SPEECHES = ["Streets are for people who walk.", "Deliveries need streets as well."];

/** Checks that the thought text is in both drafts, in the log and nowhere else, and that the record is valid. */
async function checkKept(dir: string): Promise<void> {
  const files = await filesUnder(dir);
  const found = [...files].filter(([, text]) => text.includes("PRIVATE")).map(([path]) => path);
  assert.deepEqual(found.toSorted(), ["drafts/001.md", "drafts/002.md", "log.jsonl"]);
  assert.match(files.get("drafts/001.md")!, /^## reasoning\n\nPRIVATE: is there any proof\?$/m);
  assert.deepEqual((await verify(dir)).findings, []);
}

withFolder.test("thought text is recorded under drafts/, and in no prompt, message or transcript", async (out) => {
  await using server = await startModelServer({
    respond: (_, index) => streamed({ reasoning_content: THOUGHT }, { content: SPEECHES[index]! }),
  });
  const model = { model: "some-model", baseUrl: server.url };
  const { dir } = await (await composeConvening({ ...SETTINGS, ...model, out })).run();
  await checkKept(dir!);
  for (const { body } of server.requests) {
    assert.doesNotMatch(JSON.stringify(body), /PRIVATE/);
  }
  const record = await openConvening(dir!);
  const [entry] = outlineTranscript(RecordModel.of({ ...record, status: "completed" })).entries;
  assert.match(
    await `${messageMarkup(entry!, { start: record.start, hrefOf: () => "" })}`,
    /Not said: hidden reasoning of the model/,
  );
  const draft = join(dir!, "drafts", "001.md");
  await Deno.writeTextFile(draft, (await Deno.readTextFile(draft)).replace("proof?", "prof?"));
  const [finding] = (await verify(dir!)).findings;
  assert.equal(finding?.path, "drafts/001.md");
});

withFolder.test("Gemini is asked for its thoughts, which are recorded", async (out) => {
  await using server = await startOwnProtocolServer(
    SPEECHES.map((text) => ({ thought: THOUGHT, text })),
  );
  const gemini = {
    adapter: "gemini",
    baseUrl: `${server.origin}/v1beta/openai/`,
    apiKeyEnv: "KEY",
  } as const;
  const workflow = await composeConvening({
    ...SETTINGS,
    model: "gemini:gemini-2.5-flash",
    providers: { gemini },
    out,
  }, { env: () => "secret-key-0001" });
  await checkKept((await workflow.run()).dir!);
  for (const { body } of server.requests.slice(-2)) {
    const { generationConfig } = body as Record<string, Record<string, unknown>>;
    assert.partialDeepStrictEqual(generationConfig, { thinkingConfig: { includeThoughts: true } });
  }
});

withFolder.test("thought text of an answer that was stored before a crash is recorded by the resume", async (out) => {
  await using server = await startModelServer({
    respond: (_, index) => streamed({ reasoning_content: THOUGHT }, { content: SPEECHES[index]! }),
  });
  const dying: Guard = {
    name: "dying",
    async check(_draft, { once }) {
      const make = () => Promise.reject(new Error("The process died"));
      await once("dying", { schema: z.literal(1), make });
      return undefined;
    },
  };
  const model = { model: "some-model", baseUrl: server.url };
  const workflow = await composeConvening({ ...SETTINGS, ...model, out }, { moreGuards: [dying] });
  const { dir } = await workflow.run().catch((error) => error);
  assert.equal(server.requests.length, 1);

  const again = await resume(dir!, { allowBaseUrls: [new URL(server.url).host] });
  assert.equal((await again.run()).status, "completed");
  assert.equal(server.requests.length, 2, "the first answer is not asked for again");
  await checkKept(dir!);
});

withFolder.test("thought text of judges and of a note-taker is recorded under thoughts/ once, through a failure, a resume and a fork", async (out) => {
  const offline = createAgent("offline");
  let failures = 1;
  const thinking: Agent = {
    model: "thinking:it",
    async reply(request) {
      const { key, purpose } = request.context;
      if (key.startsWith("verdict/") && failures-- > 0) {
        throw new AgentError("agent_rate_limited", "Cannot answer now: the server is busy");
      }
      const reply = await offline.reply(request);
      const reasoning = key.startsWith("score/") ? " \n" : `PRIVATE ${key}`;
      return purpose === "question" ? { ...reply, reasoning } : reply;
    },
  };
  const library = createLibrary({ agents: { thinking: () => thinking } });
  const workflow = await library.composeConvening({
    kind: "debate",
    topic: SETTINGS.topic,
    roundCount: 1,
    flow: true,
    judges: [{ id: "judge" }],
    model: "thinking:it",
    keepReasoning: true,
    transcript: ["md", "json", "html"],
    out,
  });
  const { dir } = await workflow.run().catch((error) => error);
  assert.ok(failures <= 0);
  assert.equal((await (await library.resume(dir!)).run()).status, "completed");
  const thoughts = async (of: string) => {
    const files = [...await filesUnder(of)].filter(([, text]) => text.includes("PRIVATE"));
    const kept = files.filter(([path]) => path !== "log.jsonl");
    assert.ok(kept.every(([path]) => path.startsWith("thoughts/")), kept.join(" "));
    assert.deepEqual((await verify(of)).findings, []);
    return kept.map(([path]) => path).toSorted();
  };
  const whole = await thoughts(dir!);
  const { facts } = await openConvening(dir!);
  const answers = facts.filter(({ type }) => ["flow", "verdict"].includes(type));
  assert.equal(whole.length, answers.length);
  assert.equal(facts.filter(({ type }) => type === "thought").length, whole.length);
  const log = await Deno.readTextFile(join(dir!, "log.jsonl"));
  assert.equal(log.split('"type":"thought","thought"').length - 1, whole.length);

  const fork = await library.fork(dir!, { at: 3 });
  const taken = await thoughts(fork);
  assert.ok(taken.length > 0 && taken.every((path) => whole.includes(path)));
  assert.equal((await (await library.resume(fork)).run()).status, "completed");
  assert.equal((await thoughts(fork)).length, whole.length);
});
