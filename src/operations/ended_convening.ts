// Works on a convening that has ended: judges it again, notes its points, writes a brief; loads workflows and prompts when used.
import { join, resolve } from "@std/path";
import { BUILT_IN, type Catalogue } from "../compose.ts";
import type { Agent } from "../core/agent.ts";
import { tokensFor } from "../core/profile.ts";
import { type BriefForm, MOST_BRIEFS } from "../core/brief.ts";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { type Clock, forwardClock, isoTime, systemClock } from "../core/clock.ts";
import { CancelledError, ConfigurationError } from "../core/error.ts";
import { type ConveningStart, eventOf } from "../core/event.ts";
import { type Brief, type EndReason, type Fact, hasEnded } from "../core/fact.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import { addUsage, type Message, NO_USAGE, sha256, totalUsage } from "../core/message.ts";
import type { Assessment, Rubric } from "../core/outcome.ts";
import { ADVOCATE, idOf } from "../core/participant.ts";
import type { NotedFlow } from "../debate/flow_sheet.ts";
import { refuseBareAgents } from "../engine/casting.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { assess } from "../judging/assessment.ts";
import { idAfterResume, isOneModel } from "../judging/panels.ts";
import { checkRubric, rubricNamed } from "../judging/scoring.ts";
import { folderRecord } from "../record/directory_record.ts";
import { recordFiles } from "../record/disk_files.ts";
import type { RecordContents } from "../record/record_model.ts";
import { type Convening, conveningOf, openConvening, readContents } from "./convening.ts";
import type { PanelJudge } from "./played_again.ts";
import type { RecordModelOptions } from "./record_question.ts";

/**
 * Returns an ended convening. Throws `config_invalid` if the convening has not ended or has no message, `record_corrupt` if
 * a counted truth file is missing; `act` is a verb for the error, such as "judge".
 */
async function endedConvening(contents: RecordContents, act: string): Promise<Convening> {
  const { dir, status, facts } = contents;
  if (hasEnded(status) && facts.some(({ type }) => type === "message")) {
    // The next writer counts the facts again: after that, nothing would show the loss.
    const { refuseLosses } = await import("../record/verify.ts");
    refuseLosses(contents);
    return await conveningOf(contents);
  }
  const { statusWords } = await import("../record/archive.ts");
  const held = await statusWords(recordFiles(dir), contents);
  const why = hasEnded(status) ? "nothing was said" : `it has not ended (${held})`;
  throw new ConfigurationError(`Cannot ${act} ${dir}: ${why}`, {
    field: "dir",
    hint: held === "waiting"
      ? "The convening waits for a person: say the turn first."
      : held === "running"
      ? "The convening is running: wait for its end."
      : "Resume the convening first.",
  });
}

/** A judge of a new panel. */
export interface JudgeAgain {
  /** Display name. @default "Judge (MODEL)" */
  readonly name?: string | undefined;
  /** Name of the judge's model. @default the convening's, else the environment's */
  readonly model?: string | undefined;
  /** Agent of the judge, instead of `model`. */
  readonly agent?: Agent | undefined;
  /** Sampling temperature, 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** Id of a built-in rubric, or a rubric. @default "conceptual" for a paper debate, else "debate" */
  readonly rubric?: string | Rubric | undefined;
}

