import type {
  ConveningConfig,
  JudgeConfig,
  ParticipantConfig,
} from "../config/convening_config.ts";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Convening } from "./convening.ts";
import { followModel } from "./follow_model.ts";
import { choiceProblem } from "./picking.ts";
import { refusePlaces } from "./remote_configuration.ts";
import type { GoOnRequest } from "./remote_requests.ts";

type Plain = Readonly<Record<string, unknown>>;

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
  const { advocateModels: _advocates, judgeModels: _judges, ...settings } = request;
  return { ...defined(settings), ...castOver(convening, request) } as Partial<ConveningConfig>;
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

/** Who takes part and who judges, where models of some of them are given. */
function castOver(
  { start: { configuration } }: Convening,
  { model, moderatorModel, advocateModels, judgeModels }: GoOnRequest,
): Plain {
  const recorded = model === undefined ? configuration : followModel(configuration);
  const participants = listOf<ParticipantConfig>(recorded["participants"]);
  const judges = listOf<JudgeConfig>(recorded["judges"]);
  const isCastOther = moderatorModel !== undefined || advocateModels !== undefined;
  return {
    ...isCastOther && participants.length > 0
      ? { participants: withModels(participants, { moderatorModel, advocateModels }) }
      : {},
    ...judgeModels === undefined ? {} : {
      judges: judgeModels.map((model, at) => ({
        // As many as before keep what else is set of them.
        ...judges.length === judgeModels.length ? judges[at] : {},
        model,
      })),
    },
  };
}

function withModels(
  participants: readonly ParticipantConfig[],
  { moderatorModel, advocateModels }: Pick<GoOnRequest, "moderatorModel" | "advocateModels">,
): ParticipantConfig[] {
  const advocates = participants.filter(({ role }) => role === "position_advocate");
  const given = advocateModels?.length ?? 1;
  if (given !== 1 && given !== advocates.length) {
    throw new ConfigurationError(
      `Cannot use advocateModels: ${given} were given for ${advocates.length} advocates`,
      {
        field: "advocateModels",
        hint: "Give one for all advocates, or one for each in their order.",
      },
    );
  }
  return participants.map((each) => {
    const at = advocates.indexOf(each);
    const model = each.role === "moderator"
      ? moderatorModel
      : at === -1
      ? undefined
      : advocateModels?.[given === 1 ? 0 : at];
    return { ...each, ...defined({ model }) };
  });
}

/** A recorded list: it was checked when it was written, and is checked again when it is gone on with. */
function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}
