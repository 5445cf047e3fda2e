// Commands that start a convening, including the kinds of `--extend`, and commands that propose topics and questions.
import { resolve } from "@std/path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { Catalogue, type LibraryOptions } from "../../compose.ts";
import { parseConfig } from "../../config/config.ts";
import type { Settings } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { ConveningConfig, PaperDebateConfig } from "../../config/convening_config.ts";
import { ConfigurationError, errorMessage } from "../../core/error.ts";
import { noModelSentence } from "../../core/event.ts";
import type { KeyRules } from "../../core/key_rules.ts";
import { counted, plainLine } from "../../core/text.ts";
import type { ProposedTopics } from "../../core/topic.ts";
import type { Kind } from "../../engine/kind.ts";
import { inputPaths } from "../../inputs/inputs.ts";
import { defaultModel } from "../../inputs/servers.ts";
import { cannotUse, EXTEND, type Flag, flag, readWhole, refuseGiven, reworded } from "../flag.ts";
import {
  CONFIG,
  DRY_RUN,
  kindFlags,
  PICK,
  QUESTIONS_FLAGS,
  TOPIC_FLAGS,
  TOPIC_FROM,
} from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { needsOf, startWith, tellHowToPick } from "../run_convening.ts";
import {
  type Action,
  type CliCommand,
  type Invocation,
  type Reply,
  replyOf,
  type Session,
} from "../session.ts";
import { flagSettings, keyRules, readSettings } from "../settings.ts";

const PAPER_FLAGS = kindFlags("paper-debate");

export const DEBATE: Action = startCommand("debate");
export const DIALOGUE: Action = startCommand("dialogue");
export const CONSENSUS: Action = startCommand("consensus");

function startCommand(
  kind: "debate" | "dialogue" | "consensus",
  flags: readonly Flag<unknown>[] = kindFlags(kind),
): Action {
  return {
    flags,
    async run(invocation, session) {
      const subject = invocation.values.get(TOPIC_FROM);
      const config = subject === undefined
        ? await readSettings(kind, invocation, session)
        : await settingsFromSubject(subject, invocation, session);
      return await startWith(config, invocation, session);
    },
  };
}

/** `paper <file…>` and `paper questions <file…>`. */
export const PAPER: Action = {
  flags: PAPER_FLAGS,
  async run(invocation, session) {
    const [first, ...papers] = invocation.args;
    return first === "questions"
      ? await questionsReply({ ...invocation, args: papers }, session)
      : await debatePapers(invocation, session);
  },
};

async function debatePapers(invocation: Invocation, session: Session): Promise<Reply> {
  const config = await readSettings("paper-debate", invocation, session);
  try {
    return await startWith(withPick(config, invocation, session), invocation, session);
  } catch (error) {
    tellHowToPick(error, session);
    throw error;
  }
}

/** Lets a person at a terminal pick the question, unless the flags, the file or a replayed record choose it. */
function withPick(
  config: ConveningConfig,
  { values }: Invocation,
  { io }: Session,
): ConveningConfig {
  if (config.kind !== "paper-debate" || values.get(DRY_RUN) === true) return config;
  const { question, pick, model = "" } = config;
  const isChosen = question !== undefined || pick !== undefined || model.startsWith("replay:");
  return isChosen || !io.inIsTerminal || !io.live ? config : { ...config, pick: "ask" };
}

const COUNT = {
  ...flag("--n <n>", "how many, 1 to 50 (default: 8)", readWhole),
  names: "count",
};
const DEFAULT_COUNT = 8;
/** Topic of a configuration while topics are proposed: a subject may be shorter than a topic. */
const ANY_TOPIC = "A topic that is proposed";

export const TOPICS: Action = {
  flags: [COUNT, ...TOPIC_FLAGS],
  async run(invocation, session) {
    const [subject = ""] = invocation.args;
    const given = flagSettings(invocation.values);
    const config = parseConfig({ kind: "debate", topic: ANY_TOPIC, ...given });
    const count = invocation.values.get(COUNT) ?? DEFAULT_COUNT;
    const proposed = await topicsFor(subject, count, { config, session });
    noteNoModel(proposed.model, session);
    const { topics, missing } = proposed;
    if (missing !== undefined) {
      session.note(`${topics.length} of ${count} topics: "${proposed.model}" gave no more.`);
    }
    return replyOf({ subject, ...proposed }, proposed.topics);
  },
};

/** Prints that no model spoke if the model that answered is the offline agent. */
function noteNoModel(model: string, session: Session): void {
  const sentence = noModelSentence(new Set([model]));
  if (sentence !== undefined) session.note(sentence);
}

/** Returns the settings of a debate on a proposed topic; prints all topics proposed on the subject and marks the chosen one. */
async function settingsFromSubject(
  subject: string,
  invocation: Invocation,
  session: Session,
): Promise<ConveningConfig> {
  const pick = invocation.values.get(PICK) ?? 1;
  checkTopicFlags(invocation, pick);
  const config = await readSettings("debate", { ...invocation, args: [ANY_TOPIC] }, session);
  const rules = keyRules(invocation, session);
  const count = Math.max(DEFAULT_COUNT, pick);
  const { topics } = await topicsFor(subject, count, { config, session, rules });
  const list = topics.map((topic, at) => `${at + 1 === pick ? "→" : " "} ${at + 1}. ${topic}`);
  const topic = topics[pick - 1];
  if (topic === undefined) {
    const hint = `Give 1 to ${topics.length}:\n${list.join("\n")}`;
    throw cannotUse(`--pick ${pick}`, `the list has ${counted(topics.length, "topic")}`, hint);
  }
  for (const line of list) session.note(plainLine(line));
  return { ...config, topic };
}

