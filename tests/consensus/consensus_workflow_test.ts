// Consensus workflow: results, settings, recorded configuration, forks and verification.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  composeConvening,
  ConfigurationError,
  createParticipant,
  folderRecord,
  fork,
  memoryRecord,
  openConvening,
  resume,
  verify,
} from "../../mod.ts";
import { ConsensusWorkflow } from "../../src/consensus/consensus_workflow.ts";
import type { ConsensusOutcome } from "../../src/consensus/protocol.ts";
import { consensusOfTalkers, deliberation, deliberators, idsIn } from "./support/deliberators.ts";
import { drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";

describe("ConsensusWorkflow", () => {
  it("ConsensusWorkflow reaches a consensus, states why it ended and who holds which stance, and records all of it", async () => {
    const conditions: Readonly<Record<string, string>> = {
      "ben p1": "If taxis may pass",
      "cleo p1": "无。",
    };
    const agent = new Talker(deliberation((who, proposal) => ({
      stance: proposal === "p1" || who === "ada" ? "agree" : "disagree",
      condition: conditions[`${who} ${proposal}`] ?? "None.",
    })));
    const { workflow, record } = consensusOfTalkers(agent);
    const { result, events } = await drain(workflow);
    assert.equal(result?.status, "completed");
    assert.equal(result?.endReason, "consensus");
    assert.deepEqual(result?.value?.agreed.map(({ id, share, by }) => [id, share, by]), [
      ["p1", 1, ["ada"]],
    ]);
    assert.equal(result?.value?.agreed[0]?.holds["ben"]?.condition, "taxis may pass");
    assert.equal(result?.value?.agreed[0]?.holds["ada"]?.condition, undefined);
    assert.equal(result?.value?.agreed[0]?.holds["cleo"]?.condition, undefined);
    assert.deepEqual(result?.value?.open.map(({ id, share }) => [id, share]), [
      ["p2", 0.3333],
      ["p3", 0.3333],
    ]);
    assert.equal(result?.summary, result?.value?.summary.body);
    const { endReason: _, summary: __, ...counted } = result!.value!;
    assert.deepEqual(result?.consensus, counted);
    assert.equal(events.filter(({ type }) => type === "stance").length, 6);
    const stances = [...record.files.keys()].filter((path) => path.startsWith("stances/"));
    assert.equal(stances.length, 6);
    assert.match(record.files.get("metadata.md")!, /end_reason: consensus/);
    assert.doesNotMatch(promptOf(agent.asked("round-2/cleo")), /You have spoken before/);
    const later = promptOf(agent.asked("round-3/ada"));
    assert.match(
      later,
      /Round 3, your speech\. You have spoken before, .*none of those reasons again/,
    );
    assert.doesNotMatch(later, /which you do not, and why/);
    assert.match(
      record.files.get("index.md")!,
      /- Agreed: ada wants more buses\.\n- Condition of Ben: taxis may pass\n- Open \(33\.33 % agree\): ben /,
    );
    const [head] = agent.asked("proposals/ada")!.messages;
    assert.match(head!.content, /agreed while at least 80 % of the participants agree to it\./);
    assert.match(head!.content, /the same proposals were agreed for 3 turns on end/);
    const asked = promptOf(agent.asked("summary/moderator"));
    assert.match(asked, /<source name="stances">[^]*The stances above are counted already/);
  });

  it("ConsensusWorkflow asks for a stance separately only when the turn's reply is unreadable", async () => {
    const usual = deliberation();
    const agent = new Talker((request) =>
      request.context.key === "round-2/ben" ? { text: "I am all for it." } : usual(request)
    );
    const { workflow, record } = consensusOfTalkers(agent);
    const { result } = await drain(workflow);
    assert.deepEqual(agent.keys.filter((key) => key.startsWith("stance/")), ["stance/round-2/ben"]);
    const message = result?.messages.find(({ turn }) => turn === "round-2/ben");
    assert.equal(message?.body, "I am all for it.");
    assert.deepEqual(message?.marks, ["unstructured"]);
    assert.equal(result?.endReason, "consensus");
    const [, stance] = [...record.files].find(([, text]) =>
      text.includes("key: stance/round-2/ben")
    )!;
    assert.match(stance, /status: read/);
    assert.match(stance, /output_tokens: 20/);
  });

  it("ConsensusWorkflow shows a speaker the whole reply that could not be read, and records the reply", async () => {
    const usual = deliberation();
    const reply = JSON.stringify({ speech: "I am all for it.", stances: [] });
    const first: Readonly<Record<string, string>> = {
      "proposals/ben": '{"reasons": "", "proposals": ["Plant.", "Build.", "Wait."]}',
      "round-2/ben": reply,
    };
    const agent = new Talker((request) => {
      const { key, attempt } = request.context;
      const text = attempt === 1 ? first[key] : undefined;
      return text === undefined ? usual(request) : { text };
    });
    const { workflow, record } = consensusOfTalkers(agent);
    const { result } = await drain(workflow);
    const [, again] = agent.requests.filter(({ context }) => context.key === "round-2/ben");
    const [said, why] = again!.messages.slice(-2);
    assert.deepEqual([said!.role, said!.content], ["assistant", reply]);
    assert.match(why!.content, /could not be read\. stances: [^]*Answer again\.[^]*- speech: text/);
    assert.doesNotMatch(why!.content, /schema/);
    const [, proposing] = agent.requests.filter(({ context }) => context.key === "proposals/ben");
    assert.match(proposing!.messages.at(-1)!.content, /read\. proposals: Give at most 2 items\n/);
    const [, rejected] = [...record.files].find(([path]) => path.startsWith("rejected/"))!;
    assert.ok(rejected.endsWith(reply));
    assert.equal(result?.status, "completed");
  });

  it("ConsensusWorkflow counts no agreement from an enthusiastic speech alone", async () => {
    const agent = new Talker((request) => {
      const { kind, participant } = request.context;
      if (participant === "moderator" || kind === "proposals") return deliberation()(request);
      return { text: "I strongly agree with everything!" };
    });
    const { workflow } = consensusOfTalkers(agent, { limits: { maxTurns: 8 } });
    const { result } = await drain(workflow);
    assert.equal(result?.status, "stopped");
    assert.equal(result?.endReason, "max_turns");
    assert.deepEqual(result?.consensus?.agreed, []);
    assert.deepEqual(result?.consensus?.open[0]?.holds, {});
  });

  it("ConsensusWorkflow ends after 40 turns by default when stances keep changing", async () => {
    const wavering = deliberation((_, __, round) => ({
      stance: round % 2 === 0 ? "agree" : "disagree",
    }));
    for (const [limits, turns] of [[undefined, 40], [{ maxTurns: 9 }, 9]] as const) {
      const { workflow } = consensusOfTalkers(new Talker(wavering), { limits });
      const { result } = await drain(workflow);
      assert.deepEqual([result?.status, result?.endReason], ["stopped", "max_turns"]);
      assert.equal(result?.messages.length, turns);
      const { agreed = [], open = [] } = result?.consensus ?? {};
      assert.equal(agreed.length + open.length, 3);
      assert.match(result!.summary, /Speech for stop/);
    }
  });

  it("ConsensusWorkflow counts the words of the speech alone", async () => {
    const usual = deliberation();
    const agent = new Talker((request) => {
      const { kind, attempt, participant } = request.context;
      if (kind !== "statement" || participant !== "ada") return usual(request);
      const stances = idsIn(request).map((on) => ({
        on,
        stance: "agree",
        strength: 1,
        condition: "word ".repeat(300),
      }));
      const speech = attempt === 1 ? "Too short." : "Now there are words ".repeat(55).trim();
      return { text: JSON.stringify({ speech, stances }) };
    });
    const { workflow } = consensusOfTalkers(agent, { words: { min: 200, max: 240 } });
    const { result } = await drain(workflow);
    const message = result?.messages.find(({ turn }) => turn === "round-2/ada");
    assert.equal(message?.attempts, 2);
    assert.equal(message?.body.split(" ").length, 220);
  });

  it("ConsensusWorkflow uses the given moderator, or creates one with the participants' agent", async () => {
    const own = createParticipant(
      { name: "Chair", role: "moderator", agentConfig: { id: "chair" } },
      new Talker(deliberation(), "ollama:chair"),
    );
    const agent = new Talker(deliberation());
    const workflow = new ConsensusWorkflow(TOPIC, [...deliberators(agent, 2), own], {
      record: memoryRecord(),
      seed: 1,
    });
    const { result } = await drain(workflow);
    assert.equal(result?.messages[0]?.participant, "chair");
    assert.deepEqual(Object.keys(result!.value!.agreed[0]!.holds), ["ada", "ben"]);
    const made = consensusOfTalkers(agent).workflow;
    assert.deepEqual(made.participants.map(({ id, role }) => [id, role])[0], [
      "moderator",
      "moderator",
    ]);
  });

  it("ConsensusWorkflow gives a fact checker neither turns nor stances", async () => {
    const agent = new Talker(deliberation());
    const checker = createParticipant({ name: "Checker", role: "fact_checker" }, agent);
    const workflow = new ConsensusWorkflow(TOPIC, [...deliberators(agent, 2), checker], {
      record: memoryRecord(),
      seed: 1,
      prompts: { factChecker: "You check what is said.", statement: "Speak, {name}." },
    });
    const { result } = await drain(workflow);
    assert.equal(result?.endReason, "consensus");
    assert.deepEqual(Object.keys(result!.value!.agreed[0]!.holds), ["ada", "ben"]);
    assert.ok(result?.messages.every(({ participant }) => participant !== "checker"));
    assert.throws(
      () => new ConsensusWorkflow(TOPIC, [...deliberators(agent, 1), checker]),
      ConfigurationError,
    );
  });

  it("ConsensusWorkflow plans no separate calls for stances and no more turns than its limit", async () => {
    const { workflow } = consensusOfTalkers(new Talker(), { limits: { maxTurns: 12 } });
    const { turns, calls, chain } = await workflow.plan();
    // Three proposals and a merge, the moderator's template, eleven statements, the summary of the stop.
    assert.deepEqual({ turns, calls, chain }, { turns: 12, calls: 16, chain: 14 });
  });
});

describe("A consensus configuration", () => {
  const agents = (agent: Talker) => ({
    moderator: agent,
    ...Object.fromEntries(["ada", "ben", "cleo"].map((id) => [id, agent])),
  });

  it("A consensus configuration with a topic alone has three participants and a moderator", async () => {
    const record = memoryRecord();
    const workflow = await composeConvening(
      { kind: "consensus", topic: TOPIC },
      { agents: agents(new Talker(deliberation())), record },
    );
    const { result } = await drain(workflow);
    assert.equal(result?.kind, "consensus");
    assert.equal(result?.endReason, "consensus");
    assert.equal((result?.value as ConsensusOutcome).agreed.length, 3);
  });

  it("A consensus configuration is recorded so that a resumed run has the same settings", async () => {
    await withFolder(async (out) => {
      const agent = new Talker(deliberation());
      const first = await composeConvening({
        kind: "consensus",
        topic: TOPIC,
        threshold: 0.5,
        stableTurns: 2,
        maxTokensPerTurn: 111,
        participants: ["Ada", "Ben", "Cleo"].map((name) => ({ name, motivation: "curiosity" })),
        seed: 1,
        limits: { maxTurns: 3 },
        out,
      }, { agents: agents(agent) });
      const { result } = await drain(first);
      assert.equal(result?.endReason, "max_turns");
      const before = agent.keys.length;
      const resumed = await resume(result!.dir!, {
        agents: agents(agent),
        config: { limits: { maxTurns: 20 } },
      });
      const end = await resumed.run();
      assert.equal(end.endReason, "consensus");
      assert.equal(end.consensus?.threshold, 0.5);
      assert.deepEqual(agent.keys.slice(before), [
        "round-2/cleo",
        "round-3/ada",
        "summary/moderator",
      ]);
      assert.match(promptOf(agent.asked("round-3/ada")), /Write about 80 words\./);
      assert.deepEqual((await verify(result!.dir!)).findings, []);
    });
  });

  it("A consensus record can be forked, and an edited participant is asked for its stance again", async () => {
    await withFolder(async (out) => {
      const agent = new Talker(deliberation());
      const config = { kind: "consensus", topic: TOPIC, seed: 1, out } as const;
      const { dir } = await (await composeConvening(config, { agents: agents(agent) })).run();
      const forked = await fork(dir!, { at: 3, edit: "I say something else." });
      const before = agent.keys.length;
      const end = await (await resume(forked, { agents: agents(agent) })).run();
      assert.equal(end.endReason, "consensus");
      assert.deepEqual(agent.keys.slice(before, before + 2), [
        "stance/round-2/ben",
        "round-2/cleo",
      ]);
      assert.deepEqual((await verify(forked)).findings, []);
    });
  });

  it("A consensus record fails verification when a stance's message is missing", async () => {
    await withFolder(async (out) => {
      const workflow = new ConsensusWorkflow(TOPIC, deliberators(new Talker(deliberation())), {
        seed: 1,
        record: folderRecord({ out }),
      });
      const { dir } = await workflow.run();
      const entries = await Array.fromAsync(Deno.readDir(`${dir}/stances`));
      const [stance] = entries.map(({ name }) => name).sort();
      await Deno.remove(`${dir}/stances/${stance}`);
      const { facts } = await openConvening(dir!);
      assert.equal(workflow.checkRecord(facts)?.key, "stance/round-2/ada");
      const problems = (await verify(dir!)).findings.map(({ problem }) => problem);
      const missing = /^the answer to question "stance\/round-2\/ada" is missing, although /;
      assert.ok(problems.some((problem) => missing.test(problem)), problems.join("\n"));
    });
  });
});
