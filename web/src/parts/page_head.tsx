import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { csvOf, keyOf, type Query } from '../core/source';
import { change } from '../core/route';
import { Command, CopyButton } from './basics';

/// Title of a view with what every view offers: its query, the same as CSV, a link that holds its state.
export function PageHead(props: {
  title: ComponentChildren;
  text?: ComponentChildren;
  path?: string | null;
  query?: Query;
  command?: string | null;
  hasCsv?: boolean;
  tools?: ComponentChildren;
}) {
  const [isShown, setShown] = useState(false);
  const csv = props.path && props.hasCsv !== false ? csvOf(props.path, props.query) : null;
  return (
    <>
      <div class="head">
        <div class="head-text">
          <h1>{props.title}</h1>
          {props.text && <p>{props.text}</p>}
        </div>
        <div class="head-tools">
          {props.tools}
          {props.path && (
            <button
              type="button"
              class="button button-small"
              aria-expanded={isShown}
              onClick={() => setShown(!isShown)}>
              Query
            </button>
          )}
          {csv && (
            <a
              class="button button-small"
              href={csv}
              download={`${props.path!.replace(/^api\//, '').replace(/\W+/g, '-')}.csv`}>
              CSV
            </a>
          )}
          <CopyLink />
        </div>
      </div>
      {isShown && props.path && (
        <div class="query">
          <Command title="This view asks for" text={keyOf(props.path, props.query)} />
          {props.command && <Command title="The same at the command line" text={props.command} />}
        </div>
      )}
    </>
  );
}

function CopyLink() {
  return <CopyButton text={location.href} label="Copy link" title="The address holds all choices of this view" />;
}

/// A field whose text stands in the address. Typing waits a moment, so that not every letter asks.
const TYPING_MS = 60; // the next key comes later than that: its request gives up the one before

export function Search(props: { value: string; stateKey?: string; label: string; placeholder?: string }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  // Who is typing is not interrupted by the address that the typing wrote.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = props.value;
  }, [props.value]);
  const key = props.stateKey ?? 'q';
  const tell = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ [key]: text, offset: '' }), TYPING_MS);
  };
  return (
    <label class="field field-wide">
      {props.label}
      <input
        type="search"
        data-search
        ref={field}
        defaultValue={props.value}
        spellcheck={false}
        placeholder={props.placeholder ?? 'Words, all of which must occur   /'}
        onInput={(event) => tell(event.currentTarget.value)}
      />
    </label>
  );
}

export function Choice(props: {
  label: string;
  value: string;
  options: [string, string][];
  isWide?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <label class={`field ${props.isWide ? 'field-wide' : ''}`}>
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Tabs(props: {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}) {
  return (
    <div class="tabs" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}
