// The archive that the workers of a Redis share: each of them has the same folder, and the folder can hold their records.
import { join } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { filesBelow, userFiles } from "../record/disk_files.ts";
import { readText } from "../record/problems.ts";
import { PREFIX, type RedisConnection } from "./redis.ts";

/** File of an archive with the id that Redis has for the archive. */
const PROBE = ".queue";
const KEY = `${PREFIX}:archive`;
/** File that lists the mounts of Linux; Deno reads it with all permissions only. */
const MOUNTS = "/proc/self/mounts";

/**
 * Gives a Redis to an archive, by a file that workers must find in theirs. Fails with `config_invalid` where the Redis is
 * of another archive, where files of the folder cannot be linked, and where its locks are of one machine alone.
 */
export async function claimArchive(connection: RedisConnection, archive: string): Promise<void> {
  await checkMount(archive);
  const files = filesBelow(archive);
  await files.makeFolder(archive);
  const id = await probe(files, archive) ?? await newProbe(files, archive);
  await connection.client.set(KEY, id, "NX");
  await checkArchive(connection, archive);
}

/** Compares the archive of a worker with that of the Redis; false while no study was queued there. */
export async function checkArchive(
  { client, address }: RedisConnection,
  archive: string,
): Promise<boolean> {
  await checkMount(archive);
  const id = await client.get(KEY);
  if (id === null) return false;
  const found = await probe(filesBelow(archive), archive);
  if (found === id) return true;
  throw new ConfigurationError(
    `Cannot use queue: Redis at ${address} has the cells of another archive than ${archive}`,
    {
      field: "archive",
      hint: found === undefined
        ? `Mount the folder that \`study run\` wrote to; it has the file ${PROBE}.`
        : "Use a Redis of its own for each archive, or another database of it: redis://HOST:PORT/1.",
    },
  );
}

/** True if workers of a Redis share the archive, or did. */
export async function isShared(files: FileSystem, archive: string): Promise<boolean> {
  return await probe(files, archive) !== undefined;
}

async function probe(files: FileSystem, archive: string): Promise<string | undefined> {
  return (await readText(files, join(archive, PROBE)))?.trim();
}

async function newProbe(files: FileSystem, archive: string): Promise<string> {
  const id: string = crypto.randomUUID();
  try {
    await writeDurably(files, join(archive, PROBE), `${id}\n`, { truth: true, exclusive: true });
    return id;
  } catch (error) {
    const other = await probe(files, archive);
    if (other !== undefined) return other;
    if (!(error instanceof FileError)) throw error;
    throw new ConfigurationError(
      `Cannot use queue: ${archive} cannot be shared, ${error.message.split("\n")[0]}`,
      {
        field: "archive",
        cause: error,
        hint: "Choose a folder that can be written to, on a file system with hard links.",
      },
    );
  }
}

/** Refuses an archive on a mount whose locks other machines do not see, where the mounts can be read. */
async function checkMount(archive: string): Promise<void> {
  const text = await readText(userFiles, MOUNTS);
  if (!hasLocalLocks(text ?? "", archive)) return;
  throw new ConfigurationError(
    `Cannot use queue: ${archive} is mounted with local_lock, so that no machine sees the locks of others`,
    { field: "archive", hint: "Mount the folder without local_lock, by NFS version 4." },
  );
}

/** True if the mount of a path, in the text of `/proc/self/mounts`, keeps its locks on this machine. */
export function hasLocalLocks(mounts: string, path: string): boolean {
  let length = 0;
  let options = "";
  for (const line of mounts.split("\n")) {
    const [, place = "", , given = ""] = line.split(" ");
    const folder = place.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
    const isAbove = `${path}/`.startsWith(folder.replace(/\/?$/, "/"));
    // The last of the mounts on one folder is the one that is seen.
    if (isAbove && folder.length >= length) [length, options] = [folder.length, given];
  }
  return /(?:^|,)(?:nolock|local_lock=(?!none))/.test(options);
}
