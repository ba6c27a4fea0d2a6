import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { SeriesData } from '../api';
import { commit, date, moment, time } from '../core/format';
import { colour } from '../core/theme';
import { placesOf } from './commit_order';
import { useTheme, useWidth } from './measure';
import { drawAbove, drawBelow, paperOf, type Mark } from './series_marks';

export interface SeriesChartProps {
  data: SeriesData;
  axis: 'date' | 'commit';
  commits?: string[]; // axis of commits: their order over all charts that are shown together
  range?: [number, number] | null; // what is seen of the axis: seconds, or places of commits
  onRange?: (range: [number, number] | null) => void;
  onPoint?: (index: number) => void;
  marks?: Mark[];
  chosenAlert?: string;
  syncKey?: string; // charts of one key share their pointer
  height?: number;
  floor?: boolean; // the axis of times begins at 0
}

export function SeriesChart(props: SeriesChartProps) {
  const { box, width } = useWidth<HTMLDivElement>();
  const theme = useTheme();
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const height = props.height ?? 220;
  useEffect(() => {
    if (!box.current || width === 0) return;
    const made = new uPlot(optionsOf(latest, width, height), columnsOf(props), box.current);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [props.data, props.axis, width, theme, height, props.floor, props.chosenAlert]);
  useEffect(() => {
    const shown = plot.current;
    if (!shown) return;
    const [low, high] = props.range ?? wholeRange(shown.data[0] as number[]);
    shown.setScale('x', { min: low, max: high });
  }, [props.range?.[0], props.range?.[1], width, theme, props.data, props.axis]);
  return (
    <div class="chart axis" ref={box} style={{ minHeight: height }} role="img" aria-label={summaryOf(props.data)} />
  );
}

function summaryOf(data: SeriesData): string {
  const { ms } = data.points;
  const known = ms.filter((one): one is number => one !== null);
  return `${data.info.label}: ${ms.length} points, last ${time(known[known.length - 1])}, ${data.alerts.length} alerts`;
}

function wholeRange(xs: number[]): [number, number] {
  if (xs.length === 0) return [0, 1];
  const low = xs[0],
    high = xs[xs.length - 1];
  const room = (high - low) * 0.02 || (high > 1e6 ? 43200 : 1);
  return [low - room, high + room];
}

function columnsOf(props: SeriesChartProps): uPlot.AlignedData {
  return [placesOf(props.data, props.axis, props.commits), props.data.points.ms];
}

function yRange(data: SeriesData, floor: boolean): uPlot.Range.Function {
  return (_plot, low, high) => {
    if (low === null || high === null) return [0, 1];
    for (const part of data.segments) {
      low = Math.min(low, part.low_ms);
      high = Math.max(high, part.high_ms);
    }
    const room = (high - low) * 0.18 || Math.abs(high) * 0.1 || 1;
    return [floor ? 0 : Math.max(0, low - room), high + room];
  };
}

function optionsOf(latest: { current: SeriesChartProps }, width: number, height: number): uPlot.Options {
  const { data, axis, commits = [], syncKey, floor = false } = latest.current;
  const font = '11px Inter, system-ui, sans-serif';
  const shared = { stroke: colour('muted'), font, grid: { stroke: colour('grid'), width: 1 }, ticks: { show: false } };
  const xs = placesOf(data, axis, commits);
  const many = data.points.ms.length > 400;
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: { x: { time: axis === 'date' }, y: { range: yRange(data, floor) } },
    axes: [
      {
        ...shared,
        size: axis === 'date' ? 42 : 28,
        gap: 6,
        space: 90,
        ...(axis === 'commit'
          ? { values: commitLabels(commits), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }
          : { values: dateLabels }),
      },
      { ...shared, size: 74, gap: 6, space: 36, values: (_plot, ticks) => ticks.map((tick) => time(tick)) },
    ],
    series: [
      {},
      {
        stroke: colour('one'),
        width: 1.25,
        spanGaps: false,
        points: { show: !many, size: 5, fill: colour('one'), stroke: colour('panel'), width: 1 },
      },
    ],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { size: 8 },
      y: false,
      ...(syncKey ? { sync: { key: syncKey, setSeries: false } } : {}),
    },
    hooks: {
      drawAxes: [(plot) => drawBelow(paperOf(plot, xs), data)],
      draw: [
        (plot) => drawAbove(paperOf(plot, xs), data, latest.current.marks ?? [], latest.current.chosenAlert ?? ''),
      ],
      ready: [(plot) => makeTip(plot, latest)],
      setSelect: [(plot) => zoom(plot, latest)],
    },
  };
}

