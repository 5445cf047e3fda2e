// Shapes of front matter that several types of facts share.
/** Usage of a call. */
export const USAGE = {
  keys: {
    inputTokens: "count",
    cachedInputTokens: "count",
    outputTokens: "count",
    "reasoningTokens?": "count",
    "cacheWriteTokens?": "count",
    "embeddingTokens?": "count",
    costUsd: "cost",
    "pricedBy?": "text",
  },
} as const;

export const TURN = { seq: "ordinal", turn: "text", participant: "text" } as const;
/** The keys of a call, last in the front matter. */
export const MADE = { usage: USAGE, latencyMs: "amount", createdAt: "time" } as const;
/** Provenance that a provider gives with an answer. */
export const SERVED = {
  keys: {
    "model?": "text",
    "fingerprint?": "text",
    "requestId?": "text",
    "cap?": "count",
    "effort?": "text",
  },
} as const;
export const NUMBERS = { map: "number" } as const;
export const TEXTS = { list: "text" } as const;
export const READ = { status: ["read", "unread"], "reason?": "text" } as const;

export const QUOTE = { message: "ordinal", quote: "text" } as const;
export const PLACE = { "start?": "count", "end?": "count", "page?": "ordinal" } as const;
export const VERIFICATION = ["verified", "not found"] as const;
export const CITATIONS = {
  keys: {
    "paper?": {
      list: {
        keys: {
          chunkId: "text",
          text: "text",
          score: "number",
          "paper?": "text",
          "page?": "ordinal",
          "start?": "count",
          "end?": "count",
          "cited?": { keys: PLACE },
          "status?": VERIFICATION,
        },
      },
    },
    "web?": {
      list: { keys: { title: "text", url: "text", snippet: "text", "status?": VERIFICATION } },
    },
  },
} as const;

/** The keys of a message's speaker and position in the protocol. */
export const SPOKEN = {
  ...TURN,
  name: "text",
  role: "text",
  "position?": "text",
  phase: "text",
  kind: "text",
  round: "count",
  "replyTo?": "ordinal",
} as const;
