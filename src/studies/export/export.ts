// Exports of a study: tables, dataset card, Croissant description, and a manifest with hashes.
import { join } from "@std/path";
import { z } from "zod";
import project from "../../../deno.json" with { type: "json" };
import { checkFields } from "../../core/check_fields.ts";
import { isoTime, systemClock } from "../../core/clock.ts";
import { ConfigurationError } from "../../core/error.ts";
import { FileError, type FileSystem, temporaryName } from "../../core/files.ts";
import { sha256 } from "../../core/message.ts";
import { markdownText } from "../../record/frontmatter.ts";
import { license as licenseShape } from "../read_study.ts";
import type { AllowedContent, ExportFormat, StudyConfig } from "../study.ts";
import {
  type ExportParts,
  fillTables,
  outputFile,
  snakeKeys,
  type StudyExport,
  TABLES,
} from "./tables.ts";
import { counted } from "../../core/text.ts";

/** Options of an export of a study. */
export interface StudyExportOptions {
  /** Tables to write. @default ["jsonl", "judgements"] */
  readonly formats?: readonly ExportFormat[] | undefined;
  /** SPDX identifier of the export's licence. @default the study's */
  readonly license?: string | undefined;
  /** True for an export to be published; requires a licence. @default false */
  readonly forRelease?: boolean | undefined;
  /** Contents to include that are omitted by default. @default none */
  readonly allow?: readonly AllowedContent[] | undefined;
  /** True if table `sft` has only turns of winners. @default false */
  readonly winnersOnly?: boolean | undefined;
}

const OPTIONS = z.strictObject({
  formats: z.array(z.enum(Object.keys(TABLES) as ExportFormat[])).min(1).optional(),
  license: licenseShape.optional(),
  forRelease: z.boolean().optional(),
  allow: z.array(z.enum(["sources", "papers", "people"])).optional(),
  winnersOnly: z.boolean().optional(),
});

const TERMS =
  "Turns are output of the models named here. Some providers restrict training on the output of their models: read " +
  "each provider's terms before you train on preferences or chats.";

/**
 * Writes an export of the completed convenings of the study in `dir` to a new folder `exports/TIME`. Throws `config_invalid`
 * for a wrong option, for a release without a licence, and if the Parquet package cannot be loaded.
 */
export async function writeExport(
  dir: string,
  parts: ExportParts,
  given: StudyExportOptions = {},
): Promise<StudyExport> {
  const options = checkFields(given, OPTIONS, "options of exportStudy");
  const { files, study, cells } = parts;
  const { formats = ["jsonl", "judgements"], allow = [], winnersOnly = false } = options;
  const license = options.license ?? study.license;
  if (options.forRelease === true && license === undefined) {
    throw new ConfigurationError("Cannot export for a release: no licence is given", {
      field: "license",
      hint: "Name the licence, such as CC-BY-4.0, in study.yaml under license, or as an option.",
    });
  }
  const exportedAt = isoTime(systemClock);
  const folder = join(dir, "exports", temporaryName("export"));
  await files.makeFolder(folder);
  try {
    const filled = await fillTables(dir, folder, parts, { formats, allow, winnersOnly });
    const complete = filled.convenings["completed"] === cells.length;
    const made: StudyExport = {
      ...filled,
      dir: folder,
      study: study.study,
      exportedAt,
      planned: cells.length,
      complete,
      ...license === undefined ? {} : { license },
      warnings: [
        ...complete ? [] : ["The study is not finished: only completed convenings are included."],
        ...formats.some((each) => each === "preferences" || each === "sft") ? [TERMS] : [],
      ],
    };
    const write = async (name: string, content: unknown) => {
      const file = outputFile(files, folder, name);
      const isText = typeof content === "string";
      await file.add(isText ? content : `${JSON.stringify(content, null, 2)}\n`);
      return await file.close();
    };
    const pages = [await write("README.md", datasetCard(made, study))];
    const described = croissant({ ...made, files: [...made.files, ...pages] });
    pages.push(await write("croissant.json", described));
    const all: StudyExport = { ...made, files: [...made.files, ...pages] };
    const filters = { formats, allow, winnersOnly };
    const manifest = await manifestOf(dir, files, { made: all, filters });
    await write("manifest.json", snakeKeys(manifest));
    return { ...all, dir: await publish(files, folder, exportedAt) };
  } catch (error) {
    await files.remove(folder);
    throw error;
  }
}

