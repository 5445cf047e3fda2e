// Rules of all kinds of convenings and their defaults.
import assert from "node:assert/strict";
import { AgentError, ConfigurationError } from "../../mod.ts";
import { likenessOf } from "../../protocol.ts";
import { REPETITION_THRESHOLD } from "../../src/checking/repetition.ts";
import { COHERENCE_THRESHOLD, STRICT_COHERENCE } from "../../src/checking/guards.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { FOLD_BLOCK, FOLD_DELAY } from "../../src/core/prompt.ts";
import { promptOf, TOPIC } from "../support/talkers.ts";
import { rejectedBy, wordy } from "./cases/turn_cases.ts";
import { hold, type HoldOptions, type Kind, person, settingsOf } from "./support/holding.ts";
import { delaysOf } from "../support/timers.ts";

const REFUSED = "topic_refused";

async function codeOf(kind: Kind, given: Readonly<Record<string, unknown>>) {
  return (await hold(settingsOf(kind, { limits: { maxTurns: 1 }, ...given }))).error?.code;
}

for (const kind of ["debate", "paper-debate"] as const) {
  Deno.test(`Rule "Topic" of a ${kind}: 10 to 200 code points once trimmed, not blank, no control characters, Cf kept`, async () => {
    for (
      const topic of ["x".repeat(10), "x".repeat(200), "🚋".repeat(200), ` ${"x".repeat(200)} `]
    ) {
      assert.equal(await codeOf(kind, { topic }), undefined, topic);
    }
    for (const topic of ["x".repeat(9), "x".repeat(201), "🚋".repeat(9), " ".repeat(20)]) {
      assert.equal(await codeOf(kind, { topic }), REFUSED, topic);
    }
    assert.equal(await codeOf(kind, { topic: "Should cities\u0007ban cars?" }), REFUSED);
    assert.equal(await codeOf(kind, { topic: "Should \u200ecities\u200d ban cars?" }), undefined);
  });

  Deno.test(`Rule "Topic" of a ${kind}: refused terms are whole words, so that "fair" does not contain "ai"`, async () => {
    const topic = "Is it fair to keep animals in zoos?";
    assert.equal(await codeOf(kind, { topic, refusedTerms: ["ai", "zoo"] }), undefined);
    assert.equal(await codeOf(kind, { topic, refusedTerms: ["Zoos"] }), REFUSED);
  });

  Deno.test(`Rule "Positions and names" of a ${kind}: 1 to 1,000 code points, line breaks kept`, async () => {
    const cast = (name: string) => ({ participants: [person("Ada", { name }), person("Ben")] });
    for (const name of ["A", "🚋".repeat(1000), "Ada\nof the trams"]) {
      assert.equal(await codeOf(kind, cast(name)), undefined);
    }
    for (const name of ["🚋".repeat(1001), " ", "A\u0000"]) {
      assert.equal(await codeOf(kind, cast(name)), "config_invalid");
    }
  });

  Deno.test(`Rule "Length" of a ${kind}: no range by default; one retry, then cut at a sentence, or kept and marked`, async () => {
    const words = { min: 200, max: 400 };
    const free = await hold(settingsOf(kind), wordy(50));
    assert.deepEqual(rejectedBy(free, "length"), []);
    const sentences: HoldOptions = {
      speech: ({ context: { key } }) => `In ${key} we say it again here. `.repeat(90),
    };
    // A text made of fields is not cut: it would lose its last topics.
    const long = kind === "paper-debate" ? "too_long" : "truncated";
    for (const [held, mark] of [[wordy(50), "too_short"], [sentences, long]] as const) {
      const seen = await hold(settingsOf(kind, { words }), held);
      const [first] = seen.messages.filter(({ participant }) => participant === "ada");
      assert.deepEqual([first!.attempts, first!.marks], [2, [mark]]);
      assert.match(rejectedBy(seen, "length")[0]!.reason, /had \d+ words, \d+ (over|under) the/);
      if (mark === "truncated") assert.match(first!.body, /here\.$/);
    }
  });

  Deno.test(`Rule "At most 3 retries a turn" of a ${kind}: the fourth attempt is accepted and marked`, async () => {
    const seen = await hold(settingsOf(kind, { refusedTerms: ["bananas"] }), {
      speech: ({ context: { key } }) => `${key}: bananas.`,
    });
    const [first] = seen.messages.filter(({ participant }) => participant === "ada");
    assert.deepEqual([first!.attempts, first!.marks], [4, ["refused_term"]]);
    assert.equal(
      rejectedBy(seen, "refused_terms").filter(({ seq }) => seq === first!.seq).length,
      3,
    );
  });

  Deno.test(`Rule "A turn always advances" of a ${kind}: only a turn that stays empty fails, after 4 attempts`, async () => {
    const { error, requests } = await hold(settingsOf(kind), { speech: () => "…" });
    assert.equal(error?.code, "agent_bad_reply");
    const turns = requests.filter(({ context }) =>
      context.purpose === "turn" && context.participant === "ada"
    );
    const last = turns.at(-1)!.context.key;
    assert.equal(turns.filter(({ context }) => context.key === last).length, 4);
  });

  Deno.test(`Rule "Retries" of a ${kind}: a failed request is repeated 4 times, after 1 to 30 seconds`, async () => {
    const asked: string[] = [];
    const delays = await delaysOf(() =>
      hold(settingsOf(kind, { retry: {} }), {
        say: ({ context: { purpose, key } }) => {
          if (purpose !== "turn") return undefined;
          asked.push(key);
          throw new AgentError("agent_unreachable", "Nobody there", { retryable: true });
        },
      }), (delay) => delay >= 1000);
    const waits = delays.filter((delay) => delay >= 1000);
    // Blind openings are requested concurrently; after the last failure of one, the other is not repeated.
    const times = asked.map((key) => asked.filter((each) => each === key).length);
    assert.equal(Math.max(...times), 5);
    assert.ok(waits.length >= 4 && waits[0]! < 2000 && waits.every((each) => each <= 30_000));
  });

  Deno.test(`Rule "Retry-After" of a ${kind}: waits of up to 120 seconds, and no longer`, async () => {
    const codeAfter = async (retryAfter: number) => {
      let failed = false;
      let code: string | undefined;
      await delaysOf(async () => {
        const { error } = await hold(settingsOf(kind, { retry: { minWait: 0, maxWait: 0 } }), {
          say: ({ context: { purpose } }) => {
            if (failed || purpose !== "turn") return undefined;
            failed = true;
            throw new AgentError("agent_rate_limited", "Later", { retryable: true, retryAfter });
          },
        });
        code = error?.code;
      }, (delay) => delay > 100_000);
      return code;
    };
    assert.equal(await codeAfter(120_000), undefined);
    assert.equal(await codeAfter(120_001), "agent_rate_limited");
  });

  Deno.test(`Rule "Sources" of a ${kind}: 4,000 tokens of sources are quoted, and the omitted part is stated`, async () => {
    const path = await Deno.makeTempFile({ suffix: ".md" });
    try {
      const text = Array.from({ length: 1500 }, (_, n) => `Tram ${n} runs late.`).join(" ");
      await Deno.writeTextFile(path, text);
      const { requests } = await hold(settingsOf(kind, { sources: [path] }));
      const head = requests[0]!.messages[0]!.content;
      const count = await loadTokenCounter();
      const quoted = /<source name="[^"]*\.md">\n([\s\S]*?)\n<\/source>/.exec(head)![1]!;
      assert.ok(count(quoted) <= 4000 && count(quoted) > 3900, String(count(quoted)));
      assert.match(head, /[\d,]+ characters of .* are left out/);
    } finally {
      await Deno.remove(path);
    }
  });

  Deno.test(`Rule "Limits" of a ${kind}: a warning at 80 % of a limit, then an early end with a result`, async () => {
    const { events, result } = await hold(
      settingsOf(kind, {
        ...kind === "debate" && { roundCount: 5 },
        ...kind === "paper-debate" && { participants: undefined, postures: 4 },
        limits: { maxTurns: 10 },
      }),
    );
    const warnings = events.filter((event) => event.type === "limit-warning");
    assert.deepEqual(warnings.map(({ limit, max }) => [limit, max]), [["maxTurns", 10]]);
    assert.deepEqual([result?.status, result?.endReason], ["stopped", "max_turns"]);
    assert.ok(result!.summary.length > 0);
  });

  Deno.test(`Rule "Prices" of a ${kind}: the cost of an unknown model is "unknown", not 0`, async () => {
    const { messages } = await hold(settingsOf(kind), { model: "mystery" });
    const spoken = messages.filter(({ model }) => model === "mystery");
    assert.ok(spoken.length > 0);
    for (const { usage } of spoken) assert.equal(usage.costUsd, "unknown");
  });

  Deno.test(`Rule "Seed" of a ${kind}: a drawn seed is recorded and not sent to models; a given seed is sent`, async () => {
    const drawn = await hold(settingsOf(kind, { seed: undefined }));
    const [seed] = new Set(drawn.requests.map(({ context }) => context.seed));
    assert.match(drawn.files.get("metadata.md")!, new RegExp(`seed: ${seed}\\b`));
    assert.ok(drawn.requests.every((request) => request.seed === undefined));
    const given = await hold(settingsOf(kind, { seed: 5 }));
    assert.ok(given.requests.some((request) => request.seed === 5));
  });
}

