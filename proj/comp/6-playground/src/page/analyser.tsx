import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReadFormat } from '../../../0-contracts/src/index.js'
import { type Analysis, analyse, type Reading } from '../analyse.js'

/** A request of the page to its worker. */
interface Question extends Reading {
  text: string
}

interface WorkerScope {
  addEventListener: (type: 'message', listen: (event: MessageEvent<Question>) => void) => void
  postMessage: (analysis: Analysis, transfer: Transferable[]) => void
}

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => {
    createScriptURL: (url: string) => string
  }
}

/** How long typing must pause before the text is read, in milliseconds. */
const REST = 120
const NOTHING: Analysis = { items: [], verdict: 'Reading', reply: '' }
/** Can be read only while the script first runs. */
const OWN_SCRIPT = isWorker() ? '' : document.currentScript?.textContent ?? ''

export function isWorker(): boolean {
  return typeof document === 'undefined'
}

/** The worker's side: answers each request. */
export function serveAnalyses(): void {
  const scope = globalThis as unknown as WorkerScope
  scope.addEventListener('message', ({ data: { text, ...reading } }) => {
    scope.postMessage(analyse(text, reading), [])
  })
}

interface Shown {
  analysis: Analysis
  /** The analysed text: an older one while the newest is being read. */
  text: string
}

/** Analyses the text in a worker, so that typing is never blocked; of several changes only the last is read. */
export function useAnalysis(
  { text, formats }: { text: string; formats: readonly ReadFormat[] }, verbs: readonly string[],
): Shown & { isBusy: boolean } {
  const [shown, setShown] = useState<Shown>({ analysis: NOTHING, text: '' })
  const [isBusy, setBusy] = useState(true)
  const desk = useRef<AnalysisDesk>(undefined)
  useEffect(() => {
    const opened = new AnalysisDesk((next, isLast) => {
      setShown(next)
      setBusy(!isLast)
    })
    desk.current = opened
    return () => opened.close()
  }, [])
  const isFirst = useRef(true)
  useEffect(() => {
    setBusy(true)
    const ask = (): void => desk.current?.ask({ text, formats, verbs })
    if (isFirst.current) {
      isFirst.current = false
      ask()
      return undefined
    }
    const timer = setTimeout(ask, REST)
    return () => clearTimeout(timer)
  }, [text, formats, verbs])
  return { ...shown, isBusy }
}

/** Owns the worker: sends one request at a time, and keeps only the last of those waiting. */
class AnalysisDesk {
  readonly #worker: Worker
  #asked: Question | undefined
  #waiting: Question | undefined

  constructor(tell: (shown: Shown, isLast: boolean) => void) {
    this.#worker = startWorker()
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Analysis>) => {
      const { text } = this.#asked ?? { text: '' }
      const next = this.#waiting
      this.#asked = undefined
      this.#waiting = undefined
      tell({ analysis: data, text }, next === undefined)
      if (next) this.ask(next)
    })
  }

  ask(question: Question): void {
    if (this.#asked) this.#waiting = question
    else {
      this.#asked = question
      this.#worker.postMessage(question, [])
    }
  }

  close(): void {
    this.#worker.terminate()
  }
}

/** Starts the worker. The page's security policy allows its own script as a worker, and no other address. */
function startWorker(): Worker {
  const address = URL.createObjectURL(new Blob([OWN_SCRIPT], { type: 'text/javascript' }))
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('own-worker', { createScriptURL: (url) => (url === address ? url : '') })
  return new Worker(policy?.createScriptURL(address) ?? address)
}
