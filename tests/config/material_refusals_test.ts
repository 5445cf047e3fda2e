// Unreadable files of a configuration are rejected.
import { basename, join } from "@std/path";
import { person } from "./support/holding.ts";
import { file, FOLDER } from "./support/files.ts";
import { type Refusal, refusalOf, testRefusals } from "./support/refusals.ts";

const NURSE = "name: Nurse\ndescription: A nurse.\nreasoning_style: Practical.\n";
const RUBRIC =
  "id: own\nscale: [0, 10]\ncriteria:\n  - { id: plain, weight: 0.5, description: Plain. }\n";

await Deno.mkdir(join(FOLDER, "none"));
await file("twins/nurse.yaml", NURSE);
await file("twins/carer.yaml", `id: nurse\n${NURSE}`);
const FILES = {
  damaged: await file("damaged/nurse.yaml", "name: ["),
  odd: await file("odd/nurse.yaml", `${NURSE}shoe_size: 38\n`),
  light: await file("light.yaml", RUBRIC),
  cut: await file("cut.yaml", "id: [own"),
  anchored: await file(
    "anchored.yaml",
    `${RUBRIC.replace("0.5", "1")}anchors:\n  - { from: 50, means: Much. }\n`,
  ),
  picture: await file("picture.md", "\u0000\u0001"),
  latin: await file("latin.md", "A sign may be � by itself: "),
  empty: await file("empty.md", " \n"),
  paper: await file("paper.pdf", "%PDF-1.7"),
};

// Three bytes of a character of four, which are read as a single sign of three.
await Deno.writeFile(FILES.latin, Uint8Array.of(0xf0, 0x9f, 0x98), { append: true });

function missing(name: string): string {
  return join(FOLDER, name);
}

const cast = (persona: string) => ({ participants: [person("Ada", { persona }), person("Ben")] });

const debate = refusalOf("debate");

const TEXT = /markdown or text/;

/** Unreadable sources. */
const SOURCES: readonly (readonly [what: string, path: string, says: RegExp, allows: RegExp])[] = [
  ["a source that is not there", missing("no.md"), /no\.md": there is no such file/, TEXT],
  [
    "a web address as a source",
    "https://example.org/a.md",
    /"https:\/\/example\.org\/a\.md": it is a web address/,
    /Download the file/,
  ],
  ["a folder as a source", FOLDER, /it is not a readable file/, TEXT],
  ["a source that is no text", FILES.picture, /it is not text in UTF-8/, TEXT],
  [
    "a source in Latin-1",
    FILES.latin,
    /latin\.md": it is not text in UTF-8/,
    /markdown or text.*Save .* as UTF-8/,
  ],
  ["an empty source", FILES.empty, /empty\.md": it is empty/, /markdown or plain text/],
  [
    "a source that is a damaged PDF",
    FILES.paper,
    /paper\.pdf": it is damaged and cannot be read as a PDF/,
    /give its text/,
  ],
];

/** Files of any kind's configuration: all but paper debates read them alike. */
const OF_ALL = (["debate", "paper-debate"] as const).flatMap((kind) => {
  const refused = refusalOf(kind);
  return [
    ...SOURCES.map(([what, path, says, allows]) =>
      refused(what, { sources: [path] }, { field: "sources", says, allows })
    ),
    refused("an empty folder of personas", { personas: join(FOLDER, "none") }, {
      field: "personas",
      says: /none": there is no YAML file in it/,
      allows: /one persona each/,
    }),
    refused("a damaged persona of a folder", {
      personas: join(FOLDER, "damaged"),
      ...cast("nurse"),
    }, {
      field: FILES.damaged,
      says: /nurse\.yaml": it is not valid YAML: .* at line \d/,
      allows: /name and description/,
    }),
    refused("a persona of a folder with unknown keys", {
      personas: join(FOLDER, "odd"),
      ...cast("nurse"),
    }, {
      field: /nurse\.yaml|shoe_size/,
      says: /shoe_size/,
      allows: /name and description|vocabulary/,
    }),
    ...[missing("nowhere"), FILES.light].flatMap((path) =>
      ["memory", "personas"].map((key) =>
        refused(`${basename(path)}, which is no folder, as ${key}`, { [key]: path }, {
          field: key,
          says: new RegExp(`^Cannot read ${key} ".*${basename(path)}": there is no such folder$`),
          allows: /Give (the|a) folder of/,
        })
      )
    ),
    refused("a folder with two personas of one id", { personas: join(FOLDER, "twins") }, {
      field: "personas",
      says: /"carer\.yaml" and "nurse\.yaml" both have the id "nurse"/,
      allows: /id of its own/,
    }),
    refused("a persona that there is none of", cast("wizard"), {
      field: "participants.0.persona",
      says: /"wizard"/,
      allows: /scientist, philosopher, economist, engineer, lawyer, historian/,
    }),
    refused("a persona's file that is not there", cast(missing("wizard.yaml")), {
      field: "participants.0.persona",
      says: /wizard\.yaml": there is no such file/,
      allows: /persona's YAML file/,
    }),
  ];
});

/** Further files of a debate's configuration. */
const OF_DEBATES: readonly Refusal[] = ["rubric", "judges"].flatMap((key) => {
  const given = (rubric: string) => key === "rubric" ? { rubric } : { judges: [{ rubric }] };
  const refused = (what: string, path: string, rest: Pick<Refusal, "field" | "says" | "allows">) =>
    debate(`${what} in ${key}`, given(path), rest);
  return [
    refused("a rubric's file that is not there", missing("r.yaml"), {
      field: "rubric",
      says: /r\.yaml": there is no such file/,
      allows: /rubric's YAML file/,
    }),
    refused("a rubric's file that is damaged", FILES.cut, {
      field: FILES.cut,
      says: /cut\.yaml": it is not valid YAML/,
      allows: /weights sum to 1/,
    }),
    refused("a rubric's file whose weights do not sum to 1", FILES.light, {
      field: "rubric",
      says: /light\.yaml": its weights sum to 0\.5, not to 1/,
      allows: /weights sum to 1/,
    }),
    refused("a rubric's file with an anchor out of its scale", FILES.anchored, {
      field: "rubric",
      says: /anchored\.yaml": an anchor is from 50, which is outside the scale of 0 to 10/,
      allows: /within the scale/,
    }),
  ];
});

testRefusals([
  ...OF_ALL,
  ...OF_DEBATES,
  debate("a listener's persona that there is none of", { audience: [{ persona: "wizard" }] }, {
    field: "audience.0.persona",
    says: /"wizard"/,
    allows: /scientist/,
  }),
]);
