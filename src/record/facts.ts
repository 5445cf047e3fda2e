// The table of facts: a row per type of fact. Writing, reading, verifying, forking, counting and JSON data all follow
// from the table. The file of a fact is called a truth file.
import { BRIEF_FORMS } from "../core/brief.ts";
import { figuresOf } from "../core/paper.ts";
import { END_REASONS, type Fact, POINT_KINDS } from "../core/fact.ts";
import { gist } from "../core/text.ts";
import { judgeShortId, type Message, shortId } from "../core/message.ts";
import {
  CALL,
  CITATIONS,
  type Computed,
  type FactRow,
  fileWord,
  MADE,
  MAYBE_MADE,
  type Naming,
  NUMBERS,
  padded,
  PLACE,
  READ,
  SOURCE,
  SPOKEN,
  TEXTS,
  TURN,
  VERIFICATION,
} from "./fact_row.ts";
import { draftFields, draftSection, evidenceBody, flowBody } from "./fact_bodies.ts";
import { CLAIM_VERDICTS } from "../core/outcome.ts";

type Rows = { readonly [T in Fact["type"]]: FactRow<Extract<Fact, { type: T }>> };

/** Settings shared by rows of facts about a turn, and by rows of facts about a message. */
const OF_TURN = { order: ["seq"], about: "seq", shares: ["turn", "participant"] } as const;
const OF_MESSAGE = { order: ["message"], about: "message", shares: ["participant"] } as const;

/** File name of the message that a message replies to. */
const ANSWERS: Computed<Message> = {
  shape: "message name",
  of: ({ replyTo }, naming) => messageName(replyTo, naming),
};

/** Matches the keys of the stances that the audience takes on the sides of a debate. */
const AUDIENCE_STANCE = /^stance\/(?:before|after)\//;

function byTurn({ seq }: { readonly seq: number }, { width }: Naming): string {
  return `${padded(seq, width)}.md`;
}

