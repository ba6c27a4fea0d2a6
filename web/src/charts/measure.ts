import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { currentTheme, onThemeChange, type Theme } from '../core/theme';

/// The width that a chart has, in pixels; 0 until it is known.
export function useWidth<E extends HTMLElement>() {
  const box = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const read = () => setWidth(Math.floor(element.clientWidth));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

export function useTheme(): Theme {
  const [theme, setTheme] = useState(currentTheme());
  useEffect(() => onThemeChange(() => setTheme(currentTheme())), []);
  return theme;
}

export interface Scale {
  (value: number): number;
  ticks: number[];
}

export function linear(low: number, high: number, from: number, to: number, count = 5): Scale {
  const span = high - low || Math.abs(high) || 1;
  const scale = ((value: number) => from + ((value - low) / span) * (to - from)) as Scale;
  scale.ticks = niceTicks(low, low + span, count);
  return scale;
}

export function logarithmic(low: number, high: number, from: number, to: number): Scale {
  const a = Math.log10(low),
    b = Math.log10(high);
  const scale = ((value: number) => from + ((Math.log10(value) - a) / (b - a || 1)) * (to - from)) as Scale;
  scale.ticks = [];
  for (let power = Math.ceil(a - 1e-9); power <= b + 1e-9; power += 1) scale.ticks.push(10 ** power);
  return scale;
}

/// Round numbers between low and high, about `count` of them.
export function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((one) => one * power >= raw) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) ticks.push(at * step);
  return ticks;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
