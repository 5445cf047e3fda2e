// Verdict questions: each judge names the winner once a pass, from a record grouped by side under neutral labels.
import { z } from "zod";
import asking from "../data/prompts/asking.json" with { type: "json" };
import type { Fact, FactCheck, Verdict } from "../core/fact.ts";
import type { Answer, Question, ShownRecord } from "../core/turn.ts";
import { factCheckNotes } from "../checking/questions.ts";
import type { Scoring } from "../core/agent.ts";
import { standings, weightsOf } from "../judging/scoring.ts";
import { scoresByProgram } from "../judging/scorer.ts";
import type { Made, Message } from "../core/message.ts";
import { INTERJECTION } from "../core/record.ts";
import { type PlaceholderValues, renderSpeech, textsOf } from "../core/prompt.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import { INTERRUPTION_ANSWER } from "../core/profile.ts";
import { memoByObject, memoByText } from "../core/values.ts";
import { sentenceCutter, wordCountOf } from "../core/words.ts";
import { judgeNotes, sheetIn } from "./flow_sheet.ts";
import { listOf, type Side } from "./rules.ts";
import type { ShownRubric } from "./cast.ts";

interface VerdictReply {
  readonly reasons: string;
  /** Label of a side in the pass, or `tie`. */
  readonly winner: string;
  /** Decisive reason; empty if missing. */
  readonly mainReason: string;
}

/** Returns the notes on a debate for one pass, with its labels (by participant id, in order) and its turn numbers. */
type VerdictNotes = (
  labels: ReadonlyMap<string, string>,
  turnName: (seq: number) => string,
) => string | undefined;

export function checksIn(facts: readonly Fact[]): readonly FactCheck[] {
  return facts.filter((fact): fact is FactCheck => fact.type === "fact-check");
}

/** Returns the notes for judges: the noted points of each side, then the checked claims. */
export function notesOn(facts: readonly Fact[], said: readonly Message[]): VerdictNotes {
  const checks = checksIn(facts);
  const sheet = sheetIn(facts, said);
  return (labels, turnName) =>
    [judgeNotes(sheet, labels, turnName), factCheckNotes(checks, labels, turnName)]
      .filter((section) => section !== undefined).join("\n\n");
}

interface VerdictOptions extends ShownRubric {
  readonly sides: readonly Side[];
  readonly task: string;
  /** Seed of the convening; determines the order of the sides in the first pass. */
  readonly seed: number;
  /** Number of times that each pass is repeated. @default 0 */
  readonly repeats?: number | undefined;
  /** True for questions to the tie-break judge. @default false */
  readonly tiebreak?: boolean | undefined;
  /** Maximum tokens of a reply. @default the standard of the kind of question */
  readonly maxTokens?: number | undefined;
  readonly said: readonly Message[];
  /** Notes for the judges. @default none */
  readonly notes?: VerdictNotes | undefined;
  /** Returns the values of the task for the list of sides. @default the list as `sides` */
  readonly valuesOf?: ((sides: string) => PlaceholderValues) | undefined;
  /** Fact checks that cap the scores of a scoring program. @default none */
  readonly checks?: readonly FactCheck[] | undefined;
}

/**
 * Returns the questions to each judge: one per pass, then the repeats. Every side has every place and label once, which
 * exposes a judge that is biased by place or label (context-network/rules/scoring.md).
 */
export function verdictQuestions(options: VerdictOptions): Question<VerdictReply, Verdict>[] {
  const { judges, sides, seed, repeats = 0 } = options;
  const passes = passesOf(sides, seed);
  const askings = Array.from({ length: 1 + repeats }, () => passes).flat();
  return judges.flatMap((judge) =>
    askings.map((pass, index) =>
      verdictQuestion({
        ...options,
        judge,
        pass,
        number: index + 1,
        asking: Math.floor(index / passes.length),
      })
    )
  );
}

