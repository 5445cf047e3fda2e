// Kinds of convenings pass the workflow contract; a killed convening is resumed to the same record, nothing paid twice.
import { workflowContract } from "../contracts/workflow_contract.ts";
import { deliberation } from "../consensus/support/deliberators.ts";
import {
  afterCrash,
  comparable,
  consensusRunIn,
  conveningIn,
  dialogueRunIn,
  dying,
  type Held,
  killEverywhere,
  type Kills,
  KINDS,
  paperRunIn,
  runIn,
} from "./support/killed_runs.ts";
import {
  argumentOf,
  json,
  type PaperSettings,
  paperTalker,
  usualReply,
} from "../papers/debate/support/paper_talkers.ts";
import { DROPPED, noting, type Say, Talker } from "../support/talkers.ts";
import assert from "node:assert/strict";
import { type Agent, AgentError, ConveningError, type DebateWorkflowConfig } from "../../mod.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { FaultyFiles } from "../record/support/faulty_files.ts";
import { Everyone, EVERYTHING, heldBy } from "../support/everyone.ts";
import type { FileSystem } from "../../src/core/files.ts";
import { readRecord } from "../../src/record/read.ts";
import { mendRecord, verifyRecord } from "../../src/record/verify.ts";

for (const [name, agent, run] of KINDS) {
  workflowContract({
    name: `A ${name}`,
    agent,
    run: (files, dir, agent) => run(files, dir, { agent }),
    dirIn: conveningIn,
  });
}

function debate(config: DebateWorkflowConfig = {}, say?: Say): Held {
  return {
    agent: () => new Talker(say),
    run: (files, dir, agent) => runIn(files, dir, { agent, ...config }),
  };
}

function paperDebate(settings: PaperSettings = {}, say?: Say): Held {
  return {
    agent: () => paperTalker(say),
    run: (files, dir, agent) => paperRunIn(files, dir, { agent, ...settings }),
  };
}

/** A rejected attempt, a reply that is cut off, and an unreadable score. */
const stumbling: Say = ({ context: { key, attempt }, messages }) => {
  if (key === "score/3/j" && attempt === 1) return { text: "Seven." };
  const again = messages.at(-1)!.content.includes("cut off");
  if (key === "opening/b" && !again) return { text: "It was cut", finishReason: "length" };
  return key === "round-1/argument/a" && attempt === 1 ? { text: "" } : undefined;
};

/** Scores of all turns of a round. */
const roundScores: Say = ({ context: { kind, key, data } }) => {
  if (kind !== "round_scores") return undefined;
  const scores = { clarity: 6, cohesiveness: 6, engagement: 6, relevance: 6, value: 6 };
  const { turns } = data as { readonly turns: readonly number[] };
  const reasons = `Reasons for ${key}.`;
  return json(Object.fromEntries(turns.map((seq) => [`turn_${seq}`, { reasons, scores }])));
};

/** Ben's replies are unreadable as turns and sometimes as stances; agreement comes late. */
const agreeing = deliberation((who, proposal, round) => ({
  stance: proposal !== "p2" && (who !== "ada" || round > 2) ? "agree" : "disagree",
  ...who === "cleo" ? { condition: "it is paid for" } : {},
}));
const deliberating: Say = (request) => {
  const { kind, key, participant, round, attempt } = request.context;
  if (participant !== "ben" || kind === "proposals") return agreeing(request);
  const isUnread = kind === "statement" || attempt === 1 || round === 3;
  return isUnread
    ? { text: `Ben says it his way in ${key}, ${attempt} times.` }
    : agreeing(request);
};

/** Rejected questions, a rejected argument and unreadable scores. */
const stumblingPaper: Say = (request) => {
  const { key, attempt } = request.context;
  if (key === "questions" && attempt === 1) return json({ questions: ["Why do trees cool?"] });
  if (key === "argument/debater-b" && attempt === 1) {
    const { perTopic, ...rest } = argumentOf(request, []);
    return json({ ...rest, perTopic: perTopic.slice(1) });
  }
  return key === "score/5/judge" ? { text: "Seven." } : undefined;
};

const failing: Say = ({ context: { key } }) => {
  if (key !== "argument/debater-b") return undefined;
  throw new AgentError("agent_auth", "Cannot log in", { status: 401 });
};
const DAY = "/out/2026-11-21";
const LAST_TURNS = new Set(["turn-4/ben", "summary/m", "summary/moderator", "report"]);

