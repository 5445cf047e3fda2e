import { type Clock, isoTime } from "../core/clock.ts";

/** Who holds a record. */
export interface RecordHolder {
  /** Its process id. */
  readonly pid: number;
  /** The machine's name. */
  readonly host: string;
}

/** The text of a lock: one key a line. */
export function lockText({ pid, host }: RecordHolder, clock: Clock): string {
  return `pid: ${pid}\nhost: ${host}\nstarted_at: ${isoTime(clock)}\n`;
}

/** A lock's text in words, such as `process 4711 on alpha, for 12 s,`. */
export function holderWords(text: string, clock: Clock): string {
  const [, pid] = /^pid: (\d+)$/m.exec(text) ?? [];
  const [, host] = /^host: (\S+)$/m.exec(text) ?? [];
  const [, started] = /^started_at: (\S+)$/m.exec(text) ?? [];
  if (pid === undefined || started === undefined) return "another process";
  const seconds = Math.round((clock.now() - Date.parse(started)) / 1000);
  return `process ${pid} on ${host}, for ${Math.max(0, seconds)} s,`;
}
