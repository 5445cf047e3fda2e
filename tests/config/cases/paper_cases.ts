// Effects of keys of paper debates.
import assert from "node:assert/strict";
import { type ModelServer, startModelServer } from "../../support/model_server.ts";
import { lookUp } from "../../papers/debate/support/paper_talkers.ts";
import { promptOf } from "../../support/talkers.ts";
import { type Difference, differs, type KeyCase, shows, withValue } from "../support/key_case.ts";
import { hold, type Seen, type Settings, settingsOf } from "../support/holding.ts";
import { OTHER_PAPER, PAPER, QUESTION } from "../support/paper_holding.ts";
import { capOf, kindsOf } from "./debate_cases.ts";

/** Returns a case of paper debates. */
function papers<T>(difference: Omit<Difference<T>, "kinds">): KeyCase {
  return differs({ ...difference, kinds: ["paper-debate"] });
}

/** The questions are proposed by the model. */
const ASKED = { question: undefined };
/** The debaters are created. */
const MADE = { participants: undefined };
const TITLE = "What a shorter week does in laboratories";

function bodyOf({ messages }: Seen, kind: string): string | undefined {
  return messages.find((message) => message.kind === kind)?.body;
}

/** Returns whether a turn's prompt omits parts of the papers. */
function leftOut(kind: string): (seen: Seen) => boolean {
  return ({ requests }) => {
    const request = requests.find(({ context }) => context.kind === kind);
    return / characters of this paper are left out here/.test(promptOf(request!));
  };
}

/** Returns the first debater's result for a query. */
async function foundBy(settings: Settings): Promise<string> {
  const found: string[] = [];
  await hold(settings, {
    async say(request) {
      if (request.context.kind === "argument") found.push((await lookUp(request, QUERY)).result);
      return undefined;
    },
  });
  return found[0]!;
}

/** Returns settings with an embeddings server of the debate's own. */
function embeddedBy({ url }: ModelServer, settings: Settings): Settings {
  const providers = { mine: { baseUrl: url } };
  return { ...settings, providers, embeddingModel: "mine:words" };
}

/** Returns the vector of a text: counts of some words. */
function vectorOf(text: string): number[] {
  return [/hour/gi, /people/gi, /error/gi, /sleep/gi].map((word) => text.match(word)?.length ?? 0);
}

const QUERY = "Are people who work fewer hours happier?";

