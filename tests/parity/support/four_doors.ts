// Runs the same act through library, CLI, HTTP and MCP, and compares results and records.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { listConvenings } from "../../../mod.ts";
import { withFolder } from "../../support/cli.ts";
import { CliDoor } from "./cli_door.ts";
import type { Asked, Begun, Door, Given, Held, World } from "./door.ts";
import { HttpDoor } from "./http_door.ts";
import { LibraryDoor } from "./library_door.ts";
import { McpDoor } from "./mcp_door.ts";
import { openServer } from "./open_server.ts";
import { filesOf, firstDifference } from "./record_files.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";
import { testsWith } from "../../support/tests_with.ts";

/** The four surfaces, each with its own archive. */
export class FourDoors {
  readonly #doors: readonly Door[];

  constructor(doors: readonly Door[]) {
    this.#doors = doors;
  }

  /** Runs a convening on every surface; throws if the results or the records differ. */
  async hold(asked: Asked): Promise<Everywhere> {
    return await this.#made((door) => door.hold(asked));
  }

  /**
   * Starts a convening on every surface and calls `act` for each run after `reached` resolves; throws if the records
   * differ.
   */
  async begin(
    asked: Asked,
    reached: () => Promise<void>,
    act: (door: Door, run: Begun & { readonly dir: string }) => Promise<unknown>,
  ): Promise<Everywhere> {
    const runs = await Promise.all(
      this.#doors.map(async (door) => [door, await door.begin(asked)] as const),
    );
    const early = runs.map(async ([{ name }, { ended }]) => {
      await ended;
      throw new Error(`The run of ${name} ended before all runs waited`);
    });
    try {
      await Promise.race([reached(), ...early]);
    } catch (error) {
      for (const [, { stop }] of runs) await stop();
      throw error;
    }
    const dirs = new Map<Door, string>();
    await Promise.all(runs.map(async ([door, run]) => {
      const [{ dir } = { dir: "" }] = await listConvenings(door.out);
      dirs.set(door, dir);
      await act(door, { ...run, dir });
      await run.ended;
    }));
    const everywhere = { given: {}, dirs };
    await this.compare(everywhere);
    return everywhere;
  }

  /** Forks a convening on every surface; throws as `hold` does. */
  async fork({ dirs }: Everywhere, how: Parameters<Door["fork"]>[1]): Promise<Everywhere> {
    return await this.#made((door) => door.fork(dirs.get(door)!, how));
  }

  /** Performs an act on every surface; throws if the results differ. */
  async each(act: (door: Door) => Promise<Given>): Promise<Given> {
    const all = await Promise.all(
      this.#doors.map(async (door) => [door.name, await act(door)] as const),
    );
    return same(all);
  }

  /** Performs an act on a convening of every surface; throws if the results differ. */
  async at({ dirs }: Everywhere, act: (door: Door, dir: string) => Promise<Given>): Promise<Given> {
    return await this.each((door) => act(door, dirs.get(door)!));
  }

  /** Throws if the records differ. */
  async compare({ dirs }: Everywhere): Promise<void> {
    const [first, ...others] = await Promise.all(
      this.#doors.map(async (door) => {
        const dir = dirs.get(door);
        return { name: door.name, files: dir === undefined ? {} : await filesOf(dir) };
      }),
    );
    for (const { name, files } of others) {
      assert.deepEqual(Object.keys(files), Object.keys(first!.files), name);
      for (const [path, text] of Object.entries(files)) {
        const other = firstDifference(text, first!.files[path] ?? "");
        assert.deepEqual(other, undefined, `${path} of ${name} and ${first!.name}: ${other}`);
      }
    }
  }

  /** Changes every record in the same way. */
  async damage({ dirs }: Everywhere, change: (dir: string) => Promise<void>): Promise<void> {
    await Promise.all([...dirs.values()].map(change));
  }

  async #made(make: (door: Door) => Promise<Held>): Promise<Everywhere> {
    const all = await Promise.all(
      this.#doors.map(async (door) => [door, await make(door)] as const),
    );
    const given = same(all.map(([door, { given }]) => [door.name, given] as const));
    const dirs = new Map(
      all.flatMap(([door, { dir }]) => dir === undefined ? [] : [[door, dir] as const]),
    );
    // All surfaces have a record, or none has.
    assert.ok(dirs.size === 0 || dirs.size === all.length, JSON.stringify([...dirs.values()]));
    const everywhere = { given, dirs };
    await this.compare(everywhere);
    return everywhere;
  }
}

/** A convening that ran on every surface. */
export interface Everywhere {
  /** Result that all surfaces returned. */
  readonly given: Given;
  readonly dirs: ReadonlyMap<Door, string>;
}

/** Opens all surfaces with the same models and environment. */
export async function withDoors(
  world: World,
  use: (doors: FourDoors) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const [http, mcp] = [join(folder, "http"), join(folder, "mcp")];
    await Deno.mkdir(join(folder, "cli"));
    const doors = [
      new LibraryDoor(join(folder, "library"), world),
      new CliDoor(join(folder, "cli"), world),
      new HttpDoor(http, await openServer(http, world)),
      await McpDoor.open(mcp, await openServer(mcp, world)),
    ];
    try {
      await use(new FourDoors(doors));
    } finally {
      for (const door of doors) await door.close();
    }
  });
}

/** Opens all surfaces with a server of the speaking model. */
export async function withSpeaker(use: (doors: FourDoors) => Promise<void>): Promise<void> {
  await using speaker = await startSpeaker();
  await withDoors({ model: MODEL, env: speaker.env }, use);
}

withSpeaker.test = testsWith(withSpeaker);

/** Returns the common result; throws if results differ. A surface that reports an error without a value is compared by error. */
function same(all: readonly (readonly [door: string, given: Given])[]): Given {
  const [, first] = all[0]!;
  for (const [door, { error, value, isSilent = false }] of all) {
    if (isSilent) continue;
    assert.deepEqual({ door, error }, { door, error: first.error });
    if (value === undefined && error !== undefined) continue;
    assert.deepEqual({ door, value }, { door, value: first.value });
  }
  return first;
}
