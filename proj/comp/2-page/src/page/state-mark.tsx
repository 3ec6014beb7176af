import { useContext } from 'preact/hooks'
import { STATE_WORDS } from '../page-words.js'
import type { ItemState } from '../run-page-model.js'
import { ViewContext } from './view.js'

const PATHS: Readonly<Record<ItemState, string>> = {
  pending: 'M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9',
  running: 'M8 3.5v9M3.5 8h9',
  succeeded: 'M3.5 8.5l3 3l6-7',
  failed: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  unparsed: 'M8 3v6.5M8 12v.6',
  skipped: 'M3.5 8h9',
}

/** What a state is called on this page. */
export function useStateWords(): Readonly<Record<ItemState, string>> {
  const { words } = useContext(ViewContext)
  return words ? { ...STATE_WORDS, ...words } : STATE_WORDS
}

/** A sign for a state, with its name for screen readers. */
export function StateMark({ state }: { state: ItemState }) {
  const words = useStateWords()
  return <span class={`mark mark-${state}`}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d={PATHS[state]} /></svg>
    <span class="hidden">{`${words[state]}: `}</span>
  </span>
}
