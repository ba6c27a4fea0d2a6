// What a history shows beside its points: the noise band of each level, steps, breaks, alerts, annotations, chosen points.

import type uPlot from 'uplot';
import type { SeriesData } from '../api';
import { change as changeText } from '../core/format';
import { colour } from '../core/theme';

export interface Mark {
  at: number;
  text: string;
}

interface Paper {
  plot: uPlot;
  context: CanvasRenderingContext2D;
  ratio: number;
  x: (index: number) => number;
  y: (ms: number) => number;
}

export function paperOf(plot: uPlot, xs: number[]): Paper {
  return {
    plot,
    context: plot.ctx,
    ratio: devicePixelRatio,
    x: (index) => plot.valToPos(xs[index], 'x', true),
    y: (ms) => plot.valToPos(ms, 'y', true),
  };
}

/// Below the points: bands and intervals.
export function drawBelow(paper: Paper, data: SeriesData): void {
  const { context, ratio } = paper;
  clipped(paper, () => {
    for (const part of data.segments) {
      const left = paper.x(part.from) - 4 * ratio,
        right = paper.x(part.to) + 4 * ratio;
      context.fillStyle = colour('band');
      context.fillRect(left, paper.y(part.high_ms), right - left, paper.y(part.low_ms) - paper.y(part.high_ms));
      line(paper, left, paper.y(part.level_ms), right, paper.y(part.level_ms), colour('line-strong'), [5, 4]);
    }
    const { ms, low_ms, high_ms } = data.points;
    const stroke = colour('one');
    context.globalAlpha = 0.45;
    for (let i = 0; i < ms.length; i += 1) {
      const low = low_ms[i],
        high = high_ms[i];
      if (low !== null && high !== null) line(paper, paper.x(i), paper.y(low), paper.x(i), paper.y(high), stroke);
    }
    context.globalAlpha = 1;
  });
}

/// Above the points: steps, breaks, alerts with their change in words, failures, annotations.
export function drawAbove(paper: Paper, data: SeriesData, marks: Mark[], chosenAlert: string): void {
  clipped(paper, () => {
    for (const one of data.breaks) vertical(paper, one.at, colour('muted'), one.what, [2, 3], 1);
    for (const one of data.changes) {
      if (!data.alerts.some((alert) => alert.to === one.at)) {
        vertical(paper, one.at, colour(one.change_pct > 0 ? 'slower' : 'faster'), changeText(one.change_pct), [6, 3]);
      }
    }
    for (const alert of data.alerts) drawAlert(paper, data, alert, alert.id === chosenAlert);
    data.points.failure.forEach((failure, at) => failure !== null && drawFailure(paper, at));
    for (const note of data.annotations) flag(paper, note.at, note.verb);
    for (const mark of marks) drawMark(paper, data, mark);
  });
}

function clipped({ plot, context }: Paper, draw: () => void): void {
  const { left, top, width, height } = plot.bbox;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
}

function line(
  { context, ratio }: Paper,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  dash: number[] = [],
): void {
  context.strokeStyle = stroke;
  context.lineWidth = ratio;
  context.setLineDash(dash.map((part) => part * ratio));
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  context.setLineDash([]);
}

function words(
  { context, ratio }: Paper,
  text: string,
  x: number,
  y: number,
  fill: string,
  align: CanvasTextAlign = 'left',
): void {
  context.font = `600 ${11 * ratio}px Inter, system-ui, sans-serif`;
  context.textAlign = align;
  context.textBaseline = 'top';
  context.lineWidth = 3 * ratio;
  context.strokeStyle = colour('panel');
  context.strokeText(text, x, y);
  context.fillStyle = fill;
  context.fillText(text, x, y);
}

// Words beside a vertical line stand at its right, at the end of the chart at its left.
function vertical(paper: Paper, at: number, stroke: string, text: string, dash: number[], row = 0): void {
  const { left, top, width, height } = paper.plot.bbox;
  const x = paper.x(at),
    gap = 4 * paper.ratio;
  line(paper, x, top, x, top + height, stroke, dash);
  const isLate = x > left + width - (8 + 7 * text.length) * paper.ratio;
  words(paper, text, isLate ? x - gap : x + gap, top + (2 + 14 * row) * paper.ratio, stroke, isLate ? 'right' : 'left');
}

function drawAlert(paper: Paper, data: SeriesData, alert: SeriesData['alerts'][number], isChosen: boolean): void {
  const { context, ratio, plot } = paper;
  const tone = colour(alert.change_pct > 0 ? 'slower' : 'faster');
  const from = paper.x(alert.from),
    to = paper.x(alert.to);
  context.globalAlpha = isChosen ? 0.2 : 0.1;
  context.fillStyle = tone;
  context.fillRect(from, plot.bbox.top, Math.max(to - from, ratio), plot.bbox.height);
  context.globalAlpha = 1;
  vertical(
    paper,
    alert.to,
    tone,
    `${alert.change_pct > 0 ? '▲' : '▼'} ${changeText(alert.change_pct)} ${alert.state}`,
    isChosen ? [] : [6, 3],
  );
  const ms = data.points.ms[alert.to];
  if (ms !== null && ms !== undefined) ring(paper, to, paper.y(ms), tone, 6);
}

function ring({ context, ratio }: Paper, x: number, y: number, stroke: string, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius * ratio, 0, 2 * Math.PI);
  context.lineWidth = 2 * ratio;
  context.strokeStyle = stroke;
  context.stroke();
}

function drawFailure(paper: Paper, at: number): void {
  const { top, height } = paper.plot.bbox;
  words(paper, '×', paper.x(at), top + height - 16 * paper.ratio, colour('slower'), 'center');
}

function flag(paper: Paper, at: number, text: string): void {
  const { top, height } = paper.plot.bbox;
  words(paper, `⚑ ${text}`, paper.x(at), top + height - 30 * paper.ratio, colour('unclear'), 'center');
}

function drawMark(paper: Paper, data: SeriesData, mark: Mark): void {
  const ms = data.points.ms[mark.at];
  vertical(paper, mark.at, colour('text'), mark.text, [], 2);
  if (ms !== null && ms !== undefined) ring(paper, paper.x(mark.at), paper.y(ms), colour('text'), 5);
}
