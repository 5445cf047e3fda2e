/**
 * HTTP server of an archive as a function from Request to Response, for programs that listen on a port themselves.
 *
 * @module
 */
export { createServer } from "./server.ts";
export type { AppOptions, ResumedConvening, Server, ServerOptions } from "./server.ts";
export type { OpenSocket, SocketHandlers, SocketUpgrade } from "./socket.ts";
export type { ConnectionInfo, HostingOptions, SecurityOptions } from "./access.ts";
export type { ArchiveOptions } from "../operations/client_runs.ts";
export type { ServerModels } from "../core/key_rules.ts";
export { ConveningError } from "../core/error.ts";
export type { ErrorCode, ErrorDetail } from "../core/error.ts";
export type { AgentSettings } from "../core/key_rules.ts";
