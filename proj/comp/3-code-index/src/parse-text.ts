import { setImmediate } from 'node:timers/promises'
import { HermesError } from '../../0-contracts/src/index.js'
import { type Definition, type LanguageId, parseFacts, ParseTime } from '../../2-syntax/src/index.js'
import { DamagedIndex } from './bytes.js'
import { encodeFacts, FileRecord } from './file-record.js'
import { passagesIn, type TextPassages } from './passages/index.js'

/** What came of parsing a text. */
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

/** A text, and what is wanted of it. */
export interface TextToRead {
  text: string
  /** Absent for prose: nothing of it is parsed. */
  language?: LanguageId
  /** What the index has of it already, as `encodeFacts` wrote it; without it the text is parsed. */
  record?: Uint8Array
  /** Wanted are its passages, too. */
  passages?: {
    /** Its extension decides how comments look. */
    path: string
    /** The path below the root, with `/`: it is searched too. */
    shown: string
  }
}

export interface TextRead {
  /** Absent where it was not parsed. */
  parsed?: Parsed
  passages?: TextPassages
}

/** Reads a text as it is asked to, parsing it once at most. */
export interface TextReader {
  /** @throws HermesError `NOT_INSTALLED`, unless passages are wanted: they are coarser then */
  read(source: TextToRead): Promise<TextRead>
}

/** Reads the texts of many files. */
export interface FileParser {
  /** Calls `visit` for each file, in any order; it gets what reads the text of that file. */
  each<File>(files: readonly File[], visit: (file: File, reader: TextReader) => Promise<void>): Promise<void>
  end?(): Promise<void>
}

const PASSED_OVER = new Set(['FILE_TOO_LARGE', 'TIMEOUT'])

/** Reads texts in this thread. */
export function readerHere(): TextReader {
  const time = new ParseTime()
  return { read: (source) => readText(source, time) }
}

async function readText(source: TextToRead, time: ParseTime): Promise<TextRead> {
  const { language, record } = source
  if (language === undefined) return withPassages(source, {})
  const known = record && definitionsOf(record)
  if (known) return withPassages(source, {}, known.definitions)
  try {
    const facts = await parseFacts(language, source.text, time)
    const parsed = { record: encodeFacts(facts), isBroken: facts.errors.length > 0 }
    return withPassages(source, { parsed }, facts.definitions.filter(isCut))
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    if (PASSED_OVER.has(error.code)) {
      return withPassages(source, { parsed: unparsed(error.message, { isTimeout: error.code === 'TIMEOUT' }) })
    }
    // Without grammars the search is coarser and works all the same.
    if (source.passages && error.code === 'NOT_INSTALLED') return withPassages(source, {})
    throw error
  }
}

/** What came of a text that could not be parsed. */
export function unparsed(problem: string, { isTimeout }: { isTimeout: boolean }): Parsed {
  return { record: new Uint8Array(), isBroken: false, problem, ...(isTimeout && { isTimeout }) }
}

/** @returns `undefined` where the record is damaged */
function definitionsOf(record: Uint8Array): { definitions: readonly Definition[] | undefined } | undefined {
  try {
    // A text that could not be parsed has an empty one.
    return { definitions: record.length === 0 ? undefined : new FileRecord(record).definitions().filter(isCut) }
  } catch (error) {
    if (error instanceof DamagedIndex) return undefined
    throw error
  }
}

function isCut({ parameter }: { parameter: boolean }): boolean {
  return !parameter
}

/** @param definitions as `cutText` takes them */
export function withPassages(
  { text, passages }: TextToRead, read: TextRead, definitions?: readonly Definition[],
): TextRead {
  return { ...read, ...(passages && { passages: passagesIn({ ...passages, text }, definitions) }) }
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
