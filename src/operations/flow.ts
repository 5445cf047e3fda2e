// Notes the points of a debate that has ended. The workflow is loaded only when points are noted.
import { join, resolve } from "@std/path";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { CancelledError, ConfigurationError } from "../core/error.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import { BUILT_IN } from "../compose.ts";
import type { Agent } from "../core/agent.ts";
import type { Fact } from "../core/fact.ts";
import { ADVOCATE } from "../core/participant.ts";
import type { NotedFlow } from "../debate/flow_sheet.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { recordFiles } from "../record/disk_files.ts";
import { folderRecord } from "../record/directory_record.ts";
import type { RecordModelOptions } from "./record_question.ts";
import { type Convening, endedConvening, openConvening, readContents } from "./convening.ts";

/** Options of {@linkcode noteFlow}. */
export interface FlowOptions extends RecordModelOptions, Pick<WorkflowOptions, "limits"> {
  /** Name of the note-taker's model. @default the moderator's, else the convening's */
  readonly model?: string | undefined;
  /** Agent that takes the notes, instead of `model`. */
  readonly agent?: Agent | undefined;
}

/**
 * Notes the points of a debate that has ended: writes `flow/NNN.md` for each turn of a side without notes, `arguments.md`
 * and `arguments.json`. All other facts and the ending stay as they are. Throws `config_invalid` if the convening is no
 * debate, has not ended or has no speech of a side, `not_found`, `locked` and the errors of agents; notes written before
 * an error are kept.
 */
export async function noteFlow(dir: string, options: FlowOptions = {}): Promise<NotedFlow> {
  checkArguments("noteFlow", { dir, options });
  const own = { agent: true, catalogue: true, limits: true, model: true };
  refuseUnknownOptions<FlowOptions>("noteFlow", options, { ...AGENT_SETTINGS, ...own });
  const path = resolve(dir);
  const contents = await readContents(path);
  const isOfSide = (fact: Fact) => fact.type === "message" && fact.role === ADVOCATE;
  if (contents.start.kind !== "debate" || !contents.facts.some(isOfSide)) {
    throw new ConfigurationError(
      `Cannot note the points of ${path}: no side of a debate has spoken`,
      {
        field: "dir",
        hint: "Points are noted in the speeches of the sides of a debate.",
      },
    );
  }
  const before = await endedConvening(contents, "note the points of");
  const page = join(path, "arguments.md");
  // A run checks the server of the model even if there is nothing to note.
  const isNoted = isAllNoted(before.facts) &&
    await recordFiles(path).stat(page) !== undefined;
  if (!isNoted) await runNotes(before, options);
  const { facts } = isNoted ? before : await openConvening(path);
  const { sheetIn } = await import("../debate/flow_sheet.ts");
  const { points, dropped, conceded } = sheetIn(facts);
  const countNotes = (of: readonly Fact[]) => of.filter(({ type }) => type === "flow").length;
  return {
    dir: path,
    noted: countNotes(facts) - countNotes(before.facts),
    points: points.length,
    dropped: dropped.map(({ id }) => id),
    conceded: conceded.map(({ id }) => id),
    page: await recordFiles(path).read(page),
  };
}

/** Notes the turns without notes. */
async function runNotes(before: Convening, options: FlowOptions): Promise<void> {
  const { model, agent, limits, ...models } = options;
  const { readerOf, recordSettings } = await import("./record_question.ts");
  const noteTaker = readerOf(before.start, { ...models, model, agent });
  const { settings, fallback } = recordSettings(before.start, models);
  const { FlowWorkflow } = await import("./played_again.ts");
  await new FlowWorkflow(before, noteTaker, {
    host: (options.catalogue ?? BUILT_IN).host,
    ...settings,
    limits,
    model: fallback,
    record: folderRecord({ dir: before.dir }),
  }).run();
  if (options.signal?.aborted === true) throw new CancelledError(options.signal.reason);
}

/** Returns true if every speech of a side has notes. */
function isAllNoted(facts: readonly Fact[]): boolean {
  const noted = new Set(facts.flatMap((fact) => fact.type === "flow" ? [fact.message] : []));
  return facts.every((fact) =>
    fact.type !== "message" || fact.role !== ADVOCATE || noted.has(fact.seq)
  );
}
