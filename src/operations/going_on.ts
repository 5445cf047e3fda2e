// Settings of a resume that a client gives, over the recorded settings.
import { castWith, followModel } from "../config/cast.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Convening } from "./convening.ts";
import { choiceProblem } from "./picking.ts";
import { refusePlaces } from "./remote_configuration.ts";
import type { GoOnRequest } from "./remote_requests.ts";

/** How a key cannot be used, and what can. */
interface Problem {
  readonly key: keyof GoOnRequest;
  readonly state: string;
  readonly hint: string;
}

/**
 * Configuration keys over the recorded ones, of what a client gives to go on with. Fails with `config_invalid`,
 * naming the key: for what names a place of this machine, and for what this convening has no use for.
 */
export function settingsOver(
  convening: Convening,
  request: GoOnRequest,
): Partial<ConveningConfig> {
  refusePlaces(request);
  const problem = problemOf(convening, request);
  if (problem !== undefined) {
    const { key: field, state, hint } = problem;
    throw new ConfigurationError(`Cannot use ${field}: ${state}`, { field, hint });
  }
  const { advocateModels, judgeModels, ...settings } = request;
  const { configuration } = convening.start;
  const recorded = request.model === undefined ? configuration : followModel(configuration);
  const models = { moderatorModel: request.moderatorModel, advocateModels, judgeModels };
  return { ...defined(settings), ...castWith(recorded, models) } as Partial<ConveningConfig>;
}

function problemOf(convening: Convening, request: GoOnRequest): Problem | undefined {
  const { start } = convening;
  const { kind } = start;
  const { advocateModels, judgeModels, moderatorModel, question, pick } = request;
  const everyRole = "Give model, which is every role's.";
  if (advocateModels !== undefined && kind !== "debate") {
    return { key: "advocateModels", state: "this is no debate", hint: everyRole };
  }
  if (judgeModels !== undefined && kind !== "debate" && kind !== "paper-debate") {
    return { key: "judgeModels", state: "this is no debate", hint: everyRole };
  }
  if (moderatorModel !== undefined && start.configuration["moderation"] === "none") {
    return { key: "moderatorModel", state: "there is no moderator", hint: "Leave it out." };
  }
  const chosen = pick !== undefined ? "pick" : question !== undefined ? "question" : undefined;
  const problem = chosen === undefined ? undefined : choiceProblem(convening);
  if (chosen !== undefined && problem !== undefined) return { key: chosen, ...problem };
  if (pick !== undefined && question !== undefined) {
    return { key: "pick", state: "question says what is debated", hint: "Give one of both." };
  }
  return undefined;
}
