// Numbers and times as people read them. Every function takes null: a value that was not recorded is shown as a dash.

export const NOTHING = '–';
const THIN = '\u2009'; // between a number and its unit, and around a range

type Value = number | null | undefined;

function isNumber(value: Value): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/// Three significant digits, without an exponent where a person would write none.
export function number(value: Value, digits = 3): string {
  if (!isNumber(value)) return NOTHING;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-6) return value.toExponential(digits - 1);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Number(size.toPrecision(digits)))));
  const text = value.toFixed(Math.min(decimals, 9));
  return grouped(minus(text));
}

function minus(text: string): string {
  return text.replace(/^-/, '−');
}

function grouped(text: string): string {
  const [whole, fraction] = text.split('.');
  const digits = whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

export function count(value: Value): string {
  return isNumber(value) ? grouped(minus(String(Math.round(value)))) : NOTHING;
}

const TIMES: [number, string][] = [
  [1000, 's'],
  [1, 'ms'],
  [1e-3, 'µs'],
  [1e-6, 'ns'],
];

/// A time in milliseconds, in the unit in which it has one to three digits before the point.
export function time(ms: Value): string {
  if (!isNumber(ms)) return NOTHING;
  if (ms === 0) return '0';
  const [factor, unit] = TIMES.find(([least]) => Math.abs(ms) >= least * 0.9995) ?? TIMES[TIMES.length - 1];
  return `${number(ms / factor)}${THIN}${unit}`;
}

const PREFIXES: [number, string][] = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/// A number with an SI prefix: scaled(3.2e9, 'FLOP/s') is 3.20 GFLOP/s.
export function scaled(value: Value, unit: string): string {
  if (!isNumber(value)) return NOTHING;
  const [factor, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return `${number(value / factor)}${THIN}${prefix}${unit}`;
}

const BINARY: [number, string][] = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];

export function bytes(value: Value): string {
  if (!isNumber(value)) return NOTHING;
  const [factor, unit] = BINARY.find(([least]) => Math.abs(value) >= least) ?? [1, 'B'];
  return factor === 1 ? `${count(value)}${THIN}B` : `${number(value / factor)}${THIN}${unit}`;
}

/// A change in percent with its sign, which stands also before a plus: readers look for the direction first.
export function change(percent: Value, decimals?: number): string {
  if (!isNumber(percent)) return NOTHING;
  const size = Math.abs(percent);
  const places = decimals ?? (size >= 100 ? 0 : 1);
  const text = size.toFixed(places);
  if (Number(text) === 0) return `±0${THIN}%`;
  return `${percent < 0 ? '−' : '+'}${grouped(text)}${THIN}%`;
}

export function percent(value: Value, decimals = 1): string {
  if (!isNumber(value)) return NOTHING;
  const least = 10 ** -decimals;
  if (value > 0 && value < least / 2) return `<${THIN}${least}${THIN}%`;
  return `${minus(value.toFixed(decimals))}${THIN}%`;
}

export function times(factor: Value): string {
  return isNumber(factor) ? `${number(factor)}${THIN}×` : NOTHING;
}

/// 2026-11-28 of seconds since 1970, of milliseconds or of an ISO text.
export function date(when: number | string | null | undefined): string {
  const read = toDate(when);
  return read ? read.toISOString().slice(0, 10) : NOTHING;
}

export function moment(when: number | string | null | undefined): string {
  const read = toDate(when);
  return read ? `${read.toISOString().slice(0, 16).replace('T', ' ')} UTC` : NOTHING;
}

export function toDate(when: number | string | null | undefined): Date | null {
  if (when === null || when === undefined || when === '') return null;
  const ms = typeof when === 'number' ? (when < 1e11 ? when * 1000 : when) : Date.parse(when);
  const read = new Date(ms);
  return Number.isNaN(read.getTime()) ? null : read;
}

export function commit(hash: string | null | undefined): string {
  return hash ? (/^[0-9a-f]{12,40}$/.test(hash) ? hash.slice(0, 9) : hash) : NOTHING;
}

/// "1 row", "2 rows".
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/// Shortens the middle of a long name, because names of units differ at both ends.
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}