async function manifestOf(
  dir: string,
  files: FileSystem,
  { made, filters }: { readonly made: StudyExport; readonly filters: object },
): Promise<object> {
  const { dir: _dir, license = null, study, leftOut, models, files: listed, ...about } = made;
  return {
    format: "convenings-study-export/1",
    engine: project.version,
    study,
    plan: sha256(await files.read(join(dir, "plan.jsonl"))),
    configuration: sha256(await files.read(join(dir, "study.yaml"))),
    license,
    ...about,
    filters: { status: "completed", ...filters },
    models,
    leftOut,
    files: listed,
  };
}

/** Renames the folder to the time of the export, with a number if the name is taken; returns the path. */
async function publish(files: FileSystem, folder: string, time: string): Promise<string> {
  const name = time.replace(/\.\d+/, "").replaceAll(":", "-");
  for (let number = 1;; number++) {
    const path = join(folder, "..", number === 1 ? name : `${name}-${number}`);
    try {
      // Renaming would replace an empty folder.
      if (await files.stat(path) !== undefined) continue;
      await files.rename(folder, path);
      return path;
    } catch (error) {
      if (!(error instanceof FileError && error.problem === "exists")) throw error;
    }
  }
}

const CONTENTS: ReadonlyMap<string, string> = new Map(
  Object.values(TABLES).map(({ file, holds }) => [file, holds]),
);

/** Size categories of the Hugging Face Hub, by number of rows (exclusive). */
const SIZES: readonly (readonly [most: number, name: string])[] = [
  [1000, "n<1K"],
  [10_000, "1K<n<10K"],
  [100_000, "10K<n<100K"],
  [1_000_000, "100K<n<1M"],
];

/** Returns the dataset card, `README.md`. */
function datasetCard(made: StudyExport, study: StudyConfig): string {
  const { license, complete, convenings, planned, models, leftOut, warnings } = made;
  const tables = made.files.filter(({ path }) => CONTENTS.has(path));
  const { language } = study.base;
  const finished = `${convenings["completed"] ?? 0} of ${planned} planned convenings.`;
  const states = Object.entries(convenings).map(([status, n]) => `${n} ${status}`).join(", ");
  const shown = typeof language === "string" ? markdownText(language, 80) : "that of the topics";
  const left = leftOut.map(({ file, why, count }) =>
    `${file}: ${markdownText(why, 200)} (${count})`
  );
  return [
    frontMatter(made, language),
    `# Convenings of the study ${markdownText(study.study, 80)}`,
    complete ? finished : `${finished} **The study is not finished.**`,
    ...warnings.map((warning) => `> ${warning}`),
    section("Files", [
      ...tables.map(({ path, rows = 0 }) =>
        `\`${path}\` (${counted(rows, "row")}): ${CONTENTS.get(path)}`
      ),
      "`croissant.json`: a description for catalogues and loaders",
      "`manifest.json`: counts, filters, what was left out and why, and the SHA-256 of every file",
    ]),
    section("Columns", [
      "Names in `first`, `winner`, `order` and `contestant` are ids of contestants; the keys are `debate_id`, and with it `seq` for turns and scores. `winner` is null if nobody won. The debates of a pair on a topic share `pair_id`; those with exchanged seats also `repeat` and `seed`.",
      "A `total` of judgements is the mean of the criteria by `weight`. A side's total in `scores` is the mean by weight of its means of each criterion, over the turns that a judge scored for every side, so a total is not the mean of turns' totals: openings may lack criteria.",
      "A judge votes for the side that all its verdicts name, else for a tie. More than half of the judges decide, or a judge with `tiebreak`. `order` is the order in which a verdict's prompt showed the sides.",
      "`usage` and `cost_usd` (US dollars, null if a price is unknown) are of the whole convening with its judges, tokens of a turn of all requests for the turn. `words` counts the words of a side's turns. Times are UTC.",
    ]),
    "## Motivation",
    "The study compares contestants (models, prompts, judges or formats of debates) by convenings of a plan that was fixed beforehand. The tables let others check the results.",
    section("Composition", [
      `Convenings of the plan by status: ${states}. Only completed convenings are included.`,
      `Kind: ${markdownText(study.base.kind, 80)}`,
      `Contestants: ${listed((study.contestants ?? []).map(({ id }) => id))}`,
      `Models: ${listed(models)}`,
      `Language: ${shown}`,
    ]),
    "## Collection process",
    `Turns were spoken by the models above, within the protocol of the convening; turns and judgements of the model \`human\` are those of people, and those of \`template\` are fixed texts. The model \`offline\` is a program that writes sentences from patterns, not a language model. \`engine\` in the manifest is the version of the program that made the export.`,
    "## Preprocessing",
    "Turns are given as they were accepted; `marks` names rules that a turn breaks, and changes. Prompts were built again from the records by the program that made the export: word for word as they were first sent, if the same version of the program held the convening. Turns whose prompts cannot be built again are left out. The two sides of a debate are never paired: their prompts differ.",
    section("Left out", left.length === 0 ? ["Nothing."] : left),
    "## Uses",
    "The tables are for the analysis of debates, of contestants and of judges. Turns argue for assigned positions: they are not statements of fact. Turns and judges' reasons may quote a few words of a source or of a person.",
    "## Distribution",
    license === undefined
      ? "No licence is given: ask the authors of the study before you use the tables or pass them on."
      : `Licence: ${license}.`,
    "## Maintenance",
    `Exported at ${made.exportedAt}. An export is never changed; each later export has a folder of its own.`,
  ].join("\n\n") + "\n";
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 50).map((name) => markdownText(name, 120));
  const more = names.length - shown.length;
  return `${shown.join(", ") || "none"}${more === 0 ? "" : ` and ${more} more`}`;
}

