import type { Hono } from "hono";
import project from "../../../deno.json" with { type: "json" };

/** What there is to ask for, told to programs: `GET /api/openapi.json`. */
export function openApiRoutes(app: Hono): void {
  let document: Promise<object> | undefined;
  const made = async () => {
    const { openApiDocument } = await import("../openapi.ts");
    return openApiDocument(project.version);
  };
  app.get("/api/openapi.json", async (context) => context.json(await (document ??= made())));
}