/** Keys of papers, questions and retrieval. */
const MATTER_CASES: readonly KeyCase[] = [
  papers({
    key: "papers",
    changes: "what is read, kept and searched",
    value: [PAPER, OTHER_PAPER],
    of: (seen) => [...seen.files.keys()].filter((path) => /^paper[^/]*$/.test(path)).sort(),
    is: [["paper.md"], ["paper-2.md", "paper.md"]],
  }),
  papers({
    key: "title",
    changes: "what the paper is called",
    value: TITLE,
    of: (seen) => [
      promptOf(seen.requests[0]!).includes(TITLE),
      seen.files.get("paper.md")!.includes(TITLE),
    ],
    is: [[false, false], [true, true]],
  }),
  papers({
    key: "question",
    changes: "what is debated, and whether questions are put to the papers",
    base: ASKED,
    value: QUESTION,
    of: (seen) => [kindsOf(seen)[0], bodyOf(seen, "question")],
    is: [
      ["questions", "Under what conditions do trees cool streets, case 1?"],
      ["question", QUESTION],
    ],
  }),
  papers({
    key: "pick",
    changes: "which of the questions is debated",
    base: ASKED,
    value: 3,
    of: (seen) => bodyOf(seen, "question"),
    is: [
      "Under what conditions do trees cool streets, case 1?",
      "Under what conditions do trees cool streets, case 3?",
    ],
  }),
  shows({
    key: "pick",
    changes: "whether a person is asked which question is debated",
    kinds: ["paper-debate"],
    async check(kind) {
      const settings = settingsOf(kind, { ...ASKED, pick: "ask" });
      const waiting = await hold({ ...settings, personTimeout: 0 }, { byName: ["reader"] });
      assert.equal(waiting.result?.status, "waiting");
      assert.deepEqual(kindsOf(waiting), ["questions"]);
      const own = "To what extent do errors fall where nobody is hired?";
      for (
        const [said, question] of [
          ["4", "Under what conditions do trees cool streets, case 4?"],
          [own, own],
        ]
      ) {
        const seen = await hold(settings, { byName: ["reader"], person: said });
        assert.equal(bodyOf(seen, "question"), question);
        assert.equal(seen.result?.status, "completed");
      }
    },
  }),
  papers({
    key: "postures",
    changes: "how many postures are taken, and how many debaters there are",
    base: MADE,
    value: 2,
    of: (seen) => kindsOf(seen).filter((kind) => kind === "argument").length,
    is: [3, 2],
  }),
  papers({
    key: "crossExamine",
    changes: "whether the debaters answer each other",
    without: false,
    value: true,
    of: (seen) => kindsOf(seen).filter((kind) => kind === "cross_examination").length,
    is: [0, 2],
  }),
  shows({
    key: "retrieval",
    changes: "how passages are found",
    kinds: ["paper-debate"],
    async check(kind) {
      await using server = await startModelServer({ embed: (texts) => texts.map(vectorOf) });
      const settings = embeddedBy(server, settingsOf(kind));
      const modes = ["keyword", "semantic", "hybrid"];
      const found = [];
      for (const mode of modes) {
        found.push(await foundBy(withValue(settings, "retrieval", mode)));
      }
      assert.equal(found[0], await foundBy(settings));
      assert.equal(new Set(found).size, modes.length, found.join("\n"));
    },
  }),
  shows({
    key: "embeddingModel",
    changes: "which model makes vectors",
    kinds: ["paper-debate"],
    async check(kind) {
      await using server = await startModelServer({ embed: (texts) => texts.map(vectorOf) });
      const settings = embeddedBy(server, settingsOf(kind));
      await foundBy(settings);
      assert.equal(server.embedded.length, 0);
      await foundBy(withValue(settings, "retrieval", "semantic"));
      assert.deepEqual([...new Set(server.embedded.map(({ model }) => model))], ["words"]);
    },
  }),
  ...["questions", "postures", "debaters"].map((name) =>
    papers({
      key: `paperCharacters/${name}`,
      changes: "how much of the papers is quoted",
      base: ASKED,
      value: 500,
      of: leftOut(name === "debaters" ? "argument" : name),
      is: [false, true],
    })
  ),
  papers({
    key: "paperCharacters/excerpt",
    changes: "which part of a longer paper is quoted",
    base: { ...ASKED, paperCharacters: { questions: 3000 } },
    value: "start",
    of: ({ requests: [first] }) => /\[\d+ characters of the paper are/.test(promptOf(first!)),
    is: [true, false],
  }),
];

/** Keys of lengths. */
const LENGTH_CASES: readonly KeyCase[] = [
  ...([
    ["argumentMaxTokens", "argument", 4096],
    ["crossExaminationMaxTokens", "cross_examination", 1000],
    ["reportMaxTokens", "report", 1000],
    ["judgeMaxTokens", "topic_scores", 3000],
  ] as const).map(([key, kind, usual]) =>
    papers({
      key,
      changes: "the most tokens of what is asked for",
      value: 777,
      of: capOf(kind),
      is: [usual, 777],
    })
  ),
  papers({
    key: "judgeMaxTokens",
    changes: "the most tokens of a judge's insights too",
    value: 777,
    of: capOf("insights"),
    is: [3000, 777],
  }),
];

/** Keys of paper debates alone. */
export const PAPER_CASES: readonly KeyCase[] = [...MATTER_CASES, ...LENGTH_CASES];
