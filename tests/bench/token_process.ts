// A model that streams words at a steady pace, each with the time at which it was sent.
import { speechFor } from "./calls.ts";
import { now, serveControl } from "./control.ts";

/** How it speaks from here on. */
export interface TokenTask {
  /** Of a reply. */
  readonly tokens: number;
  /** Milliseconds between two of them. */
  readonly delay: number;
  /** Whether replies are given, or held back until they are. */
  readonly open: boolean;
}

/** A time in a text, as {@linkcode stamped} writes it. */
export const STAMP = /<(\d+\.\d+)>/g;

function stamped(word: string): string {
  return `${word} <${now().toFixed(3)}> `;
}

let task: TokenTask = { tokens: 10, delay: 10, open: true };
let gate = Promise.withResolvers<void>();
let replies = 0;

function chunk(delta: object, more: object = {}): Uint8Array {
  const choices = [{ index: 0, delta, finish_reason: null, ...more }];
  const data = {
    id: "bench",
    object: "chat.completion.chunk",
    created: 0,
    model: "bench",
    choices,
  };
  return new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`);
}

async function* reply(): AsyncGenerator<Uint8Array> {
  const { tokens, delay } = task;
  const words = speechFor(`argument/${++replies}`).split(/\s+/);
  if (!task.open) await gate.promise;
  yield chunk({ role: "assistant", content: "" });
  for (let i = 0; i < tokens; i++) {
    yield chunk({ content: stamped(words[i % words.length]!) });
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  yield chunk({}, { finish_reason: "stop" });
  yield new TextEncoder().encode("data: [DONE]\n\n");
}

if (import.meta.main) {
  const { addr } = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      // A server without a list of models: the check before a run has its answer at once.
      if (request.method === "GET") return new Response(null, { status: 404 });
      await request.body?.cancel();
      return new Response(ReadableStream.from(reply()), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  serveControl((asked: TokenTask | null) => {
    if (asked !== null) {
      task = asked;
      if (task.open) {
        gate.resolve();
        gate = Promise.withResolvers();
      }
    }
    return { url: `http://127.0.0.1:${addr.port}/v1` };
  });
}
