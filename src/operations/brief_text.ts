// Fields of a brief: the task for a model, the check of its reply, and the template for a brief without a model.
import { z } from "zod";
import { exactWords } from "../core/quotations.ts";
import type { Brief, Fact } from "../core/fact.ts";
import type { BriefForm } from "../core/brief.ts";
import { gist, percentText } from "../core/text.ts";
import { sheetIn } from "../debate/flow_sheet.ts";
import type { Message } from "../core/message.ts";
import type { Assessment } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import { arguing } from "../judging/assessment.ts";
import { conveningTitle } from "../record/papers.ts";
import { conditionWords, nameOf, undecidedWords } from "../record/words.ts";
import { type QuotationCheck, RECORD_TEXTS } from "./record_question.ts";

/** The fields of a brief that a model or a template writes. */
type BriefFields = Pick<
  Brief,
  "context" | "strongest" | "cruxes" | "consequences" | "questions" | "recommendation"
>;

const text = z.string();
const QUOTED = { turn: z.int(), quote: text };

const SCHEMAS = {
  context: text,
  strongest: z.array(z.object({ point: text, ...QUOTED })),
  cruxes: z.array(z.object({ crux: text, otherwise: text, ...QUOTED })),
  consequences: z.array(z.object({ text, gain: z.boolean() })),
  questions: z.array(z.object({ question: text, why: text })),
  recommendation: text,
} as const;

/** Fields of each form, in the order of the reply. */
const FIELDS: Readonly<Record<BriefForm, readonly (keyof typeof SCHEMAS)[]>> = {
  memo: ["strongest", "cruxes", "questions", "recommendation"],
  adr: ["context", "strongest", "cruxes", "consequences", "questions", "recommendation"],
  questions: ["cruxes", "questions", "recommendation"],
};

type Replied = z.infer<z.ZodObject<typeof SCHEMAS>>;
/** A reply of any form; the fields depend on the form. */
type BriefReply = Partial<Replied> & Pick<Replied, "cruxes" | "questions" | "recommendation">;

export function replySchema(form: BriefForm): z.ZodType<BriefReply> {
  const shape = Object.fromEntries(FIELDS[form].map((field) => [field, SCHEMAS[field]]));
  return z.object(shape) as unknown as z.ZodType<BriefReply>;
}

/** Returns the task of a form, with a line for each field. */
export function taskOf(form: BriefForm, { consensus }: Pick<Assessment, "consensus">): string {
  const about = FIELDS[form].map((field) =>
    form === "questions" && field === "recommendation"
      ? RECORD_TEXTS.standingField
      : RECORD_TEXTS[`${field}Field`]
  );
  const ids = consensus === undefined ? [] : [RECORD_TEXTS.proposals];
  return [...ids, RECORD_TEXTS[form], ...about.map((line) => `- ${line}`)].join("\n");
}

const MAX_ITEMS = 8;

/** Returns the fields of a reply without the quotations that are in no message; drops strongest points without one. */
export function checkedFields(
  reply: BriefReply,
  messages: readonly Message[],
  check: QuotationCheck,
): BriefFields {
  const { context, strongest, cruxes, consequences, questions, recommendation } = reply;
  const speakers = new Map(messages.map(({ seq, participant }) => [seq, participant]));
  return {
    ...context === undefined ? {} : { context: check.prose(context) },
    ...strongest === undefined ? {} : {
      strongest: strongest.slice(0, MAX_ITEMS).flatMap(({ point, ...quoted }) => {
        const found = check.find(quoted);
        if (found === undefined) return [];
        return [{ participant: speakers.get(found.message)!, point: check.prose(point), ...found }];
      }),
    },
    cruxes: cruxes.slice(0, MAX_ITEMS).map(({ crux, otherwise, ...quoted }) => ({
      crux: check.prose(crux),
      otherwise: check.prose(otherwise),
      ...check.find(quoted),
    })),
    ...consequences === undefined ? {} : {
      consequences: consequences.slice(0, MAX_ITEMS)
        .map(({ text, gain }) => ({ text: check.prose(text), gain })),
    },
    questions: questions.slice(0, MAX_ITEMS).map(({ question, why }) => ({
      question: check.prose(question),
      why: check.prose(why),
    })),
    recommendation: check.prose(recommendation),
  };
}

interface BriefSource {
  readonly start: ConveningStart;
  readonly facts: readonly Fact[];
  readonly assessment: Assessment;
}