function verdictQuestion(
  options: VerdictOptions & {
    readonly judge: string;
    readonly pass: Pass;
    readonly number: number;
    readonly asking: number;
  },
): Question<VerdictReply, Verdict> {
  const { judge, pass, number, rubric, order, task, said } = options;
  const { checks, notes, asking, maxTokens, valuesOf, tiebreak } = options;
  const shown = pass.sides.map(({ shownAs, position, ...side }) => ({
    ...side,
    label: shownAs,
    position: inPass(pass, position),
  }));
  const winners = [...shown.map(({ label }) => label), "tie"];
  const labels = new Map(shown.map(({ id, label }) => [id, label]));
  const places = placesIn(pass, said);
  const noted = notes?.(labels, (seq) => places.get(seq) ?? String(seq)) ?? "";
  const list = listOf(shown);
  const weights = weightsOf(rubric);
  const weighed = order.map((id) => `${id} ${weights[id]}`);
  const place = {
    type: "verdict",
    judge,
    rubric: rubric.id,
    number,
    pass: pass.number,
    asking: asking + 1,
    ...tiebreak ? { tiebreak } : {},
    order: pass.sides.map(({ id }) => id),
  } as const;
  return {
    key: `verdict/${judge}/${number}`,
    asked: judge,
    phase: "verdict",
    kind: "verdict",
    round: 0,
    task,
    values: { ...valuesOf?.(list) ?? { sides: list }, nextAction: weighed.join(", ") },
    notes: noted === "" ? undefined : inPass(pass, noted),
    record: (given, mostWords) => recordBySide(pass, given, mostWords),
    ...asking === 0 ? {} : { asking },
    maxTokens,
    schema: { name: "verdict", type: replySchema(JSON.stringify(winners)) },
    data: { labels: Object.fromEntries(labels) },
    compute: ({ scoring }) =>
      scoring && computedVerdict(scoring, judge, { said, sides: shown, rubric, checks }),
    toFact: (answer) => verdictOf(answer, pass, place, places),
    matches: (fact): fact is Verdict =>
      fact.type === "verdict" && fact.judge === judge && fact.number === number &&
      fact.rubric === rubric.id,
  };
}

/** Returns one schema for the same winners, given as JSON: zod and the agents cache what they derive from a schema. */
const replySchema = memoByText(100, (winners): z.ZodType<VerdictReply> =>
  z.object({
    reasons: z.string().min(1),
    winner: z.enum(JSON.parse(winners) as string[]),
    mainReason: z.string().default(""),
  }));

/** Returns the verdict of a scoring program: the side with the highest total of the program's scores. */
async function computedVerdict(
  scoring: Scoring,
  judge: string,
  { said, sides, rubric, checks = [] }: Pick<
    VerdictOptions,
    "sides" | "rubric" | "said" | "checks"
  >,
): Promise<VerdictReply> {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
  const scores = await scoresByProgram(scoring, judge, { rubric, labels, said, checks });
  const totals = Object.values(standings(scores, labels, said).scores);
  if (totals.length === 0) throw new Error("it scored no turn for every side");
  const best = Math.max(...totals.map(({ total }) => total));
  const leaders = totals.filter(({ total }) => total === best);
  return {
    reasons: `Mean totals: ${totals.map(({ name, total }) => `${name} ${total}`).join(", ")}.`,
    winner: leaders.length === 1 ? leaders[0]!.name : "tie",
    mainReason: "",
  };
}

function verdictOf(
  { value, problem, text, ...made }: Answer<VerdictReply>,
  pass: Pass,
  place: Omit<Verdict, keyof Made | "status" | "winner" | "reasons">,
  places: ReadonlyMap<number, string>,
): Verdict {
  const common = { ...place, ...made };
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unread", reason, winner: null, reasons: text };
  }
  return {
    ...common,
    status: "read",
    winner: pass.sides.find(({ shownAs }) => shownAs === value.winner)?.id ?? null,
    ...value.mainReason === "" ? {} : { mainReason: outOfPass(pass, value.mainReason, places) },
    reasons: outOfPass(pass, value.reasons, places),
  };
}

interface ShownSide extends Side {
  /** Label in the pass, numbered by place, such as `Side 1`. */
  readonly shownAs: string;
}

/** One pass of a verdict; each pass presents the sides in a different order. */
interface Pass {
  /** Counted from 1. */
  readonly number: number;
  /** Sides in the order of presentation. */
  readonly sides: readonly ShownSide[];
}

const { bySide: INTRODUCTION, inPart: IN_PART } = textsOf(asking);

/** Returns one pass per side: rotations of a seeded order, so that each side has every place and label once. */
export function passesOf(sides: readonly Side[], seed: number): Pass[] {
  const drawn = shuffled(sides, seededRandom(mixSeed(seed, "verdict")));
  return drawn.map((_, index) => ({
    number: index + 1,
    sides: [...drawn.slice(index), ...drawn.slice(0, index)]
      .map((side, place) => ({ ...side, shownAs: `Side ${place + 1}` })),
  }));
}

/** Returns the text with the sides' labels replaced by their labels in the pass; whole words only. */
export function inPass(pass: Pass, text: string): string {
  return intoPass(pass)(text);
}

