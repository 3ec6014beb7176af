import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { HermesError, orNothing } from '../../0-contracts/src/index.js'
import type { ClientPort } from './client-port.js'
import type { EditorPaths } from './editor-paths.js'

/** How long the editor may take to say what it holds, in milliseconds. */
const PATIENCE_MS = 10_000
/** Texts of one file that are remembered. */
const MOST_TEXTS = 200
/** Larger files are not asked about; verbs write none of that size either. */
const MOST_BYTES = 10_000_000

/**
 * Keeps verbs from writing over what the user has typed and not saved. The editor says what it holds of a file; where
 * that is no text that the file has had on disk while the session lasted, it was typed. (An editor may be late to read
 * again what was just written: an earlier text of the file is nothing unsaved.)
 */
export class UnsavedFiles {
  readonly #texts = new Map<string, Set<string>>()

  constructor(private readonly client: Pick<ClientPort, 'readText'>, private readonly named: EditorPaths) {}

  /** @throws HermesError `CHANGED_ON_DISK` where one of the files holds unsaved changes, or that cannot be known */
  async check(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const path of paths) {
      const text = orNothing(() => {
        const stat = statSync(path)
        return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(path, 'utf8') : undefined
      }, undefined)
      if (text === undefined) continue
      this.wrote(path, text)
      // It may have opened the file by either name.
      for (const name of new Set([this.named(path), path])) {
        const held = await this.#heldBy(name, signal)
        if (held === undefined || this.#texts.get(path)?.has(keyOf(held)) === true) continue
        throw new HermesError('CHANGED_ON_DISK', `The editor holds changes of ${name} that are not saved`, {
          hint: 'Nothing was written. Ask the user to save or discard them; then read the file again before you change '
            + 'it.',
        })
      }
    }
  }

  /** A text that the file has had on disk: what was found there, or what hermes itself has written. */
  wrote(path: string, text: string): void {
    const known = this.#texts.get(path) ?? new Set()
    this.#texts.set(path, known.add(keyOf(text)))
    const [oldest] = known
    if (known.size > MOST_TEXTS && oldest !== undefined) known.delete(oldest)
  }

  /** `undefined`: the editor has nothing of it. */
  async #heldBy(path: string, signal: AbortSignal): Promise<string | undefined> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    let held: unknown
    try {
      held = await this.client.readText(path, AbortSignal.any([signal, patience]))
    } catch (error) {
      if (signal.aborted) throw new HermesError('CANCELLED', 'Cancelled before it was written', {
        hint: 'Nothing was written.', cause: error,
      })
      if (patience.aborted) throw silent(path)
      if (!(error instanceof Error)) throw error
      // It answers with an error for a file that it does not know.
      return undefined
    }
    // An answer without a text does not say that there is nothing unsaved.
    if (typeof held !== 'string') throw silent(path)
    return held
  }
}

/** Editors keep line endings and the mark at the beginning apart from the text. */
function keyOf(text: string): string {
  return createHash('sha256').update(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')).digest('base64')
}

function silent(path: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `The editor did not say whether ${path} holds unsaved changes`, {
    hint: 'Nothing was written. Try again, or ask the user to save the file.',
  })
}