/** Rows of all types of facts, in the order in which a record is read. */
export const FACTS: Rows = {
  message: {
    folder: "messages",
    name: ({ seq, role, participant }, { width }) =>
      `${padded(seq, width)}_${fileWord(role)}_${shortId(participant)}.md`,
    keys: {
      ...SPOKEN,
      "answers?": ANSWERS,
      "marks?": { filled: TEXTS },
      "edited?": "flag",
      made: {
        group: {
          model: "text",
          attempts: "ordinal",
          ...MADE,
          // Values reported by the provider.
          "served?": {
            keys: {
              "model?": "text",
              "fingerprint?": "text",
              "requestId?": "text",
              "cap?": "count",
              "effort?": "text",
            },
          },
          sha256: "hash",
          // Number of the last message that the speaker had received.
          "given?": {
            shape: "ordinal",
            of: ({ previous }) => previous,
            to: (previous: number) => ({ previous }),
          },
          "folded?": "ordinal",
        },
      },
    },
    firstKeys: {
      ...SPOKEN,
      index: { shape: "text", of: () => "../index.md" },
      "previous?": {
        shape: "message name",
        of: ({ previous }, naming) => messageName(previous, naming),
        to: (name: string) => ({ previous: parseInt(name, 10) }),
      },
      "answers?": ANSWERS,
      gist: { shape: "text", of: ({ body }) => gist(body) },
      model: "text",
      attempts: "ordinal",
      marks: TEXTS,
      ...MADE,
      sha256: "hash",
      "edited?": "flag",
    },
    defaults: { marks: [] },
    body: "body",
    order: ["seq"],
    unique: { "message number": "seq", "turn key": "turn" },
    about: "seq",
    ids: ({ participant, role }) => role === "audience" ? [] : [participant],
    needs: {
      previous: ({ seq }) => `message ${seq} follows it`,
      replyTo: ({ seq }) => `message ${seq} answers it`,
    },
    fork: 0.5,
    outlivesEdit: true,
  },
  score: {
    folder: "scores",
    name: ({ message, judge, model, rubric, key }, { width }) =>
      `${padded(message, width)}_${judgeShortId(judge, model, ownQuestion(rubric, key))}.md`,
    keys: {
      "key?": "text",
      message: "ordinal",
      participant: "text",
      judge: "text",
      model: "text",
      rubric: "text",
      scale: { pair: "number" },
      status: ["scored", "unscored"],
      "reason?": "text",
      "folded?": "ordinal",
      weights: NUMBERS,
      "notApplicable?": TEXTS,
      criteria: NUMBERS,
      "judged?": NUMBERS,
      "total?": "number",
      "topics?": {
        list: { keys: { topic: "text", criteria: NUMBERS, notes: "text", "argued?": "false" } },
      },
      ...MADE,
    },
    body: "reasons",
    ...OF_MESSAGE,
    needs: { message: ({ judge }) => `${judge} scored it` },
    fork: 0.8,
  },
  verdict: {
    folder: "verdicts",
    name({ judge, model, rubric, number, pass, asking, key }) {
      const id = judgeShortId(judge, model, ownQuestion(rubric, key));
      // Earlier versions named the files of all askings by their number.
      return asking === undefined ? `${id}_${number}.md` : `${id}_${pass}_${asking}.md`;
    },
    keys: {
      "key?": "text",
      judge: "text",
      model: "text",
      rubric: "text",
      number: "ordinal",
      "pass?": "ordinal",
      "asking?": "ordinal",
      "tiebreak?": "flag",
      order: TEXTS,
      ...READ,
      "folded?": "ordinal",
      "shortened?": "ordinal",
      "profile?": { filled: TEXTS },
      winner: { orNull: "text" },
      "mainReason?": "text",
      ...MADE,
    },
    body: "reasons",
    order: ["number"],
    ids: ({ order }) => order,
    fork: "never",
  },
  rejected: {
    folder: "rejected",
    name: ({ seq, attempt }, { width }) => `${padded(seq, width)}_${attempt}.md`,
    keys: { ...TURN, attempt: "ordinal", guard: "text", reason: "text", ...CALL },
    body: "body",
    ...OF_TURN,
    order: ["seq", "attempt"],
    fork: 0,
    outlivesEdit: true,
  },
  failure: {
    folder: "failures",
    name: byTurn,
    keys: {
      ...TURN,
      code: "text",
      attempts: "count",
      ...MAYBE_MADE,
    },
    body: "message",
    ...OF_TURN,
    fork: 0.25,
    outlivesEdit: true,
  },
  choice: {
    folder: "choices",
    name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
    keys: {
      key: "text",
      seq: "ordinal",
      number: "ordinal",
      participant: "text",
      kind: "text",
      value: "json",
      ...CALL,
    },
    body: "reasons",
    order: ["seq", "number"],
    unique: { "question key": "key" },
    about: "seq",
    fork: 0,
    outlivesEdit: true,
  },
  context: {
    folder: "context",
    list: "contexts",
    name: ({ number }) => `${padded(number, 3)}.md`,
    keys: { number: "ordinal", through: "ordinal", ...CALL },
    body: "body",
    order: ["number"],
    unique: { "context number": "number" },
    about: "through",
    needs: { through: ({ number }) => `context ${number} stands for it` },
    fork: "last",
  },
  lookup: {
    folder: "lookups",
    name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
    keys: {
      seq: "count",
      number: "ordinal",
      turn: "text",
      participant: "text",
      tool: "text",
      args: "json",
      failed: "flag",
      createdAt: "time",
    },
    body: "result",
    ...OF_TURN,
    order: ["seq", "number"],
    isRemade: true,
    fork: 0,
  },
  stop: {
    folder: "stops",
    name: ({ number }) => `${number}.md`,
    keys: {
      number: "ordinal",
      reason: END_REASONS,
      "limit?": "number",
      "value?": "number",
      lastSeq: "count",
      ...CALL,
    },
    body: "body",
    order: ["number"],
    unique: { "stop number": "number" },
    needs: { lastSeq: ({ number }) => `stop ${number} came after it` },
    fork: "never",
  },
  "fact-check": {
    folder: "fact-checks",
    name: ({ message }, naming) => byTurn({ seq: message }, naming),
    keys: {
      message: "ordinal",
      participant: "text",
      mode: ["standard", "strict"],
      status: ["checked", "unchecked"],
      "reason?": "text",
      factuality: { orNull: "share" },
      "dropped?": "ordinal",
      claims: {
        list: {
          keys: {
            text: "text",
            "quote?": "text",
            verdict: CLAIM_VERDICTS,
            "omitted?": "text",
            confidence: "share",
            sources: { list: { keys: SOURCE } },
          },
        },
      },
      ...CALL,
    },
    body: "reasons",
    ...OF_MESSAGE,
    isRemade: true,
    fork: 0.75,
  },
  flow: {
    folder: "flow",
    name: ({ message }, naming) => byTurn({ seq: message }, naming),
    keys: {
      message: "ordinal",
      participant: "text",
      ...READ,
      "dropped?": "ordinal",
      "unknown?": "ordinal",
      points: {
        list: {
          keys: {
            id: "point id",
            kind: POINT_KINDS,
            answers: { list: "point id" },
            text: "text",
            quote: "text",
          },
        },
      },
      "claims?": { list: { keys: { text: "text", quote: "text" } } },
      "droppedClaims?": "ordinal",
      ...CALL,
    },
    // Lists the points for readers; the front matter is what is parsed.
    body: { of: flowBody, to: () => ({}) },
    ...OF_MESSAGE,
    unique: { "noted message": "message" },
    isRemade: true,
    fork: 0.7,
  },
  draft: {
    folder: "drafts",
    name: byTurn,
    keys: {
      ...TURN,
      fields: {
        shape: { list: { keys: { name: "text", characters: "count" } } },
        of: ({ fields }) =>
          Object.entries(fields).map(([name, text]) => ({
            name,
            // Counts code points, so that the count does not depend on the script.
            characters: [...text].length,
          })),
      },
      createdAt: "time",
    },
    body: {
      of: ({ fields }) =>
        Object.entries(fields).map(([name, text]) => draftSection(name, text)).join(""),
      to: (body, { fields }) => ({
        fields: draftFields(body, fields as Parameters<typeof draftFields>[1]),
      }),
    },
    ...OF_TURN,
    isRemade: true,
    fork: 0,
  },
  thought: {
    folder: "thoughts",
    name: ({ message, key }, { width }) => `${padded(message, width)}_${shortId(key)}.md`,
    keys: { key: "text", message: "count", participant: "text", createdAt: "time" },
    body: "body",
    order: ["message"],
    about: "message",
    isRemade: true,
    fork: 0.95,
  },
  stance: {
    folder: "stances",
    name: ({ seq, participant }, { width }) => `${padded(seq, width)}_${shortId(participant)}.md`,
    keys: {
      key: "text",
      seq: "count",
      participant: "text",
      ...READ,
      stances: {
        list: {
          keys: {
            on: "text",
            stance: ["agree", "disagree", "abstain"],
            strength: "share",
            "condition?": "text",
          },
        },
      },
      ...CALL,
    },
    body: "reasons",
    order: ["seq"],
    unique: { "question key": "key" },
    about: "seq",
    ids: ({ key, participant, stances }) =>
      AUDIENCE_STANCE.test(key) ? stances.map(({ on }) => on) : [participant],
    isRemade: true,
    fork: 0.9,
  },
  evidence: {
    folder: "evidence",
    name: byTurn,
    keys: {
      message: { shape: "ordinal", of: ({ seq }) => seq, to: (seq: number) => ({ seq }) },
      turn: "text",
      participant: "text",
      posture: "text",
      perTopic: {
        list: {
          keys: {
            topic: "text",
            claim: "text",
            reasoning: "text",
            counterpoints: TEXTS,
            citations: CITATIONS,
          },
        },
      },
      overallPosition: "text",
      citations: CITATIONS,
      quotations: {
        list: {
          keys: {
            text: "text",
            status: [...VERIFICATION, "said"],
            "from?": ["paper", "web", "message"],
            "source?": "text",
            ...PLACE,
            "parts?": { list: { keys: PLACE } },
            "namedPage?": "ordinal",
            "topic?": "text",
          },
        },
      },
      verified: { shape: "count", of: (evidence) => figuresOf(evidence).verified },
      notFound: { shape: "count", of: (evidence) => figuresOf(evidence).notFound },
      createdAt: "time",
    },
    // Lists the marks for readers; the front matter is what is parsed.
    body: { of: evidenceBody, to: () => ({}) },
    ...OF_TURN,
    isRemade: true,
    fork: 0,
  },
  brief: {
    folder: "briefs",
    name: ({ number }) => `${number}.md`,
    keys: {
      number: "brief number",
      form: BRIEF_FORMS,
      judges: TEXTS,
      through: "ordinal",
      "cut?": { list: "ordinal" },
      "leftOut?": "ordinal",
      "context?": "text",
      "strongest?": {
        list: { keys: { participant: "text", point: "text", message: "ordinal", quote: "text" } },
      },
      cruxes: {
        list: {
          keys: { crux: "text", otherwise: "text", "message?": "ordinal", "quote?": "text" },
        },
      },
      "consequences?": { list: { keys: { text: "text", gain: "flag" } } },
      questions: { list: { keys: { question: "text", why: "text" } } },
      ...CALL,
    },
    body: "recommendation",
    order: ["number"],
    unique: { "brief number": "number" },
    ids: ({ judges, strongest = [] }) => [
      ...judges,
      ...strongest.map(({ participant }) => participant),
    ],
    needs: { through: ({ number }) => `brief ${number} was written after it` },
    fork: "never",
  },
  own: {
    folder: "own",
    name: ({ kind, key, message }, { width }) =>
      `${padded(message, width)}_${fileWord(kind)}_${shortId(`${kind}/${key}`)}.md`,
    keys: {
      kind: "text",
      key: "text",
      message: "count",
      value: "json",
      ...MAYBE_MADE,
    },
    body: "body",
    order: ["message"],
    about: "message",
    isRemade: true,
    fork: 0.85,
  },
};

/** Returns the rubric's id, with the key of a program's own question: a judge may answer several questions by one rubric. */
function ownQuestion(rubric: string, key: string | undefined): string {
  return key === undefined ? rubric : `${rubric}|${key}`;
}

function messageName(seq: Message["replyTo"], naming: Naming): string | undefined {
  return seq === undefined ? undefined : naming.messageName(seq);
}
