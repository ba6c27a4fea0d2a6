import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunInfo, Runs } from '../api';
import { commit, moment, plural } from '../core/format';
import { useAnswer } from '../core/use_answer';
import { Failure } from './basics';

interface PickerProps {
  label: string;
  run: RunInfo | null;
  selector: string;
  onPick: (selector: string) => void;
}

/// Shows what is chosen, and opens a list of runs, nights and sides of comparisons with a search.
export function RunPicker(props: PickerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const { run } = props;
  return (
    <div class="picker">
      <button type="button" class="picker-button" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <span class="picker-label">{props.label}</span>
        <span class="picker-name">{run?.label ?? (props.selector || 'Choose a run')}</span>
        <span class="picker-note">{run ? noteOf(run) : ' '}</span>
      </button>
      {isOpen && (
        <dialog ref={dialog} class="picker-dialog" aria-label={`Choose: ${props.label}`} onClose={() => setOpen(false)}>
          <RunList
            onPick={(selector) => {
              dialog.current?.close();
              props.onPick(selector);
            }}
          />
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </dialog>
      )}
    </div>
  );
}

export function noteOf(run: RunInfo): string {
  return [moment(run.at), run.machine_name, run.commit && `commit ${commit(run.commit)}`, plural(run.rows, 'row')]
    .filter(Boolean)
    .join(' · ');
}

const SHOWN = 30;

function RunList({ onPick }: { onPick: (selector: string) => void }) {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState('');
  const [offset, setOffset] = useState(0);
  const answer = useAnswer<Runs>('api/runs', { q: words, kind, offset, limit: SHOWN });
  const runs = answer.value;
  const look = (text: string) => {
    setWords(text);
    setOffset(0);
  };
  return (
    <>
      <div class="filters">
        <label class="field field-wide">
          Search
          <input
            type="search"
            autofocus
            placeholder="Model, engine, commit, machine"
            onInput={(event) => look(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Kind
          <select
            value={kind}
            onChange={(event) => {
              setKind(event.currentTarget.value);
              setOffset(0);
            }}>
            <option value="">all</option>
            <option value="run">runs</option>
            <option value="night">nights</option>
            <option value="compare_side">sides of comparisons</option>
          </select>
        </label>
      </div>
      {answer.error && <Failure error={answer.error} />}
      <ul class="plain picker-list">
        {runs?.rows.map((run) => (
          <li key={run.selector}>
            <button type="button" onClick={() => onPick(run.selector)}>
              <span class="picker-name">{run.label}</span>
              <span class="picker-note">{noteOf(run)}</span>
            </button>
          </li>
        ))}
      </ul>
      {runs && (
        <div class="table-end">
          <span>
            {runs.total === 0
              ? 'No run has these words.'
              : `${offset + 1}–${offset + runs.rows.length} of ${plural(runs.total, 'run')}`}
          </span>
          <span class="table-pages">
            <button
              type="button"
              class="button button-small"
              disabled={offset === 0}
              onClick={() => setOffset(Math.max(0, offset - SHOWN))}>
              Before
            </button>
            <button
              type="button"
              class="button button-small"
              disabled={offset + runs.rows.length >= runs.total}
              onClick={() => setOffset(offset + SHOWN)}>
              Next
            </button>
          </span>
        </div>
      )}
    </>
  );
}
