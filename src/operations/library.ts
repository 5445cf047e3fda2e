// Builds a library object: every operation, with the built-in kinds and agents and those of a program.
import {
  Catalogue,
  composeConvening,
  type ConveningInputs,
  defaultHost,
  type LibraryOptions,
  type OwnConfig,
} from "../compose.ts";
import { checkArguments } from "../core/check_fields.ts";
import { searchArchive } from "../record/search.ts";
import { type ConsensusOptions, ConsensusWorkflow } from "../consensus/consensus_workflow.ts";
import type { DebateWorkflowConfig } from "../debate/settings.ts";
import { DebateWorkflow } from "../debate/debate_workflow.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { DialogueOptions } from "../engine/workflow_options.ts";
import type { Participant } from "../core/participant.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_plan.ts";
import { PaperDebateWorkflow } from "../papers/debate/paper_debate_workflow.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";
import { askConvening } from "./search.ts";
import * as attending from "./attending.ts";
import * as convening from "./convening.ts";
import { type CoordinatorOptions, DebateCoordinator } from "./debate_coordinator.ts";
import * as ended from "./ended_convening.ts";
import * as reading from "./reading_convenings.ts";
import { proposeTopics } from "./topics.ts";
import * as watching from "./watching.ts";

/**
 * Creates a library whose operations know a program's own kinds, agents, facts and searchers. The exported functions of this
 * module are those of a library without own kinds. A server with the option `library` serves the same kinds.
 *
 * @example
 * ```ts
 * import { createAgent, createLibrary } from "@convenings/convenings";
 *
 * const library = createLibrary({ agents: { mine: () => createAgent("offline") } });
 * console.assert(library.createAgent("mine:one").model === "offline");
 * ```
 */
export function createLibrary(options: LibraryOptions = {}): Library {
  const catalogue = new Catalogue(options);
  const { host } = catalogue;
  return {
    catalogue,
    askConvening: (dir, question, more) => askConvening(dir, question, { ...more, catalogue }),
    exportConvening: convening.exportConvening,
    fork: convening.fork,
    openConvening: convening.openConvening,
    rebuildIndex: convening.rebuildIndex,
    resume: (dir, more) => convening.resume(dir, { ...more, catalogue }),
    verify: (dir) => convening.verify(dir, { catalogue }),
    interject: attending.interject,
    pauseConvening: attending.pauseConvening,
    speak: (dir, text, more) => attending.speak(dir, text, { ...more, catalogue }),
    judge: (dir, more) => ended.judge(dir, { ...more, catalogue }),
    noteFlow: (dir, more) => ended.noteFlow(dir, { ...more, catalogue }),
    writeBrief: (dir, more) => ended.writeBrief(dir, { ...more, catalogue }),
    listConvenings: reading.listConvenings,
    showMessage: reading.showMessage,
    untilReleased: watching.untilReleased,
    watchConvening: watching.watchConvening,
    searchArchive,
    createAgent: (name, settings) => catalogue.agent(name, settings),
    createDialogueWorkflow: (topic, cast, more) =>
      createDialogueWorkflow(topic, cast, { host, ...more }),
    createDebateWorkflow: (topic, cast, more) =>
      createDebateWorkflow(topic, cast, { host, ...more }),
    createConsensusWorkflow: (topic, cast, more) =>
      createConsensusWorkflow(topic, cast, { host, ...more }),
    createPaperDebateWorkflow: (papers, more) =>
      createPaperDebateWorkflow(papers, { host, ...more }),
    createDebateCoordinator: (more) => new DebateCoordinator({ host, ...more }),
    composeConvening:
      ((config: OwnConfig, inputs?: ConveningInputs) =>
        composeConvening(config, { ...inputs, catalogue })) as unknown as typeof composeConvening,
    proposeTopics: async (subject, { agent, model, ...more } = {}) =>
      await proposeTopics(subject, { ...more, agent: agent ?? catalogue.agent(model, more) }),
  };
}

/** The operations over the kinds and agents of one call of {@linkcode createLibrary}; each is documented at the function of its name. */
export interface Library
  extends
    Pick<typeof attending, "interject" | "pauseConvening" | "speak">,
    Pick<
      typeof convening,
      "exportConvening" | "fork" | "openConvening" | "rebuildIndex" | "resume"
    >,
    Pick<typeof ended, "judge" | "noteFlow" | "writeBrief">,
    Pick<typeof reading, "listConvenings" | "showMessage">,
    Pick<typeof watching, "untilReleased" | "watchConvening"> {
  /** The known kinds, agents, facts and searchers. */
  readonly catalogue: Catalogue;
  /** Finds passages of a convening. */
  readonly askConvening: typeof askConvening;
  /** Creates the workflow of a configuration. */
  readonly composeConvening: typeof composeConvening;
  /** Creates an agent by the name of a model. */
  readonly createAgent: Catalogue["agent"];
  /** Creates a consensus dialogue. */
  readonly createConsensusWorkflow: typeof createConsensusWorkflow;
  /** Creates a coordinator of paper debates. */
  readonly createDebateCoordinator: (options?: CoordinatorOptions) => DebateCoordinator;
  /** Creates a debate. */
  readonly createDebateWorkflow: typeof createDebateWorkflow;
  /** Creates a dialogue. */
  readonly createDialogueWorkflow: typeof createDialogueWorkflow;
  /** Creates a paper debate. */
  readonly createPaperDebateWorkflow: typeof createPaperDebateWorkflow;
  /** Proposes debatable topics on a subject. */
  readonly proposeTopics: typeof proposeTopics;
  /** Searches an archive. */
  readonly searchArchive: typeof searchArchive;
  /** Checks a directory against the format. */
  readonly verify: (dir: string) => ReturnType<typeof convening.verify>;
}

/** Adds the built-in kinds and agents to options. Throws a `ConfigurationError` for options without keys. */
function hosted<T extends object>(options: T): T {
  checkArguments("the workflow", { options });
  return { host: defaultHost, ...options };
}

/**
 * Creates a debate on a topic; see {@linkcode DebateWorkflowConfig} for the options. Throws a `ConfigurationError` for an
 * unknown option or a value that is not allowed, and a `TopicError` for an invalid topic.
 */
export function createDebateWorkflow(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig = {},
): DebateWorkflow {
  return new DebateWorkflow(topic, participants, hosted(config));
}

/** Creates a paper debate; see {@linkcode PaperDebateOptions} for the options. Throws a `ConfigurationError`. */
export function createPaperDebateWorkflow(
  papers: readonly PaperDraft[],
  options: PaperDebateOptions = {},
): PaperDebateWorkflow {
  return new PaperDebateWorkflow(papers, hosted(options));
}

/** Creates a dialogue, in which the participants speak in turn (round-robin). */
export function createDialogueWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: DialogueOptions = {},
): DialogueWorkflow {
  return new DialogueWorkflow(topic, participants, hosted(options));
}

/** Creates a consensus dialogue: proposals, stances, agreement or impasse. */
export function createConsensusWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: ConsensusOptions = {},
): ConsensusWorkflow {
  return new ConsensusWorkflow(topic, participants, hosted(options));
}
