// Topics proposed on a subject: `topics` and `debate --topic-from`.
import { hostsOf } from "../inputs/servers.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { KeyRules } from "../core/key_rules.ts";
import { type ProposedTopics, proposeTopics } from "../operations/topics.ts";
import type { Invocation } from "./command.ts";
import { DRY_RUN, PICK } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import { plainLine } from "../core/text.ts";
import type { Session } from "./session.ts";
import { keyRules, readSettings } from "./settings.ts";
import { type StartOptions, variablesOf } from "./start.ts";

/** The least number of topics that are proposed. */
const COUNT = 8;

/** A debate's settings with a topic proposed on a subject; the topics are shown, and the chosen one marked. */
export async function settingsFromSubject(
  subject: string,
  invocation: Invocation,
  options: StartOptions,
): Promise<ConveningConfig> {
  const { session } = options;
  const pick = invocation.values.get(PICK) ?? 1;
  checkFlags(invocation, pick);
  const config = await readSettings("debate", { ...invocation, args: [subject] }, options);
  const { topics } = await topicsFor(subject, Math.max(COUNT, pick), {
    config,
    session,
    rules: keyRules(invocation, session),
  });
  const list = topics.map((topic, at) => `${at + 1 === pick ? "→" : " "} ${at + 1}. ${topic}`);
  const topic = topics[pick - 1];
  if (topic === undefined) {
    throw new ConfigurationError(
      `Cannot use --pick ${pick}: ${topics.length} topics were proposed`,
      { field: "--pick", hint: `Give 1 to ${topics.length}:\n${list.join("\n")}` },
    );
  }
  for (const line of list) session.note(plainLine(line));
  return { ...config, topic };
}

function checkFlags({ args, values }: Invocation, pick: number): void {
  const [topic] = args;
  if (topic !== undefined) {
    throw new ConfigurationError(
      `Cannot use --topic-from: the topic ${JSON.stringify(topic.slice(0, 80))} was given`,
      { field: "--topic-from", hint: "Give a topic, or a subject to propose topics on." },
    );
  }
  if (values.get(DRY_RUN) === true) {
    throw new ConfigurationError("Cannot use --dry-run with --topic-from: a model is asked", {
      field: "--dry-run",
      hint: "Give the topic; convenings topics SUBJECT proposes some.",
    });
  }
  if (pick < 1) {
    throw new ConfigurationError("Cannot use --pick 0: topics count from 1", {
      field: "--pick",
      hint: "Give 1 for the first topic.",
    });
  }
}

/** Topics on a subject, asked with a convening's settings; the permissions that takes are checked. */
export async function topicsFor(
  subject: string,
  count: number,
  { config, session, rules }: {
    readonly config: Partial<ConveningConfig>;
    readonly session: Session;
    /** @default every address is the user's */
    readonly rules?: KeyRules;
  },
): Promise<ProposedTopics> {
  const { io, signal, catalogue } = session;
  const { model, baseUrl, providers, seed, language, retry, temperature } = config;
  const { topicCheck, refusedTerms } = config;
  const own = { model, baseUrl, providers };
  requirePermissions(io, {
    hosts: hostsOf(own, { env: io.env, catalogue, ...rules }),
    variables: variablesOf(own),
  });
  const settings = { ...own, ...rules, retry, env: io.env };
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
