// Models of roles over the participants and judges of a configuration.
import { ConfigurationError } from "../core/error.ts";
import type { JudgeConfig } from "./convening_config.ts";
import { ADVOCATE, type ParticipantConfig } from "../core/participant.ts";

type Plain = Readonly<Record<string, unknown>>;

/** The default model where a key or a base URL is set. */
const DEFAULT_MODEL = "gpt-4o-mini";

/** Models of roles, over those of a cast. */
interface CastModels {
  readonly moderatorModel?: string | undefined;
  /** One for all advocates, or one each in their order. */
  readonly advocateModels?: readonly string[] | undefined;
  /** One judge each. */
  readonly judgeModels?: readonly string[] | undefined;
}

/** The participants and judges of a configuration with other models, where any of theirs is given. */
export function castWith(
  configuration: Plain,
  { judgeModels, ...models }: CastModels,
): { participants?: ParticipantConfig[]; judges?: JudgeConfig[] } {
  const participants = listOf<ParticipantConfig>(configuration["participants"]);
  const judges = listOf<JudgeConfig>(configuration["judges"]);
  const isOther = models.moderatorModel !== undefined || models.advocateModels !== undefined;
  return {
    ...isOther && participants.length > 0 ? { participants: withModels(participants, models) } : {},
    ...judgeModels === undefined ? {} : {
      judges: judgeModels.map((model, at) => ({
        // As many as before keep their other settings.
        ...judges.length === judgeModels.length ? judges[at] : {},
        model,
      })),
    },
  };
}

function withModels(
  participants: readonly ParticipantConfig[],
  { moderatorModel, advocateModels }: CastModels,
): ParticipantConfig[] {
  const advocates = participants.filter(({ role = ADVOCATE }) => role === ADVOCATE);
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
    const advocateModel = at === -1 ? undefined : advocateModels?.[given === 1 ? 0 : at];
    const model = each.role === "moderator" ? moderatorModel : advocateModel;
    return model === undefined ? { ...each } : { ...each, model };
  });
}

/**
 * A recorded configuration for another `model`: a record names every role's model, and those that only followed the default
 * follow the other model too.
 */
export function followModel(recorded: Plain): Record<string, unknown> {
  const { model } = recorded;
  const usual = model === undefined ? ["offline", DEFAULT_MODEL] : [model];
  const follow = (list: unknown) =>
    Array.isArray(list)
      ? list.map(({ model, ...rest }: Plain) =>
        model === undefined || usual.includes(model) ? rest : { ...rest, model }
      )
      : list;
  const followed: Record<string, unknown> = { ...recorded };
  for (const key of ["participants", "judges", "audience"]) {
    if (key in recorded) followed[key] = follow(recorded[key]);
  }
  return followed;
}

/** A recorded list: it was checked when it was written, and is checked again when it is resumed. */
function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}
