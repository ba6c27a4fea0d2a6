// The axis of commits: where points stand on it, and in which order.

import type { SeriesData } from '../api';

/// Where the points stand on the axis.
export function placesOf(data: SeriesData, axis: 'date' | 'commit', commits: string[] = []): number[] {
  const { at_epoch_ms } = data.points;
  if (axis === 'date') return at_epoch_ms.map((ms) => ms / 1000);
  const place = new Map(commits.map((one, index) => [one, index]));
  return at_epoch_ms.map((_, index) => place.get(commitKey(data, index)) ?? index);
}

/// The commits that charts have in common, and points without a known one behind what stands before them.
export function commitsOf(series: SeriesData[], branch: string[]): string[] {
  const known = new Map(branch.map((one, index) => [one, index]));
  const found = new Map<string, [number, number]>();
  for (const data of series) {
    let last = -1;
    data.points.at_epoch_ms.forEach((at, index) => {
      const key = commitKey(data, index);
      const place = known.get(key);
      if (place !== undefined) last = Math.max(last, place);
      const old = found.get(key);
      if (!old || at < old[1]) found.set(key, [place ?? last + 0.5, at]);
    });
  }
  return [...found].sort((a, b) => a[1][0] - b[1][0] || a[1][1] - b[1][1]).map(([key]) => key);
}

/// The same history with its points in the order of the commits: a night that was measured later stands where its commit does.
/// What lies between two points that are no neighbours any more (levels, steps) is left out then.
export function inCommitOrder(data: SeriesData, commits: string[]): SeriesData {
  const places = placesOf(data, 'commit', commits);
  if (places.every((place, index) => index === 0 || places[index - 1] <= place)) return data;
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b] || a - b);
  const now = new Map(order.map((old, index) => [old, index]));
  const points = Object.fromEntries(
    Object.entries(data.points).map(([name, column]) => [name, order.map((old) => column[old])]),
  ) as unknown as SeriesData['points'];
  const moved = <T extends { at: number }>(list: T[]) => list.map((one) => ({ ...one, at: now.get(one.at) ?? one.at }));
  return {
    ...data,
    points,
    segments: [],
    changes: [],
    breaks: moved(data.breaks),
    annotations: moved(data.annotations),
    alerts: data.alerts.map((one) => ({ ...one, from: now.get(one.from) ?? one.from, to: now.get(one.to) ?? one.to })),
  };
}

/// Points without a commit stand for themselves.
export function commitKey(data: SeriesData, index: number): string {
  return data.points.commit[index] ?? `at ${data.points.at_epoch_ms[index]}`;
}
