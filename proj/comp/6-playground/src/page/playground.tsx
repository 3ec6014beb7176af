import { render } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { PageItem, PageModel } from '../../../2-page/src/index.js'
import {
  type CardSlots, type Copied, copyText, type KeyBinding, PageShell, type Place, type StateWords,
} from '../../../2-page/src/page/index.js'
import type { PlaygroundData } from '../playground-html.js'
import { fragmentOf, readFragment, type SharedAnswer } from '../share-link.js'
import { Composer, selectLines } from './composer.js'
import { isWorker, serveAnalyses, useAnalysis } from './analyser.js'

const WORDS: StateWords = { pending: 'Would run', failed: 'Broken', unparsed: 'Foreign', skipped: 'Quoted' }
const SUMMARY = {
  verdict: 'pending', dryRun: false, total: 0, succeeded: 0, failed: 0, unparsed: 0, skipped: 0, durationMs: 0,
  endedAt: '', root: '', warnings: [],
} as const

function Playground({ data: { verbs, examples } }: { data: PlaygroundData }) {
  const [draft, setDraft] = useState<SharedAnswer>(() => examples[0] ?? { text: '', formats: [] })
  const [problem, setProblem] = useState<string>()
  const [copied, setCopied] = useState<Copied & { what: string }>()
  const field = useRef<HTMLTextAreaElement>(null)
  const change = useCallback((next: Pick<SharedAnswer, 'text'> & Partial<SharedAnswer>) => {
    setProblem(undefined)
    setCopied(undefined)
    setDraft((before) => ({ ...before, ...next }))
  }, [])
  useSharedAnswer(change, setProblem)
  const { analysis, text, isBusy: isReading } = useAnalysis(draft, verbs)
  const isBusy = isReading || text !== draft.text
  const copy = useCallback(async (what: string, given: string) => {
    setCopied({ what, text: given, isCopied: await copyText(given) })
  }, [])
  const share = async (): Promise<void> => {
    try {
      const fragment = await fragmentOf(draft)
      history.replaceState(null, '', fragment)
      await copy('the link', location.href)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  const model = useMemo((): PageModel => ({
    version: 1, title: `${analysis.verdict} · hermes playground`, summary: SUMMARY, items: analysis.items, answer: text,
  }), [analysis, text])
  const edit = useCallback(({ startLine, endLine }: Pick<PageItem, 'startLine' | 'endLine'>) => {
    if (field.current) selectLines(field.current, startLine, endLine)
  }, [])
  const slots = useMemo((): CardSlots => ({
    tail: (item) => <p class="card-edit">
      <button type="button" class="link" onClick={() => edit(item)}>Edit in the text</button>
    </p>,
  }), [edit])
  const { mended } = analysis
  const keys = ({ current }: Place): KeyBinding[] => [
    {
      key: 'e', does: 'edit the text, at the card’s lines (Esc leaves it)',
      run: () => (current ? edit(current) : field.current?.focus()),
    },
    {
      key: 'm', does: 'put the mended answer in place',
      run: () => void (mended && !isBusy && change({ text: mended.text })),
    },
    { key: 'c', does: 'copy the reply to the model', run: () => void (!isBusy && copy('the reply', analysis.reply)) },
    { key: 'l', does: 'copy a link to this answer', run: () => void share() },
  ]
  return <PageShell model={model} slots={slots} words={WORDS} keys={keys} head={<Head />} banner={
    <Composer draft={draft} analysis={analysis} isBusy={isBusy} examples={examples} problem={problem} copied={copied}
      field={field} onChange={change} onCopy={(what, given) => void copy(what, given)} onShare={() => void share()} />
  } />
}

function Head() {
  return <section class="head">
    <h1>What would hermes do with this answer?</h1>
    <p>Paste what a language model wrote. Each block is listed as it would run, or with why it would not and what the
      model should write instead. Nothing runs here, and nothing leaves this page.</p>
  </section>
}

/** Shows the answer in the page's address, also when the address changes. */
function useSharedAnswer(
  show: (answer: SharedAnswer) => void, fail: (problem: string) => void,
): void {
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        const shared = await readFragment(location.hash)
        if (shared) show(shared)
      } catch (error) {
        fail(messageOf(error))
      }
    }
    const listen = (): void => void read()
    listen()
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [show, fail])
}

function messageOf(error: unknown): string {
  if (!(error instanceof HermesError)) throw error
  return `${error.message}. ${error.hint ?? ''}`
}

function start(): void {
  const place = document.getElementById('page')
  const data = document.getElementById('playground')?.textContent
  if (place && data) render(<Playground data={JSON.parse(data) as PlaygroundData} />, place)
}

// The page starts its own script a second time as its worker.
if (isWorker()) serveAnalyses()
else start()
