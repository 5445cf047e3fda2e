import type { Hono } from "hono";
import type { ServerContext } from "../operations/server_context.ts";

/** A part of the server: adds its routes. */
export type Routes = (app: Hono, context: ServerContext) => void;