Deno.test('Rule "Repetition": a turn with a similarity of 0.95 or more is rejected', async () => {
  assert.equal(REPETITION_THRESHOLD, 0.95);
  const words = Array.from({ length: 20 }, (_, n) => `word${n}`);
  const changed = (count: number) => words.map((word, n) => n < count ? `other${n}` : word);
  assert.equal((await likenessOf(words, changed(1), 0))?.ratio, 0.95);
  for (const [count, rejections] of [[1, 3], [2, 0]] as const) {
    const seen = await hold(settingsOf("dialogue", { guards: { coherence: "off" }, maxTurns: 3 }), {
      speech: ({ context: { participant, seq } }) => {
        if (participant === "ben") return "Ben says something of his own about trams.";
        return (seq === 1 ? words : changed(count)).join(" ");
      },
    });
    assert.equal(rejectedBy(seen, "repetition").length, rejections);
  }
});

Deno.test('Rule "Coherence": off by default, else a warning; the threshold 0.7 is a named mode and not the default', async () => {
  assert.equal(STRICT_COHERENCE, 0.7);
  assert.ok(COHERENCE_THRESHOLD < STRICT_COHERENCE);
  const text =
    "Private cars fill the streets; buses, cyclists, bakers, nurses, gardeners, plumbers and old " +
    "neighbours wait behind them every morning.";
  const marks = async (coherence: unknown) => {
    const guards = { repetition: "off", coherence };
    const seen = await hold(settingsOf("dialogue", { guards, maxTurns: 1 }), {
      speech: () => text,
    });
    return [seen.messages[0]!.marks, rejectedBy(seen, "coherence").length];
  };
  assert.deepEqual(await marks(undefined), [[], 0]);
  assert.deepEqual(await marks({}), [[], 0]);
  assert.deepEqual(await marks({ threshold: "strict" }), [["off_topic"], 0]);
});

