import { render } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type CardSlots, type Copied, copyText, hasSharedFiles, type KeyBinding, PageShell, type Place, type StateWords,
} from '../../../2-page/src/page/index.js'
import type { ReviewMessage } from '../review-protocol.js'
import type { ReviewState } from '../review-state.js'
import { Actions } from './actions.js'
import { Banner } from './banner.js'
import { Connection, takeToken, type Link, type Reply } from './connection.js'
import { shownOf } from './approval-parts.js'
import { type Desk, DeskContext } from './desk.js'
import { Tick, Tools } from './item-parts.js'
import { useLookedAt } from './looked-at.js'
import { modelOf } from './model-of.js'
import { proseAbove, ProsePart } from './prose-parts.js'

function Review({ state, link, connection }: { state: ReviewState; link: Link; connection: Connection }) {
  const [editing, setEditing] = useState<ReadonlySet<string>>(new Set())
  const [typing, setTyping] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string>()
  const [copied, setCopied] = useState<Copied>()
  const drafts = useRef(new Map<string, string>()).current
  /** The run or undo that was asked for and has not begun: pressed twice, a button asks once. */
  const sent = useRef<string>(undefined)
  const send = useCallback(async (message: ReviewMessage): Promise<Reply> => {
    const wanted = message.type === 'run' || message.type === 'undo' ? JSON.stringify(message) : undefined
    if (wanted !== undefined && wanted === sent.current) return { isDone: true, value: {} }
    sent.current = wanted ?? sent.current
    const reply = await connection.send(message)
    if (!reply.isDone && wanted === sent.current) sent.current = undefined
    setProblem(reply.reason)
    return reply
  }, [connection])
  useEffect(() => {
    sent.current = undefined
    // What was wrong is over.
    setProblem(undefined)
  }, [state.phase, state.notice])
  const onEditing = useCallback(
    (key: string, isOpen: boolean) => setEditing((before) => withOrWithout(before, key, isOpen)), [],
  )
  const onTyping = useCallback(
    (key: string, isTyping: boolean) => setTyping((before) => withOrWithout(before, key, isTyping)), [],
  )
  const isTyping = typing.size > 0
  const desk = useMemo((): Desk => (
    { state, send, editing, onEditing, drafts, isTyping, onTyping }
  ), [state, send, editing, onEditing, drafts, isTyping, onTyping])
  const model = useMemo(() => modelOf(state), [state])
  // Made anew with the state, so that the cards are drawn anew.
  const slots = useMemo((): CardSlots => {
    const byKey = new Map(state.items.map((item) => [item.key, item]))
    const of = (Part: typeof Tick | typeof Tools) => ({ key }: { key: string }) => {
      const item = byKey.get(key)
      return item && <Part item={item} />
    }
    const above = proseAbove(state.prose, state.items)
    return {
      before: ({ key }) => above.get(key)?.map((prose) => <ProsePart key={prose.startLine} prose={prose} />),
      end: above.get(undefined)?.map((prose) => <ProsePart key={prose.startLine} prose={prose} />),
      lead: of(Tick),
      tail: of(Tools),
    }
  }, [state.items, state.prose])
  const { unseen, showNext } = useLookedAt(state.items)
  /** Blocks of which the user was told that they were not on the screen. */
  const [warned, setWarned] = useState<ReadonlySet<string>>(new Set())
  const isWarned = unseen.length > 0 && unseen.every(({ key }) => warned.has(key))
  const next = ({ listed, current, reach }: Place): void => {
    const keys = new Set(unseen.map(({ key }) => key))
    const key = current && keys.has(current.key) ? current.key
      : listed.find((item) => keys.has(item.key))?.key ?? unseen[0]?.key
    if (key !== undefined) showNext(key, reach)
  }
  const run = (place: Place): void => {
    if (state.phase !== 'review' || isTyping || state.previewing) return
    if (unseen.length === 0 || isWarned) {
      void send({ type: 'run', revision: state.revision })
      return
    }
    setWarned(new Set(unseen.map(({ key }) => key)))
    next(place)
  }
  const copy = async (): Promise<void> => {
    const { value: { text } } = await send({ type: 'reply' })
    setCopied(typeof text === 'string' ? { text, isCopied: await copyText(text) } : undefined)
  }
  const keys = (place: Place): KeyBinding[] => {
    const { current } = place
    const item = state.items.find(({ key }) => key === current?.key)
    const isReview = state.phase === 'review'
    return [
      {
        key: 't', does: 'tick or untick the block',
        run: () => void (item && isReview && send({ type: 'tick', keys: [item.key], on: !item.ticked })),
      },
      {
        key: 'e', does: 'edit the block (Esc ends it)',
        run: () => void (item?.editable && isReview && onEditing(item.key, true)),
      },
      {
        key: 'm', does: 'put the fix of the block in place',
        run: () => void (item?.mendable && isReview && send({ type: 'mend', key: item.key })),
      },
      { key: 'y', does: 'approve what the block asks', run: () =>
        isReview && item?.asks.forEach((asked, ask) => (
        void send({ type: 'approve', key: item.key, ask, about: shownOf(asked), on: !asked.approved })
      )) },
      {
        key: 'u', does: 'next change that was not on the screen yet',
        run: () => void (isReview && next(place)),
      },
      { key: 'R', does: 'run the ticked blocks', run: () => run(place) },
      { key: 'c', does: 'copy the reply to the model', run: () => void (state.phase === 'ran' && copy()) },
      { key: 'U', does: 'undo the run', run: () => void (state.phase === 'ran' && send({ type: 'undo' })) },
    ]
  }
  return <DeskContext.Provider value={desk}>
    <PageShell model={model} slots={slots} keys={keys} opens={({ state: is }) => is !== 'skipped'}
      nothing={state.nothing && <></>} order={hasSharedFiles(model.items) ? 'file' : 'text'}
      {...(state.phase === 'review' && { words: BEFORE_RUN })}
      toolbar={(place) => <Actions onRun={() => run(place)} onNext={() => next(place)} onCopy={() => void copy()}
        isCopied={copied?.isCopied === true} unseen={unseen.length} isWarned={isWarned} />}
      banner={<Banner state={state} link={link} problem={problem} copied={copied} />} />
  </DeskContext.Provider>
}

/** Before the run a block has not failed yet. */
const BEFORE_RUN: StateWords = { failed: 'Would fail' }

function withOrWithout(keys: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  if (keys.has(key) === isIn) return keys
  const next = new Set(keys)
  if (isIn) next.add(key)
  else next.delete(key)
  return next
}

function App({ token }: { token: string }) {
  const [told, setTold] = useState<{
    state?: ReviewState
    link: Link
  }>({ link: token === '' ? 'refused' : 'connecting' })
  const connection = useMemo(() => new Connection(token, setTold), [token])
  useEffect(() => {
    if (token !== '') void connection.listen()
  }, [connection, token])
  const { state, link } = told
  if (state) return <Review state={state} link={link} connection={connection} />
  return <main class="outside"><h1>hermes review</h1><p>{link === 'refused'
    ? 'This address is not enough: open the one that hermes printed, with all that stands behind the #.'
    : 'Connecting…'}</p></main>
}

const place = document.getElementById('page')
if (place) render(<App token={takeToken()} />, place)