/** Options of {@linkcode judge}. */
export interface JudgeOptions extends RecordModelOptions, Pick<WorkflowOptions, "limits"> {
  /** Judges of the panel. @default one judge with the defaults of {@linkcode JudgeAgain} */
  readonly judges?: readonly JudgeAgain[] | undefined;
  /** Number of times that each pass of a verdict is asked again. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

/** The result of {@linkcode judge}. */
export interface Judged {
  /** Absolute path of the convening's directory. */
  readonly dir: string;
  /** The new judges, in the form of the record. */
  readonly judges: ConveningStart["judges"];
  /** The assessment of the new panel alone. */
  readonly panel: Assessment;
  /** `completed`, `cancelled`, or the limit that ended the judging; a repeated call asks for what is missing. */
  readonly endReason: EndReason;
  /** The convening with the new scores and verdicts; its own outcome and winner are unchanged. */
  readonly convening: Convening;
}

/**
 * Judges an ended convening again. The new scores and verdicts are added to the record; existing ones do not change. A
 * repeated call with the same model and rubric asks only for missing scores and verdicts, but judges the whole record if a
 * resume has added turns since. Throws `config_invalid` for a convening that has not ended, `not_found`, `locked` and the errors of
 * agents.
 */
export async function judge(dir: string, options: JudgeOptions = {}): Promise<Judged> {
  checkArguments("judge", { dir, options });
  const own = { catalogue: true, judges: true, limits: true, verdictRepeats: true };
  refuseUnknownOptions<JudgeOptions>("judge", options, { ...AGENT_SETTINGS, ...own });
  const { judges: given = [{}], catalogue = BUILT_IN, limits, verdictRepeats, ...models } = options;
  refuseBareAgents("judges", given);
  const path = resolve(dir);
  const before = await endedConvening(await readContents(path), "judge");
  const { start } = before;
  const judged = judgedIn(start, catalogue);
  // Keep the recorded prompt limit, so that the prompts show the same recorded summaries as the convening's own judges saw.
  const { maxPromptTokens } = start.configuration as WorkflowOptions;
  const { recordSettings, refuseWaitedFor } = await import("./record_question.ts");
  const { settings, fallback } = recordSettings(start, models);
  for (const { agent, model = fallback } of given) {
    if (agent === undefined) refuseWaitedFor(model, "judges");
  }
  const rubric = start.kind === "paper-debate" ? "conceptual" : "debate";
  const last = before.messages.findLast(({ participant }) => judged.includes(participant));
  const judges = given.map((each) =>
    panelJudge({ ...each, rubric: each.rubric ?? rubric }, fallback, before.facts, last)
  );
  checkJudges(judges, start);
  const { JudgingWorkflow } = await import("./played_again.ts");
  const { endReason = "completed" } = await new JudgingWorkflow(before, {
    judges,
    judged,
    verdictRepeats,
  }, {
    host: catalogue.host,
    ...settings,
    limits,
    maxPromptTokens,
    model: fallback,
    record: folderRecord({ dir: path }),
  }).run();
  const convening = await openConvening(path);
  const named = judges.map(({ id, name, model = fallback, agent, rubric }) => ({
    id,
    name,
    model: agent?.model ?? model,
    rubric: rubric.id,
  }));
  // The new panel's judges decide its outcome, even if the convening's winner was decided by others.
  const configuration = { ...start.configuration, decision: "judges" };
  const panel = assess({ ...convening.start, configuration, judges: named }, convening.facts);
  return { dir: path, judges: named, panel, endReason, convening };
}

/** Returns the ids of the judged participants. Throws `config_invalid` if the kind is unknown or has none. */
function judgedIn(start: ConveningStart, catalogue: Catalogue): readonly string[] {
  const judged = catalogue.kindOf(start, "judge").judged?.(start) ?? [];
  if (judged.length > 0) return judged;
  throw new ConfigurationError(
    `Cannot judge: nothing in a convening of the kind "${start.kind}" can be judged`,
    {
      field: "dir",
      hint: "A kind names the participants that are judged by `judged` in defineKind.",
    },
  );
}

/**
 * Completes a judge. The id comes from the model: a repeated call finds the judge's facts, and no own judge has the id. A judge whose
 * verdict is older than `last`, the last judged message, which a resume added, gets a new id, so that the whole record is compared.
 */
function panelJudge(
  { model, agent, temperature, name, rubric }: JudgeAgain & {
    readonly rubric: NonNullable<JudgeAgain["rubric"]>;
  },
  fallback: string,
  facts: readonly Fact[],
  last: Message | undefined,
): PanelJudge {
  const rated = typeof rubric === "string" ? rubricNamed(rubric) : checkRubric(rubric);
  const by = agent?.model ?? model ?? fallback;
  const id = `again-${idOf(by)}`;
  // Long names that differ only at the end, such as by a size, have the same id. Earlier versions recorded this id.
  const isCut = idOf(by) === idOf(`${by}x`);
  const isKnown = facts.some((fact) =>
    "judge" in fact && fact.judge === id && isOneModel(fact.model, by)
  );
  const own = isCut && !isKnown ? `${id}-${sha256(by).slice(0, 8)}` : id;
  const isOutdated = last !== undefined &&
    facts.some((fact) =>
      fact.type === "verdict" && fact.judge === own && fact.rubric === rated.id &&
      fact.createdAt < last.createdAt
    );
  return {
    id: isOutdated ? idAfterResume(own, last.seq) : own,
    name: name ?? `Judge (${by})`,
    model,
    agent,
    temperature,
    rubric: rated,
  };
}

function checkJudges(judges: readonly PanelJudge[], { participants }: ConveningStart): void {
  const taken = new Set(participants.map(({ id }) => id));
  for (const { id, name } of judges) {
    if (taken.has(id)) {
      throw new ConfigurationError(`Cannot have ${name} judge: the model is named twice`, {
        field: "judges",
        hint: "Name each model once.",
      });
    }
    taken.add(id);
  }
}

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
  const countNotes = (of: readonly Fact[]) => of.filter(({ type }) => type === "flow").length;
  const isOfSide = (fact: Fact) => fact.type === "message" && fact.role === ADVOCATE;
  if (contents.start.kind !== "debate" || !contents.facts.some(isOfSide)) {
    const message = `Cannot note the points of ${path}: no side of a debate has spoken`;
    throw new ConfigurationError(message, {
      field: "dir",
      hint: "Points are noted in the speeches of the sides of a debate.",
    });
  }
  const before = await endedConvening(contents, "note the points of");
  const page = join(path, "arguments.md");
  // A run checks the server of the model even if there is nothing to note.
  const { sheetIn } = await import("../debate/flow_sheet.ts");
  const isNoted = countNotes(before.facts) === before.facts.filter(isOfSide).length &&
    await recordFiles(path).stat(page) !== undefined;
  if (!isNoted) await runNotes(before, options);
  const { facts } = isNoted ? before : await openConvening(path);
  const { points, dropped, conceded } = sheetIn(facts);
  return {
    dir: path,
    noted: countNotes(facts) - countNotes(before.facts),
    points: points.length,
    dropped: dropped.map(({ id }) => id),
    conceded: conceded.map(({ id }) => id),
    page: await recordFiles(path).read(page),
  };
}

