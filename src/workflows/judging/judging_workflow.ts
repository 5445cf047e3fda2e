import type { Agent } from "../../core/agent.ts";
import { ConfigurationError, TurnOrderError } from "../../core/error.ts";
import type { Fact, Failure, Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Protocol } from "../../core/protocol.ts";
import { mixSeed, seededRandom, shuffled } from "../../core/random.ts";
import type { ConveningStart, ParticipantInfo } from "../../core/record.ts";
import type { Rubric } from "../../core/scoring.ts";
import type { Participant } from "../../participants/participant.ts";
import { describeRubric } from "../debate/formats.ts";
import { verdictQuestions } from "../debate/verdict.ts";
import { DialogueWorkflow } from "../dialogue_workflow.ts";
import { scorer } from "../observers/scorer.ts";
import type { WorkflowDesign, WorkflowOptions } from "../workflow_options.ts";
import { JUDGING_TEMPLATES } from "./prompts.ts";
import { judging } from "./protocol.ts";

/** One who judges a record again. */
export interface PanelJudge {
  /** Unique among all who were asked before. */
  readonly id: string;
  /** As readers see it. */
  readonly name: string;
  /** The name of its model. @default the convening's */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
  /** 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** What it scores by. */
  readonly rubric: Rubric;
}

/** What is judged, and by whom. */
export interface JudgingOptions extends WorkflowOptions {
  readonly start: ConveningStart;
  readonly facts: readonly Fact[];
  readonly judges: readonly PanelJudge[];
}

/** Those who spoke for themselves: all but the moderator, the fact checker and the audience. */
const NOT_JUDGED: ReadonlySet<string> = new Set(["moderator", "fact_checker", "audience"]);

/** Judges a record that has ended: scores and verdicts are added, what was said and how it ended stay. */
export class JudgingWorkflow extends DialogueWorkflow<readonly Verdict[]> {
  readonly #options: JudgingOptions;
  readonly #sides: readonly { id: string; label: string; position: string }[];

  /** A judging that has not started. */
  constructor(options: JudgingOptions) {
    const { start, facts, judges: _, ...rest } = options;
    const sides = start.participants.filter(({ role }) => !NOT_JUDGED.has(role))
      .map(({ id, label, position, name }) => ({ id, label, position: position ?? name }));
    if (!facts.some((fact) => fact.type === "message")) {
      throw new ConfigurationError("Cannot judge: nothing was said", { field: "dir" });
    }
    super(start.topic, start.participants.map(spectator), {
      ...rest,
      refusedTerms: [],
      seed: start.seed,
      design: designOf(options, sides),
    });
    this.#options = options;
    this.#sides = sides;
  }

  /** Every turn from the record, then the closing questions. */
  protected override protocol(): Protocol<readonly Verdict[]> {
    const { facts } = this.#options;
    return judging({
      messages: facts.filter((fact): fact is Message => fact.type === "message"),
      failures: facts.filter((fact): fact is Failure => fact.type === "failure"),
      verdicts: (messages) => {
        const ids = new Set(this.#sides.map(({ id }) => id));
        const speeches = messages.filter(({ participant }) => ids.has(participant));
        return this.#options.judges.flatMap((judge) =>
          verdictQuestions({
            judges: [judge.id],
            sides: this.#sides,
            rubric: judge.rubric,
            order: orderOf(judge, this.#options.start),
            task: JUDGING_TEMPLATES.verdict,
          }, speeches)
        );
      },
    });
  }
}

function designOf(
  { start, judges }: JudgingOptions,
  sides: readonly { readonly id: string; readonly label: string }[],
): WorkflowDesign {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
  const described = new Map(
    judges.map((judge) => [
      judge.rubric.id,
      describeRubric(judge.rubric, orderOf(judge, start)),
    ]),
  );
  return {
    kind: start.kind,
    adds: true,
    rules: JUDGING_TEMPLATES.rules,
    notes: [...described.values()],
    roles: { judge: JUDGING_TEMPLATES.judge },
    labels: new Map(start.participants.map(({ id, label }) => [id, label])),
    judges: judges.map((judge) => ({ ...judge, rubric: judge.rubric.id })),
    observers: judges.map((judge) =>
      scorer({
        judges: [judge.id],
        rubric: judge.rubric,
        order: orderOf(judge, start),
        task: JUDGING_TEMPLATES.score,
        labels,
        checkOf: (_message, { factCheck }) => Promise.resolve(factCheck),
      })
    ),
  };
}

/** The criteria in the order they are shown, drawn from the convening's seed. */
function orderOf({ rubric, id }: PanelJudge, { seed }: ConveningStart): string[] {
  return shuffled(
    rubric.criteria.map((each) => each.id),
    seededRandom(mixSeed(seed, "rubric", id, rubric.id)),
  );
}

/** One who took part, and is not asked any more. */
function spectator({ id, name, role, position, model }: ParticipantInfo): Participant {
  const agent: Agent = {
    model,
    reply: ({ context }) =>
      Promise.reject(
        new TurnOrderError(`Cannot ask ${name} for "${context.key}": the convening has ended`),
      ),
  };
  return { id, name, role, position, agent };
}