function checkTopicFlags({ args: [topic], values }: Invocation, pick: number): void {
  if (topic !== undefined) {
    throw cannotUse(
      "--topic-from",
      `the topic ${JSON.stringify(topic.slice(0, 80))} was given`,
      "Give a topic, or a subject to propose topics on.",
    );
  }
  if (values.get(DRY_RUN) === true) {
    const hint = "Give the topic; convenings topics SUBJECT proposes some.";
    throw cannotUse("--dry-run with --topic-from", "a model is asked", hint);
  }
  if (pick < 1) throw cannotUse("--pick 0", "topics count from 1", "Give 1 for the first topic.");
}

/** Asks for topics on a subject with a convening's model settings; checks the permissions first. */
async function topicsFor(
  subject: string,
  count: number,
  { config, session, rules }: {
    readonly config: Partial<ConveningConfig>;
    readonly session: Session;
    /** Rules for API keys. @default keys may go to all addresses */
    readonly rules?: KeyRules;
  },
): Promise<ProposedTopics> {
  const { io, signal, catalogue } = session;
  const { model, baseUrl, providers, seed, language, retry, temperature } = config;
  const { topicCheck, refusedTerms } = config;
  const { out: writes } = config;
  requirePermissions(io, { ...needsOf(config, session, rules), ...writes && { writes } });
  const settings = { model, baseUrl, providers, ...rules, retry, env: io.env };
  const { proposeTopics } = await import("../../operations/topics.ts");
  return await proposeTopics(subject, {
    ...settings,
    agent: catalogue?.agent(model, settings),
    count,
    seed,
    temperature,
    language,
    topicCheck,
    refusedTerms,
    signal,
  });
}

/** Generates questions on papers and prints them with numbers; writes no record. */
async function questionsReply(invocation: Invocation, session: Session): Promise<Reply> {
  const used = new Set(QUESTIONS_FLAGS.map(({ name }) => name));
  refuseGiven(PAPER_FLAGS.filter(({ name }) => !used.has(name)), invocation.values, {
    why: "questions alone are asked for",
    hint: `Flags of paper questions: ${[...used].join(", ")}.`,
  });
  const config = await readSettings("paper-debate", invocation, session);
  const { kind, model, baseUrl, providers, papers: paths, title } = config as PaperDebateConfig;
  const { seed, temperature, language, retry } = config;
  const { io: { env }, signal, catalogue } = session;
  requirePermissions(session.io, { reads: inputPaths({ kind, model, papers: paths }) });
  const { readPapers } = await import("../../inputs/papers.ts");
  const papers = await readPapers(paths, { title });
  const rules = keyRules(invocation, session);
  const own = { model, baseUrl, providers };
  requirePermissions(session.io, needsOf(own, session, rules));
  const { DebateCoordinator } = await import("../../operations/debate_coordinator.ts");
  const coordinator = new DebateCoordinator({
    ...own,
    ...rules,
    ...catalogue && { host: catalogue.host },
    seed,
    temperature,
    language,
    retry,
    env,
    signal,
  });
  const questions = await coordinator.generateQuestions(papers);
  const answering = config.model ?? defaultModel({ ...config, env });
  noteNoModel(answering, session);
  return replyOf(
    {
      papers: papers.map(({ id, title }) => ({ id, title })),
      questions,
      ...answering === "offline" ? { noModelSpoke: true } : {},
    },
    questions.map((each, at) => `${at + 1}. ${plainLine(each)}`),
  );
}

/** Loads the module of `--extend` into the session; returns the commands of its kinds. */
export async function extend(path: string, session: Session): Promise<readonly CliCommand[]> {
  const whole = resolve(session.io.folder, path);
  requirePermissions(session.io, { reads: [whole] });
  session.extension = path;
  const options = await loadExtension(whole);
  session.catalogue = new Catalogue(options, `default export of ${EXTEND.name} ${whole}`);
  return (options.kinds ?? []).map(commandOf);
}

async function loadExtension(path: string): Promise<LibraryOptions> {
  const refuse = (state: string, cause?: unknown) =>
    new ConfigurationError(`Cannot use --extend ${path}: ${state}`, {
      field: EXTEND.name,
      hint:
        "Give a module whose default export is what createLibrary takes: { kinds, agents, facts, searchers }.",
      cause,
    });
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw refuse(stripVTControlCharacters(errorMessage(error)), error);
  }
  if (module.default === null || typeof module.default !== "object") {
    throw refuse("it has no object as its default export");
  }
  return module.default;
}

/** Builds the command of a library's own kind; the kind's settings come from the file of `--config`. */
function commandOf({ name, summary, settings = {} }: Kind): CliCommand {
  const own = Object.keys(settings).join(", ");
  const config = `${CONFIG.about}; this kind's own settings: ${own || "none"}`;
  const rows: Settings = SETTINGS;
  const flags = kindFlags("dialogue").filter(({ key = "" }) => rows[key]?.kinds === undefined)
    .map((each) => each.name === CONFIG.name ? reworded(each, config) : each);
  return {
    name,
    arguments: ["[topic]"],
    about: summary,
    group: "Convening:",
    runs: true,
    // The cast only satisfies the type: settings are parsed by the own kind's schema.
    load: () => Promise.resolve(startCommand(name as "dialogue", flags)),
  };
}
