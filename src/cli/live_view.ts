// Progress of a run on the terminal of a session, with the status line that moves below it.
import { pause } from "../core/clock.ts";
import type { ConveningStart } from "../core/event.ts";
import { Progress } from "./progress.ts";
import { Screen } from "./screen.ts";
import type { Session } from "./session.ts";

/** The time between two states of the status line, in milliseconds. */
const EVERY = 200;

/** A progress that is shown until it ends. */
export interface LiveView {
  readonly progress: Progress;
  readonly screen: Screen;
  /** Shows the rest, and takes the status line away. */
  end(): void;
}

/** Shows a run on a session's terminal, or as lines where nobody watches; `start` is that of one that is resumed. */
export function liveView(session: Session, start?: ConveningStart): LiveView {
  const { io } = session;
  const { live, colour } = io;
  const screen = new Screen(io.err);
  const columns = () => io.columns();
  const progress = new Progress((text) => screen.show(text), { live, colour, start, columns });
  const over = new AbortController();
  // Events as JSON are lines of the same terminal.
  if (live && !(session.json && io.outIsTerminal)) {
    session.screen = screen;
    void (async () => {
      while (!over.signal.aborted) {
        screen.status(progress.status.at(io.now(), io.columns()));
        await pause(EVERY, over.signal).catch(() => {});
      }
    })();
  }
  return {
    progress,
    screen,
    end() {
      over.abort();
      screen.status("");
      session.screen = undefined;
      progress.end();
    },
  };
}
