// The table of facts: one row a type. Writing, reading, verifying, forking, counting and JSON data are folds over it.
import { figuresOf } from "../core/evidence.ts";
import {
  BRIEF_FORMS,
  CLAIM_VERDICTS,
  END_REASONS,
  type Fact,
  type Flow,
  POINT_KINDS,
  type TurnDraft,
} from "../core/fact.ts";
import { gist, judgeShortId, type Message, shortId } from "../core/message.ts";
import { type Computed, type FactRow, USAGE } from "./fact_row.ts";
import { evidenceBody } from "./words.ts";
import { fileWord, type Naming, padded } from "./fact_row.ts";
import { markdownText } from "./markdown.ts";

type Rows = { readonly [T in Fact["type"]]: FactRow<Extract<Fact, { type: T }>> };

const TURN = { seq: "ordinal", turn: "text", participant: "text" } as const;
/** The keys of a call, last in the front matter. */
const MADE = { usage: USAGE, latencyMs: "amount", createdAt: "time" } as const;
/** Provenance that a provider gives with an answer. */
const SERVED = {
  keys: {
    "model?": "text",
    "fingerprint?": "text",
    "requestId?": "text",
    "cap?": "count",
    "effort?": "text",
  },
} as const;
const NUMBERS = { map: "number" } as const;
const TEXTS = { list: "text" } as const;
const READ = { status: ["read", "unread"], "reason?": "text" } as const;

const QUOTE = { message: "ordinal", quote: "text" } as const;
const PLACE = { "start?": "count", "end?": "count", "page?": "ordinal" } as const;
const VERIFICATION = ["verified", "not found"] as const;
const CITATIONS = {
  keys: {
    "paper?": {
      list: {
        keys: {
          chunkId: "text",
          text: "text",
          score: "number",
          "paper?": "text",
          "page?": "ordinal",
          "start?": "count",
          "end?": "count",
          "cited?": { keys: PLACE },
          "status?": VERIFICATION,
        },
      },
    },
    "web?": {
      list: { keys: { title: "text", url: "text", snippet: "text", "status?": VERIFICATION } },
    },
  },
} as const;

/** The keys of a message's speaker and position in the protocol. */
const SPOKEN = {
  ...TURN,
  name: "text",
  role: "text",
  "position?": "text",
  phase: "text",
  kind: "text",
  round: "count",
  "replyTo?": "ordinal",
} as const;

/** The file of the message that a message answers. */
const ANSWERS: Computed<Message> = {
  shape: "message name",
  of: ({ replyTo }, naming) => messageName(replyTo, naming),
};

/** The keys of stances that the audience takes, on sides of the debate. */
const AUDIENCE_STANCE = /^stance\/(?:before|after)\//;

function byTurn({ seq }: { readonly seq: number }, { width }: Naming): string {
  return `${padded(seq, width)}.md`;
}

