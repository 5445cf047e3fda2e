// The participants of a debate by their part.
import { ConfigurationError } from "../core/error.ts";
import { labelsOf } from "../core/prompt.ts";
import type { Participant } from "../core/participant.ts";
import type { DebateWorkflowConfig } from "./debate_options.ts";
import { checkSides, hasOneModel } from "./preset.ts";
import type { Side } from "./rules.ts";

/** Participants of a debate by their part. */
export interface Cast {
  readonly moderator: Participant | undefined;
  /** Names of participants in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly sides: readonly Side[];
}

/** The moderator and the sides; refused unless there are two sides that differ, and one moderator at most. */
export function castOf(
  participants: readonly Participant[],
  { model, preset }: Pick<DebateWorkflowConfig, "model" | "preset">,
): Cast {
  const moderators = participants.filter(({ role }) => role === "moderator");
  const advocates = participants.filter(({ role }) => role === "position_advocate");
  const odd = participants.find(({ role }) => role !== "moderator" && role !== "position_advocate");
  if (odd !== undefined || moderators.length > 1 || advocates.length < 2) {
    throw new ConfigurationError(
      odd === undefined
        ? `Cannot hold a debate with ${moderators.length} moderators and ${advocates.length} advocates`
        : `Cannot give "${odd.name}" a part in a debate: its role is ${odd.role}`,
      {
        field: "participants",
        hint:
          "A debate has at most one moderator, two or more of the role position_advocate, and at most one fact_checker.",
      },
    );
  }
  checkSides(preset, advocates.length);
  if (hasOneModel(preset)) checkOneModel(advocates, model);
  const labels = labelsOf(
    participants.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  const sides = advocates.map(({ id, position = "" }) => ({
    id,
    position,
    label: labels.get(id)!,
  }));
  checkPositions(sides);
  return { moderator: moderators[0], labels, sides };
}

function checkPositions(sides: readonly Side[]): void {
  const positions = new Set(sides.map(({ position }) => position.trim().toLowerCase()));
  if (positions.size === sides.length && !positions.has("")) return;
  throw new ConfigurationError(
    "Cannot hold a debate: two advocates have the same position, or one has none",
    { field: "positions", hint: "Give every advocate a position of its own." },
  );
}

function checkOneModel(advocates: readonly Participant[], usual: string | undefined): void {
  const models = advocates.map((each) => each.agent?.model ?? each.model ?? usual);
  if (new Set(models).size === 1) return;
  const named = advocates.map(({ name }, index) =>
    `"${name}" has ${models[index] === undefined ? "the usual model" : `model "${models[index]}"`}`
  );
  throw new ConfigurationError(
    `Cannot use preset "self-play": one model speaks for all sides, but ${named.join(", ")}`,
    { field: "participants", hint: "Give all advocates one model, or none; or leave preset out." },
  );
}
