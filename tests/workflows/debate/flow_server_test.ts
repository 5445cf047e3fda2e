import assert from "node:assert/strict";
import { composeConvening, folderRecord, verify } from "../../../mod.ts";
import type { ModelReply, ModelRequest } from "../../support/model_server.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";

/** Speeches in the order in which they are asked for, each with its points. */
const SPEECHES: readonly (readonly [
  text: string,
  points: readonly (readonly [kind: string, answers: readonly string[]])[],
])[] = [
  ["Clean air saves lives in every street of the centre.", [["new", []]]],
  ["Vans must reach the shops before they open.", [["new", []]]],
  ["Noise keeps whole quarters awake at night. Vans may indeed come early.", [["new", []], [
    "concedes",
    ["B1"],
  ]]],
  ["Trade would wither without its customers by car.", [["new", []]]],
  ["Clean air saves lives in every street, I say again.", [["repeats", ["A1"]]]],
  ["Customers walk and ride as well as drive.", [["answers", ["B2"]]]],
];

function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.) /);
}

/** Notes of a statement that was said here; a speech by the number of turns that its prompt shows. */
function reply(
  { body: { messages, response_format: format } }: ModelRequest,
): ModelReply | undefined {
  const prompt = messages.map(({ content }) => content ?? "").join("\n");
  const name = format?.json_schema?.name;
  if (name === "notes") {
    const [, statement = ""] = /<statement>\n([^]*?)\n<\/statement>/.exec(prompt) ?? [];
    const [, points] = SPEECHES.find(([text]) => text === statement) ?? [];
    const sentences = sentencesOf(statement);
    return {
      json: {
        points: (points ?? []).map(([kind, answers], index) => ({
          quote: sentences[index] ?? statement,
          text: sentences[index] ?? statement,
          kind,
          answers,
        })),
      },
    };
  }
  if (name !== undefined) return undefined;
  const said = SPEECHES.filter(([text]) => prompt.includes(`${text}\n</turn>`)).length;
  const isSpeech = /Give your opening statement|Round 1|closing statement/.test(prompt);
  const isFirst = prompt.includes("turns under this name are your own") &&
    /You are Advocate A;/.test(prompt);
  if (!isSpeech) return undefined;
  const index = said === 0 ? (isFirst ? 0 : 1) : Math.min(said, SPEECHES.length - 1);
  return { text: SPEECHES[index]![0] };
}

Deno.test("A debate over a server names a dropped, a conceded and a repeated point on its page, to judges and to the next speaker", async () => {
  const out = await Deno.makeTempDir();
  await using server = await startSpeaker(reply);
  try {
    const workflow = await composeConvening({
      kind: "debate",
      topic: "Should cities ban private cars from their centres?",
      model: MODEL,
      flow: true,
      exchange: "clash",
      speakingOrder: "given",
      roundCount: 1,
      seed: 1,
      guards: { repetition: "off" },
    }, {
      env: (name) => server.env[name] ?? (name === "OPENAI_API_KEY" ? "key" : undefined),
      record: folderRecord({ out }),
    });
    const { dir } = await workflow.run();
    const page = await Deno.readTextFile(`${dir}/arguments.md`);
    const part = (title: string) => page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
    assert.match(part("Dropped"), /\*\*A2\*\*/);
    assert.match(part("Conceded"), /\*\*B1\*\*/);
    assert.match(part("Repeated"), /repeats A1/);
    const prompts = server.requests.map(({ body }) =>
      body.messages.map(({ content }) => content ?? "").join("\n")
    );
    assert.ok(prompts.some((prompt) => /\[dropped: nobody answered it\]/.test(prompt)));
    assert.ok(
      prompts.some((prompt) =>
        /Points of yours that stand unanswered:\n[^]*?- A2 \(turn 4\)/.test(prompt)
      ),
    );
    assert.deepEqual((await verify(dir!)).findings, []);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});
