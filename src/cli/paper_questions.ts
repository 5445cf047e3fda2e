// `paper questions FILE`: prints the questions that can be put to papers; writes nothing.
import { defaultModel, hostsOf } from "../inputs/servers.ts";
import { materialPaths } from "../inputs/inputs.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { KeyRules } from "../core/key_rules.ts";
import type { Paper } from "../core/paper.ts";
import type { Invocation, Reply } from "./command.ts";
import { nameFlag } from "./flag.ts";
import { PAPER_FLAGS, QUESTIONS_FLAGS } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import { NO_MODEL } from "./report.ts";
import { plainLine } from "../core/text.ts";
import type { Session } from "./session.ts";
import { keyRules, readSettings } from "./settings.ts";
import { variablesOf } from "./start.ts";

/** The questions that can be put to papers, numbered; nothing is written. */
export async function questionsReply(invocation: Invocation, session: Session): Promise<Reply> {
  refuseOthers(invocation);
  const flags = QUESTIONS_FLAGS;
  const config = await readSettings("paper-debate", invocation, { flags, session });
  const papers = await papersOf(config, session).catch((error: unknown) => {
    throw nameFlag(error, invocation.values.keys(flags));
  });
  const questions = await questionsOn(papers, config, {
    rules: keyRules(invocation, session),
    session,
  });
  const isOffline =
    (config.model ?? defaultModel({ ...config, env: session.io.env })) === "offline";
  if (isOffline) session.note(NO_MODEL);
  return {
    code: 0,
    json: {
      papers: papers.map(({ id, title }) => ({ id, title })),
      questions,
      ...isOffline ? { noModelSpoke: true } : {},
    },
    text: questions.map((each, at) => `${at + 1}. ${plainLine(each)}\n`).join(""),
  };
}

/** Rejects flags of debates: questions alone have no use for them. */
function refuseOthers({ values }: Invocation): void {
  const used = new Set(QUESTIONS_FLAGS.map(({ name }) => name));
  const idle = PAPER_FLAGS.find((flag) => !used.has(flag.name) && values.get(flag) !== undefined);
  if (idle === undefined) return;
  throw new ConfigurationError(`Cannot use ${idle.name}: questions alone are asked for`, {
    field: idle.name,
    hint: `Flags of paper questions: ${[...used].join(", ")}.`,
  });
}

async function papersOf(config: ConveningConfig, { io }: Session): Promise<Paper[]> {
  if (config.kind !== "paper-debate") return [];
  const { kind, model, papers, title } = config;
  requirePermissions(io, { reads: materialPaths({ kind, model, papers }) });
  const { readPapers } = await import("../inputs/papers.ts");
  return await readPapers(papers, { title });
}

async function questionsOn(
  papers: readonly Paper[],
  config: ConveningConfig,
  { rules, session: { io, signal, catalogue } }: {
    readonly rules: KeyRules;
    readonly session: Session;
  },
): Promise<readonly string[]> {
  const { model, baseUrl, providers, seed, temperature, language, retry } = config;
  const own = { model, baseUrl, providers };
  requirePermissions(io, {
    hosts: hostsOf(own, { env: io.env, catalogue, ...rules }),
    variables: variablesOf(own),
  });
  const { DebateCoordinator } = await import("../operations/debate_coordinator.ts");
  const coordinator = new DebateCoordinator({
    ...own,
    ...rules,
    ...catalogue && { host: catalogue.host },
    seed,
    temperature,
    language,
    retry,
    env: io.env,
    signal,
  });
  return await coordinator.generateQuestions(papers);
}
