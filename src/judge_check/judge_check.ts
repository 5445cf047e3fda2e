// The check of a judge: pairs of short speeches, each asked in both orders and with both labels, and the profile.
import { parse } from "@std/yaml";
import { z } from "zod";
import { choiceQuestion } from "../core/choice_question.ts";
import type { Participant } from "../core/participant.ts";
import { textsOf } from "../core/prompt.ts";
import { beginAsk, type Protocol, say, settle } from "../core/protocol.ts";
import type { Question } from "../core/turn.ts";
import type { Choice } from "../core/fact.ts";
import data from "../data/judge_check.yaml" with { type: "text" };
import texts from "../data/prompts/judge_check.json" with { type: "json" };
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { type JudgeProfile, type Pass, PREFERENCES, profileOf, SORTS } from "./profile.ts";

const TEXTS = textsOf(texts);
const REPLY = z.object({ reasons: z.string().min(1), winner: z.enum(["A", "B", "tie"]) });
/** Tokens of a choice: 60 words of reasons and the winner. */
const REPLY_TOKENS = 200;
/** One in so many items is asked about in a quick check. */
const QUICK = 3;

/** One speech on a topic, and its variants by sort. */
type Item = Readonly<Record<"topic" | "speech" | typeof SORTS[number], string>>;

/** A choice between two speeches that is to be asked for. */
interface PlannedPass extends Pick<Pass, "sort" | "pair" | "variantFirst" | "variantIsA"> {
  readonly item: Item;
}

/** The check of one judge: 84 pairs and 336 questions, or a third of them. */
export class JudgeCheck extends DialogueWorkflow<JudgeProfile> {
  readonly #passes: readonly PlannedPass[];

  /** A check that has not started. `cast` holds the clerk and the judge, in this order. */
  constructor(
    topic: string,
    cast: readonly Participant[],
    options: WorkflowOptions & { readonly quick: boolean },
  ) {
    super(topic, cast, { ...options, design: { ...options.design, rules: TEXTS.rules } });
    this.#passes = passesOf(items(), { quick: options.quick });
  }

  protected override *protocol(): Protocol<JudgeProfile> {
    const [clerk, judge] = this.participants;
    const asked = [];
    for (const pass of this.#passes) asked.push(yield* beginAsk(questionOf(pass, judge!.id)));
    const answers = yield* settle(asked);
    const passes = this.#passes.map(({ item: _, ...pass }, index) => ({
      ...pass,
      choice: choiceOf(pass, answers[index]!),
    }));
    const profile = profileOf(passes);
    yield* say({
      key: "profile",
      speaker: clerk!.id,
      phase: "check",
      kind: "profile",
      round: 0,
      task: "",
      text: profileText(profile),
    });
    return profile;
  }
}

function items(): readonly Item[] {
  return (parse(data, { schema: "core" }) as Omit<Item, "same">[]).map((
    item,
  ) => ({ ...item, same: item.speech } as Item));
}

function passesOf(items: readonly Item[], { quick }: { readonly quick: boolean }): PlannedPass[] {
  const chosen = quick ? items.filter((_, index) => index % QUICK === 0) : items;
  const both = [true, false];
  return SORTS.flatMap((sort) =>
    chosen.flatMap((item, index) =>
      both.flatMap((variantFirst) =>
        both.map((variantIsA) => ({ sort, pair: index + 1, variantFirst, variantIsA, item }))
      )
    )
  );
}

function questionOf(
  { sort, pair, variantFirst, variantIsA, item }: PlannedPass,
  judge: string,
): Question<z.infer<typeof REPLY>, Choice> {
  const variant = speech(variantIsA ? "A" : "B", item[sort]);
  const original = speech(variantIsA ? "B" : "A", item.speech);
  const shown = variantFirst ? [variant, original] : [original, variant];
  return choiceQuestion({
    key: `${sort}/${pair}/${variantFirst ? "first" : "last"}/${variantIsA ? "a" : "b"}`,
    seq: 1,
    asked: judge,
    phase: "check",
    kind: "pair",
    round: 0,
    notes: [`The question: ${item.topic}`, ...shown].join("\n\n"),
    task: TEXTS.pair,
    maxTokens: REPLY_TOKENS,
    schema: { name: "verdict", type: REPLY },
    valueOf: (reply) => reply?.winner ?? null,
    reasonsOf: ({ reasons }) => reasons,
  });
}

function speech(label: string, text: string): string {
  return `<speech label="${label}">\n${text}\n</speech>`;
}

function choiceOf(
  { variantIsA }: Pick<Pass, "variantIsA">,
  { value }: Choice,
): Pass["choice"] {
  if (value !== "A" && value !== "B") return value === "tie" ? "tie" : null;
  return (value === "A") === variantIsA ? "variant" : "speech";
}

/** The profile in markdown: a sentence for each bias, then the table of measures. */
export function profileText(profile: JudgeProfile): string {
  const rows = [
    ["right choices", profile.right],
    ["same choice in every order and label", profile.steady],
    ...Object.entries(profile.preferences).map(([key, found]) =>
      [`prefers ${PREFERENCES[key as keyof typeof PREFERENCES][0]}`, found] as const
    ),
  ] as const;
  return [
    profile.biases.length === 0
      ? "No bias was found: no preference has an interval that excludes 0, and most choices are steady."
      : profile.biases.map((bias) => `- ${bias}`).join("\n"),
    [
      "| measure | estimate | interval | pairs |",
      "| --- | ---: | --- | ---: |",
      ...rows.map(([label, { estimate, interval, pairs }]) =>
        `| ${label} | ${estimate.toFixed(2)} | ${
          interval?.map((end) => end.toFixed(2)).join(" to ") ?? "none"
        } | ${pairs} |`
      ),
    ].join("\n"),
    "Shares are 0 to 1, with intervals of 95 %; preferences are -1 to 1, and 0 is none. The intervals of the " +
    `${
      rows.length - 2
    } preferences hold together at 95 % (Bonferroni), so that chance names a bias in 5 of 100 checks ` +
    "at most. Pairs are the units.",
    ...(profile.unread === 0 ? [] : [`Replies that could not be read: ${profile.unread}.`]),
  ].join("\n\n");
}
