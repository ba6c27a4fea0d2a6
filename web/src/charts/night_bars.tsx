import type { Tonight } from '../api';
import { plural } from '../core/format';
import { useWidth } from './measure';

const HEIGHT = 62;

/// The last nights as bars: how many rows each measured, what failed, where alerts began. A night without rows is a gap.
export function NightBars({ history }: { history: Tonight['history'] }) {
  const { box, width } = useWidth<HTMLDivElement>();
  const most = Math.max(1, ...history.map((night) => night.rows));
  const step = Math.min(22, Math.max(4, width / Math.max(1, history.length)));
  return (
    <div class="chart" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${plural(history.length, 'night')}, the last with ${history.at(-1)?.rows ?? 0} rows`}>
          {history.map((night, index) => {
            const high = Math.max(2, (night.rows / most) * 38);
            const words = `${night.night}: ${plural(night.rows, 'row')}, ${plural(night.failures, 'failure')}, ${plural(night.alerts, 'alert')}`;
            return (
              <g>
                <title>{words}</title>
                <rect
                  x={index * step}
                  y={16 + 38 - high}
                  width={Math.max(2, step - 3)}
                  height={high}
                  rx="1.5"
                  fill={night.failures > 0 ? 'var(--unclear)' : 'var(--one)'}
                  opacity={night.failures > 0 ? 0.9 : 0.55}
                />
                {night.alerts > 0 && (
                  <path d={`M${index * step + (step - 3) / 2 - 4} 10l4 -7l4 7z`} fill="var(--slower)" />
                )}
              </g>
            );
          })}
          <line class="axis-line" x1="0" x2={history.length * step} y1="55.5" y2="55.5" />
        </svg>
      )}
    </div>
  );
}
