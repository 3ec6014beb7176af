import { setImmediate } from 'node:timers/promises'
import { HermesError } from '../../0-contracts/src/index.js'
import { type LanguageId, parseFacts, ParseTime } from '../../2-syntax/src/index.js'
import { encodeFacts } from './file-record.js'
import { passagesIn, type PassageSource, type TextPassages } from './passages/index.js'

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

/** Reads a text as it is asked to. */
export interface TextReader {
  /** What the index of code keeps. @throws HermesError `NOT_INSTALLED` */
  facts(language: LanguageId, text: string): Promise<Parsed>
  passages(source: PassageSource): Promise<TextPassages>
}

/** Reads the texts of many files. */
export interface FileParser {
  /** Calls `visit` for each file, in any order; it gets what reads the text of that file. */
  each<File>(files: readonly File[], visit: (file: File, reader: TextReader) => Promise<void>): Promise<void>
  end?(): Promise<void>
}

const PASSED_OVER = new Set(['FILE_TOO_LARGE', 'TIMEOUT'])

/** @throws HermesError `NOT_INSTALLED` */
async function parseText(language: LanguageId, text: string, time: ParseTime): Promise<Parsed> {
  try {
    const facts = await parseFacts(language, text, time)
    return { record: encodeFacts(facts), isBroken: facts.errors.length > 0 }
  } catch (error) {
    if (!(error instanceof HermesError) || !PASSED_OVER.has(error.code)) throw error
    const isTimeout = error.code === 'TIMEOUT'
    return { record: new Uint8Array(), isBroken: false, problem: error.message, ...(isTimeout && { isTimeout }) }
  }
}

/** Reads texts in this thread. */
export function readerHere(): TextReader {
  const time = new ParseTime()
  return {
    facts: (language, text) => parseText(language, text, time),
    passages: (source) => passagesIn(source, time),
  }
}

/** One file after the other. */
export class ParserHere implements FileParser {
  readonly #reader = readerHere()

  async each<File>(
    files: readonly File[], visit: (file: File, reader: TextReader) => Promise<void>,
  ): Promise<void> {
    for (const file of files) {
      // Lets an abort arrive: parsing is synchronous.
      await setImmediate()
      await visit(file, this.#reader)
    }
  }
}
