// Effects of keys about topic, sources, memory and output.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { promptOf, TOPIC } from "../../support/talkers.ts";
import { namesIn, withFolder } from "../../support/cli.ts";
import { ROOT } from "../../support/deno_process.ts";
import { differs, type KeyCase, shows, withValue } from "../support/key_case.ts";
import { hold, KINDS, person, type Seen, settingsOf } from "../support/holding.ts";

const EXAMPLES = join(ROOT, "examples", "configurations");
const SOURCE = join(EXAMPLES, "sources", "late_buses.md");

function head({ requests }: Seen): string {
  return requests[0]!.messages[0]!.content;
}

/** Keys of topic, sources, memory and output. */
export const MATERIAL_CASES: readonly KeyCase[] = [
  differs({
    key: "topic",
    changes: "what all are told it is about",
    value: "Should trams be free for everyone?",
    // In a paper debate the topic may come from a paper and is quoted.
    of: (seen) => /^Topic: (?:\n<source name="topic">\n)?(.*)$/m.exec(head(seen))?.[1],
    is: [TOPIC, "Should trams be free for everyone?"],
  }),
  differs({
    key: "refusedTerms",
    changes: "which topics are refused",
    value: ["private cars"],
    of: ({ error }) => error?.code,
    is: [undefined, "topic_refused"],
  }),
  differs({
    key: "topicCheck",
    changes: "whether terms of the topic are looked at",
    base: { refusedTerms: ["private cars"] },
    value: "off",
    of: ({ error }) => error?.code,
    is: ["topic_refused", undefined],
  }),
  differs({
    key: "language",
    changes: "the language that is asked for",
    value: "Basque",
    of: (seen) => /Write in (?:this language: )?([^.]+)\./.exec(head(seen))?.[1],
    is: ["the language of the topic", "Basque"],
  }),
  differs({
    key: "sources",
    changes: "what is quoted to all and kept with the record",
    value: [SOURCE],
    of: (seen) => [
      head(seen).includes('<source name="late_buses.md">'),
      seen.files.has("sources/late_buses.md"),
    ],
    is: [[false, false], [true, true]],
  }),
  differs({
    key: "sourceTokens",
    changes: "how much of the sources is quoted",
    base: { sources: [SOURCE] },
    value: 20,
    of: (seen) => /are cut: [\d,]+ characters of late_buses\.md are left out/.test(head(seen)),
    is: [false, true],
  }),
  differs({
    key: "transcript",
    changes: "which whole transcripts are written",
    value: ["txt", "json"],
    of: ({ files }) => [...files.keys()].filter((path) => path.startsWith("transcript.")).sort(),
    is: [[], ["transcript.json", "transcript.txt"]],
  }),
  ...KINDS.map((kind) => {
    const names = { dialogue: "participant", consensus: "participant", debate: "advocate" };
    const name = kind === "paper-debate" ? "debater" : names[kind];
    return differs({
      key: `prompts/${name}`,
      changes: "the words one is asked in",
      kinds: [kind],
      value: "You are {name}, and you whistle.",
      of: ({ requests }) =>
        requests.some((request) => promptOf(request).includes("You are Ada, and you whistle.")),
      is: [false, true],
    });
  }),
  shows({
    key: "out",
    changes: "the folder it is written in",
    async check(kind) {
      await withFolder(async (folder) => {
        for (const name of ["one", "two"]) {
          const out = join(folder, name);
          const { result } = await hold(settingsOf(kind, { out }));
          const { dir = "" } = result!;
          assert.ok(dir.startsWith(await Deno.realPath(out)), dir);
          assert.ok((await namesIn(dir)).includes("metadata.md"));
        }
        assert.deepEqual((await namesIn(folder)).sort(), ["one", "two"]);
      });
    },
  }),
  differs({
    key: "personas",
    changes: "which personas have a name",
    base: { participants: [person("Ada", { persona: "night_nurse" }), person("Ben")] },
    value: join(EXAMPLES, "personas"),
    of: ({ error, requests }) => [
      error?.code,
      requests.some((request) => /nurse/i.test(promptOf(request))),
    ],
    is: [["config_invalid", false], [undefined, true]],
  }),
  shows({
    key: "memory",
    changes: "which earlier convenings are quoted",
    async check(kind) {
      await withFolder(async (out) => {
        const settings = settingsOf(kind);
        await hold({ ...settingsOf("debate"), out });
        assert.doesNotMatch(head(await hold(settings)), /An earlier convening on/);
        const seen = await hold(withValue(settings, "memory", out));
        assert.ok(head(seen).includes(`An earlier convening on: ${TOPIC}`));
        assert.ok([...seen.files.keys()].some((path) => path.startsWith("lookups/")));
      });
    },
  }),
];
