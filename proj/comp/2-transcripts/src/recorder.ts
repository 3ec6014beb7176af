import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, writeSync } from 'node:fs'
import {
  bytesAt, closing, endsInMidLine, makeOutputDirectory, noteOwnOutput, openOutput,
} from '../../2-files/src/index.js'
import { HermesError, isNodeError, type HermesEvent } from '../../0-contracts/src/index.js'
import type { Masker } from '../../0-text/src/index.js'
import { jsonOr } from './fields.js'
import { kindOf } from './detect.js'
import { keptContents, type StartingSink } from './starting-files/index.js'
import type { TranscriptSettings } from './transcript-model.js'
import { RECORDING_VERSION } from './recording.js'
import { isExact, rewrittenAnswer, type PreparedText } from './rewritten/index.js'

const MOST_FIRST_LINE = 64 * 1024
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

export interface RecordedRun {
  /** Absolute, links resolved. */
  root: string
  rootAliases: readonly string[]
  settings: TranscriptSettings
  /** The answer as it ran. */
  text: string
  /** How extensions changed it. */
  prepared?: PreparedText | undefined
}

/**
 * Writes a run to a file while it goes on, one event a line (schema: docs/replay.md). Appends to an existing recording,
 * so the answers of a conversation form one recording.
 */
export class Recorder {
  readonly #descriptor: number
  readonly #ended: () => void
  /** Id of the run within the file, since two runs may write at once. */
  readonly #run = randomBytes(6).toString('hex')
  #failure: NodeJS.ErrnoException | undefined

  /**
   * @throws HermesError where the file cannot be written, or exists and is no recording; `POLICY_DENIED` as
   *   `outputTarget`
   */
  constructor(private readonly file: string, private readonly masker: Masker) {
    try {
      const target = makeOutputDirectory(file)
      requireRecording(file, target)
      this.#descriptor = openOutput(file, APPEND)
      // A killed run may have left an incomplete line.
      if (isCutOff(target)) writeSync(this.#descriptor, '\n')
      this.#ended = noteOwnOutput(target)
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot write the recording ${file} (${error.code})`, {
        hint: 'Name a file in a directory that you may write.', cause: error,
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
    const isKept = isExact(this.masker.value({ text, rewritten }))
    this.#write({ type: 'answer', text, original, ...(!isKept && { inexact: true }) })
    for (const rewrite of by) this.#write({ type: 'rewrite', ...rewrite })
  }

  /** Records the state of files before the run; each content once, however many runs are in the file. */
  startingFiles(): StartingSink {
    return {
      kept: keptContents(this.file),
      // Not masked: it was checked for secrets, and masking would change the content.
      content: (sha256, content) => this.#writeLine({ type: 'content', run: this.#run, sha256, ...content }),
      path: (startingPath) => this.#write({ type: 'start', ...startingPath }),
    }
  }

  /** Records an event; leaves out changes of files, and hooks, which replays do not run. */
  event(event: HermesEvent): void {
    if (event.type === 'hook-start' || event.type === 'hook-end') return
    if (event.type === 'block-end') this.#write({ type: event.type, result: event.result })
    else if (event.type === 'end') {
      const { results: _, parseErrors: __, skipped: ___, hooks: ____, ...totals } = event.result
      this.#write({ type: event.type, ...totals })
    } else this.#write({ ...event })
  }

  /** @throws HermesError where something could not be written */
  close(): void {
    this.#ended()
    closeSync(this.#descriptor)
    if (!this.#failure) return
    const { code = 'EIO' } = this.#failure
    throw new HermesError(code, `Cannot write the recording ${this.file} (${code})`, {
      hint: 'The blocks did run: do not run them again for the recording.', cause: this.#failure,
    })
  }

  /** A full disk must not stop the run: the failure is reported at the end. */
  #write(event: { type: string; [field: string]: unknown }): void {
    const { type, ...fields } = this.masker.value(event)
    this.#writeLine({ type, ...(type !== 'run' && { run: this.#run }), ...fields })
  }

  #writeLine(event: Readonly<Record<string, unknown>>): void {
    if (this.#failure) return
    try {
      const line = Buffer.from(`${JSON.stringify(event)}\n`)
      // One call for each line, so that lines of other runs do not interleave. On a nearly full disk a write may be
      // partial; the next attempt then reports the error.
      for (let at = 0; at < line.length;) at += writeSync(this.#descriptor, line, at)
    } catch (error) {
      if (!isNodeError(error)) throw error
      this.#failure = error
    }
  }
}

/** @param target the file with links resolved */
function requireRecording(file: string, target: string): void {
  if (!existsSync(target)) return
  const fits = closing(openSync(target, 'r'), (descriptor) => {
    // Pipes and devices accept anything.
    if (!fstatSync(descriptor).isFile()) return true
    const beginning = bytesAt(descriptor, 0, MOST_FIRST_LINE).toString()
    const [line = ''] = beginning.split('\n', 1)
    const kind = kindOf(jsonOr(line))
    return beginning === '' || (kind?.isWhole === false && kind.parts === 'recording')
  })
  if (fits) return
  const hint = 'Name a new file, or a recording to go on with.'
  throw new HermesError('EEXIST', `${file} is there, and is no recording`, { hint })
}

/** Whether the last line of a file is incomplete. */
function isCutOff(file: string): boolean {
  return closing(openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), (descriptor) => (
    fstatSync(descriptor).isFile() && endsInMidLine(descriptor)
  ))
}
