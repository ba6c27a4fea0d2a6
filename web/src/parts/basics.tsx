import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AnswerError } from '../core/source';

export function Panel(props: {
  title?: ComponentChildren;
  note?: ComponentChildren;
  tools?: ComponentChildren;
  bare?: boolean;
  children?: ComponentChildren;
  class?: string;
}) {
  return (
    <section class={`panel ${props.class ?? ''}`}>
      {props.title !== undefined && (
        <div class="panel-head">
          <div class="panel-title">
            <h2>{props.title}</h2>
            {props.note !== undefined && <span class="muted small">{props.note}</span>}
          </div>
          {props.tools && <div class="panel-tools">{props.tools}</div>}
        </div>
      )}
      {props.bare ? props.children : <div class="panel-body">{props.children}</div>}
    </section>
  );
}

export function Tile(props: {
  name: ComponentChildren;
  value: ComponentChildren;
  note?: ComponentChildren;
  tone?: string;
  pressed?: boolean;
  onClick?: () => void;
}) {
  const inner = (
    <>
      <div class="tile-name">{props.name}</div>
      <div class={`tile-value ${props.tone ? `text-${props.tone}` : ''}`}>{props.value}</div>
      {props.note !== undefined && <div class="tile-note">{props.note}</div>}
    </>
  );
  if (!props.onClick) return <div class="tile">{inner}</div>;
  return (
    <button type="button" class="tile" aria-pressed={props.pressed ?? false} onClick={props.onClick}>
      {inner}
    </button>
  );
}

/// Copies a text; the word changes for a moment, which screen readers hear.
export function CopyButton(props: { text: string; label?: string; title?: string }) {
  const [state, setState] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      setState('Copied');
    } catch {
      setState(copyBySelection(props.text) ? 'Copied' : 'Not copied');
    }
    setTimeout(() => setState(''), 1400);
  };
  return (
    <button type="button" class="button button-small" title={props.title} onClick={copy}>
      <span aria-live="polite">{state || (props.label ?? 'Copy')}</span>
    </button>
  );
}

// The way for pages from a file, to which browsers give no clipboard.
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  return isDone;
}

export function Command(props: { text: string; title?: string }) {
  return (
    <>
      {props.title && <div class="command-name">{props.title}</div>}
      <div class="command">
        <code tabIndex={0}>{props.text}</code>
        <CopyButton text={props.text} />
      </div>
    </>
  );
}

export function Empty(props: { title: string; text?: ComponentChildren; command?: string }) {
  return (
    <div class="state">
      <h2>{props.title}</h2>
      {props.text && <p>{props.text}</p>}
      {props.command && <Command text={props.command} />}
    </div>
  );
}

export function Failure({ error }: { error: AnswerError }) {
  return (
    <div class="state" role={error.isAbsent ? undefined : 'alert'}>
      <h2>{error.message}</h2>
      {error.lines.map((line) => (
        <p>{line}</p>
      ))}
    </div>
  );
}

export function Waiting() {
  return (
    <div class="state" role="status">
      Reading the store …
    </div>
  );
}

/// What every view shows before its answer, instead of it, or when it has nothing.
export function Answered<T>(props: {
  answer: { value: T | null; error: AnswerError | null; isBusy: boolean };
  children: (value: T) => ComponentChildren;
}) {
  const { value, error, isBusy } = props.answer;
  if (error)
    return (
      <section class="panel">
        <Failure error={error} />
      </section>
    );
  if (value === null)
    return isBusy ? (
      <section class="panel">
        <Waiting />
      </section>
    ) : null;
  return (
    <div class={`answered ${isBusy ? 'busy' : ''}`} aria-busy={isBusy}>
      {props.children(value)}
    </div>
  );
}

export function Notes({ lines, tone }: { lines: string[]; tone?: string }) {
  if (lines.length === 0) return null;
  return (
    <div class={`notice ${tone ? `notice-${tone}` : ''}`}>
      {lines.length === 1 ? (
        <p>{lines[0]}</p>
      ) : (
        <ul class="lines">
          {lines.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