/** Every type of truth file, in the order in which records are read. */
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
          "served?": SERVED,
          sha256: "hash",
          // The last message that the turn had been given.
          "given?": {
            shape: "ordinal",
            of: ({ previous }) => previous,
            to: (previous: number) => ({ previous }),
          },
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
    order: ["message"],
    about: "message",
    shares: ["participant"],
    needs: { message: ({ judge }) => `${judge} scored it` },
    fork: 0.8,
  },
  verdict: {
    folder: "verdicts",
    name: ({ judge, model, rubric, number, key }) =>
      `${judgeShortId(judge, model, ownQuestion(rubric, key))}_${number}.md`,
    keys: {
      "key?": "text",
      judge: "text",
      model: "text",
      rubric: "text",
      number: "ordinal",
      "pass?": "ordinal",
      "tiebreak?": "flag",
      order: TEXTS,
      ...READ,
      "folded?": "ordinal",
      "shortened?": "ordinal",
      "profile?": { filled: TEXTS },
      winner: { orNull: "text" },
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
    keys: { ...TURN, attempt: "ordinal", guard: "text", reason: "text", model: "text", ...MADE },
    body: "body",
    order: ["seq", "attempt"],
    about: "seq",
    shares: ["turn", "participant"],
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
      "model?": "text",
      "usage?": USAGE,
      "latencyMs?": "amount",
      createdAt: "time",
    },
    body: "message",
    order: ["seq"],
    about: "seq",
    shares: ["turn", "participant"],
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
      model: "text",
      ...MADE,
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
    keys: { number: "ordinal", through: "ordinal", model: "text", ...MADE },
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
    order: ["seq", "number"],
    about: "seq",
    shares: ["turn", "participant"],
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
      model: "text",
      ...MADE,
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
            sources: { list: { keys: { title: "text", url: "text", snippet: "text" } } },
          },
        },
      },
      model: "text",
      ...MADE,
    },
    body: "reasons",
    order: ["message"],
    about: "message",
    shares: ["participant"],
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
      model: "text",
      ...MADE,
    },
    // The points listed once more, for people.
    body: { of: flowBody, to: () => ({}) },
    order: ["message"],
    unique: { "noted message": "message" },
    about: "message",
    shares: ["participant"],
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
            // Code points, so that any language counts alike.
            characters: [...text].length,
          })),
      },
      createdAt: "time",
    },
    body: {
      of: ({ fields }) =>
        Object.entries(fields).map(([name, text]) => draftSection(name, text)).join(""),
      to: (body, { fields }) => ({ fields: draftFields(body, fields as readonly DraftPart[]) }),
    },
    order: ["seq"],
    about: "seq",
    shares: ["turn", "participant"],
    isRemade: true,
    fork: 0,
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
      model: "text",
      ...MADE,
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
    // The marks listed once more, for people.
    body: { of: evidenceBody, to: () => ({}) },
    order: ["seq"],
    about: "seq",
    shares: ["turn", "participant"],
    isRemade: true,
    fork: 0,
  },
  brief: {
    folder: "briefs",
    name: ({ number }) => `${number}.md`,
    keys: {
      number: "ordinal",
      form: BRIEF_FORMS,
      judges: TEXTS,
      through: "ordinal",
      "cut?": { list: "ordinal" },
      "leftOut?": "ordinal",
      "context?": "text",
      "strongest?": {
        list: { keys: { participant: "text", point: "text", ...QUOTE } },
      },
      cruxes: {
        list: {
          keys: { crux: "text", otherwise: "text", "message?": "ordinal", "quote?": "text" },
        },
      },
      "consequences?": { list: { keys: { text: "text", gain: "flag" } } },
      questions: { list: { keys: { question: "text", why: "text" } } },
      model: "text",
      ...MADE,
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
      "model?": "text",
      "usage?": USAGE,
      "latencyMs?": "amount",
      createdAt: "time",
    },
    body: "body",
    order: ["message"],
    about: "message",
    isRemade: true,
    fork: 0.85,
  },
};

/** A rubric's id, with the key of a question that is not the program's own: a judge may answer several. */
function ownQuestion(rubric: string, key: string | undefined): string {
  return key === undefined ? rubric : `${rubric}|${key}`;
}

function messageName(seq: Message["replyTo"], naming: Naming): string | undefined {
  return seq === undefined ? undefined : naming.messageName(seq);
}

/** The points of a turn, one line each. */
function flowBody({ points, reason }: Flow): string {
  if (points.length === 0) {
    return `${reason === undefined ? "No point." : markdownText(reason, 600)}\n`;
  }
  const lines = points.map(({ id, kind, answers, text }) =>
    `- **${id}** (${[kind, ...answers].join(" ")}): ${markdownText(text, 300)}\n`
  );
  return lines.join("");
}

/** A field of a draft as a section of the body. */
function draftSection(name: string, text: string): string {
  return `## ${markdownText(name, 80)}\n\n${text}\n\n`;
}

/** A section of a draft, as the front matter lists it. */
interface DraftPart {
  readonly name: string;
  readonly characters: number;
}

/** The texts of a draft's sections, by the lengths the front matter has. Fails with a `RangeError` where they do not fit. */
function draftFields(body: string, fields: readonly DraftPart[]): TurnDraft["fields"] {
  const found: [string, string][] = [];
  let rest = body;
  for (const { name, characters } of fields) {
    const start = draftSection(name, "").length - 2;
    const points = [...rest.slice(start, start + 2 * characters)];
    const text = points.slice(0, characters).join("");
    const whole = draftSection(name, text);
    if (points.length < characters || !rest.startsWith(whole)) {
      throw new RangeError(`fields: the body has no section "${name}" of ${characters} characters`);
    }
    found.push([name, text]);
    rest = rest.slice(whole.length);
  }
  if (rest !== "") throw new RangeError("fields: the body holds more than the fields named");
  return Object.fromEntries(found);
}
