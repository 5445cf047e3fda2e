// Draws the scores of a convening's sides over the rounds.
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import type { Score } from "../../core/fact.ts";
import { mean } from "../../core/statistics.ts";
import { headingWords, totalText } from "../../core/text.ts";
import type { ScoredTurn } from "../../judging/scoring.ts";
import { sideOf } from "../../core/participant.ts";
import { bidi, column, type Markup, wideTable } from "./markup.tsx";

/** Mean scores of a participant, by position on the axis; undefined where nothing was scored. */
interface ScoreLine {
  readonly name: string;
  /** Number of the color, from 1. @default none */
  readonly side: number | undefined;
  readonly values: readonly (number | undefined)[];
}

/** Width and height of the drawing, and margins around its lines. */
const SIZE = { width: 480, height: 200, left: 34, right: 16, top: 12, bottom: 28 };
const MAX_LABELS = 6;
/** Maximum labels on a narrow screen; above it, every second label is left out. */
const MAX_NARROW_LABELS = 4;
/** Maximum positions of a line; in a longer convening several rounds share a position. */
const MAX_PLACES = 60;

/** Renders a line for each participant over the scored phases and rounds; empty for fewer than two. */
export function scoreChart(
  { start, scores, messages, scale, by }: {
    readonly start: ConveningStart;
    /** Scores by one rubric. */
    readonly scores: readonly Score[];
    readonly messages: readonly ScoredTurn[];
    readonly scale: readonly [least: number, most: number];
    /** Text that distinguishes the chart from others on the page, such as `by the rubric debate`. */
    readonly by: string;
  },
): Markup {
  const { places, lines } = linesOf(start, scores, messages);
  if (places.length < 2) return <></>;
  const title = "Scores over the rounds";
  return (
    <figure class="chart">
      <figcaption>
        {`${title}: the mean of each side's turns, on a scale of ${scale[0]} to ${scale[1]} `}
        <span class="keys">
          {lines.map(({ name, side }) => <span data-side={side}>{bidi(name)}</span>)}
        </span>
      </figcaption>
      {drawingOf({ places, lines, range: rangeOf(lines, scale) }, `${title}, in the table below`)}
      <details>
        <summary>Scores over the rounds as a table</summary>
        {wideTable({
          label: `${title}, ${by}`,
          columns: [column("Part"), ...lines.map(({ name }) => column(bidi(name)))],
          rows: places.map((place, at) => [
            place,
            lines.map(({ values: { [at]: value } }) => (
              <td>{value === undefined ? "–" : totalText(value)}</td>
            )),
          ]),
        })}
      </details>
    </figure>
  );
}

function drawingOf(
  { places, lines, range: [least, most] }: {
    readonly places: readonly string[];
    readonly lines: readonly ScoreLine[];
    readonly range: readonly [least: number, most: number];
  },
  label: string,
): Markup {
  const { width, height, left, right, top, bottom } = SIZE;
  const x = (at: number) => left + at / (places.length - 1) * (width - left - right);
  const y = (value: number) =>
    height - bottom - (value - least) / (most - least) * (height - top - bottom);
  const step = Math.ceil(places.length / MAX_LABELS);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[least, (least + most) / 2, most].map((value) => (
        <>
          <path class="grid" d={`M${left} ${y(value)}H${width - right}`} />
          <text x={left - 6} y={y(value) + 4} text-anchor="end">{Number(value.toFixed(2))}</text>
        </>
      ))}
      {places.map((place, at) =>
        at % step === 0 && (
          <text
            class={places.length > MAX_NARROW_LABELS * step && at / step % 2 === 1
              ? "between"
              : undefined}
            x={x(at)}
            y={height - 8}
            text-anchor={at === 0 ? "start" : at === places.length - 1 ? "end" : "middle"}
          >
            {place}
          </text>
        )
      )}
      {lines.map(({ side, values }) => (
        <g data-side={side}>
          <path class="line" d={pathOf(values, x, y)} />
          {values.map((value, at) =>
            value !== undefined && <circle cx={x(at)} cy={y(value)} r="4" />
          )}
        </g>
      ))}
    </svg>
  );
}

/** Returns the range of the axis: tenths of the scale that contain all values with a margin of at least half a tenth. */
function rangeOf(
  lines: readonly ScoreLine[],
  [least, most]: readonly [least: number, most: number],
): readonly [number, number] {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const tenth = (most - least) / 10;
  const from = Math.floor((Math.min(...values) - least) / tenth - 0.5);
  const to = Math.ceil((Math.max(...values) - least) / tenth + 0.5);
  return [least + Math.max(0, from) * tenth, least + Math.min(10, to) * tenth];
}

function pathOf(
  values: readonly (number | undefined)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const points = values.flatMap((value, at) =>
    value === undefined ? [] : [`${x(at).toFixed(1)} ${y(value).toFixed(1)}`]
  );
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** Groups scores by phase and round in order, and returns each participant's mean in each group. */
function linesOf(
  start: ConveningStart,
  scores: readonly Score[],
  messages: readonly ScoredTurn[],
): { readonly places: readonly string[]; readonly lines: readonly ScoreLine[] } {
  const placeOf = new Map(messages.map(({ seq, phase, round }) => [
    seq,
    round === 0 ? headingWords(phase) : `Round ${round}`,
  ]));
  const read = scores.filter(({ total }) => total !== undefined)
    .toSorted((a, b) => a.message - b.message);
  const parts = [...Map.groupBy(read, ({ message }) => placeOf.get(message) ?? "")];
  const partsPerPlace = Math.ceil(parts.length / MAX_PLACES);
  const groups = new Map(
    parts.flatMap(([from], at) => {
      if (at % partsPerPlace !== 0) return [];
      const some = parts.slice(at, at + partsPerPlace);
      const to = some.at(-1)![0];
      return [[from === to ? from : `${from} to ${to}`, some.flatMap(([, each]) => each)]];
    }),
  );
  const scored = start.participants.filter(({ id }) =>
    read.some(({ participant }) => participant === id)
  );
  return {
    places: [...groups.keys()],
    lines: scored.map(({ id, name }) => ({
      name,
      side: sideOf(start, id),
      values: [...groups.values()].map((each) => mean(totalsOf(each, id))),
    })),
  };
}

/** Returns the totals of a participant's scores. */
export function totalsOf(scores: readonly Score[], id: string): readonly number[] {
  return scores.flatMap(({ participant, total }) =>
    participant === id && total !== undefined ? [total] : []
  );
}
