// Writes a brief of a record for decision makers. Prompts and schemas are loaded only when a brief is written.
import { join, resolve } from "@std/path";
import type { Agent } from "../core/agent.ts";
import { tokensFor } from "../core/asks.ts";
import { type BriefForm, MOST_BRIEFS } from "../core/brief.ts";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { type Clock, forwardClock, isoTime, systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import { eventOf } from "../core/event.ts";
import type { Brief } from "../core/fact.ts";
import { addUsage, NO_USAGE, totalUsage } from "../core/message.ts";
import { recordFiles } from "../record/disk_files.ts";
import { folderRecord } from "../record/directory_record.ts";
import { type Convening, endedConvening, readContents } from "./convening.ts";
import type { RecordModelOptions } from "./record_question.ts";

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
 * has not ended, `not_found`, `locked` and the errors of agents.
 */
export async function writeBrief(dir: string, options: BriefOptions = {}): Promise<WrittenBrief> {
  checkArguments("writeBrief", { dir, options });
  const own = { agent: true, as: true, catalogue: true, clock: true, model: true };
  refuseUnknownOptions<BriefOptions>("writeBrief", options, { ...AGENT_SETTINGS, ...own });
  const path = resolve(dir);
  const { as = "memo", clock: given = systemClock, model, agent, ...models } = options;
  const convening = await endedConvening(await readContents(path), "write a brief of");
  const { start, messages } = convening;
  if (start.kind === "judge-check") {
    throw new ConfigurationError(`Cannot write a brief of ${path}: a judge check has no speeches`, {
      field: "dir",
      hint: "Its profile, in index.md, is its result; brief a debate or a dialogue.",
    });
  }
  const { readerOf } = await import("./record_question.ts");
  const reader = readerOf(start, { ...models, model, agent });
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
    const written = await fieldsOf(convening, { as, agent: reader, clock, models });
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
  { as, agent, clock, models }: {
    readonly as: BriefForm;
    readonly agent: Agent;
    readonly clock: Clock;
    readonly models: RecordModelOptions;
  },
): Promise<Omit<Brief, "type" | "number" | "form" | "judges" | "through">> {
  const { checkedFields, replySchema, taskOf, templateFields } = await import("./brief_text.ts");
  if (agent.model === "offline") {
    const made = { model: "template", usage: NO_USAGE, latencyMs: 0, createdAt: isoTime(clock) };
    return { ...templateFields(as, { start, facts, assessment: result }), ...made };
  }
  const { ModelAsker, QuotationCheck, recordPrompt, recordSettings, resultNotes } = await import(
    "./record_question.ts"
  );
  const schema = { name: `brief_${as}`, type: replySchema(as) };
  const prompt = await recordPrompt(start, messages, {
    agent,
    notes: resultNotes(start, facts, result),
    task: taskOf(as, result),
    shape: schema.type,
  });
  const asker = new ModelAsker(agent, {
    ...recordSettings(start, models).settings,
    topic: start.topic,
    kind: "brief",
    clock,
  });
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
