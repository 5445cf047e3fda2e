import type { Routes } from "../app_routes.ts";
import { actingRoutes } from "./acting.ts";
import { conveningRoutes } from "./convenings.ts";
import { healthRoutes } from "./health.ts";
import { masDebateRoutes } from "./mas_debate.ts";
import { mcpRoutes } from "./mcp.ts";
import { openApiRoutes } from "./openapi.ts";
import { paperPageRoutes } from "./paper_pages.ts";
import { paperRoutes } from "./papers.ts";
import { readingRoutes } from "./reading.ts";
import { searchRoutes } from "./search.ts";
import { viewerRoutes } from "./viewer.ts";

/** Every part of the server, in the order in which they are asked. */
export const ROUTES: readonly Routes[] = [
  healthRoutes,
  openApiRoutes,
  conveningRoutes,
  readingRoutes,
  actingRoutes,
  searchRoutes,
  paperRoutes,
  masDebateRoutes,
  mcpRoutes,
  viewerRoutes,
  paperPageRoutes,
];