function commitLabels(commits: string[]) {
  return (_plot: uPlot, ticks: number[]) =>
    ticks.map((tick) => {
      const one = Number.isInteger(tick) ? commits[tick] : undefined;
      return one === undefined ? '' : one.startsWith('at ') ? date(Number(one.slice(3))) : commit(one).slice(0, 9);
    });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// The second line says the year, or the day, where it is another one than at the tick before.
function dateLabels(_plot: uPlot, ticks: number[], _axis: number, _space: number, step: number): string[] {
  let before = '';
  return ticks.map((tick) => {
    const at = new Date(tick * 1000);
    const day = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`,
      year = String(at.getUTCFullYear());
    const first = step >= 28 * 86400 ? MONTHS[at.getUTCMonth()] : step >= 86400 ? day : at.toISOString().slice(11, 16);
    const second = step >= 86400 ? year : day;
    const text = second === before ? first : `${first}\n${second}`;
    before = second;
    return text;
  });
}

function zoom(plot: uPlot, latest: { current: SeriesChartProps }): void {
  const { left, width } = plot.select;
  if (width < 6) return;
  latest.current.onRange?.([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

// The box that follows the pointer. Its parts are text nodes: names may hold markup.
function makeTip(plot: uPlot, latest: { current: SeriesChartProps }): void {
  const tip = document.createElement('div');
  tip.className = 'chart-tip';
  tip.hidden = true;
  plot.over.append(tip);
  plot.hooks.setCursor = [
    (shown: uPlot) => {
      const index = shown.cursor.idx;
      const isOver = index !== null && index !== undefined && (shown.cursor.left ?? -1) >= 0;
      tip.hidden = !isOver;
      if (!isOver) return;
      tip.replaceChildren(
        ...linesOf(latest.current.data, index).map((text) => {
          const part = document.createElement('div');
          part.textContent = text;
          return part;
        }),
      );
      const left = shown.cursor.left!,
        isRight = left > shown.over.clientWidth / 2;
      tip.style.left = isRight ? 'auto' : `${left + 12}px`;
      tip.style.right = isRight ? `${shown.over.clientWidth - left + 12}px` : 'auto';
      tip.style.top = '6px';
    },
  ] as any;
  plot.over.addEventListener('click', () => {
    const index = plot.cursor.idx;
    if (index !== null && index !== undefined && plot.select.width < 6) latest.current.onPoint?.(index);
  });
  plot.over.addEventListener('dblclick', () => latest.current.onRange?.(null));
}

function linesOf(data: SeriesData, index: number): string[] {
  const { points } = data;
  const low = points.low_ms[index],
    high = points.high_ms[index];
  const lines = [points.failure[index] !== null ? `failed: ${points.failure[index]}` : time(points.ms[index])];
  if (low !== null && high !== null)
    lines.push(`${data.is_bucketed ? 'from' : 'interval'} ${time(low)} to ${time(high)}`);
  lines.push(moment(points.at_epoch_ms[index]));
  if (points.commit[index]) lines.push(`commit ${commit(points.commit[index])}`);
  if (points.night[index]) lines.push(`night ${points.night[index]}`);
  if (points.n[index] > 1) lines.push(`${points.n[index]} points`);
  if (points.is_rebuilt[index]) lines.push('code rebuilt here');
  return lines;
}
