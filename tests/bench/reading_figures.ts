// Requests per second of what is read, beside a bare server that reads the same files.
import type { Archive, ArchivedConvening } from "./archive.ts";
import { type Figure, figure, type Goal, pairs, ratios, spread } from "./figure.ts";
import type { Load, LoadTask } from "./load_process.ts";
import type { Extent } from "./rows.ts";
import { Helper, Served } from "./served.ts";

/** What is asked of a server. */
interface Asked {
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** @default 16 */
  readonly connections?: number;
}

/** The two servers, and what asks them. */
interface Place {
  readonly ours: Served;
  readonly bare: Served;
  readonly load: Helper;
  readonly repetitions: number;
  /** Milliseconds that each is asked for. */
  readonly time: number;
}

/** Figures of reading an archive. */
export async function reading(
  archive: Archive,
  { repetitions, quick }: Extent,
): Promise<Figure[]> {
  await using ours = await Served.ours(archive.out);
  await using bare = await Served.bare(archive.out);
  await using load = await Helper.start("load_process.ts");
  const place: Place = {
    ours,
    bare,
    load,
    repetitions: Math.min(repetitions, 3),
    time: quick ? 50 : 400,
  };
  // The first requests also load and compile.
  const [name = ""] = archive.small.names;
  for (const [candidate, path] of Object.entries(messagePaths(archive.small, name))) {
    const { port } = candidate === "ours" ? ours : bare;
    const task: LoadTask = {
      port,
      paths: [path],
      connections: 16,
      milliseconds: quick ? 50 : 1500,
    };
    await load.ask<Load>(task);
  }
  return [
    ...await files(place, archive),
    ...await pages(place, archive),
    ...await records(place, archive),
    ...await lists(place, archive),
  ];
}

/** What was answered, and what it cost. */
interface Costed extends Load {
  /** Processor time of the server for one answer, in milliseconds. */
  readonly cpu: number;
}

/** Asks one of the servers; what was not compiled or read before does not count. */
async function asked(
  { load, time, ...servers }: Place,
  candidate: "ours" | "bare",
  what: Asked,
): Promise<Costed> {
  const server = servers[candidate];
  const task: LoadTask = { port: server.port, connections: 16, milliseconds: time, ...what };
  await load.ask<Load>({ ...task, milliseconds: time / 4 });
  const before = await server.gauge();
  const found = await load.ask<Load>(task);
  const { cpu } = await server.gauge();
  if (found.status !== 200 && found.status !== 304) {
    throw new Error(`${candidate} answered ${found.status} to ${what.paths[0]}`);
  }
  return { ...found, cpu: (cpu - before.cpu) / found.requests };
}

/** Requests per second, ours and the bare server's. */
async function compared(
  place: Place,
  what: string,
  { goal, ...both }: {
    readonly ours: Asked;
    readonly bare: Asked;
    readonly goal: Goal;
  },
): Promise<{ readonly rate: Figure; readonly ours: Costed[]; readonly bare: Costed[] }> {
  const found = await pairs(
    place.repetitions,
    (candidate) => asked(place, candidate, both[candidate]),
  );
  const [ours, bare] = [found.ours, found.bare].map((list) =>
    list.map(({ perSecond }) => perSecond)
  );
  const rate = figure(`requests per second ÷ bare, ${what}`, {
    row: "server",
    goal,
    value: ratios(ours!, bare!),
    ours: spread(ours!),
    bare: spread(bare!),
    unit: "/s",
    others: "not measured",
  });
  return { rate, ...found };
}

/** What is asked of us alone: how long it takes. */
async function timed(
  place: Place,
  what: string,
  { goal, ...given }: Asked & { readonly goal: Goal },
): Promise<Figure> {
  const loads: Load[] = [];
  for (let i = 0; i < place.repetitions; i++) loads.push(await asked(place, "ours", given));
  return figure(`milliseconds, ${what}`, {
    row: "server",
    goal,
    value: loads.map(({ p50 }) => p50),
    ours: spread(loads.map(({ perSecond }) => perSecond)),
    unit: "/s",
    others: "not measured",
  });
}

/** Where a message is, at both servers. */
function messagePaths({ id, dir }: ArchivedConvening, name: string) {
  return {
    ours: `/api/convenings/${id}/files/messages/${name}`,
    bare: `/files/${dir}/messages/${name}`,
  };
}