/** Returns an agent during whose last turn of a convening another process leaves a remark. */
function interrupted(agent: Agent, files: FileSystem): Agent {
  return {
    model: agent.model,
    reply: async (request) => {
      if (LAST_TURNS.has(request.context.key)) {
        const [{ name } = { name: "" }] = (await files.list(DAY)).filter(({ isFolder }) =>
          isFolder
        );
        await files.makeFolder(`${DAY}/${name}/.inbox`);
        const remark = { version: 1, type: "interjection", text: "What about buses?" };
        await files.write(`${DAY}/${name}/.inbox/remark.json`, JSON.stringify(remark));
      }
      return await agent.reply(request);
    },
  };
}

/** Removes the number of attempts: a turn that fails beside unfinished ones is tried again after a kill. */
const withoutAttempts = (text: string): string =>
  text.replace(/^ *attempts: \d$/gm, "").replace(/ after \d attempts/g, "");

const FOLDING = { roundSummaries: false, roundCount: 6, maxPromptTokens: 1200 };

/** Convenings to kill. Steps are odd, since pairs of operations recur; the longest convenings come last, so that few kinds are left. */
const KILLED: readonly (readonly [name: string, held: Held, at: Kills])[] = [
  ["a dialogue", {
    agent: () => new Talker(),
    run: (files, dir, agent) => dialogueRunIn(files, dir, { agent }),
  }, { first: 1, step: 1 }],
  ["a debate", debate(), { first: 0, step: 11 }],
  ["a simultaneous debate with two judges, repairs and conclusions", {
    agent: () => new Talker(stumbling),
    run: (files, dir, agent) =>
      runIn(files, dir, {
        agent,
        pacing: "simultaneous",
        roundCount: 2,
        retry: { minWait: 0, maxWait: 0 },
        judges: [{ id: "j", agent }, { id: "k", agent }],
      }),
  }, { first: 1, step: 29 }],
  [
    "a debate that is scored by rounds",
    debate({ scoreBy: "round" }, roundScores),
    { first: 1, step: 13 },
  ],
  ["a debate with rolling summaries", debate(FOLDING), { first: 3, step: 61 }],
  [
    "a simultaneous debate with notes",
    debate({ pacing: "simultaneous", flow: true }, noting(DROPPED)),
    { first: 3, step: 31 },
  ],
  ["a search for consensus with repaired stances", {
    agent: () => new Talker(deliberating),
    run: (files, dir, agent) => consensusRunIn(files, dir, { agent }),
  }, { first: 1, step: 15 }],
  [
    "a paper debate with rejected attempts",
    paperDebate({ crossExamine: true }, stumblingPaper),
    { first: 2, step: 33 },
  ],
  [
    "a paper debate in which a debater fails for good",
    paperDebate({ crossExamine: true }, failing),
    { first: 2, step: 21, same: withoutAttempts },
  ],
  ...([["standard", 2], ["strict", 122]] as const).map(([mode, first]) =>
    [
      `a debate with all options (${mode})`,
      {
        agent: () => new Everyone(),
        run: (files, dir, agent) =>
          heldBy(files, dir, { agent, ...EVERYTHING, factCheck: { mode } }),
      } satisfies Held,
      { first, step: 241 },
    ] as const
  ),
];

/** Kinds of file operations at which an earlier one of these convenings was killed. */
const met = new Set<string>();

for (const [name, held, at] of KILLED) {
  Deno.test(`${name}, killed after any file operation, is resumed to the same directory and pays nothing twice`, async () => {
    assert.ok(await killEverywhere(held, { met, ...at }) > 2);
  });
}

Deno.test("the debate with rolling summaries folds", async () => {
  const agent = new Talker();
  await runIn(new MemoryFileSystem(), undefined, { agent, ...FOLDING });
  assert.ok(agent.keys.includes("fold/1"));
});

Deno.test("a retry after a kill knows what the rejected attempt looked up", async () => {
  const seen: string[][] = [];
  const say: Say = async (request) => {
    const { key, attempt } = request.context;
    if (key !== "argument/debater-a") return undefined;
    const usual = await usualReply(request);
    const { perTopic, ...rest } = argumentOf(request, usual.toolCalls!);
    seen.push(perTopic.flatMap(({ citations }) => citations.paper.map(({ chunkId }) => chunkId)));
    if (attempt === 1) {
      return { ...json({ ...rest, perTopic: perTopic.slice(1) }), toolCalls: usual.toolCalls };
    }
    // The retry cites passages of the rejected attempt without a new look-up.
    return json({ ...rest, perTopic });
  };
  const kills = await killEverywhere(paperDebate({}, say), { first: 40, step: 17 });
  assert.ok(kills > 0);
  assert.ok(seen.length > 2);
});

