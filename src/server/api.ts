// The interface for programs: every operation, and the answers that are written by hand.
import type { Hono } from "hono";
import { z } from "zod";
import project from "../../deno.json" with { type: "json" };
import type { McpEndpoint } from "../mcp/convening_server.ts";
import { limiterStates } from "../agents/limiter.ts";
import { named, type OperationContext } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/table.ts";
import { jsonAnswer } from "./etag.ts";
import { archiveEventsRoute, eventsRoute, StreamPlaces } from "./events.ts";
import { FILE_ROUTES } from "./files.ts";
import { DEBATE_ROUTES } from "./mas_debate.ts";
import { PAPER_ROUTES } from "./papers.ts";
import { socketRoute, type SocketUpgrade } from "./socket.ts";
import { studyRoutes } from "./studies.ts";
import { addRoute, type Route, route, routeOf } from "./route.ts";

const object = z.looseObject({});
const nothing = z.strictObject({});
const shared = { tags: ["server"], input: nothing, errors: [], writes: false } as const;

const HEALTH_OUTPUT = z.object({
  status: z.literal("ok"),
  providers: z.array(z.object({
    origin: z.string().describe("The server of models."),
    limit: z.int().describe("Requests that may be in flight now."),
    active: z.int().describe("Requests in flight."),
    waiting: z.int().describe("Requests that wait."),
    pausedMs: z.number().describe("Milliseconds until requests are sent again."),
  })).describe("Limits of the servers that were asked by this process."),
});

const HEALTH = route({
  ...shared,
  name: "health",
  summary: "Says that the server answers; takes no token.",
  method: "get",
  path: "/healthz",
  isOpen: true,
  isTagged: true,
  answers: {
    200: {
      about: "The server answers.",
      content: { "application/json": named("Health", HEALTH_OUTPUT) },
    },
  },
  respond: (context) => jsonAnswer(context, { status: "ok", providers: limiterStates() }),
});

/** The routes for programs, in the order of the document. */
export function apiRoutes(upgrade?: SocketUpgrade): readonly Route[] {
  const places = new StreamPlaces();
  const routes: readonly Route[] = [
    HEALTH,
    documentRoute(() => routes),
    ...DEBATE_ROUTES,
    ...PAPER_ROUTES,
    ...OPERATIONS.map(routeOf),
    eventsRoute(places),
    archiveEventsRoute(places),
    ...studyRoutes(places),
    socketRoute(upgrade),
    ...FILE_ROUTES,
    mcpRoute(),
  ];
  return routes;
}

/** Adds the routes for programs to a server. */
export function addApi(app: Hono, server: OperationContext, upgrade?: SocketUpgrade): void {
  for (const each of apiRoutes(upgrade)) addRoute(app, each, server);
}

function documentRoute(routes: () => readonly Route[]): Route {
  let document: Promise<object> | undefined;
  const made = async ({ catalogue }: OperationContext) => {
    const { openApiDocument } = await import("./openapi.ts");
    return openApiDocument(project.version, routes(), catalogue?.settings);
  };
  return route({
    ...shared,
    name: "openapi",
    summary: "Gives the OpenAPI document.",
    method: "get",
    path: "/api/openapi.json",
    isTagged: true,
    answers: {
      200: { about: "An OpenAPI 3.1 document.", content: { "application/json": object } },
    },
    respond: async (context, _input, server) => {
      const base: string = context.get("basePath") ?? "/";
      return await jsonAnswer(context, {
        ...await (document ??= made(server)),
        servers: [{ url: base }],
      });
    },
  });
}

function mcpRoute(): Route {
  let endpoint: Promise<McpEndpoint> | undefined;
  const opened = async (server: OperationContext): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import("../mcp/convening_server.ts");
    const made = createMcpEndpoint({ ...server, readOnly: server.readOnly ?? false });
    server.signal.addEventListener("abort", () => void made.close(), { once: true });
    return made;
  };
  const problem = { "application/json": object };
  return route({
    ...shared,
    name: "mcp",
    summary: "Serves the archive as an MCP server, over streamable HTTP.",
    method: "post",
    path: "/mcp",
    // Tools that write are not offered where clients only read.
    writes: false,
    bodies: { "application/json": object },
    answers: {
      200: { about: "An answer of JSON-RPC.", content: { "text/event-stream": z.string() } },
      202: { about: "A notification was taken." },
      400: { about: "The body is no message of JSON-RPC.", content: problem },
      406: {
        about: "Accept has not both application/json and text/event-stream.",
        content: problem,
      },
      415: { about: "The body is no JSON.", content: problem },
    },
    errors: ["too_large"],
    respond: async ({ req }, _input, server) =>
      await (await (endpoint ??= opened(server))).answer(req.raw),
  });
}
