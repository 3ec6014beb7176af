import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type MessagePort, Worker } from 'node:worker_threads'
import { HermesError, type ErrorCode } from '../../0-contracts/src/index.js'
import {
  type FileParser, readerHere, type TextRead, type TextReader, type TextToRead, unparsed, withPassages,
} from './parse-text.js'

const MOST_THREADS = 8
/** Texts that each thread has at a time: enough to keep it busy, few enough for memory. */
const TEXTS_EACH = 3
/** JavaScript heap of a thread in megabytes, without the parser's memory. */
const MOST_HEAP = 512

interface Job {
  id: number
  source: TextToRead
}
type Answer = { id: number } & (
  { read: TextRead } | { error: { code: ErrorCode; message: string; hint: string | undefined } }
)

/** Path of the thread's script in the build; `undefined` when running from sources. */
export function threadScript(): string | undefined {
  return ['./parse-thread.cjs', '../parse-thread.cjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync)
}

/** The thread's program: answers jobs that arrive at a port. */
export function serveTexts(port: MessagePort): void {
  const reader = readerHere()
  const answer = async (job: Job): Promise<void> => {
    try {
      const read = await reader.read(job.source)
      const record = read.parsed?.record.slice()
      const parsed = read.parsed && record && { ...read.parsed, record }
      const message = { id: job.id, read: { ...read, ...(parsed && { parsed }) } } satisfies Answer
      port.postMessage(message, record ? [record.buffer] : [])
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      const { code, message, hint } = error
      port.postMessage({ id: job.id, error: { code, message, hint } } satisfies Answer, [])
    }
  }
  port.on('message', (job: Job) => void answer(job))
}

interface Waiting {
  /** Called with `undefined` where the text crashed the thread. */
  resolve: (read: TextRead | undefined) => void
  reject: (error: Error) => void
}

/** Parses several texts in parallel, in threads that end with it. */
export class ParserInThreads implements FileParser {
  readonly #threads = new Map<Worker, Map<number, Waiting>>()
  readonly #here = readerHere()
  #jobs = 0

  constructor(private readonly script: string, private readonly signal: AbortSignal) {
    const count = Math.min(MOST_THREADS, availableParallelism())
    for (let thread = 0; thread < count; thread++) this.#start()
    signal.addEventListener('abort', this.#cancel, { once: true })
  }

  async each<File>(
    files: readonly File[], visit: (file: File, reader: TextReader) => Promise<void>,
  ): Promise<void> {
    const left = files.values()
    let isFailed = false
    const lane = async (): Promise<void> => {
      for (const file of left) {
        if (isFailed) return
        try {
          await visit(file, this.#reader)
        } catch (error) {
          isFailed = true
          throw error
        }
      }
    }
    const lanes = Array.from({ length: this.#threads.size * TEXTS_EACH }, lane)
    const failed = (await Promise.allSettled(lanes)).find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  async end(): Promise<void> {
    this.signal.removeEventListener('abort', this.#cancel)
    const threads = [...this.#threads.keys()]
    this.#threads.clear()
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  readonly #cancel = (): void => {
    for (const waiting of this.#threads.values()) {
      for (const { reject } of waiting.values()) reject(new HermesError('CANCELLED', 'The run was cancelled'))
      waiting.clear()
    }
  }

  #start(): void {
    const thread = new Worker(this.script, {
      env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    })
    const waiting = new Map<number, Waiting>()
    this.#threads.set(thread, waiting)
    thread.on('message', (answer: Answer) => {
      const job = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('read' in answer) job?.resolve(answer.read)
      else job?.reject(new HermesError(answer.error.code, answer.error.message, { hint: answer.error.hint }))
    })
    // Out of memory, or a bug in the parser: the other threads go on.
    const lose = (): void => {
      this.#threads.delete(thread)
      for (const { resolve } of waiting.values()) resolve(undefined)
      waiting.clear()
    }
    thread.once('error', lose)
    thread.once('exit', lose)
  }

  readonly #reader: TextReader = {
    read: async (source) => {
      if (this.#threads.size === 0) return this.#here.read(source)
      return await this.#ask(source) ?? withoutThread(source)
    },
  }

  /** Sends a text to the least busy thread. */
  async #ask(source: TextToRead): Promise<TextRead | undefined> {
    const [thread] = [...this.#threads].sort(([, a], [, b]) => a.size - b.size)
    if (thread === undefined) return undefined
    const [worker, waiting] = thread
    const id = this.#jobs++
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      // Copied, since a part of a buffer would be sent with the whole buffer.
      const record = source.record && new Uint8Array(source.record)
      worker.postMessage({ id, source: { ...source, ...(record && { record }) } } satisfies Job, [])
    })
  }
}

/** The result for a text that crashed its thread. */
function withoutThread(source: TextToRead): TextRead {
  const isParsed = source.language !== undefined && source.record === undefined
  const parsed = unparsed('Source ended the parser that read it', { isTimeout: true })
  return withPassages(source, isParsed ? { parsed } : {})
}
