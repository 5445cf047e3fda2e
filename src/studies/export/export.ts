// Exports of a study: tables of its finished convenings, a card, a description for catalogues, a manifest with hashes.
import { join } from "@std/path";
import { z } from "zod";
import project from "../../../deno.json" with { type: "json" };
import { checkFields } from "../../core/check_fields.ts";
import { type Clock, isoTime, systemClock } from "../../core/clock.ts";
import { ConfigurationError } from "../../core/error.ts";
import { FileError, type FileSystem, temporaryName } from "../../core/files.ts";
import { sha256 } from "../../core/message.ts";
import { license as licenseShape } from "../read_study.ts";
import { croissant, datasetCard } from "./dataset_card.ts";
import { type ExportedFile, OutputFile, snakeKeys } from "./output_file.ts";
import type { AllowedContent } from "./rows.ts";
import { type ExportFormat, type ExportParts, fillTables, type StudyExport } from "./tables.ts";

/** Options of an export of a study. */
export interface StudyExportOptions {
  /** Tables that are written. @default ["jsonl", "judgements"] */
  readonly formats?: readonly ExportFormat[] | undefined;
  /** SPDX name of the licence that the export is given under. @default that of the study */
  readonly license?: string | undefined;
  /** True for an export that is published: a licence is required. @default false */
  readonly forRelease?: boolean | undefined;
  /** Contents that are left out otherwise. @default none */
  readonly allow?: readonly AllowedContent[] | undefined;
  /** True if chats for training are those of winners alone. @default false */
  readonly winnersOnly?: boolean | undefined;
}

const OPTIONS = z.strictObject({
  formats: z.array(z.enum(["jsonl", "parquet", "judgements", "preferences", "sft"])).min(1)
    .optional(),
  license: licenseShape.optional(),
  forRelease: z.boolean().optional(),
  allow: z.array(z.enum(["sources", "papers", "people"])).optional(),
  winnersOnly: z.boolean().optional(),
});

const TERMS =
  "Turns are output of the models named here. Some providers restrict training on the output of their models: read " +
  "each provider's terms before you train on preferences or chats.";

/**
 * Writes an export of the study in `dir` to a new folder `exports/TIME`: finished convenings alone. Fails with
 * `config_invalid` for a wrong option, for a release without a licence, and where the package for Parquet cannot be loaded.
 */
export async function writeExport(
  dir: string,
  parts: ExportParts & {
    /** The time of the export. @default the machine's clock */
    readonly clock?: Clock | undefined;
  },
  given: StudyExportOptions = {},
): Promise<StudyExport> {
  const options = checkFields(given, OPTIONS, "options of exportStudy");
  const { files, study, cells, clock = systemClock } = parts;
  const { formats = ["jsonl", "judgements"], allow = [], winnersOnly = false } = options;
  const license = options.license ?? study.license;
  if (options.forRelease === true && license === undefined) {
    throw new ConfigurationError("Cannot export for a release: no licence is given", {
      field: "license",
      hint: "Name the licence, such as CC-BY-4.0, in study.yaml under license, or as an option.",
    });
  }
  const exportedAt = isoTime(clock);
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
        ...complete ? [] : ["The study is not finished: only convenings that have ended are here."],
        ...formats.some((each) => each === "preferences" || each === "sft") ? [TERMS] : [],
      ],
    };
    const pages = [await writePage(files, folder, "README.md", datasetCard(made, study))];
    const described = croissant({ ...made, files: [...made.files, ...pages] });
    pages.push(await writePage(files, folder, "croissant.json", json(described)));
    const all: StudyExport = { ...made, files: [...made.files, ...pages] };
    const filters = { formats, allow, winnersOnly };
    const manifest = await manifestOf(dir, files, { made: all, filters });
    await writePage(files, folder, "manifest.json", json(snakeKeys(manifest)));
    return { ...all, dir: await publish(files, folder, exportedAt) };
  } catch (error) {
    await files.remove(folder);
    throw error;
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function writePage(
  files: FileSystem,
  folder: string,
  name: string,
  text: string,
): Promise<ExportedFile> {
  const file = new OutputFile(files, folder, name);
  await file.add(text);
  return await file.close();
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

/** Gives the folder its name: the time of the export, with a number where that is taken; gives the path. */
async function publish(files: FileSystem, folder: string, time: string): Promise<string> {
  const name = time.replace(/\.\d+/, "").replaceAll(":", "-");
  for (let number = 1;; number++) {
    const path = join(folder, "..", number === 1 ? name : `${name}-${number}`);
    try {
      // A folder that is empty would be replaced.
      if (await files.stat(path) !== undefined) continue;
      await files.rename(folder, path);
      return path;
    } catch (error) {
      if (!(error instanceof FileError && error.problem === "exists")) throw error;
    }
  }
}
