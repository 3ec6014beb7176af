import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ProsePart } from '../prose/answer-prose.js'
import { proseText } from '../prose/prose-node.js'
import type { PageItem, PageModel } from '../run-page-model.js'
import { fileHeads, inFileOrder } from '../file-groups.js'
import { matches, matchingLines } from '../page-search.js'
import { AnswerView } from './answer-view.js'
import { cardId, type CardSlots } from './card.js'
import { CardList } from './card-list.js'
import { type KeyBinding, KeysDialog, useKeys } from './keys.js'
import { hooksByBlock, useOpenFailedHooks } from './hook-cards.js'
import { useMarks } from './marks.js'
import { RewriteList } from './rewrite-list.js'
import { Summary } from './summary.js'
import { useTheme } from './theme.js'
import { type Filter, type Order, type Tab, Toolbar } from './toolbar.js'
import { usePrinting } from './printing.js'
import { type DiffMode, type StateWords, ViewContext } from './view.js'

export interface PageShellProps {
  /** Drawn again with another; items that are the same objects are not. */
  model: PageModel
  slots?: CardSlots
  /** In place of the summary of a run, on pages where nothing runs. */
  head?: ComponentChildren
  /** What states are called there. */
  words?: StateWords
  /** At the end of what stays in sight, e.g. buttons. */
  toolbar?: (place: Place) => ComponentChildren
  /** Between summary and cards. */
  banner?: ComponentChildren
  /** Further keys. */
  keys?: (place: Place) => readonly KeyBinding[]
  /** Whether a card is open at first. Default: every one of a short run, else the failures. */
  opens?: (item: PageItem) => boolean
  /** In which order cards stand until the user says. Default `text`. */
  order?: Order
  /** In place of cards, where there is none. */
  nothing?: ComponentChildren
}

/** Where the user is, for what other pages add. */
export interface Place {
  /** The card where the keyboard is. */
  current: PageItem | undefined
  /** The cards as they stand. */
  listed: readonly PageItem[]
  /** Opens a card and goes there, whatever is filtered or searched. */
  reach: (key: string) => void
}

/** More cards than these begin closed, but for failures. */
const MOST_OPEN = 8
const MOST_FAILURES_OPEN = 50
/** Narrower, and two columns cannot be read. */
const NARROW = '(max-width: 760px)'