/** Returns the fields of a brief without a model, from verdicts, scores, fact checks and the flow sheet. */
export function templateFields(form: BriefForm, source: BriefSource): BriefFields {
  const { start, facts, assessment: { consensus } } = source;
  const claims = facts.flatMap((fact) =>
    fact.type === "fact-check" ? fact.claims.map((claim) => ({ claim, message: fact.message })) : []
  );
  const open = claims.filter(({ claim: { verdict } }) =>
    verdict === "disputed" || verdict === "unverifiable"
  ).slice(0, MAX_ITEMS);
  const recommendation = recommendationOf(source);
  return {
    ...form === "adr"
      ? { context: `The question was debated: ${conveningTitle(start, facts)}`, consequences: [] }
      : {},
    ...form === "questions" ? {} : { strongest: strongestOf(source) },
    cruxes: [
      ...voteCruxes(source),
      ...open.map(({ claim, message }) => ({
        crux: `A claim that was not settled: ${claim.text}`,
        otherwise: "The arguments that rest on the claim fall.",
        ...claim.quote === undefined ? {} : { message, quote: claim.quote },
      })),
    ].slice(0, MAX_ITEMS),
    questions: [
      ...open.map(({ claim }) => ({
        question: `Is this so: ${claim.text}`,
        why: `The fact check calls the claim ${claim.verdict}.`,
      })),
      ...sheetIn(facts).dropped.map(({ id, text, participant }) => ({
        question: `What answers point ${id} of ${nameOf(start, participant)}: ${text}`,
        why: "Nobody answered the point.",
      })),
      ...(consensus?.open ?? []).map(({ text, share }) => ({
        question: `What would win agreement to this: ${text}`,
        why: `${percentText(share)} of the participants agree to the proposal.`,
      })),
    ].slice(0, MAX_ITEMS),
    recommendation,
  };
}

function recommendationOf({ start, assessment }: BriefSource): string {
  const { winner, consensus } = assessment;
  if (consensus !== undefined) {
    return consensus.agreed.length === 0
      ? "Nothing was agreed: the record recommends nothing."
      : `Agreed: ${consensus.agreed.map((each) => each.text + conditionWords(each)).join(" ")}`;
  }
  if (winner !== null) {
    const position = start.participants.find(({ id }) => id === winner)?.position;
    const name = nameOf(start, winner);
    return position === undefined
      ? `The outcome is for ${name}.`
      : `${name} won with this position: ${position}`;
  }
  return `The record decides nothing: ${undecidedWords(assessment.reasons)}.`;
}

/** Returns for each arguing participant a point that nobody answered, else a quotation of the best-scored or last turn. */
function strongestOf({ start, facts }: BriefSource): NonNullable<Brief["strongest"]> {
  const scores = facts.filter((fact) => fact.type === "score");
  const meanOf = ({ seq }: Message) => {
    const totals = scores.flatMap(({ message, total }) => message === seq ? total ?? [] : []);
    return totals.reduce((sum, each) => sum + each, 0) / Math.max(1, totals.length);
  };
  const messages = facts.filter((fact) => fact.type === "message");
  const claims = facts.filter((fact) => fact.type === "fact-check");
  const { dropped } = sheetIn(facts);
  return arguing(start.participants).flatMap(({ id: participant }) => {
    const unanswered = dropped.find((each) => each.participant === participant);
    if (unanswered !== undefined) {
      const point = `Nobody answered: ${unanswered.text}`;
      return [{ participant, point, message: unanswered.seq, quote: unanswered.quote }];
    }
    const own = messages.filter((each) => each.participant === participant);
    const best = own.toSorted((a, b) => meanOf(b) - meanOf(a) || b.seq - a.seq)[0];
    if (best === undefined) return [];
    const { seq: message, body } = best;
    const trueClaim = claims.find((each) => each.message === message)?.claims
      .find(({ verdict, quote }) => verdict === "true" && quote !== undefined);
    const quote = trueClaim?.quote ?? exactWords(plainSentence(body), body);
    if (quote === undefined) return [];
    const point = scores.length === 0
      ? "From the last turn:"
      : "From the turn with the best scores:";
    return [{ participant, point, message, quote }];
  });
}

/** Returns the first sentence without a quotation or markdown; else the first words. */
function plainSentence(body: string): string {
  return body.split(/(?<=[.!?][”"»]?)\s+/u).find((each) => /^[^"“”„«»#|>*]{30,400}$/u.test(each)) ??
    gist(body).replace(/\s*\S*…$/u, "");
}

/** Returns a crux for each judge whose vote differs from the outcome. */
function voteCruxes({ start, assessment: { agreement, winner } }: BriefSource): Brief["cruxes"] {
  return (agreement?.judges ?? []).flatMap(({ judge, votes }) => {
    const [vote] = votes;
    if (vote === undefined || votes.some((each) => each !== vote) || vote === winner) return [];
    return [{
      crux: `The panel did not follow ${nameOf(start, judge)}, who ${
        vote === null ? "called a tie" : `decided for ${nameOf(start, vote)}`
      }.`,
      otherwise: `The outcome would be ${vote === null ? "a tie" : nameOf(start, vote)}.`,
    }];
  });
}