const intoPass = memoByObject(({ sides }: Pass) =>
  labelReplacer(new Map(sides.map(({ label, shownAs }) => [label, shownAs])))
);

/** Returns the text with the labels and turn numbers of the pass replaced by the sides' labels and message numbers. */
export function outOfPass(
  { sides }: Pass,
  text: string,
  places: ReadonlyMap<number, string>,
): string {
  const labels = sides.map(({ label, shownAs }) => [shownAs, label] as const);
  const numbers = [...places].map(([seq, place]) => [`#${place}`, `#${seq}`] as const);
  return labelReplacer(new Map([...labels, ...numbers]))(text);
}

function labelReplacer(labels: ReadonlyMap<string, string>): (text: string) => string {
  // Longest first, because one label may be the beginning of another.
  const longest = [...labels.keys()].sort((a, b) => b.length - a.length);
  const any = longest.map((label) => RegExp.escape(label)).join("|");
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, "gu");
  return (text) =>
    longest.some((label) => text.includes(label))
      ? text.replace(whole, (label) => labels.get(label)!)
      : text;
}

/** Returns turn numbers in a pass by message number, such as `1.2` for the second turn of the first case. */
export function placesIn(pass: Pass, said: readonly Message[]): ReadonlyMap<number, string> {
  return new Map(
    casesOf(pass, said).flatMap((turns, index) =>
      turns.map(({ seq }, place) => [seq, `${index + 1}.${place + 1}`] as const)
    ),
  );
}

/**
 * Returns the messages grouped by side: each side's speeches in order, each followed by its answers; then the audience's
 * interjections. Messages of more than `mostWords` words are cut.
 */
export function recordBySide(
  pass: Pass,
  said: readonly Message[],
  mostWords = Infinity,
): ShownRecord {
  const places = placesIn(pass, said);
  const roots = rootsIn(said);
  const labels = new Map(pass.sides.map(({ id, shownAs }) => [id, shownAs]));
  let shortened = 0;
  const shown = (message: Message, speaker: string) => {
    const { seq, body, replyTo = 0 } = message;
    const isCut = mostWords < Infinity && wordCountOf(message) > mostWords;
    if (isCut) shortened++;
    const text = isCut ? `${cutterOf(message)(mostWords)} […]` : body;
    return renderSpeech({
      number: places.get(seq),
      speaker,
      // In a chain of replies, the kind would reveal the side that spoke first.
      kind: message.kind === "reply" && roots.get(seq) === message ? "argument" : message.kind,
      answers: places.get(replyTo),
      body: inPass(pass, text),
      marks: message.marks,
    });
  };
  const cases = casesOf(pass, said).map((turns, index) => {
    const label = pass.sides[index]!.shownAs;
    const texts = turns.map((each) => shown(each, labels.get(each.participant) ?? "Moderator"));
    return `<case side="${label}">\n${texts.join("")}</case>\n\n`;
  });
  const heard = said.filter(({ kind }) => kind === INTERJECTION)
    .map((each) => shown(each, "Audience"));
  const introduction = shortened === 0 ? INTRODUCTION : `${INTRODUCTION} ${IN_PART}`;
  return { text: [`${introduction}\n\n`, ...cases, ...heard].join(""), shortened };
}

/** Returns the cutter of a message: passes and their attempts to fit cut each message several times. */
const cutterOf = memoByObject(({ body }: Message) => sentenceCutter(body));

function casesOf({ sides }: Pass, said: readonly Message[]): Message[][] {
  const roots = rootsIn(said);
  const threads = Map.groupBy(said, ({ seq }) => roots.get(seq)!);
  return sides.map(({ id }) =>
    [...threads].filter(([{ participant }]) => participant === id).flatMap(([, turns]) => turns)
  );
}

/** Returns the first speech of each message's exchange by message number; for a new speech, the speech itself. */
function rootsIn(said: readonly Message[]): ReadonlyMap<number, Message> {
  const roots = new Map<number, Message>();
  const kinds = new Map(said.map(({ seq, kind }) => [seq, kind]));
  for (const message of said) {
    const { seq, kind, replyTo = 0 } = message;
    const isAnswer = ANSWERS.has(kind) || kind === "reply" && kinds.get(replyTo) === "rebuttal";
    roots.set(seq, isAnswer ? roots.get(replyTo) ?? message : message);
  }
  return roots;
}

/** Kinds of messages that are grouped with the message they answer. */
const ANSWERS: ReadonlySet<string> = new Set(["rebuttal", "interruption", INTERRUPTION_ANSWER]);