/** Files as they are: a message, known and unknown, and an index. */
async function files(place: Place, { large, small }: Archive): Promise<Figure[]> {
  const goal = { atLeast: 0.7 };
  const message = await compared(place, `a message of ${large.messages}`, {
    goal,
    ours: { paths: large.names.map((name) => messagePaths(large, name).ours) },
    bare: { paths: large.names.map((name) => messagePaths(large, name).bare) },
  });
  const last = messagePaths(small, small.names.at(-1)!);
  const one = { ours: { paths: [last.ours] }, bare: { paths: [last.bare] } };
  const known = async (candidate: "ours" | "bare"): Promise<Asked> => {
    const { etag } = await asked(place, candidate, one[candidate]);
    return { ...one[candidate], headers: { "If-None-Match": etag } };
  };
  const unchanged = await compared(place, "a message that the client has", {
    goal,
    ours: await known("ours"),
    bare: await known("bare"),
  });
  const index = await compared(place, "an index page", {
    goal,
    ours: { paths: [`/api/convenings/${small.id}/files/index.md`] },
    bare: { paths: [`/files/${small.dir}/index.md`] },
  });
  const further = ([["p99", "slowest hundredth", 2], ["cpu", "CPU of the server", 1.4]] as const)
    .map(([key, what, atMost]) => {
      const [ours, bare] = [message.ours, message.bare].map((list) =>
        list.map((each) => each[key])
      );
      return figure(`${what} ÷ bare, a message`, {
        row: "server",
        goal: { atMost },
        value: ratios(ours!, bare!),
        ours: spread(ours!),
        bare: spread(bare!),
        unit: "ms",
        others: "not measured",
      });
    });
  return [message.rate, ...further, unchanged.rate, index.rate];
}

/** Pages of messages and of scores: they cost what is on them. */
async function pages(place: Place, { large, small }: Archive): Promise<Figure[]> {
  const middle = Math.floor(large.messages / 2);
  const query = `?after=${middle}&limit=20`;
  const messages = await compared(place, `20 of ${large.messages} messages`, {
    goal: { atLeast: 0.7 },
    ours: { paths: [`/api/convenings/${large.id}/messages${query}`] },
    bare: { paths: [`/messages/${large.dir}${query}`] },
  });
  const figures = [messages.rate];
  for (const part of ["messages", "scores"]) {
    const times = await pairs(place.repetitions, (candidate) => {
      const { id } = candidate === "ours" ? large : small;
      const paths = [`/api/convenings/${id}/${part}${candidate === "ours" ? query : "?limit=20"}`];
      return asked(place, "ours", { paths });
    });
    const [ours, few] = [times.ours, times.bare].map((list) => list.map(({ p50 }) => p50));
    figures.push(figure(`20 ${part} of ${large.messages} ÷ of ${small.messages}`, {
      row: "server",
      goal: { atMost: 1.5 },
      value: ratios(ours!, few!),
      ours: spread(ours!),
      bare: spread(few!),
      unit: "ms",
      others: "not measured",
    }));
  }
  return figures;
}

/** What is made of a whole record. */
async function records(place: Place, { large, small }: Archive): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [{ id, messages }, atMost] of [[small, 30], [large, 300]] as const) {
    const whole = { goal: { atMost }, connections: 1 };
    figures.push(
      await timed(place, `a convening of ${messages} messages`, {
        ...whole,
        paths: [`/api/convenings/${id}`],
      }),
      await timed(place, `its page`, { ...whole, paths: [`/convenings/${id}`] }),
    );
  }
  return figures;
}

/** What is made of the whole archive. */
async function lists(place: Place, { convenings }: Archive): Promise<Figure[]> {
  const list = await compared(place, `the list of ${convenings} convenings`, {
    goal: { atLeast: 1 },
    ours: { paths: ["/api/convenings"], connections: 4 },
    bare: { paths: ["/convenings"], connections: 4 },
  });
  const page = await timed(place, `the archive's page, ${convenings} convenings`, {
    goal: { atMost: 30 },
    paths: ["/"],
    connections: 1,
  });
  return [list.rate, page];
}
