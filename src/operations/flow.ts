// Notes the points of a debate that has ended.
import { basename, join, resolve } from "@std/path";
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import type { Agent } from "../core/agent.ts";
import { CancelledError, ConfigurationError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { ADVOCATE } from "../core/participant.ts";
import type { Protocol } from "../core/protocol.ts";
import { notingOf } from "../debate/flow/flow_design.ts";
import { NOTE_TAKER } from "../debate/flow/note_taker.ts";
import { sheetIn } from "../debate/flow/sheet.ts";
import { DEBATE_TEMPLATES } from "../debate/prompts.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { recordFiles } from "../record/disk_files.ts";
import { folderRecord } from "../record/fs_store.ts";
import { refusePlaces } from "./client_configuration.ts";
import { type Convening, notEnded, openConvening } from "./convening.ts";
import { dirOf } from "./convening_dir.ts";
import { playedAgain, spectatorsOf } from "./judging_workflow.ts";
import {
  ID,
  linksOf,
  named,
  OF_CONVENING,
  type Operation,
  operation,
  type RecordModelOptions,
} from "./operation.ts";
import { askingOf, readerOf, recordSettings } from "./record_question.ts";

/** Options of {@linkcode noteFlow}. */
export interface FlowOptions extends RecordModelOptions, Pick<WorkflowOptions, "limits"> {
  /** The name of the note-taker's model. @default the moderator's, else the convening's */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
}

/** The points of a debate that has ended. */
export interface NotedFlow {
  /** The convening's directory, absolute. */
  readonly dir: string;
  /** Number of turns that were noted now. */
  readonly noted: number;
  /** Number of points. */
  readonly points: number;
  /** The ids of the points that nobody answered. */
  readonly dropped: readonly string[];
  /** The ids of the points that another side conceded. */
  readonly conceded: readonly string[];
  /** The text of `arguments.md`. */
  readonly page: string;
}

/**
 * Notes the points of a debate that has ended: `flow/NNN.md` for each turn of a side without one, `arguments.md` and
 * `arguments.json`. All other facts and the ending stay as they are. Fails with `config_invalid` for what is no debate or
 * has not ended, `not_found`, `locked` and the errors of agents; the notes up to then are kept.
 */
export async function noteFlow(dir: string, options: FlowOptions = {}): Promise<NotedFlow> {
  const path = resolve(dir);
  const before = await openConvening(path);
  refuse(before);
  const { model, agent, limits, ...models } = options;
  const noter = readerOf(before.start, { ...models, model, agent });
  const { settings, usual } = recordSettings(before.start, models);
  await new FlowWorkflow(before, noter, {
    host: (options.catalogue ?? BUILT_IN).host,
    ...settings,
    limits,
    model: usual,
    record: folderRecord({ dir: path }),
  }).run();
  if (options.signal?.aborted === true) throw new CancelledError(options.signal.reason);
  const { facts, messages } = await openConvening(path);
  const { points, dropped, conceded } = sheetIn(facts, messages);
  return {
    dir: path,
    noted: notesIn(facts) - notesIn(before.facts),
    points: points.length,
    dropped: dropped.map(({ id }) => id),
    conceded: conceded.map(({ id }) => id),
    page: await recordFiles(path).read(join(path, "arguments.md")),
  };
}

function notesIn(facts: readonly Fact[]): number {
  return facts.filter(({ type }) => type === "flow").length;
}

function refuse({ start, result, messages, dir }: Convening): void {
  const why = start.kind !== "debate"
    ? `it is a ${start.kind}`
    : notEnded({ result }) ?? (messages.length === 0 ? "nothing was said" : undefined);
  if (why === undefined) return;
  throw new ConfigurationError(`Cannot note the points of ${dir}: ${why}`, {
    field: "dir",
    hint: start.kind === "debate"
      ? "Resume the convening first: convenings resume DIR."
      : "Points are noted in debates.",
  });
}

/** Plays a record again, and has each turn of a side noted. */
class FlowWorkflow extends DialogueWorkflow<readonly Fact[]> {
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

/** `POST /api/convenings/{id}/flow`. */
export const FLOW: Operation = operation({
  name: "flow",
  summary: "Notes the points of a debate that has ended: flow/NNN.md, arguments.md and " +
    "arguments.json, with the points that were answered, dropped and conceded.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/flow",
  writes: true,
  errors: ["agent_unreachable", ...OF_CONVENING, "locked"],
  tool: {
    title: "Note the points of a debate",
    about: "Has a model note the points of each turn of a debate that has ended: what was " +
      "answered, dropped, conceded. Waits for the model. The page is in the untrusted part.",
    only: ["id", "noted", "points", "dropped", "conceded", "page"],
  },
  input: z.strictObject({
    id: ID,
    model: z.string().min(1).max(200).optional().describe(
      "The note-taker's model (default: the moderator's, else the convening's).",
    ),
  }),
  output: named(
    "NotedFlow",
    z.object({
      id: z.string(),
      noted: z.int().describe("Number of turns that were noted now."),
      points: z.int().describe("Number of points."),
      dropped: z.array(z.string()).describe("The ids of the points that nobody answered."),
      conceded: z.array(z.string()).describe("The ids of the points that were conceded."),
      page: z.string().describe("The text of arguments.md."),
      link: z.string().describe("The path of arguments.md on this server."),
    }),
  ),
  async run(context, { id, model }, call) {
    if (context.asking === undefined) refusePlaces({ model });
    const dir = await dirOf(context, id);
    const { dir: _, ...flow } = await noteFlow(dir, { ...askingOf(context, call), model });
    return { id, ...flow, link: `${linksOf(basename(dir))["self"]}/files/arguments.md` };
  },
});
