import type { ConveningConfig } from "../core/convening_config.ts";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import { checkPapers, type PaperDraft } from "../core/paper/check_paper.ts";
import type { Paper } from "../core/paper/paper.ts";
import type { Source } from "../core/record.ts";
import { remoteConfiguration } from "../library/remote_configuration.ts";
import type { McpModels, McpRuns } from "./mcp_context.ts";

/**
 * How long a run waits for a person before it lets others run, in milliseconds: it then waits on disk, and goes on when
 * the person speaks.
 */
const PERSON_TIME = 60_000;

/** What a client wants to be held, and the texts it is held on. */
export interface Asked {
  /** Checked, with the models as this program reaches them. */
  readonly config: ConveningConfig;
  /** What it is held with besides: background texts and papers. */
  readonly matter: {
    readonly sources?: readonly Source[] | undefined;
    readonly papers?: readonly Paper[] | undefined;
  };
}

/** What a client wants to be held, its papers given as texts or by the ids of posted ones. Fails with `config_invalid`. */
export async function askedConvening(
  given: object,
  drafts: readonly PaperDraft[] | undefined,
  { models, paper }: McpRuns,
): Promise<Asked> {
  const texts = drafts === undefined ? undefined : checkPapers(drafts);
  if (texts !== undefined && Object.hasOwn(given, "paperIds")) {
    throw new ConfigurationError("Cannot use paperIds: the papers' texts are given", {
      field: "paperIds",
      hint: "Give paperIds, or papers.",
    });
  }
  const ids = texts?.map(({ id }) => id);
  const { config, sources, paperIds } = remoteConfiguration({
    ...given,
    ...defined({ paperIds: ids }),
  });
  const papers = texts ?? (paperIds && await Promise.all(paperIds.map(paper)));
  const { model } = models;
  return {
    config: { personTimeout: PERSON_TIME, ...defined({ model }), ...config, ...addresses(models) },
    matter: defined({ sources, papers }),
  };
}

/** What can be other when a convening of any kind goes on. */
const CHANGES: readonly string[] = [
  "model",
  "moderatorModel",
  "temperature",
  "limits",
  "retry",
  "idleTimeout",
  "totalTimeout",
];
/** And when a debate over papers does. */
const PICKS: readonly string[] = ["pick", "question"];

/** Settings over those of a record. Fails with `config_invalid`, naming the key. */
export function askedChanges(given: object, models: McpModels): Partial<ConveningConfig> {
  const other = Object.keys(given).find((key) => ![...CHANGES, ...PICKS].includes(key));
  if (other !== undefined) {
    throw new ConfigurationError(`Cannot change "${other.slice(0, 100)}" of a convening`, {
      field: other.slice(0, 100),
      hint: `What can be other from now on: ${[...CHANGES, ...PICKS].join(", ")}.`,
    });
  }
  checkPart(Object.fromEntries(Object.entries(given).filter(([key]) => CHANGES.includes(key))));
  return { personTimeout: PERSON_TIME, ...given, ...addresses(models) };
}

/** Refuses keys of a debate's configuration that no client may send, or that cannot be used. */
export function checkPart(part: object): void {
  remoteConfiguration({ kind: "debate", topic: "A topic that is only looked at", ...part });
}

/** Where models are is never a client's to say, nor a record's. */
function addresses(
  { baseUrl, providers }: McpModels,
): Pick<ConveningConfig, "baseUrl" | "providers"> {
  return defined({ baseUrl, providers });
}
