import { type LanguageId, type ParsedId, isByPattern, isParsed } from './language-id.js'
import { type Notebook, readNotebook } from './notebook.js'
import { type ParseClock, ParseTime } from './parse-time.js'
import type { PatternId } from './patterns/pattern-extensions.js'
import { checkSize, withoutBom } from './with-tree.js'

/** What is done with a text without its byte order mark, by how its language is read. */
export interface Readers<Result> {
  /** A grammar reads it. */
  parsed(language: ParsedId, text: string): Promise<Result>
  byPattern(language: PatternId, text: string, clock: ParseClock): Result
  /** The code of a notebook, as a text of its own language; what is found there has to be moved to the file. */
  notebook(code: Notebook): Promise<Result>
  /** Of a notebook that cannot be read. */
  none: Result
}

/** @throws HermesError `FILE_TOO_LARGE`, `TIMEOUT`, and as the readers */
export async function readAs<Result>(
  language: LanguageId, text: string, readers: Readers<Result>, time = new ParseTime(),
): Promise<Result> {
  const source = withoutBom(text)
  if (isParsed(language)) return readers.parsed(language, source)
  if (isByPattern(language)) {
    checkSize(text)
    const clock = time.start(source)
    try {
      return readers.byPattern(language, source, clock)
    } finally {
      clock.done()
    }
  }
  const notebook = await readNotebook(source)
  return notebook ? readers.notebook(notebook) : readers.none
}
