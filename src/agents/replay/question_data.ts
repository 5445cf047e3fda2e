// Data of questions that a replay reads.
import { z } from "zod";
import type { ReplySchema } from "../../core/agent.ts";

const Claim = z.object({
  claim: z.string(),
  hits: z.array(z.object({ url: z.string(), snippet: z.string() })),
});
const Labels = z.object({ labels: z.record(z.string(), z.string()) });
const Proposed = z.object({
  proposals: z.array(z.object({ number: z.int(), participant: z.string() })),
});
const Enum = z.object({ enum: z.array(z.string()) });
const Argued = z.object({ items: z.object({ properties: z.object({ topic: Enum }) }) });
const Topics = z.object({ properties: z.object({ perTopic: Argued }) });
const Rubric = z.object({ rubric: z.object({ id: z.string() }) });
const Body = z.object({ body: z.string() });
const Said = z.object({ participant: z.string(), body: z.string() });
const Asked = z.object({ query: z.string(), claim: z.number().optional() });

/** The claim a question is about, and what was found on it; undefined where the data are no such thing. */
export function claimIn(data: unknown): z.infer<typeof Claim> | undefined {
  return Claim.safeParse(data).data;
}

/** From a side's or a speaker's id to how the question names it. */
export function labelsIn(data: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(Labels.safeParse(data).data?.labels ?? {}));
}

/** The proposals that are put together: the number each was shown with, and whose it is. */
export function proposedIn(data: unknown): z.infer<typeof Proposed>["proposals"] {
  return Proposed.safeParse(data).data?.proposals ?? [];
}

/** The topics that an argument is asked on: those that its schema names. */
export function topicsIn({ type }: ReplySchema): readonly string[] {
  const shape = type.toJSONSchema({ io: "input", unrepresentable: "any" });
  return Topics.safeParse(shape).data?.properties.perTopic.items.properties.topic.enum ?? [];
}

/** The id of the rubric that is scored by. */
export function rubricIn(data: unknown): string | undefined {
  return Rubric.safeParse(data).data?.rubric.id;
}

/** The text that is checked. */
export function bodyIn(data: unknown): string | undefined {
  return Body.safeParse(data).data?.body;
}

/** The message that is scored. */
export function saidIn(data: unknown): z.infer<typeof Said> | undefined {
  return Said.safeParse(data).data;
}

/** Query of a search for a claim, from a look-up's arguments. */
export function queryIn(args: unknown): string | undefined {
  return Asked.safeParse(args).data?.query;
}

/** A field of an object; undefined where there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(value).data?.[name];
}
