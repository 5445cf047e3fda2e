import assert from "node:assert/strict";
import { apiRoutes, openApiDocument } from "../../src/server/api.ts";
import { type ApiDocument, DocumentedClient } from "./support/documented_client.ts";
import { askActing, askCrowded, askMcp, askReading } from "./support/documented_convenings.ts";
import { askDebates, askFailing, askPapers } from "./support/documented_debates.ts";
import { askStudies } from "./support/documented_studies.ts";
import {
  askBroken,
  askDamaged,
  askKeyed,
  askStrangely,
  askWrongly,
} from "./support/documented_refusals.ts";

Deno.test("every answer that the OpenAPI document has is given, and none is given that it has not", async (t) => {
  const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument("1.0.0", apiRoutes())));
  const client = new DocumentedClient(document);
  await t.step("to strangers", () => askStrangely(client));
  await t.step("to what cannot be used or is not there", () => askWrongly(client));
  await t.step("to keys", () => askKeyed(client));
  await t.step("of damaged convenings", () => askDamaged(client));
  await t.step("where something goes wrong", () => askBroken(client));
  await t.step("about papers", () => askPapers(client));
  await t.step("to debates", () => askDebates(client));
  await t.step("where models fail", () => askFailing(client));
  await t.step("to readers", () => askReading(client));
  await t.step("to who steers", () => askActing(client));
  await t.step("where there is no room", () => askCrowded(client));
  await t.step("about studies", () => askStudies(client));
  await t.step("to models", () => askMcp(client));
  // Sockets and a stream without an end are opened in tests of their own.
  const others = [
    "get /api/archive/events 200 text/event-stream",
    "get /api/convenings/{id}/socket 101 ",
  ];
  await t.step("all of it", () => assert.deepEqual(client.unseen.toSorted(), others));
});
