import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { noteOwnOutput, openOutput, outputTarget } from '../../2-files/src/index.js'
import { HermesError, isNodeError, type HermesEvent } from '../../0-contracts/src/index.js'
import type { Masker } from '../../0-text/src/index.js'
import { jsonOr } from './fields.js'
import { kindOf } from './detect.js'
import { keptContents, type StartingSink } from './starting-files/index.js'
import type { TranscriptSettings } from './transcript-model.js'
import { RECORDING_VERSION } from './recording.js'
import { isExact, rewrittenAnswer, type PreparedText } from './rewritten/index.js'

const MOST_FIRST_LINE = 64 * 1024
const LINE_FEED = 10
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

export interface RecordedRun {
  /** Canonical. */
  root: string
  rootAliases: readonly string[]
  settings: TranscriptSettings
  /** Of the answer, as it ran. */
  text: string
  /** What extensions made of it before. */
  prepared?: PreparedText | undefined
}

/**
 * Writes a run to a file, one event a line, while it goes on (schema in docs/replay.md). A file that is there gets
 * another run: so the answers of one conversation become one recording.
 */
export class Recorder {
  readonly #file: string
  readonly #descriptor: number
  readonly #ended: () => void
  readonly #masker: Masker
  /** Two runs may be written to one file at once. */
  readonly #run = randomBytes(6).toString('hex')
  #failure: NodeJS.ErrnoException | undefined

  /**
   * @throws HermesError where the file cannot be written, or is there and no recording; `POLICY_DENIED` as
   *   `outputTarget`
   */
  constructor(file: string, masker: Masker) {
    this.#file = file
    this.#masker = masker
    try {
      const target = outputTarget(file)
      requireRecording(file, target)
      this.#descriptor = openOutput(file, APPEND)
      // A run that was killed may have left half a line.
      if (isCutOff(target)) writeSync(this.#descriptor, '\n')
      this.#ended = noteOwnOutput(target)
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot write the recording ${file} (${error.code})`, {
        hint: 'Name a file in a directory that exists and that you may write.', cause: error,
      })
    }
  }

  begin({ root, rootAliases, settings, text, prepared }: RecordedRun): void {
    const startedAt = new Date().toISOString()
    this.#write({ type: 'run', version: RECORDING_VERSION, id: this.#run, startedAt, root, rootAliases, ...settings })
    const rewritten = prepared && rewrittenAnswer(prepared, text)
    if (!rewritten) {
      this.#write({ type: 'answer', text })
      return
    }
    const { original, by } = rewritten
    const isKept = isExact(this.#masker.value({ text, rewritten }))
    this.#write({ type: 'answer', text, original, ...(!isKept && { inexact: true }) })
    for (const rewrite of by) this.#write({ type: 'rewrite', ...rewrite })
  }

  /** Where it keeps what files were before the run; contents once, however many runs are in the file. */
  startingFiles(): StartingSink {
    return {
      kept: keptContents(this.#file),
      // It was looked at for secrets: masking would make it another content.
      content: (sha256, content) => this.#writeLine({ type: 'content', run: this.#run, sha256, ...content }),
      path: (found) => this.#write({ type: 'start', ...found }),
    }
  }

  /** What the run tells; changes of files are left out, and hooks, which no replay runs. */
  event(event: HermesEvent): void {
    if (event.type === 'hook-start' || event.type === 'hook-end') return
    if (event.type === 'block-end') this.#write({ type: event.type, result: event.result })
    else if (event.type === 'end') {
      const { results: _, parseErrors: __, skipped: ___, hooks: ____, ...totals } = event.result
      this.#write({ type: event.type, ...totals })
    } else this.#write({ ...event })
  }

  /** @throws HermesError where not all could be written */
  close(): void {
    this.#ended()
    closeSync(this.#descriptor)
    if (!this.#failure) return
    const { code = 'EIO' } = this.#failure
    throw new HermesError(code, `Cannot write the recording ${this.#file} (${code})`, {
      hint: 'The blocks did run: do not run them again for the recording.', cause: this.#failure,
    })
  }

  /** A full disk must not stop the run: it is told at the end. */
  #write(event: { type: string; [field: string]: unknown }): void {
    const { type, ...fields } = this.#masker.value(event)
    this.#writeLine({ type, ...(type !== 'run' && { run: this.#run }), ...fields })
  }

  #writeLine(event: Readonly<Record<string, unknown>>): void {
    if (this.#failure) return
    try {
      const line = Buffer.from(`${JSON.stringify(event)}\n`)
      // In one call: what another run writes stands before or behind it. A disk that is filling up takes only a part,
      // and says so when it is asked to take the rest.
      for (let at = 0; at < line.length;) at += writeSync(this.#descriptor, line, at)
    } catch (error) {
      if (!isNodeError(error)) throw error
      this.#failure = error
    }
  }
}

/** @param target the same without links */
function requireRecording(file: string, target: string): void {
  if (!existsSync(target)) return
  const descriptor = openSync(target, 'r')
  try {
    // A pipe or a device takes what is written to it.
    if (!fstatSync(descriptor).isFile()) return
    const bytes = Buffer.alloc(MOST_FIRST_LINE)
    const length = readSync(descriptor, bytes)
    const [line = ''] = bytes.toString('utf8', 0, length).split('\n', 1)
    const kind = kindOf(jsonOr(line))
    if (length === 0 || (kind?.isWhole === false && kind.parts === 'recording')) return
  } finally {
    closeSync(descriptor)
  }
  throw new HermesError('EEXIST', `${file} is there, and is no recording`, { hint: 'Name a new file, or a recording '
    + 'to go on with.' })
}

/** Whether the last line of a file has no end. */
function isCutOff(file: string): boolean {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    const last = Buffer.alloc(1)
    return stats.isFile() && stats.size > 0 && readSync(descriptor, last, 0, 1, stats.size - 1) === 1
      && last[0] !== LINE_FEED
  } finally {
    closeSync(descriptor)
  }
}
