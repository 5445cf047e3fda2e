// Shows the known model servers, the lessons learned from servers, and the profile of a model with the source of each key.
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { registrySettings } from "../inputs/servers.ts";
import { type Given, jsonOf, NAME, named } from "./outputs.ts";
import { LISTING, type Operation, operation } from "./operation.ts";

const text = z.string();
const address = text.describe("Its `/v1` included.");

const lesson = named(
  "Lesson",
  z.object({
    origin: text.describe("The server."),
    model: text.describe("The model, as the server knows it."),
    key: text.describe("The key of the profile."),
    from: z.unknown().optional().describe("The value before."),
    to: z.unknown().describe("The value from then on."),
    because: text.describe("The server's words."),
    at: text.describe("ISO 8601, UTC."),
  }),
);

const output = named(
  "Models",
  z.object({
    model: z.object({
      id: text.describe("The model, as the server knows it."),
      provider: text,
      baseUrl: address,
      profile: z.array(z.object({
        key: text,
        value: z.unknown(),
        from: text.describe(
          "The source: defaults, server NAME, model PATTERN, learned, user's provider.",
        ),
      })),
    }).nullable().describe("Null without a name, and for a model that is on no server."),
    servers: z.array(z.object({
      prefix: text.describe("The name before the colon; empty for names without a prefix."),
      label: text,
      baseUrl: address,
      apiKeyEnv: text.nullable().describe("The environment variable of the key."),
    })).describe("Known model servers; empty if a name is given."),
    local: z.array(z.object({
      prefix: text,
      label: text,
      origin: text,
      models: z.array(z.object({
        id: text,
        window: z.int().nullable().describe("Tokens; null where the server does not say."),
      })).describe("Loaded models first."),
    })).describe("Servers of the machine that answer; empty if a name is given."),
    lessons: z.array(lesson).describe("Lessons of the last seven days; with a name, the model's."),
  }),
);

export type ModelsJson = Given<z.output<typeof output>>;

export const MODELS: Operation = operation({
  ...LISTING,
  name: "models",
  summary:
    "Shows the known model servers, those of the server's machine that answer, and what was " +
    "learned from them; with a name, the profile of the model.",
  tags: ["server"],
  path: "/api/models",
  input: z.strictObject({
    name: NAME.optional().describe("A model's name, with its prefix."),
  }),
  output,
  async run({ out, models, catalogue = BUILT_IN }, { name }, { signal }) {
    const { recallLessons } = await import("../inputs/lessons.ts");
    await recallLessons(out);
    const settings = registrySettings(models);
    const { knownModel, knownServers } = await import("../agents/profiles.ts");
    if (name !== undefined) {
      const known = catalogue.hasOwn(name) ? undefined : knownModel(name, settings);
      if (known === undefined) return { model: null, servers: [], local: [], lessons: [] };
      const { model: id, from, lessons, ...model } = known;
      const profile = Object.entries(model.profile)
        .map(([key, value]) => ({ key, value, from: from[key] ?? "" }));
      return jsonOf(output, { model: { ...model, id, profile }, servers: [], local: [], lessons });
    }
    const { lessonsKnown } = await import("../agents/learned.ts");
    const { findLocalServers } = await import("../agents/local_servers.ts");
    const local = await findLocalServers({ signal });
    return jsonOf(output, {
      servers: knownServers(settings),
      local: local.map(({ provider: prefix, ...each }) => ({ prefix, ...each })),
      lessons: lessonsKnown(),
    });
  },
});
