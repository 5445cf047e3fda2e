// The structured replies of a paper debate: what is checked, said and kept of each.
import type { Evidence } from "../../core/fact.ts";
import { argumentBody, crossBody } from "../text/argument_body.ts";
import {
  posturesBody,
  posturesProblem,
  questionsBody,
  questionsProblem,
  usablePostures,
  usableQuestions,
} from "../text/lists.ts";
import { pagesIn, passagesIn } from "../tools.ts";
import type { Paper } from "../../core/paper.ts";
import {
  type ArgumentFields,
  argumentReply,
  CROSS_REPLY,
  type CrossFields,
  posturesReply,
  QUESTIONS_REPLY,
} from "../text/replies.ts";
import {
  argumentEvidence,
  argumentProblem,
  crossEvidence,
  type Known,
  type KnownPaper,
  knownPapers,
} from "../text/verify_evidence.ts";
import type { Fields, ReplyContext, TurnStructure } from "../../core/turn.ts";

/** The papers, as quotations are looked up in them. */
export type Sources = readonly KnownPaper[];

/** The papers of a debate, made ready for quotations to be looked up in them. */
export function sourcesOf(papers: readonly Paper[]): Sources {
  return knownPapers(papers);
}

type Questions = Fields & { readonly questions: readonly string[] };
type Postures = Fields & {
  readonly postures: readonly string[];
  readonly topics: readonly string[];
};

/** Questions: said as a numbered list. */
export const QUESTIONS_STRUCTURE: TurnStructure<Questions> = {
  schema: QUESTIONS_REPLY,
  speech: ["questions"],
  required: true,
  render: ({ questions }) => questionsBody(usableQuestions(questions)),
  check: ({ questions }) => questionsProblem(questions),
  toFacts: () => [],
};

/** Postures and topics: said as two numbered lists. */
export function posturesStructure(count: number): TurnStructure<Postures> {
  return {
    schema: posturesReply(count),
    speech: ["postures", "topics"],
    required: true,
    render: (fields) => posturesBody(usablePostures(fields, count)),
    check: (fields) => posturesProblem(fields, count),
    toFacts: () => [],
  };
}

/** An argument on every topic: said with the mark of all that it cites and quotes, which is kept as evidence. */
export function argumentStructure(
  sources: Sources,
  { posture, topics }: { readonly posture: string; readonly topics: readonly string[] },
): TurnStructure<Fields & ArgumentFields> {
  const evidence = once((fields: ArgumentFields, sight: ReplyContext) =>
    argumentEvidence(fields, knownTo(sight, sources), { topics })
  );
  return {
    schema: argumentReply(topics),
    speech: ["claim", "reasoning", "overallPosition"],
    render: (fields, sight) => argumentBody(evidence(fields, sight)),
    check: (fields) => argumentProblem(fields, topics),
    toFacts: (fields, place) => [
      evidenceAt(place, { posture, citations: {}, ...evidence(fields, place) }),
    ],
  };
}

/** An answer to the other debaters, said and kept as an argument is. */
export function crossStructure(
  sources: Sources,
  { posture, speaker }: { readonly posture: string; readonly speaker: string },
): TurnStructure<Fields & CrossFields> {
  const evidence = once((fields: CrossFields, sight: ReplyContext) => {
    // The speaker's own earlier words support nothing.
    const given = sight.given.filter(({ participant }) => participant !== speaker);
    return crossEvidence(fields, knownTo({ ...sight, given }, sources));
  });
  return {
    schema: CROSS_REPLY,
    speech: ["speech"],
    render: (fields, sight) => crossBody(fields.speech, evidence(fields, sight)),
    toFacts: (fields, place) => {
      const found = evidence(fields, place);
      return [evidenceAt(place, { posture, perTopic: [], overallPosition: "", ...found })];
    },
  };
}

function evidenceAt(
  { seq, turn, participant, createdAt }: Pick<
    Evidence,
    "seq" | "turn" | "participant" | "createdAt"
  >,
  found: Pick<
    Evidence,
    "posture" | "perTopic" | "overallPosition" | "citations" | "quotations"
  >,
): Evidence {
  return { type: "evidence", seq, turn, participant, ...found, createdAt };
}

/** Texts that a debater's words are compared with: the papers, results of its own tools, and earlier messages. */
function knownTo({ toolCalls, given }: ReplyContext, papers: Sources): Known {
  return { papers, passages: passagesIn(toolCalls), pages: pagesIn(toolCalls), messages: given };
}

/** Memoizes a function by the fields it is given. */
function once<F extends object, T>(
  compute: (fields: F, sight: ReplyContext) => T,
): (fields: F, sight: ReplyContext) => T {
  const known = new WeakMap<F, T>();
  return (fields, sight) => {
    const before = known.get(fields);
    if (before !== undefined) return before;
    const found = compute(fields, sight);
    known.set(fields, found);
    return found;
  };
}
