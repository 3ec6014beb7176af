import { setImmediate } from 'node:timers/promises'
import { HermesError, unlessThrown } from '../../0-contracts/src/index.js'
import { type Definition, type LanguageId, parseFacts, ParseTime } from '../../2-syntax/src/index.js'
import { DamagedIndex } from './bytes.js'
import { encodeFacts, FileRecord } from './file-record.js'
import { passagesIn, type TextPassages } from './passages/index.js'

/** Result of parsing a text. */
export interface Parsed {
  /** Output of `encodeFacts`; empty if there is a problem. */
  record: Uint8Array
  /** It has syntax errors. */
  isBroken: boolean
  /** Why it could not be parsed, on one line. */
  problem?: string
  /** It took too long, which may differ next time. */
  isTimeout?: true
}

/** A text, and what to compute. */
export interface TextToRead {
  text: string
  /** Absent for prose, which is not parsed. */
  language?: LanguageId
  /** Facts from the index, as encoded by `encodeFacts`; without them the text is parsed. */
  record?: Uint8Array
  /** Set if passages are wanted too. */
  passages?: {
    /** Its extension determines the form of comments. */
    path: string
    /** Path relative to the root, with `/`; it is searched too. */
    shown: string
  }
}

export interface TextRead {
  /** Absent where it was not parsed. */
  parsed?: Parsed
  passages?: TextPassages
}

/** Computes what is wanted of a text, parsing it at most once. */
export interface TextReader {
  /** @throws HermesError `NOT_INSTALLED`, unless passages are wanted, which are coarser then */
  read(source: TextToRead): Promise<TextRead>
}

/** Reads the texts of many files. */
export interface FileParser {
  /** Calls `visit` for each file, in any order, with a reader for its text. */
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
    // Without grammars the search is coarser but works.
    if (source.passages && error.code === 'NOT_INSTALLED') return withPassages(source, {})
    throw error
  }
}

/** The result for a text that could not be parsed. */
export function unparsed(problem: string, { isTimeout }: { isTimeout: boolean }): Parsed {
  return { record: new Uint8Array(), isBroken: false, problem, ...(isTimeout && { isTimeout }) }
}

/** @returns `undefined` where the record is damaged */
function definitionsOf(record: Uint8Array): { definitions: readonly Definition[] | undefined } | undefined {
  return unlessThrown(DamagedIndex, () => (
    // A text that could not be parsed has an empty record.
    { definitions: record.length === 0 ? undefined : new FileRecord(record).definitions().filter(isCut) }
  ), undefined)
}

function isCut({ parameter }: { parameter: boolean }): boolean {
  return !parameter
}

/** @param definitions as for `cutText` */
export function withPassages(
  { text, passages }: TextToRead, read: TextRead, definitions?: readonly Definition[],
): TextRead {
  return { ...read, ...(passages && { passages: passagesIn({ ...passages, text }, definitions) }) }
}

/** Reads one file after the other. */
export class ParserHere implements FileParser {
  readonly #reader = readerHere()

  async each<File>(
    files: readonly File[], visit: (file: File, reader: TextReader) => Promise<void>,
  ): Promise<void> {
    for (const file of files) {
      // Lets an abort arrive, since parsing is synchronous.
      await setImmediate()
      await visit(file, this.#reader)
    }
  }
}