async function runNotes(before: Convening, options: FlowOptions): Promise<void> {
  const { limits, ...models } = options;
  const { readerOf } = await import("./record_question.ts");
  const { agent, settings, fallback } = readerOf(before.start, models);
  const { FlowWorkflow } = await import("./played_again.ts");
  await new FlowWorkflow(before, agent, {
    host: (options.catalogue ?? BUILT_IN).host,
    ...settings,
    limits,
    model: fallback,
    record: folderRecord({ dir: before.dir }),
  }).run();
  if (options.signal?.aborted === true) throw new CancelledError(options.signal.reason);
}

/** Options of {@linkcode writeBrief}. */
export interface BriefOptions extends RecordModelOptions {
  /** Form of the brief. @default "memo" */
  readonly as?: BriefForm | undefined;
  /** Name of the model that writes the brief; `offline` fills a template. @default the moderator's, else the convening's */
  readonly model?: string | undefined;
  /** Agent that writes the brief, instead of `model`. */
  readonly agent?: Agent | undefined;
  /** Clock for the time of the brief. @default the system clock */
  readonly clock?: Clock | undefined;
}

/** The result of {@linkcode writeBrief}. */
export interface WrittenBrief {
  /** Absolute path of the convening's directory. */
  readonly dir: string;
  /** The recorded brief, `briefs/N.md`. */
  readonly brief: Brief;
  /** The text of `brief.md`. */
  readonly page: string;
}

/**
 * Writes a brief of a convening that has ended: the fact `briefs/N.md`, and the page `brief.md` with the newest brief. A
 * model writes the fields; a quotation that is in no message is left out and counted. Numbers are computed from the record.
 * The offline agent fills a template. If the model fails, no file is written. Throws `config_invalid` for a convening that
 * has not ended and for a judge check, `not_found`, `locked` and the errors of agents.
 */
