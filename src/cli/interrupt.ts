// Ctrl-C: the first stops in good order, the second at once.
import type { Io } from "./io.ts";

/** Reactions to Ctrl-C. */
interface InterruptHandlers {
  /** At the first. */
  readonly stop: () => void;
  /** At one that comes over a second after the first. */
  readonly exit: () => void;
}

/** The time within which a repeated Ctrl-C is the same one (npx hands each on a second time), in milliseconds. */
const SAME = 1000;

/** Tells the first Ctrl-C from a later one; gives back what stops listening. */
export function watchInterrupts(
  io: Pick<Io, "onInterrupt" | "now">,
  { stop, exit }: InterruptHandlers,
): () => void {
  let first: number | undefined;
  return io.onInterrupt(() => {
    if (first === undefined) {
      first = io.now();
      stop();
    } else if (io.now() - first > SAME) exit();
  });
}
