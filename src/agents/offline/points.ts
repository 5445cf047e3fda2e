import { CONCESSIONS } from "./phrases.ts";
import type { Schema, SchemaRole } from "./schema.ts";
import type { Piece, Speech } from "./speech.ts";

/** What is said: sentences as long as they are wanted, then the last ones. */
export interface Plan {
  readonly pieces: Iterable<Piece>;
  readonly end: readonly Piece[];
}

type Step = SchemaRole | "concede" | "lens" | "adds";

const PATTERNS: readonly (readonly Step[])[] = [
  ["claim", "reason", "example", "so"],
  ["claim", "example", "reason", "so"],
  ["claim", "reason", "concede", "so"],
  ["claim", "lens", "reason", "example"],
  ["example", "claim", "reason", "so"],
  ["claim", "concede", "reason", "example"],
  ["claim", "reason", "lens", "so"],
];

/** How lines of thought are put. */
export interface PointsOptions {
  /** Whether the first one may begin with an example. @default false */
  readonly plain?: boolean;
  /** Names the connectives of the first one. @default "first" */
  readonly lead?: string;
  /** Whether the first one begins a paragraph. @default true */
  readonly breaks?: boolean;
  /** Whether something is granted on the way; said once in a message. @default true */
  readonly concede?: boolean;
}

/** Paragraphs, one line of thought each. */
export function* points(
  speech: Speech,
  schemas: readonly Schema[],
  { plain = false, lead = "first", breaks = true, concede = true }: PointsOptions = {},
): Generator<Piece> {
  const { writer, random, lens, lensAdds, stance } = speech;
  const once = new Set<Step>(concede ? ["concede", "lens", "adds"] : ["lens", "adds"]);
  let part = lead;
  for (const schema of schemas) {
    let pattern = PATTERNS[Math.floor(random() * PATTERNS.length)]!;
    if (!plain || lead === "counter") pattern = pattern[0] === "example" ? PATTERNS[0]! : pattern;
    let opens = breaks || part !== lead;
    for (const step of lens.length > 0 && once.has("lens") ? withLens(pattern) : pattern) {
      if (step === "concede" || step === "lens" || step === "adds") {
        const list = { lens, adds: lensAdds, concede: CONCESSIONS[stance.mode] }[step];
        if (list.length === 0 || !once.delete(step)) continue;
        yield { text: writer.write(list, step, { group: step }), opens };
      } else {
        const connective = step === "claim" ? opens ? part : "none" : step;
        yield {
          text: writer.write(schema[step], opens && step !== "claim" ? "none" : connective, {
            group: schema.theme,
          }),
          opens,
        };
      }
      opens = false;
    }
    part = "claim";
  }
}

function withLens(pattern: readonly Step[]): readonly Step[] {
  const steps = pattern.filter((step) => step !== "lens");
  return [steps[0]!, "lens", steps[1]!, "adds", ...steps.slice(2)];
}

/** What the lines of thought come to, then the reasons once more. */
export function* summingUp(
  { writer, stance }: Speech,
  schemas: readonly Schema[],
): Generator<Piece> {
  for (const [i, schema] of schemas.entries()) {
    yield {
      text: writer.write(schema.reason, i === 0 ? "none" : "claim", { group: schema.theme }),
      opens: true,
    };
    yield { text: writer.write(schema.so, "so", { group: schema.theme }) };
    if (i === 0) {
      yield { text: writer.write(CONCESSIONS[stance.mode], "concede", { group: "concede" }) };
    }
  }
}

/** One list after the other. */
export function* chain(...lists: readonly Iterable<Piece>[]): Generator<Piece> {
  for (const list of lists) yield* list;
}
