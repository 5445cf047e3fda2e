// deno-lint-ignore-file camelcase -- the wire formats have their own names
// Local server of providers' own protocols: Anthropic Messages, Gemini streamGenerateContent, OpenAI Responses.
import { serveLocally } from "./local_server.ts";

/** A reply, independent of the protocol. */
export interface OwnReply {
  readonly thought?: string;
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: object }[];
  /** Token counts: fresh input, read from the cache, written to the cache, output in all, reasoning. */
  readonly tokens?: readonly [
    fresh: number,
    cached: number,
    written: number,
    output: number,
    thought: number,
  ];
  readonly finish?: "stop" | "length";
  /** Status of a failure, with the provider's own body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: { readonly type: string; readonly message: string };
  /** True if the stream never ends. */
  readonly hangs?: boolean;
  /** True if the connection closes before the reply's end. */
  readonly breaksOff?: boolean;
}

/** A request that the server received. */
export interface OwnRequest {
  readonly path: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

type Chunk = Readonly<Record<string, unknown>>;

/** Returns the chunks of a reply in a protocol. */
type Protocol = (reply: OwnReply, model: string) => Chunk[];

const TOKENS = [10, 100, 5, 30, 18] as const;

const messages: Protocol = ({ thought, text, toolCalls = [], tokens = TOKENS, finish }, model) => {
  const [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output, thinking] =
    tokens;
  let index = -1;
  const block = (content_block: Chunk, deltas: readonly Chunk[]): Chunk[] => [
    { type: "content_block_start", index: ++index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const stop_reason = toolCalls.length > 0
    ? "tool_use"
    : finish === "length"
    ? "max_tokens"
    : "end_turn";
  return [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens,
          cache_read_input_tokens,
          cache_creation_input_tokens,
          output_tokens: 1,
        },
      },
    },
    ...thought === undefined ? [] : block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: thought },
      { type: "signature_delta", signature: `signed ${thought}` },
    ]),
    ...text === undefined ? [] : block(
      { type: "text", text: "" },
      [...text.matchAll(/.{1,12}/gs)].map(([piece]) => ({ type: "text_delta", text: piece })),
    ),
    ...toolCalls.flatMap(({ name, args }, i) =>
      block({ type: "tool_use", id: `toolu_${i}`, name, input: {} }, [
        { type: "input_json_delta", partial_json: JSON.stringify(args) },
      ])
    ),
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: {
        input_tokens,
        cache_read_input_tokens,
        cache_creation_input_tokens,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: thinking },
      },
    },
    { type: "message_stop" },
  ];
};

const gemini: Protocol = ({ thought, text, toolCalls = [], tokens = TOKENS, finish }, model) => {
  const [fresh, cached, written, output, thoughts] = tokens;
  const part = (...parts: Chunk[]) => ({
    candidates: [{ content: { role: "model", parts }, index: 0 }],
    modelVersion: model,
    responseId: "resp_1",
  });
  return [
    ...thought === undefined ? [] : [part({ text: thought, thought: true })],
    ...text === undefined ? [] : [part({ text })],
    ...toolCalls.map(({ name, args }) =>
      part({ functionCall: { name, args }, thoughtSignature: `signed ${thought ?? ""}` })
    ),
    {
      candidates: [{
        content: { role: "model", parts: [] },
        finishReason: finish === "length" ? "MAX_TOKENS" : "STOP",
        index: 0,
      }],
      usageMetadata: {
        promptTokenCount: fresh + cached + written,
        cachedContentTokenCount: cached,
        candidatesTokenCount: output - thoughts,
        thoughtsTokenCount: thoughts,
      },
      modelVersion: model,
    },
  ];
};