export async function writeBrief(dir: string, options: BriefOptions = {}): Promise<WrittenBrief> {
  checkArguments("writeBrief", { dir, options });
  const own = { agent: true, as: true, catalogue: true, clock: true, model: true };
  refuseUnknownOptions<BriefOptions>("writeBrief", options, { ...AGENT_SETTINGS, ...own });
  const path = resolve(dir);
  const { as = "memo", clock: given = systemClock, ...models } = options;
  const convening = await endedConvening(await readContents(path), "write a brief of");
  const { start, messages } = convening;
  if (start.kind === "judge-check") {
    throw new ConfigurationError(`Cannot write a brief of ${path}: a judge check has no speeches`, {
      field: "dir",
      hint: "Its profile, in index.md, is its result; brief a debate or a dialogue.",
    });
  }
  const { readerOf } = await import("./record_question.ts");
  const { agent, settings } = readerOf(start, models);
  const record = await folderRecord({ dir: path }).open(start);
  try {
    const clock = forwardClock(given, Date.parse(record.lastTime ?? start.startedAt));
    const number = 1 + Math.max(
      0,
      ...record.facts.map((fact) => fact.type === "brief" ? fact.number : 0),
    );
    if (number > MOST_BRIEFS) {
      throw new ConfigurationError(`Cannot write a brief of ${path}: it has brief ${MOST_BRIEFS}`, {
        field: "dir",
        hint: "That is the highest number: remove briefs from briefs/ that are not needed.",
      });
    }
    const written = await fieldsOf(convening, { as, agent, clock, settings });
    const judged = record.facts.flatMap((fact) => fact.type === "verdict" ? [fact.judge] : []);
    const brief: Brief = {
      type: "brief",
      number,
      form: as,
      judges: start.judges.map(({ id }) => id).filter((id) => judged.includes(id)),
      through: messages.at(-1)!.seq,
      ...written,
    };
    const usage = addUsage(totalUsage(record.facts), brief.usage);
    const event = { ...eventOf(brief, usage), n: record.lastEvent + 1, at: isoTime(clock) };
    await record.apply(event);
    await record.close();
    return { dir: path, brief, page: await recordFiles(path).read(join(path, "brief.md")) };
  } finally {
    await record.close();
  }
}

/** Returns the fields of a brief with their provenance: from the model, or from a template for the offline agent. */
async function fieldsOf(
  { start, messages, facts, result }: Convening,
  { as, agent, clock, settings }: {
    readonly as: BriefForm;
    readonly agent: Agent;
    readonly clock: Clock;
    readonly settings: WorkflowOptions;
  },
): Promise<Omit<Brief, "type" | "number" | "form" | "judges" | "through">> {
  const { checkedFields, replySchema, taskOf, templateFields } = await import("./brief_text.ts");
  if (agent.model === "offline") {
    const made = { model: "template", usage: NO_USAGE, latencyMs: 0, createdAt: isoTime(clock) };
    return { ...templateFields(as, { start, facts, assessment: result }), ...made };
  }
  const { ModelAsker, QuotationCheck, recordPrompt, resultNotes } = await import(
    "./record_question.ts"
  );
  const schema = { name: `brief_${as}`, type: replySchema(as) };
  const prompt = await recordPrompt(start, messages, {
    agent,
    notes: resultNotes(start, facts, result),
    task: taskOf(as, result),
    shape: schema.type,
  });
  const asker = new ModelAsker(agent, { ...settings, topic: start.topic, kind: "brief", clock });
  const { value, ...made } = await asker.ask({
    messages: prompt.messages,
    schema,
    maxTokens: tokensFor("brief"),
  });
  const check = new QuotationCheck(messages, start.topic);
  const fields = checkedFields(value, messages, check);
  return {
    ...fields,
    ...prompt.cut.length === 0 ? {} : { cut: prompt.cut },
    ...check.leftOut === 0 ? {} : { leftOut: check.leftOut },
    ...made,
  };
}
