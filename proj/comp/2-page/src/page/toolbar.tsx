import type { ComponentChildren, RefObject } from 'preact'
import type { ItemState, PageItem } from '../run-page-model.js'
import type { DiffMode, StateWords } from './view.js'

export type Filter = 'all' | ItemState
export type Tab = 'blocks' | 'answer'
/** How cards stand: as the answer has them, or those of a file together. */
export type Order = 'text' | 'file'

const FILTER_WORDS: Readonly<Record<Filter, string>> = {
  all: 'All', pending: 'To run', running: 'Running', succeeded: 'Succeeded', failed: 'Failed',
  unparsed: 'Did not parse', skipped: 'Skipped',
}

interface Props {
  items: readonly PageItem[]
  words: StateWords | undefined
  /** Some card may have a diff. */
  hasDiffs: boolean
  hasAnswer: boolean
  tab: Tab
  onTab: (tab: Tab) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  query: string
  onQuery: (query: string) => void
  /** Enter in the search field. */
  onNext: () => void
  field: RefObject<HTMLInputElement | null>
  /** What the search found. */
  status: string
  diffMode: DiffMode
  onDiffMode: () => void
  areAllOpen: boolean
  onAll: () => void
  order: Order
  onOrder: () => void
  theme: { words: string; change: () => void }
  onKeys: () => void
  children?: ComponentChildren
}

/** What stays in sight: views, filters, search, and switches. */
export function Toolbar(props: Props) {
  const { items, words, hasAnswer, tab, onTab, filter, onFilter, status, children } = props
  const counts = new Map<Filter, number>([['all', items.length]])
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1)
  const filters = (Object.keys(FILTER_WORDS) as Filter[]).filter((each) => counts.has(each))
  return <div class="toolbar" role="toolbar" aria-label="What is shown">
    {hasAnswer && <div class="group tabs">
      <Switch isOn={tab === 'blocks'} onClick={() => onTab('blocks')}>Blocks</Switch>
      <Switch isOn={tab === 'answer'} onClick={() => onTab('answer')}>Answer</Switch>
    </div>}
    {tab === 'blocks' && <div class="group filters">{filters.map((each) => (
      <Switch key={each} isOn={filter === each} onClick={() => onFilter(each)} name={each}>
        {(each === 'all' ? undefined : words?.[each]) ?? FILTER_WORDS[each]}{' '}
        <b>{(counts.get(each) ?? 0).toLocaleString('en')}</b>
      </Switch>
    ))}</div>}
    <Search {...props} />
    <p class="status" role="status">{status}</p>
    <Switches {...props} />
    {children}
  </div>
}

function Search({ query, onQuery, onNext, field, tab }: Props) {
  return <label class="search">
    <span class="hidden">{tab === 'blocks' ? 'Search in all blocks' : 'Search in the answer'}</span>
    <input ref={field} type="search" placeholder="Search" value={query} autocomplete="off" spellcheck={false}
      onInput={({ currentTarget }) => onQuery(currentTarget.value)} onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.isComposing) return
        event.preventDefault()
        onNext()
      }} />
    <kbd aria-hidden="true">/</kbd>
  </label>
}

function Switches({ tab, hasDiffs, diffMode, onDiffMode, areAllOpen, onAll, order, onOrder, theme, onKeys }: Props) {
  return <div class="group switches">
    {tab === 'blocks' && <>
      {hasDiffs && <button type="button" onClick={onOrder}>{order === 'file' ? 'In order' : 'By file'}</button>}
      {hasDiffs && <button type="button" onClick={onDiffMode}>
        {diffMode === 'side' ? 'Inline diffs' : 'Side by side'}</button>}
      <button type="button" onClick={onAll}>{areAllOpen ? 'Close all' : 'Open all'}</button>
    </>}
    <button type="button" onClick={theme.change}><span class="hidden">Colours: </span>{theme.words}</button>
    <button type="button" onClick={onKeys} aria-haspopup="dialog">Keys <kbd aria-hidden="true">?</kbd></button>
  </div>
}

interface SwitchProps {
  isOn: boolean
  onClick: () => void
  name?: string
  children: ComponentChildren
}

function Switch({ isOn, onClick, name, children }: SwitchProps) {
  return <button type="button" class={name === undefined ? 'switch'
    : `switch filter-${name}`} aria-pressed={isOn} onClick={onClick}>{children}</button>
}
