// Routes of a study's events and files.
import { z } from "zod";
import { pause } from "../core/clock.ts";
import { NAMED, type OperationContext, SHAPES } from "../operations/operation.ts";
import { OF_STUDY, STUDY_ID, studyDir, studyJson, studyOutput } from "../operations/study_json.ts";
import { type SentEvent, streamAnswer, type StreamPlaces } from "./events.ts";
import { FILE_ANSWERS, fileAnswer } from "./files.ts";
import { belowBase, type Route, route } from "./route.ts";

const stream = z.string();
SHAPES.set(stream, () => ({
  contentMediaType: "application/json",
  contentSchema: { $ref: `#/components/schemas/${NAMED.get(studyOutput)!.id}` },
}));

/** Minimal time between two events of an own run, and interval of polling another process's run, in milliseconds. */
const TIMES = { own: 500, other: 2000 } as const;

export function studyRoutes(places: StreamPlaces): readonly Route[] {
  return [
    route({
      ...OF_STUDY,
      name: "study_events",
      summary:
        "Sends the state of a study as server-sent events: progress while it runs, then end.",
      method: "get",
      path: "/api/studies/{id}/events",
      writes: false,
      errors: ["not_found", "busy"],
      input: z.strictObject({ id: STUDY_ID }),
      answers: {
        200: { about: "The events, until the run ends.", content: { "text/event-stream": stream } },
      },
      async respond(context, { id }, server) {
        await studyDir(server, id);
        const { signal } = server;
        const events = async function* (signal: AbortSignal) {
          for await (const each of studyEvents(server, id, signal)) yield belowBase(context, each);
        };
        return streamAnswer(context, { signal, places }, events);
      },
    }),
    route({
      ...OF_STUDY,
      name: "study_file",
      summary: "Reads the plan, the index or a file of the report or of an export of a study.",
      method: "get",
      path: "/api/studies/{id}/files",
      writes: false,
      errors: ["not_found"],
      input: z.strictObject({
        id: STUDY_ID,
        path: z.string("Give the path of a file, such as report/leaderboard.md.").regex(
          /^(?:index\.md|plan\.jsonl|report\/[^/]+|exports\/[^/]+\/[^/]+)$/,
          "Give index.md, plan.jsonl, or the path of a file of report or exports.",
        ).describe("The file's path in the study's folder, as report and export give it."),
      }),
      isTagged: true,
      answers: FILE_ANSWERS,
      async respond(context, { id, path }, { out }) {
        await studyDir({ out }, id);
        const names = path.split("/");
        return await fileAnswer(context, out, ["studies", id, ...names], names);
      },
    }),
  ];
}

/** Yields the state of a study at every change, until no process runs the study. */
async function* studyEvents(
  server: OperationContext,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  let before = "";
  while (!signal.aborted) {
    const changed = server.pool.studies.run(id)?.changed();
    const study = await studyJson(server, id);
    if (study.state !== "running") return yield { event: "end", data: study };
    const now = JSON.stringify(study);
    if (now !== before) yield { event: "progress", data: study };
    before = now;
    await Promise.all([changed, pause(changed === undefined ? TIMES.other : TIMES.own, signal)]);
  }
}
