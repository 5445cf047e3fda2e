import { z } from "zod";
import type { TurnDraft } from "../../core/fact.ts";
import { draftSection } from "./private_files.ts";
import { commonShape, count, type FactReader, ordinal, time } from "./shapes.ts";

const draftSchema = z.object({
  ...commonShape("draft"),
  seq: ordinal,
  turn: z.string(),
  participant: z.string(),
  fields: z.array(z.object({ name: z.string(), characters: count })),
  created_at: time,
});

/** Reads what `draftFile` writes. Fails with a `RangeError` where the body does not have the lengths the keys name. */
export const draftReader: FactReader<TurnDraft> = {
  schema: draftSchema,
  fact(data, body) {
    const read = draftSchema.parse(data);
    return {
      type: "draft",
      seq: read.seq,
      turn: read.turn,
      participant: read.participant,
      fields: sections(body, read.fields),
      createdAt: read.created_at,
    };
  },
};

function sections(
  body: string,
  fields: readonly { readonly name: string; readonly characters: number }[],
): Record<string, string> {
  const found: [string, string][] = [];
  let rest = body;
  for (const { name, characters } of fields) {
    const { before, after } = draftSection(name);
    const points = [...rest.slice(before.length, before.length + 2 * characters)];
    const text = points.slice(0, characters).join("");
    const whole = before + text + after;
    if (points.length < characters || !rest.startsWith(whole)) {
      throw new RangeError(`fields: the body has no section "${name}" of ${characters} characters`);
    }
    found.push([name, text]);
    rest = rest.slice(whole.length);
  }
  if (rest !== "") throw new RangeError("fields: the body holds more than the fields named");
  return Object.fromEntries(found);
}