/** The whole page: summary, toolbar, cards or the answer, keys, search, printing. */
export function PageShell(props: PageShellProps) {
  const { model, slots, head, words, toolbar, banner, keys, opens, nothing } = props
  const { items, answer, prose = NO_PROSE } = model
  const [tab, setTab] = useState<Tab>('blocks')
  const [chosenFilter, setFilter] = useState<Filter>('all')
  // Where none is left of a state, its button is gone too.
  const filter = items.some(({ state }) => state === chosenFilter) ? chosenFilter : 'all'
  const hasDiffs = head === undefined
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState<string>()
  const [target, setTarget] = useState<{ line: number }>()
  const [isWritten, setWritten] = useState(false)
  const parts = isWritten ? NO_PROSE : prose
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => (
    new Set(opens ? items.filter(opens).map(({ key }) => key) : openAtFirst(items))
  ))
  const [chosen, setChosen] = useState<Order>()
  const order = chosen ?? props.order ?? 'text'
  const [diffMode, setDiffMode] = useState<DiffMode>(() => (matchMedia(NARROW).matches ? 'inline' : 'side'))
  const [hasKeysOpen, setKeysOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const memory = useRef(new Map<string, unknown>()).current
  const isPrinting = usePrinting()
  const theme = useTheme()
  useMarks(query)

  const lines = useMemo(() => answer?.split(/\r?\n/), [answer])
  const sourceOf = useCallback(
    (item: PageItem) => (item.hook ? undefined : lines?.slice(item.startLine - 1, item.endLine).join('\n')), [lines],
  )
  const ofAnswer = useMemo(() => items.filter(({ hook }) => !hook), [items])
  const hooksOf = useMemo(() => hooksByBlock(items), [items])
  useOpenFailedHooks(items, setToggled)
  const ordered = useMemo(() => (order === 'file' ? inFileOrder(items) : items), [items, order])
  const listed = useMemo(() => ordered.filter((item) => (
    (filter === 'all' || item.state === filter) && (query === '' || matches(item, query, () => sourceOf(item)))
  )), [ordered, filter, query, sourceOf])
  const heads = useMemo(() => (order === 'file' ? fileHeads(listed) : undefined), [listed, order])
  const hitLines = useMemo(
    () => (tab === 'answer' && query !== '' && lines ? matchingLines(lines, query, proseWords(parts)) : []),
    [tab, query, lines, parts],
  )

  const go = useCallback((key: string | undefined) => {
    setCurrent(key)
    if (key !== undefined) requestAnimationFrame(() => focusCard(key))
  }, [])
  const onToggle = useCallback((key: string) => {
    setCurrent(key)
    setToggled((before) => changed(before, key))
  }, [])
  const onLine = useCallback((line: number) => {
    setTab('answer')
    setTarget({ line })
  }, [])
  const onItem = useCallback((key: string) => {
    setTab('blocks')
    setFilter('all')
    setQuery('')
    setToggled((before) => new Set([...before, key]))
    go(key)
  }, [go])
  const step = (by: number, wanted: (item: PageItem) => boolean = () => true): void => {
    const at = listed.findIndex(({ key }) => key === current)
    const rest = by > 0 ? listed.slice(at + 1) : listed.slice(0, at === -1 ? 0 : at).toReversed()
    const next = rest.find(wanted)
    if (next) go(next.key)
  }
  /** Enter in the search field. */
  const onNext = (): void => {
    if (tab === 'answer') {
      const next = hitLines.find((line) => line > (target?.line ?? 0)) ?? hitLines[0]
      if (next !== undefined) setTarget({ line: next })
      return
    }
    const [first] = listed
    if (!first) return
    setToggled((before) => new Set([...before, first.key]))
    go(first.key)
  }
  const areAllOpen = listed.length > 0 && listed.every(({ key }) => toggled.has(key))
  const onAll = (): void => setToggled(areAllOpen ? new Set() : new Set(listed.map(({ key }) => key)))
  const isFailure = ({ state }: PageItem): boolean => state === 'failed' || state === 'unparsed'
  const onOrder = (): void => setChosen(order === 'file' ? 'text' : 'file')
  const place: Place = { current: items.find(({ key }) => key === current), listed, reach: onItem }
  const bindings: readonly KeyBinding[] = [
    { key: 'j', does: 'next card', run: () => step(1) },
    { key: 'k', does: 'card before', run: () => step(-1) },
    { key: 'n', does: 'next failure', run: () => step(1, isFailure) },
    { key: 'p', does: 'failure before', run: () => step(-1, isFailure) },
    { key: 'Enter', does: '', run: () => (current === undefined ? undefined : onToggle(current)) },
    { key: 'g', does: 'first card', run: () => go(listed[0]?.key) },
    { key: 'G', does: 'last card', run: () => go(listed.at(-1)?.key) },
    { key: 'x', does: 'open or close all cards', run: onAll },
    ...(hasDiffs ? [{
      key: 'd', does: 'diffs inline or side by side',
      run: () => setDiffMode(diffMode === 'side' ? 'inline' : 'side'),
    }] : []),
    {
      key: 'a', does: 'the answer, or the blocks',
      run: () => (lines ? setTab(tab === 'blocks' ? 'answer' : 'blocks') : undefined),
    },
    ...(prose.length > 0 ? [{
      key: 'w', does: 'the answer as it was written, or as it reads', run: () => setWritten(!isWritten),
    }] : []),
    { key: '/', does: 'search', run: () => field.current?.select() },
    { key: 'Escape', does: 'end the search', inFields: true, run: () => {
      setQuery('')
      field.current?.blur()
    } },
    { key: '?', does: 'this list', run: () => setKeysOpen(!hasKeysOpen) },
    { key: 'f', does: 'cards by file, or in the order of the answer', run: onOrder },
    ...keys?.(place) ?? [],
  ]
  // While the list of keys is open, keys are its own.
  useKeys(hasKeysOpen ? [] : bindings)
  useEffect(() => {
    document.title = model.title
  }, [model.title])
  const view = useMemo(
    () => ({ diffMode, isPrinting, memory, words }), [diffMode, isPrinting, memory, words],
  )
  const isOpen = (key: string): boolean => toggled.has(key) || (isPrinting && items.length <= MOST_PRINTED)
  return <ViewContext.Provider value={view}>
    <header class="top">{head ?? <Summary summary={model.summary} />}</header>
    <Toolbar items={items} words={words} hasDiffs={hasDiffs} hasAnswer={lines !== undefined} tab={tab} onTab={setTab}
      filter={filter} onFilter={setFilter} query={query} onQuery={setQuery} onNext={onNext} field={field}
      status={statusOf(query, tab, listed.length, items.length, hitLines.length)}
      diffMode={diffMode} onDiffMode={() => setDiffMode(
        diffMode === 'side' ? 'inline' : 'side',
      )} areAllOpen={areAllOpen} onAll={onAll} order={order} onOrder={onOrder}
      theme={theme} onKeys={() => setKeysOpen(true)}>{toolbar?.(place)}</Toolbar>
    <main>
      {banner}
      <RewriteList rewrites={model.rewrites ?? []} isOpen={model.summary.verdict === 'pending'} />
      {tab === 'answer' && lines
        ? <AnswerView lines={lines} items={ofAnswer} parts={parts} target={target} onItem={onItem}
          {...(prose.length > 0 && { isWritten, onWritten: setWritten })} />
        : <CardList items={listed} heads={heads} current={current} isOpen={isOpen} sourceOf={sourceOf} hooksOf={hooksOf}
          slots={slots} onToggle={onToggle} onLine={lines && onLine} onItem={onItem} nothing={nothing} />}
    </main>
    <KeysDialog bindings={[
      { key: 'Enter', does: 'open or close the card', run: () => undefined }, ...bindings,
    ]} isOpen={hasKeysOpen} onClose={() => setKeysOpen(
      false,
    )} />
  </ViewContext.Provider>
}

const NO_PROSE: readonly ProsePart[] = []

/** The words of each part by its first line. */
function proseWords(parts: readonly ProsePart[]): ReadonlyMap<number, string> {
  return new Map(parts.map(({ startLine, nodes }) => [startLine, proseText(nodes)]))
}

/** Cards that are all opened for print; of more only those that are open. */
const MOST_PRINTED = 200

function openAtFirst(items: readonly PageItem[]): string[] {
  if (items.length <= MOST_OPEN) return items.map(({ key }) => key)
  return items.filter(({ state }) => state === 'failed' || state === 'unparsed').slice(0, MOST_FAILURES_OPEN)
    .map(({ key }) => key)
}

function changed(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

function focusCard(key: string): void {
  const card = document.getElementById(cardId(key))
  card?.querySelector<HTMLElement>('.card-toggle')?.focus({ preventScroll: true })
  card?.scrollIntoView({ block: 'nearest' })
}

function statusOf(query: string, tab: Tab, listed: number, all: number, lines: number): string {
  if (query === '') return ''
  if (tab === 'answer') return lines === 1 ? '1 line has it' : `${lines.toLocaleString('en')} lines have it`
  return `${listed.toLocaleString('en')} of ${all.toLocaleString('en')} cards have it`
}