Deno.test("a debate that is killed repeatedly ends with the same result", async () => {
  const calm = new MemoryFileSystem();
  await runIn(calm, undefined, { agent: new Talker() });
  let files = new MemoryFileSystem();
  let asked = 0;
  for (let run = 0;; run++) {
    const agent = new Talker();
    const faulty = new FaultyFiles(files, { killAfter: 11 + run % 7 });
    const { result } = await runIn(faulty, conveningIn(files), { agent });
    asked += agent.requests.length;
    files = await afterCrash(files);
    if (result !== undefined) break;
    assert.ok(run < 100, "it gets nowhere");
  }
  assert.ok(asked > 20);
  assert.deepEqual(
    comparable(files.files(conveningIn(files)!)),
    comparable(calm.files(conveningIn(calm)!)),
  );
});

Deno.test("a debate on a full disk names its directory in the error, also of a record that cannot be closed", async () => {
  const memory = new MemoryFileSystem();
  const full = new FaultyFiles(memory, {
    refuse: (path) => /_debate\/(messages|index\.md)/.test(path) ? "full" : undefined,
  });
  const { error } = await runIn(full, undefined, { agent: new Talker() });
  assert.ok(error instanceof ConveningError && error.code === "record_unwritable", String(error));
  assert.equal(error.dir, conveningIn(memory));
});

const TRANSCRIPTS = { transcript: ["md", "json", "html"] } as const;

/** Returns every file of the archive, indexes included, without locks, logs, times, latencies and marks of resuming. */
function archived(memory: MemoryFileSystem): Map<string, string> {
  const files = [...memory.files()].filter(([path]) => !/\/(\.lock|log\.jsonl)$/.test(path));
  const texts = files.map(([path, text]) =>
    [path, text.replace(/^ *"latency_ms": .*\n/gm, "")] as const
  );
  return comparable(new Map(texts));
}

function messagesIn(memory: MemoryFileSystem): number {
  return [...memory.files().keys()].filter((path) => /\/messages\/\d+_[^/]*$/.test(path)).length;
}

for (const [kind, agent, runKind] of KINDS) {
  const run = (files: FileSystem, dir: string | undefined, agentOf = agent as () => Agent) =>
    runKind(files, dir, { agent: agentOf(), ...TRANSCRIPTS });
  // Every kind finishes a record alike.
  const step = kind === "dialogue" ? 1 : 5;
  for (const remarks of [0, 1]) {
    Deno.test(`a ${kind} with ${remarks} remarks killed at any file operation after its last turn is resumed to a complete record`, async () => {
      const started = (files: FaultyFiles) =>
        run(files, undefined, remarks === 0 ? agent : () => interrupted(agent(), files));
      const calm = new MemoryFileSystem();
      const { files, survivors } = dying(calm);
      const { error, result } = await started(files);
      assert.equal(error, undefined);
      assert.equal(
        result?.messages.slice(-1).filter(({ kind }) => kind === "interjection").length,
        remarks,
      );
      const expected = archived(calm);
      assert.equal([...expected.keys()].filter((path) => path.includes("transcript.")).length, 3);
      let kills = 0;
      for (let killAfter = files.operations - 1; killAfter > 0; killAfter -= step, kills++) {
        const where = `killed after ${killAfter} of ${files.operations} operations`;
        const survived = await survivors.get(killAfter)!();
        if (messagesIn(survived) < messagesIn(calm) - remarks) break;
        const dir = conveningIn(survived)!;
        const { status } = await readRecord(survived, dir);
        if (status === "completed") assert.deepEqual(await mendRecord(survived, dir), [], where);
        else assert.equal((await run(survived, dir)).error, undefined, where);
        assert.deepEqual((await verifyRecord(survived, dir)).findings, [], where);
        assert.deepEqual(archived(survived), expected, where);
      }
      assert.ok(kills > 15 / step, `${kills} kills`);
    });
  }

  Deno.test(`a completed ${kind} without some derived files is completed by resuming it`, async () => {
    const calm = new MemoryFileSystem();
    await run(calm, undefined);
    const expected = archived(calm);
    const dir = conveningIn(calm)!;
    const derived = [...calm.files(dir).keys()].filter((path) =>
      /^(index|summary|scores|report|transcript)\.\w+$/.test(path)
    );
    for (const from of derived.keys()) {
      const memory = await afterCrash(calm);
      const gone = derived.slice(from);
      for (const path of gone) await memory.remove(`${dir}/${path}`);
      await memory.write(`${dir}/.${gone[0]}.tmp`, "half");
      const mended = await mendRecord(memory, dir);
      assert.deepEqual(gone.filter((path) => !mended.includes(path)), []);
      assert.deepEqual(archived(memory), expected, gone.join(" "));
      assert.deepEqual(await mendRecord(memory, dir), []);
    }
  });
}
