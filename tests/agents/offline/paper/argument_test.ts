import assert from "node:assert/strict";
import { z } from "zod";
import { createOfflineAgent } from "../../../../src/agents/offline.ts";
import { voiceOf } from "../../../../src/agents/offline/paper/voice.ts";
import { CancelledError } from "../../../../src/core/error.ts";
import { LOOKUP_PAPER, passagesIn } from "../../../../src/papers/text/look_ups.ts";
import { ARGUMENT_REPLY, type ArgumentFields } from "../../../../src/papers/text/replies.ts";
import type { Tool, ToolTrace } from "../../../../src/core/tool.ts";
import {
  bodyOf,
  crossed,
  type Debated,
  debateOn,
  lookupTool,
  quotedIn,
  read,
  request,
  type TestPaper,
  webTool,
} from "./paper_debate.ts";
import { EMPTY, GERMAN, HOSTILE, ONE, QUIZZES, SPANISH, TREES } from "./papers.ts";

const flat = (text: string) => text.replace(/\s+/gu, " ");

/** The sentences of a text that are its own, quotations taken out. */
function ownSentences(text: string): string[] {
  return text.replace(/“[^”]*”/gu, "“…”").split(/(?<=[.?!])\s+|\n+/u)
    .map((each) => each.replace(/^[-#\s]+/u, ""))
    .filter((each) => each.split(" ").length > 5);
}

function textOf({ perTopic, overallPosition }: ArgumentFields): string {
  return [
    ...perTopic.flatMap((each) => [each.claim, each.reasoning, ...each.counterpoints]),
    overallPosition,
  ].join("\n");
}

/** Whether every quotation and citation stands in what this debater's look-ups returned. */
function assertFound({ fields, traces }: {
  readonly fields: ArgumentFields;
  readonly traces: readonly ToolTrace[];
}): void {
  const passages = passagesIn(traces);
  for (const quoted of quotedIn(textOf(fields))) {
    assert.ok(passages.some(({ text }) => flat(text).includes(quoted)), quoted);
  }
  for (const { chunkId, text } of fields.perTopic.flatMap(({ citations }) => citations.paper)) {
    const passage = passages.find((each) => each.chunkId === chunkId);
    assert.ok(passage !== undefined && flat(passage.text).includes(text), `${chunkId}: ${text}`);
  }
}

for (
  const [name, papers] of Object.entries({
    TREES: [TREES],
    QUIZZES: [QUIZZES],
    both: [TREES, QUIZZES],
  })
) {
  Deno.test(`argument: over ${name}, every quotation and citation stands in a passage that a look-up returned`, async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { argued, topics } = await debateOn(papers, { seed });
      for (const { fields, reply } of argued) {
        assert.deepEqual(fields.perTopic.map(({ topic }) => topic), topics);
        assertFound({ fields, traces: reply.toolCalls ?? [] });
        const quoted = fields.perTopic.filter((each) => quotedIn(each.reasoning).length > 0);
        assert.ok(quoted.length >= topics.length - 1, `${quoted.length} of ${topics.length}`);
        assert.ok(new Set(quotedIn(textOf(fields))).size >= topics.length);
      }
    }
  });
}

Deno.test("argument: each topic has a claim of one or two sentences, three to six reasons, one or two counterpoints", async () => {
  const sentences = (text: string) => ownSentences(text.replace(/“[^”]*”/gu, "“…”"));
  for (const seed of [1, 2, 3]) {
    const { argued } = await debateOn([TREES], { seed, count: 4 });
    for (const { fields } of argued) {
      for (const { claim, reasoning, counterpoints } of fields.perTopic) {
        assert.ok(sentences(claim).length <= 2, claim);
        const reasons = reasoning.split(/(?<=[.?!])\s+(?=\p{Lu})/u);
        assert.ok(reasons.length >= 3 && reasons.length <= 8, reasoning);
        assert.ok(counterpoints.length === 1 || counterpoints.length === 2);
      }
      assert.match(fields.overallPosition, /^(?:[^.]+\.\s?){2,3}$/u);
    }
  }
});

Deno.test("argument: no sentence of its own comes twice within a debate, over topics, debaters and attempts", async () => {
  const topics = Array.from({ length: 8 }, (_, i) => `The evidence on point ${i + 1}`);
  for (const papers of [[TREES], [EMPTY]]) {
    for (const seed of [1, 2, 3]) {
      const debate = await debateOn(papers, { seed, count: 6, topics });
      const texts = debate.argued.map(({ fields }) => textOf(fields));
      for (const { context } of debate.argued.slice(0, 3)) {
        const again = { ...context, attempt: 2 };
        const { value } = await read(ARGUMENT_REPLY, again, { tools: [lookupTool(papers)] });
        texts.push(textOf(value));
      }
      const all = texts.flatMap(ownSentences);
      const seen = new Set<string>();
      const twice = all.filter((each) => seen.has(each) || !seen.add(each));
      assert.deepEqual(twice, []);
    }
  }
});

Deno.test("argument: debaters speak in the voice of their posture and prefer other sentences of the paper", async () => {
  const { argued, postures } = await debateOn([TREES], { seed: 4 });
  assert.deepEqual(postures.map((each) => voiceOf(each, postures)), [
    "supportive",
    "critical",
    "cautious",
  ]);
  const quoted = argued.map(({ fields }) =>
    quotedIn(fields.perTopic.map(({ reasoning }) => reasoning).join(" "))
  );
  for (const [i, some] of quoted.entries()) {
    const others = new Set(quoted.filter((_, j) => j !== i).flat());
    assert.ok(some.filter((each) => !others.has(each)).length >= 2, some.join("\n"));
  }
  const claims = argued.map(({ fields }) => fields.perTopic.map(({ claim }) => claim).join(" "));
  assert.equal(new Set(claims).size, 3);
});

Deno.test("voiceOf() reads a posture's words, and its place where they say nothing", () => {
  const all = ["Lamps first", "Trees first", "Water first"];
  assert.deepEqual(all.map((each) => voiceOf(each, all)), ["supportive", "critical", "cautious"]);
  assert.equal(voiceOf("Strong support for shade", all), "supportive");
  assert.equal(voiceOf("The effect is overstated and unproven", all), "critical");
  assert.equal(voiceOf("It depends on the conditions", all), "cautious");
});

Deno.test("argument: the tools are called with several different queries, ten at most, and the calls are reported", async () => {
  const asked: string[] = [];
  const topics = Array.from({ length: 12 }, (_, i) => `The evidence on shade number ${i}`);
  const tools = [lookupTool([TREES], asked), webTool([])];
  const { argued } = await debateOn([TREES], {
    topics,
    tools,
    count: 2,
    question: "How far do street trees cool a town?",
  });
  for (const { reply } of argued) {
    const calls = reply.toolCalls ?? [];
    assert.ok(calls.length > 4 && calls.length <= 10);
    assert.equal(calls.filter(({ tool }) => tool === LOOKUP_PAPER).length, calls.length - 1);
    assert.ok(calls.every(({ failed }) => !failed));
  }
  const queries = argued.map(({ reply }) =>
    reply.toolCalls?.map(({ args }) => JSON.stringify(args)) ?? []
  );
  assert.ok(queries.every((each) => new Set(each).size === each.length));
  assert.equal(new Set(queries.map((each) => each.join())).size, 2);
  assert.ok(asked.some((each) => /street trees/u.test(each)));
});

Deno.test("argument: pages of the web are cited where a search returned pages on the question", async () => {
  const pages = [
    {
      title: "Street trees and the cooling of towns",
      url: "https://example.org/trees",
      snippet: "Street trees cool towns.",
    },
    { title: "A recipe", url: "https://example.org/soup", snippet: "Soup with carrots." },
  ];
  const question = "How far do street trees cool a town?";
  const { argued } = await debateOn([TREES], {
    question,
    tools: [lookupTool([TREES]), webTool(pages)],
  });
  for (const { fields } of argued) {
    const web = fields.perTopic.flatMap(({ citations }) => citations.web);
    assert.deepEqual(web, [{ title: pages[0]!.title, url: pages[0]!.url }]);
  }
  const without = await debateOn([TREES], { question, tools: [lookupTool([TREES]), webTool([])] });
  assert.ok(
    without.argued.every(({ fields }) =>
      fields.perTopic.every(({ citations }) => citations.web.length === 0)
    ),
  );
});

Deno.test("argument: a tool that throws is reported as failed, and the debater goes on without it", async () => {
  const broken: Tool = {
    name: LOOKUP_PAPER,
    description: "Fails",
    parameters: z.object({ query: z.string() }),
    run: () => Promise.reject(new Error("the index is gone")),
  };
  const { argued } = await debateOn([TREES], { tools: [broken] });
  for (const { fields, reply } of argued) {
    const calls = reply.toolCalls ?? [];
    assert.ok(
      calls.length > 0 &&
        calls.every(({ failed, result }) => failed && result.endsWith(": the index is gone")),
    );
    assert.ok(fields.perTopic.every(({ citations }) => citations.paper.length === 0));
    assert.equal(quotedIn(textOf(fields)).length, 0);
  }
});

Deno.test("argument: without tools nothing is quoted", async () => {
  const { argued } = await debateOn([TREES], { tools: [] });
  for (const { fields, reply } of argued) {
    assert.equal(reply.toolCalls, undefined);
    assert.equal(quotedIn(textOf(fields)).length, 0);
  }
});

Deno.test("argument: an abort during a look-up ends the request", async () => {
  const { argued } = await debateOn([TREES], { count: 2 });
  const aborter = new AbortController();
  const hanging: Tool = {
    ...lookupTool([TREES]),
    run: () => {
      aborter.abort();
      return Promise.withResolvers<string>().promise;
    },
  };
  await assert.rejects(
    createOfflineAgent().reply(
      request(argued[0]!.context, {
        schema: ARGUMENT_REPLY,
        tools: [hanging],
        signal: aborter.signal,
      }),
    ),
    CancelledError,
  );
});

Deno.test("argument: the JSON text streams whole, and is the same for the same request and another for another seed", async () => {
  const run = async (seed: number) => {
    const { argued } = await debateOn([TREES], {
      seed,
      question: "How far do street trees cool a town?",
    });
    return argued.map(({ reply }) => reply.text);
  };
  const [first, again, other] = [await run(1), await run(1), await run(2)];
  assert.deepEqual(again, first);
  assert.ok(first.every((text, i) => text !== other[i]));
  const { argued } = await debateOn([TREES], { seed: 1 });
  const pieces: string[] = [];
  const streamed = await createOfflineAgent().reply(request(argued[0]!.context, {
    schema: ARGUMENT_REPLY,
    tools: [lookupTool([TREES])],
    onDelta: (text) => pieces.push(text),
  }));
  assert.ok(pieces.length > 10);
  assert.equal(pieces.join(""), streamed.text);
});

Deno.test("argument: a reply that may have few tokens is shorter and still covers every topic", async () => {
  const { argued, topics } = await debateOn([TREES], { count: 2 });
  const { value, reply } = await read(ARGUMENT_REPLY, argued[0]!.context, {
    tools: [lookupTool([TREES])],
    maxTokens: 400,
  });
  assert.equal(value.perTopic.length, topics.length);
  assert.ok(reply.usage.outputTokens < argued[0]!.reply.usage.outputTokens * 0.8);
});

const DEGENERATE: readonly (readonly [string, TestPaper])[] = [
  ["dots", EMPTY],
  ["one sentence", ONE],
  ["German", GERMAN],
  ["Spanish", SPANISH],
  ["hostile", HOSTILE],
];

for (const [name, paper] of DEGENERATE) {
  Deno.test(`argument: a paper of ${name} can be argued, with true quotations or none`, async () => {
    for (const seed of [1, 2, 3]) {
      const debate = await debateOn([paper], { seed });
      assert.ok(debate.questions.length >= 8 && debate.questions.length <= 12);
      for (const { fields, reply } of debate.argued) {
        assertFound({ fields, traces: reply.toolCalls ?? [] });
        assert.equal(quotedIn(textOf(fields)).length === 0, paper === EMPTY);
        assert.doesNotMatch(
          textOf(fields),
          /(?!\n)[\p{Cc}\p{Co}]|\{\w+\}|undefined/u,
        );
        assert.doesNotMatch(textOf(fields), /instruction|10\/10|10 von 10|script|SYSTEM|You must/u);
      }
    }
  });
}

async function crossings(debate: Debated, papers: readonly TestPaper[]) {
  return await Promise.all(debate.argued.map((_, i) => crossed(debate, i, papers)));
}

Deno.test("cross-examination: every opponent is named, quoted as it stands, and answered with a look-up of one's own", async () => {
  for (const seed of [1, 2, 3]) {
    const debate = await debateOn([TREES], { seed });
    const all = await crossings(debate, [TREES]);
    for (const [i, { value, reply }] of all.entries()) {
      const passages = passagesIn(reply.toolCalls ?? []);
      const others = debate.argued.filter((_, j) => j !== i);
      for (const { context, fields } of others) {
        assert.ok(value.speech.includes(context.label!), value.speech);
        assert.ok(
          quotedIn(value.speech).some((each) => bodyOf(fields).includes(each)),
          value.speech,
        );
      }
      for (const quoted of quotedIn(value.speech)) {
        const said = others.some(({ fields }) => bodyOf(fields).includes(quoted));
        assert.ok(said || passages.some(({ text }) => flat(text).includes(quoted)), quoted);
      }
      assert.ok(value.citations.paper.length > 0);
      assert.ok(
        value.citations.paper.every(({ chunkId }) =>
          passages.some((each) => each.chunkId === chunkId)
        ),
      );
    }
    const sentences = all.flatMap(({ value }) => ownSentences(value.speech));
    assert.equal(new Set(sentences).size, sentences.length);
  }
});

Deno.test("cross-examination: where it may have few tokens every opponent is still answered", async () => {
  const debate = await debateOn([TREES], { count: 5 });
  const whole = await crossed(debate, 0, [TREES]);
  const short = await crossed(debate, 0, [TREES], { maxTokens: 300 });
  assert.ok(short.value.speech.length < whole.value.speech.length * 0.8);
  for (const label of ["Debater B", "Debater C", "Debater D", "Debater E"]) {
    assert.ok(short.value.speech.includes(label));
  }
  assert.ok(short.value.citations.paper.length > 0);
});

Deno.test("cross-examination: opponents who say nothing that can be quoted are answered all the same", async () => {
  const { argued, question, topics, postures } = await debateOn([TREES], { count: 2 });
  const about = [{ label: "Debater B", participant: "debater-b", body: "| a | b |\n|---|---|" }];
  const reply = await createOfflineAgent().reply(request({
    ...argued[0]!.context,
    ...{ kind: "cross_examination", key: "cross/debater-a", about },
    data: { papers: [TREES], question, topics, postures, posture: postures[0] },
  }, {
    schema: { name: "cross", type: z.object({ speech: z.string(), citations: z.unknown() }) },
  }));
  assert.match(reply.text, /Debater B/u);
});
