// The workflow that plays the record of a debate again and has its turns noted.
import type { Agent } from "../core/agent.ts";
import type { Fact } from "../core/fact.ts";
import { ADVOCATE } from "../core/participant.ts";
import type { Protocol } from "../core/protocol.ts";
import { notingOf } from "../debate/flow/flow_design.ts";
import { NOTE_TAKER } from "../debate/flow/note_taker.ts";
import { DEBATE_TEMPLATES } from "../debate/prompts.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import type { Convening } from "./convening.ts";
import { playedAgain, spectatorsOf } from "./judging_workflow.ts";

/** Plays a record again, and has each turn of a side noted. */
export class FlowWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #convening: Convening;

  constructor(convening: Convening, agent: Agent, options: WorkflowOptions) {
    const { start, facts } = convening;
    const noting = notingOf({
      sides: start.participants.filter(({ role }) => role === ADVOCATE)
        .map(({ id, label, position = "" }) => ({ id, label, position })),
      task: DEBATE_TEMPLATES.notes,
      required: true,
      taken: [...start.participants, ...start.judges].map(({ id }) => id),
    });
    super(start.topic, spectatorsOf(start, facts), {
      ...options,
      topicCheck: "off",
      seed: start.seed,
      design: {
        kind: start.kind,
        adds: true,
        roles: { [NOTE_TAKER]: DEBATE_TEMPLATES.noteTaker },
        labels: new Map([
          ...start.judges.map(({ id, name }) => [id, name] as const),
          ...start.participants.map(({ id, label }) => [id, label] as const),
        ]),
        helpers: [{ ...noting.helper, agent }],
        observers: [noting.taker.observer],
      },
    });
    this.#convening = convening;
  }

  /** Every turn from the record. */
  protected override protocol(): Protocol<readonly Fact[]> {
    const { messages, facts } = this.#convening;
    return playedAgain({
      messages,
      failures: facts.filter((fact) => fact.type === "failure"),
      through: messages.at(-1)!.seq,
      questions: () => [],
    });
  }
}
