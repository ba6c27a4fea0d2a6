// Verdicts and states: a sign and a word beside every colour.

import type { AlertLife, AlertState, Verdict } from '../api';

const SIGNS: Record<Verdict, string> = { slower: '▲', faster: '▼', same: '=', inconclusive: '?' };
const TONES: Record<Verdict, string> = { slower: 'slower', faster: 'faster', same: 'same', inconclusive: 'unclear' };

export function toneOf(verdict: Verdict | null): string {
  return verdict ? TONES[verdict] : 'unclear';
}

export function signOf(verdict: Verdict): string {
  return SIGNS[verdict];
}

/// `why`: why there is no verdict.
export function VerdictWord({ verdict, why }: { verdict: Verdict | null; why?: string | null }) {
  if (!verdict) {
    return (
      <span class="muted" title={why ?? undefined}>
        no verdict
      </span>
    );
  }
  return (
    <span class={`word word-${TONES[verdict]}`}>
      <span aria-hidden="true">{SIGNS[verdict]}</span>
      {verdict}
    </span>
  );
}

const STATES: Record<AlertState, [string, string]> = {
  suspected: ['?', 'unclear'],
  confirmed: ['!', 'bad'],
  settled: ['■', 'accent'],
};

export function StateWord({ state }: { state: AlertState }) {
  const [sign, tone] = STATES[state];
  return (
    <span class={`word word-${tone}`}>
      <span aria-hidden="true">{sign}</span>
      {state}
    </span>
  );
}

export function LifeWord({ life }: { life: AlertLife }) {
  return life === 'new' ? null : <span class="word">{life}</span>;
}

/// "▲ +5.2 % slower" of a change, with the tone of its direction.
export function directionOf(percent: number): 'slower' | 'faster' {
  return percent > 0 ? 'slower' : 'faster';
}
