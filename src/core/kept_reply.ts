// Schemas of replies that are kept in files.
import { z } from "zod";
import { memo } from "./once_each.ts";

const tokens = memo(() => z.int().min(0));

/** Usage of one reply, as read from a file; without a price where the agent knows none. */
export const replyUsage = memo(() => {
  return z.object({
    inputTokens: tokens(),
    cachedInputTokens: tokens(),
    outputTokens: tokens(),
    reasoningTokens: tokens().optional(),
    cacheWriteTokens: tokens().optional(),
    embeddingTokens: tokens().optional(),
    costUsd: z.union([z.number().min(0), z.literal("unknown")]).exactOptional(),
  });
});

/** One call of a tool, as it is read from a file. */
export const toolTrace = memo(() =>
  z.object({
    tool: z.string(),
    args: z.unknown(),
    result: z.string(),
    failed: z.boolean(),
  })
);

/** Provenance that a provider gave with a reply. */
export const servedReply = memo(() =>
  z.object({
    model: z.string().exactOptional(),
    fingerprint: z.string().exactOptional(),
    requestId: z.string().exactOptional(),
    cap: tokens().exactOptional(),
    effort: z.string().exactOptional(),
  })
);