const responses: Protocol = ({ thought, text, toolCalls = [], tokens = TOKENS, finish }, model) => {
  const [fresh, cached, written, output_tokens, reasoning_tokens] = tokens;
  let output_index = -1;
  const item = (added: Chunk, between: readonly Chunk[], done: Chunk): Chunk[] => {
    output_index++;
    return [
      { type: "response.output_item.added", output_index, item: added },
      ...between.map((each) => ({ output_index, ...each })),
      { type: "response.output_item.done", output_index, item: done },
    ];
  };
  const message = (content: Chunk[]) => ({
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content,
  });
  const state = { id: "resp_1", object: "response", created_at: 1, model };
  const usage = {
    input_tokens: fresh + cached + written,
    input_tokens_details: { cached_tokens: cached },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: 0,
  };
  return [
    { type: "response.created", response: { ...state, status: "in_progress", output: [] } },
    ...thought === undefined ? [] : item(
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null },
      [],
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: `signed ${thought}` },
    ),
    ...text === undefined ? [] : item(
      message([]),
      [{ type: "response.output_text.delta", item_id: "msg_1", content_index: 0, delta: text }],
      message([{ type: "output_text", text, annotations: [] }]),
    ),
    ...toolCalls.flatMap(({ name, args }, i) => {
      const call = { type: "function_call", id: `fc_${i}`, call_id: `call_${i}`, name };
      const filled = { ...call, arguments: JSON.stringify(args), status: "completed" };
      return item({ ...call, arguments: "", status: "in_progress" }, [], filled);
    }),
    finish === "length"
      ? {
        type: "response.incomplete",
        response: {
          ...state,
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
          usage,
        },
      }
      : { type: "response.completed", response: { ...state, status: "completed", usage } },
  ];
};

const PROTOCOLS: readonly (readonly [RegExp, Protocol, named: boolean])[] = [
  [/\/messages$/, messages, true],
  [/:streamGenerateContent$/, gemini, false],
  [/\/responses$/, responses, true],
];

/** Starts a server that sends the replies in order and repeats the last one, or calls a function for each reply. */
export function startOwnProtocolServer(
  replies: readonly OwnReply[] | ((request: OwnRequest) => OwnReply),
): Promise<
  AsyncDisposable & {
    readonly origin: string;
    readonly requests: readonly OwnRequest[];
    /** Headers of the last request for the list of models. */
    readonly listed: Headers | undefined;
  }
> {
  let listed: Headers | undefined;
  const requests: OwnRequest[] = [];
  const stop = new AbortController();
  const server = serveLocally(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/models")) {
        listed = new Headers(request.headers);
        return Response.json({ data: [{ id: "claude-opus-5-5" }] });
      }
      const [, protocol, named] = PROTOCOLS.find(([path]) => path.test(pathname)) ?? [];
      if (protocol === undefined) return new Response("no such path", { status: 404 });
      const body = await request.json();
      requests.push({ path: pathname, headers: new Headers(request.headers), body });
      const reply = typeof replies === "function"
        ? replies(requests.at(-1)!)
        : replies[Math.min(requests.length, replies.length) - 1]!;
      const { status, headers, error, hangs = false, breaksOff = false } = reply;
      if (status !== undefined) {
        return Response.json({ type: "error", error }, { status, headers: headers ?? {} });
      }
      const model = body.model ?? /models\/([^:]+):/.exec(pathname)?.[1];
      const chunks = protocol(reply, `${model}-served`);
      // An end is announced by one chunk, or by two of Anthropic's.
      const sent = breaksOff ? chunks.slice(0, pathname.endsWith("/messages") ? -2 : -1) : chunks;
      return new Response(streamed(sent, { named, hangs }), {
        headers: { "content-type": "text/event-stream", ...headers },
      });
    },
    { signal: stop.signal },
  );
  return Promise.resolve({
    origin: `http://127.0.0.1:${server.addr.port}`,
    requests,
    get listed() {
      return listed;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  });
}

function streamed(
  chunks: readonly Chunk[],
  { named, hangs }: { readonly named: boolean | undefined; readonly hangs: boolean },
): ReadableStream<Uint8Array> {
  const event = (chunk: Chunk) =>
    `${named === true ? `event: ${chunk["type"]}\n` : ""}data: ${JSON.stringify(chunk)}\n\n`;
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      const last = hangs ? chunks.length - 1 : chunks.length;
      for (const chunk of chunks.slice(0, last)) controller.enqueue(encoder.encode(event(chunk)));
      if (!hangs) controller.close();
    },
  });
}