Deno.test('Rule "Bounded prompts": 12,000 tokens, folded 16 turns at a time, in use 8 turns later', async () => {
  assert.deepEqual([FOLD_BLOCK, FOLD_DELAY], [16, 8]);
  const { requests } = await hold(settingsOf("dialogue", { maxTurns: 50 }), wordy(300));
  const count = await loadTokenCounter();
  const turns = requests.filter(({ context }) => context.purpose === "turn").map(promptOf);
  const used = turns.findIndex((prompt) => prompt.includes('<summary turns="1-'));
  const begun = requests.findIndex(({ context }) => context.purpose === "fold");
  assert.equal(used - begun, 8);
  assert.match(turns[used]!, /<summary turns="1-16">/);
  const tokens = turns.map(count);
  assert.ok(tokens[used - 1]! > 10_000, String(tokens[used - 1]));
  assert.ok(Math.max(...tokens) <= 12_000, String(Math.max(...tokens)));
});

Deno.test('Rule "Deadlines": a model may be silent for 60 seconds and take 300 in all', async () => {
  const settings = settingsOf("dialogue", { maxTurns: 1 });
  for (const [idle, longest] of [[{}, 60_000], [{ idleTimeout: 900_000 }, 300_000]] as const) {
    const delays = await delaysOf(() => hold({ ...settings, ...idle }, { server: {} }));
    // A deadline begins before its timer is set.
    assert.ok(delays.some((delay) => delay > longest - 30_000 && delay <= longest), `${delays}`);
  }
});

Deno.test('Rule "Dialogue": two participants, 10 turns in order, completed', async () => {
  const { result } = await hold({ kind: "dialogue", topic: TOPIC, guards: { repetition: "off" } });
  assert.equal(result?.status, "completed");
  assert.deepEqual(
    result?.messages.map(({ name }) => name),
    Array.from({ length: 5 }, () => ["Ada", "Ben"]).flat(),
  );
});

Deno.test('Rule "Dialogue": at least two participants', async () => {
  const { error } = await hold(settingsOf("dialogue", { participants: [person("Ada")] }));
  assert.ok(error instanceof ConfigurationError);
});
