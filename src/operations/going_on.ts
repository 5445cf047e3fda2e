// Settings of a resume that a client gives, over the recorded settings.
import { castWith, followModel } from "../config/cast.ts";
import { refuseContradictions } from "../config/contradictions.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Convening } from "./convening.ts";
import { choiceProblem } from "./picking.ts";
import { refusePlaces } from "./remote_configuration.ts";
import type { GoOnRequest } from "./remote_requests.ts";

/**
 * Configuration keys over the recorded ones, of what a client gives to go on with. Fails with `config_invalid`,
 * naming the key: for what names a place of this machine, and for what this convening has no use for.
 */
export function settingsOver(
  convening: Convening,
  request: GoOnRequest,
): Partial<ConveningConfig> {
  refusePlaces(request);
  refuseChoice(convening, request);
  const { kind, configuration: { moderation, select } } = convening.start;
  refuseContradictions({ moderation, select, ...request, kind });
  const { advocateModels, judgeModels, ...settings } = request;
  const { configuration } = convening.start;
  const recorded = request.model === undefined ? configuration : followModel(configuration);
  const models = { moderatorModel: request.moderatorModel, advocateModels, judgeModels };
  return { ...defined(settings), ...castWith(recorded, models) } as Partial<ConveningConfig>;
}

/** Rejects a choice of the question where the question is settled, or was never to be chosen. */
function refuseChoice(convening: Convening, { question, pick }: GoOnRequest): void {
  const field = pick !== undefined ? "pick" : question !== undefined ? "question" : undefined;
  const problem = field === undefined ? undefined : choiceProblem(convening);
  if (problem === undefined) return;
  const { state, hint } = problem;
  throw new ConfigurationError(`Cannot use ${field}: ${state}`, { field, hint });
}