/** Returns YAML front matter for the Hugging Face Hub; JSON strings are valid YAML strings. */
function frontMatter({ study, license, files }: StudyExport, language: unknown): string {
  // The Hub cannot load an empty file.
  const tables = files.filter(({ path, rows = 0 }) => CONTENTS.has(path) && rows > 0);
  const most = Math.max(0, ...tables.map(({ rows = 0 }) => rows));
  const size = SIZES.find(([limit]) => most < limit)?.[1] ?? "n>1M";
  // The Hub uses SPDX identifiers in lower case, without the version of Open Data Commons, and without "only" or "or later".
  const known = license?.toLowerCase().replace(
    /^(odbl|odc-by|pddl)-1\.0$|-(?:only|or-later)$/,
    "$1",
  );
  const isPlain = known !== undefined && !known.includes(" ");
  const lines = tables.filter(({ path }) => path.endsWith(".jsonl"));
  return [
    "---",
    `license: ${JSON.stringify(isPlain ? known : known ? "other" : "unknown")}`,
    ...known !== undefined && !isPlain ? [`license_name: ${JSON.stringify(license)}`] : [],
    ...typeof language === "string" && /^[a-z]{2,3}$/.test(language)
      ? [`language: [${JSON.stringify(language)}]`]
      : [],
    `pretty_name: ${JSON.stringify(`Convenings of the study ${study}`)}`,
    `size_categories: [${JSON.stringify(size)}]`,
    'task_categories: ["text-generation"]',
    'tags: ["debate", "synthetic"]',
    ...tables.length === 0 ? [] : ["configs:"],
    // The Hub reads all tables with one loader, and takes the types of columns from the first chunk of a file (10 MB by default),
    // where a column may have only null or whole numbers.
    ...(lines.length > 0 ? lines : tables).flatMap(({ path, bytes }) => [
      `  - config_name: ${path.replace(".jsonl", "").replace(".parquet", "_parquet")}`,
      "    data_files:",
      `      - { split: "train", path: ${JSON.stringify(path)} }`,
      ...lines.length > 0 ? [`    chunksize: ${bytes}`] : [],
    ]),
    "---",
  ].join("\n");
}

/** Media types by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  jsonl: "application/jsonl",
  parquet: "application/vnd.apache.parquet",
  md: "text/markdown",
};

/** Returns the description `croissant.json`, in version 1.1 of Croissant. */
function croissant(made: StudyExport): object {
  const { study, license, complete, convenings, planned, exportedAt, files } = made;
  const finished = convenings["completed"] ?? 0;
  return {
    "@context": {
      "@language": "en",
      "@vocab": "https://schema.org/",
      sc: "https://schema.org/",
      cr: "http://mlcommons.org/croissant/",
      dct: "http://purl.org/dc/terms/",
      isLiveDataset: "cr:isLiveDataset",
    },
    "@type": "sc:Dataset",
    "dct:conformsTo": "http://mlcommons.org/croissant/1.1",
    name: study,
    description: `${finished} of ${planned} planned convenings of the study ${study}: ` +
      "turns, judgements, and results.",
    license: license === undefined || license.includes(" ")
      ? license ?? "NOASSERTION"
      : `https://spdx.org/licenses/${license}.html`,
    // The URL is unknown before publication; a hash of the files identifies the export.
    url: `urn:sha256:${sha256(files.map((file) => file.sha256).join("\n"))}`,
    creator: { "@type": "sc:Organization", name: `Authors of the study ${study}` },
    datePublished: exportedAt.slice(0, 10),
    version: "1.0.0",
    isLiveDataset: !complete,
    distribution: files.map(({ path, bytes, sha256 }) => ({
      "@type": "cr:FileObject",
      "@id": path,
      name: path,
      contentUrl: path,
      contentSize: `${bytes} B`,
      encodingFormat: TYPES[path.split(".").at(-1)!],
      sha256,
    })),
  };
}
