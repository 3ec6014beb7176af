import { setImmediate } from 'node:timers/promises'
import { HermesError } from '../../0-contracts/src/index.js'
import { type LanguageId, parseFacts, ParseTime } from '../../2-syntax/src/index.js'
import { encodeFacts } from './file-record.js'

/** What came of a text. */
export interface Parsed {
  /** As `encodeFacts` writes it; empty with a problem. */
  record: Uint8Array
  /** Some of its lines are no code. */
  isBroken: boolean
  /** Why it could not be parsed: one line. */
  problem?: string
  /** It took too long, which may be different the next time. */
  isTimeout?: true
}

export type Parse = (text: string) => Promise<Parsed>

/** Parses the texts of many files. */
export interface FileParser {
  /** Calls `visit` for each file, in any order; it gets what parses the text of that file. */
  each<File extends { language: LanguageId }>(
    files: readonly File[], visit: (file: File, parse: Parse) => Promise<void>,
  ): Promise<void>
  end?(): Promise<void>
}

const PASSED_OVER = new Set(['FILE_TOO_LARGE', 'TIMEOUT'])

/** @throws HermesError `NOT_INSTALLED` */
export async function parseText(language: LanguageId, text: string, time: ParseTime): Promise<Parsed> {
  try {
    const facts = await parseFacts(language, text, time)
    return { record: encodeFacts(facts), isBroken: facts.errors.length > 0 }
  } catch (error) {
    if (!(error instanceof HermesError) || !PASSED_OVER.has(error.code)) throw error
    const isTimeout = error.code === 'TIMEOUT'
    return { record: new Uint8Array(), isBroken: false, problem: error.message, ...(isTimeout && { isTimeout }) }
  }
}

/** One file after the other. */
export class ParserHere implements FileParser {
  readonly #time = new ParseTime()

  async each<File extends { language: LanguageId }>(
    files: readonly File[], visit: (file: File, parse: Parse) => Promise<void>,
  ): Promise<void> {
    for (const file of files) {
      // Lets an abort arrive: parsing is synchronous.
      await setImmediate()
      await visit(file, (text) => parseText(file.language, text, this.#time))
    }
  }
}
