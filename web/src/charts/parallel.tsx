import type { TuningTask } from '../api';
import { shortened, time } from '../core/format';
import { linear, logarithmic, useWidth } from './measure';

const TOP = 44,
  HEIGHT = 320,
  BOTTOM = 14;
const SPACE = 108; // least pixels between axes

/// Configs as lines over the values of their knobs; the last axis is the time. Fast lines are drawn last.
export function Parallel({ task }: { task: TuningTask }) {
  const { box, width } = useWidth<HTMLDivElement>();
  const axes = task.knobs.length + 1;
  const wide = Math.max(width, axes * SPACE);
  const configs = [...task.configs].sort((a, b) => b.ms - a.ms);
  const all = configs.map((config) => config.ms);
  return (
    <div class="chart" ref={box}>
      {width > 0 && configs.length > 0 && (
        <div class="scroll" tabIndex={0} aria-label="Configs and their times">
          <svg
            width={wide}
            height={HEIGHT}
            role="img"
            aria-label={`${configs.length} configs over ${task.knobs.length} knobs`}>
            <Lines
              task={task}
              configs={configs}
              wide={wide}
              y={logarithmic(Math.min(...all), Math.max(...all), HEIGHT - BOTTOM, TOP)}
            />
          </svg>
        </div>
      )}
    </div>
  );
}

function Lines(props: { task: TuningTask; configs: TuningTask['configs']; wide: number; y: (ms: number) => number }) {
  const { task, configs, wide } = props;
  const x = linear(0, task.knobs.length, 46, wide - 60);
  const spots = task.knobs.map((knob) => linear(0, Math.max(1, knob.values.length - 1), HEIGHT - BOTTOM, TOP));
  const times = configs.map((config) => config.ms);
  const fastest = Math.min(...times),
    slowest = Math.max(...times);
  const pathOf = (config: TuningTask['configs'][number]) =>
    [
      ...config.values.map((value, knob) => `${x(knob)} ${spots[knob](value)}`),
      `${x(task.knobs.length)} ${props.y(config.ms)}`,
    ].join('L');
  return (
    <g>
      {configs.map((config) => (
        <path
          class="curve"
          d={`M${pathOf(config)}`}
          stroke={config.is_best ? 'var(--two)' : 'var(--one)'}
          stroke-width={config.is_best ? 3 : 1}
          opacity={config.is_best ? 1 : opacityOf(config.ms, fastest, slowest)}>
          <title>{time(config.ms)}</title>
        </path>
      ))}
      {task.knobs.map((knob, index) => (
        <KnobAxis knob={knob} x={x(index)} spot={spots[index]} />
      ))}
      <line class="axis-line" x1={x(task.knobs.length)} x2={x(task.knobs.length)} y1={TOP} y2={HEIGHT - BOTTOM} />
      <text class="strong" x={x(task.knobs.length)} y={16} text-anchor="middle">
        time
      </text>
      <text x={x(task.knobs.length) + 8} y={TOP + 4}>
        {time(slowest)}
      </text>
      <text x={x(task.knobs.length) + 8} y={HEIGHT - BOTTOM}>
        {time(fastest)}
      </text>
    </g>
  );
}

function opacityOf(ms: number, fastest: number, slowest: number): number {
  const place = slowest > fastest ? Math.log(ms / fastest) / Math.log(slowest / fastest) : 0;
  return 0.04 + 0.4 * (1 - place) ** 3;
}

function KnobAxis({
  knob,
  x,
  spot,
}: {
  knob: TuningTask['knobs'][number];
  x: number;
  spot: (index: number) => number;
}) {
  const every = Math.ceil(knob.values.length / 16);
  return (
    <g>
      <line class="axis-line" x1={x} x2={x} y1={TOP} y2={HEIGHT - BOTTOM} />
      <text class="strong" x={x} y={16} text-anchor="middle">
        {shortened(knob.name, 15)}
        <title>{knob.name}</title>
      </text>
      <text x={x} y={31} text-anchor="middle">
        {knob.explained_pct === null ? '' : `explains ${Math.round(knob.explained_pct)} %`}
      </text>
      {knob.values.map(
        (value, index) =>
          index % every === 0 && (
            <text class={value === knob.best_value ? 'strong halo' : 'halo'} x={x + 5} y={spot(index) + 4}>
              {shortened(value, 12)}
            </text>
          ),
      )}
    </g>
  );
}
