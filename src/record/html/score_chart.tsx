// A chart of the scores over the rounds, drawn without script, with its numbers as a table.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Score } from "../../core/fact.ts";
import type { ConveningStart } from "../../core/event.ts";
import { mean } from "../../core/statistics.ts";
import type { ScoredTurn } from "../../judging/scoring.ts";
import { headingWords, nameOf } from "../transcript_outline.ts";
import { type Markup, own } from "./markup.tsx";
import { sideOf } from "./message.tsx";

/** The mean scores of one participant, by place in the convening; undefined where nothing was scored. */
interface ScoreLine {
  readonly id: string;
  readonly values: readonly (number | undefined)[];
}

/** Width and height of the drawing, and the room around its lines. */
const SIZE = { width: 480, height: 200, left: 34, right: 16, top: 12, bottom: 28 };
/** The most labels under the lines. */
const MOST_LABELS = 6;
/** The most places of a line: of a longer convening several parts share a place. */
const MOST_PLACES = 60;

/** A line for each participant over the phases and rounds that were scored; nothing where they are fewer than two. */
export function scoreChart(
  start: ConveningStart,
  { scores, messages, scale, by }: {
    /** Of one rubric. */
    readonly scores: readonly Score[];
    readonly messages: readonly ScoredTurn[];
    readonly scale: readonly [least: number, most: number];
    /** The words that tell the chart from others of the page, such as `by the rubric debate`. */
    readonly by: string;
  },
): Markup {
  const { places, lines } = linesOf(start, scores, messages);
  if (places.length < 2) return <></>;
  const { width, height, left, right, top, bottom } = SIZE;
  const [least, most] = rangeOf(lines, scale);
  const x = (at: number) => left + at / (places.length - 1) * (width - left - right);
  const y = (value: number) =>
    height - bottom - (value - least) / (most - least) * (height - top - bottom);
  const step = Math.ceil(places.length / MOST_LABELS);
  const title = "Scores over the rounds";
  return (
    <figure class="chart">
      <figcaption>
        {`${title}: the mean of each side's turns, on a scale of ${scale[0]} to ${scale[1]} `}
        <span class="keys">
          {lines.map(({ id }) => <span data-side={sideOf(start, id)}>{own(nameOf(start, id))}
          </span>)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}, in the table below`}
      >
        {[least, (least + most) / 2, most].map((value) => (
          <>
            <path class="grid" d={`M${left} ${y(value)}H${width - right}`} />
            <text x={left - 6} y={y(value) + 4} text-anchor="end">{Number(value.toFixed(2))}</text>
          </>
        ))}
        {places.map((place, at) =>
          at % step === 0 && (
            <text x={x(at)} y={height - 8} text-anchor={anchorOf(at, places.length)}>{place}</text>
          )
        )}
        {lines.map(({ id, values }) => (
          <g data-side={sideOf(start, id)}>
            <path class="line" d={pathOf(values, x, y)} />
            {values.map((value, at) =>
              value !== undefined && <circle cx={x(at)} cy={y(value)} r="4" />
            )}
          </g>
        ))}
      </svg>
      {chartTable(start, { title: `${title}, ${by}`, places, lines })}
    </figure>
  );
}

/** The tenths of the scale between which all values lie, half a tenth or more away. */
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

function anchorOf(at: number, count: number): "start" | "middle" | "end" {
  if (at === 0) return "start";
  return at === count - 1 ? "end" : "middle";
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

/** The scored phases and rounds in order, and each participant's mean in each. */
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
  const together = Math.ceil(parts.length / MOST_PLACES);
  const groups = new Map(
    parts.flatMap(([from], at) => {
      if (at % together !== 0) return [];
      const some = parts.slice(at, at + together);
      const to = some.at(-1)![0];
      return [[from === to ? from : `${from} to ${to}`, some.flatMap(([, each]) => each)]];
    }),
  );
  const ids = start.participants.map(({ id }) => id)
    .filter((id) => read.some(({ participant }) => participant === id));
  return {
    places: [...groups.keys()],
    lines: ids.map((id) => ({
      id,
      values: [...groups.values()].map((each) => mean(totalsOf(each, id))),
    })),
  };
}

/** The totals of a participant's scores, of those that could be read. */
export function totalsOf(scores: readonly Score[], id: string): readonly number[] {
  return scores.flatMap(({ participant, total }) =>
    participant === id && total !== undefined ? [total] : []
  );
}

function chartTable(
  start: ConveningStart,
  { title, places, lines }: {
    readonly title: string;
    readonly places: readonly string[];
    readonly lines: readonly ScoreLine[];
  },
): Markup {
  return (
    <details>
      <summary>Scores over the rounds as a table</summary>
      <div class="wide" role="region" aria-label={title} tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              {lines.map(({ id }) => <th scope="col">{own(nameOf(start, id))}</th>)}
            </tr>
          </thead>
          <tbody>
            {places.map((place, at) => (
              <tr>
                <th scope="row">{place}</th>
                {lines.map(({ values }) => <td>{values[at]?.toFixed(2) ?? "–"}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
