import type { DebateConfig } from "../core/config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Invocation } from "./command.ts";
import { ADVOCATE_MODEL, JUDGE_MODEL, MODERATOR_MODEL, POSITION, SIMULTANEOUS } from "./flags.ts";

type Plain = Record<string, unknown>;

/** Puts the flags that say who debates, and how, into a configuration. */
export function applyDebateFlags(merged: Plain, { values }: Invocation): void {
  if (values.get(SIMULTANEOUS) === true) merged["pacing"] = "simultaneous";
  const judges = values.get(JUDGE_MODEL);
  if (judges !== undefined) {
    const before = merged["judges"];
    const known = Array.isArray(before) && before.length === judges.length ? before : [];
    merged["judges"] = judges.map((model, at) => ({ ...known[at], model }));
  }
  const moderator = values.get(MODERATOR_MODEL);
  const participants = merged["participants"] as Participants | undefined;
  if (moderator !== undefined && participants !== undefined) {
    merged["participants"] = participants.map((each) =>
      each.role === "moderator" ? { ...each, model: moderator } : each
    );
  }
  const positions = values.get(POSITION);
  if (positions !== undefined) placePositions(merged, positions);
  const models = values.get(ADVOCATE_MODEL);
  if (models !== undefined) placeModels(merged, models);
}

type Participants = NonNullable<DebateConfig["participants"]>;

const ADVOCATE = "position_advocate";

/** Positions go to the file's advocates where it names some. */
function placePositions(merged: Plain, positions: readonly string[]): void {
  if (positions.length < 2) {
    throw new ConfigurationError(
      "Cannot use --position: only one was given",
      {
        field: "--position",
        hint: "Give no position, or two or more that differ.",
      },
    );
  }
  const participants = merged["participants"] as Participants | undefined;
  if (participants === undefined) return;
  const advocates = participants.filter(isAdvocate);
  if (advocates.length !== positions.length) {
    throw new ConfigurationError(
      `Cannot use --position: ${positions.length} were given, the configuration has ${advocates.length} advocates`,
      { field: "--position", hint: "Give one position for each advocate." },
    );
  }
  delete merged["positions"];
  merged["participants"] = placed(participants, (at) => ({
    position: positions[at],
  }));
}

/** One model for all advocates, or one each in their order. */
function placeModels(merged: Plain, models: readonly string[]): void {
  const participants = merged["participants"] as Participants | undefined ??
    plainAdvocates(merged["positions"] as readonly string[] | undefined);
  const count = participants.filter(isAdvocate).length;
  if (models.length !== 1 && models.length !== count) {
    throw new ConfigurationError(
      `Cannot use --advocate-model: ${models.length} were given for ${count} advocates`,
      {
        field: "--advocate-model",
        hint: "Give one for all advocates, or one for each in their order.",
      },
    );
  }
  delete merged["positions"];
  merged["participants"] = placed(participants, (at) => ({
    model: models.length === 1 ? models[0] : models[at],
  }));
}

function plainAdvocates(positions: readonly string[] | undefined): Participants {
  return (positions ?? [undefined, undefined]).map((position, at) => {
    const letter = String.fromCharCode(65 + at);
    return {
      id: `advocate-${letter.toLowerCase()}`,
      name: `Advocate ${letter}`,
      role: ADVOCATE,
      ...(position === undefined ? {} : { position }),
    };
  });
}

function isAdvocate({ role }: { readonly role?: unknown }): boolean {
  return role === undefined || role === ADVOCATE;
}

/** Every participant, each advocate with more keys. */
function placed<P extends { readonly role?: unknown }>(
  participants: readonly P[],
  more: (at: number) => Plain,
): Plain[] {
  let at = 0;
  return participants.map((each) => isAdvocate(each) ? { ...each, ...more(at++) } : { ...each });
}
