import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { caughtLater, HermesError, isRecord } from '../../0-contracts/src/index.js'
import { bytesOf, readWholeText } from './byte-source.js'
import { invalidTranscript } from './transcript-failure.js'
import { jsonOr, listOf } from './fields.js'
import type { RecordedResult, Transcript, Turn } from './transcript-model.js'
import { outcomeOf, recordedResult } from './recorded-results.js'

/**
 * Suffix of the file that `--update` writes beside a Markdown answer: `{"results": [{success, …}]}`, one for each
 * block.
 */
export const RESULTS_SUFFIX = '.results.json'

/**
 * Reads plain answers: each file is a turn of the assistant, with results in a file beside it.
 *
 * @param path of the file, or of the folder that contains `files`
 * @param opened bytes of the first file, if already opened
 * @throws HermesError where a file cannot be read
 */
export async function readMarkdown(
  path: string, files: readonly string[], maxBytes: number, opened?: AsyncIterable<Buffer>,
): Promise<Transcript> {
  const turns: Turn[] = []
  for (const [index, file] of files.entries()) {
    const bytes = index === 0 && opened ? opened : bytesOf(file)
    turns.push({ role: 'assistant', reasoning: '', text: await named(file, readWholeText(bytes, maxBytes)), calls: [] })
    const beside = `${file}${RESULTS_SUFFIX}`
    if (existsSync(beside)) turns.push({
      role: 'results', results: resultsIn(await named(beside, readWholeText(bytesOf(beside), maxBytes)), beside),
    })
  }
  const name = files.length === 1 && files[0] === path ? basename(path) : basename(dirname(files[0] ?? path))
  return { file: path, line: undefined, name, format: 'markdown', files, turns }
}

/** Adds the file's name to an error. */
async function named<T>(file: string, reading: Promise<T>): Promise<T> {
  return await caughtLater(HermesError, () => reading, (error) => {
    throw new HermesError(error.code, error.message, { hint: error.hint, data: { file }, cause: error })
  })
}

function resultsIn(text: string, file: string): RecordedResult[] {
  const value = jsonOr(text)
  const results = isRecord(value) ? value['results'] : undefined
  if (!Array.isArray(results)) throw invalidTranscript(`${basename(file)} has no list 'results'`)
  return listOf(results).map((result, index) => {
    if (!isRecord(result) || !outcomeOf(result)) {
      throw invalidTranscript(`${basename(file)}: result ${index + 1} has no 'success'`)
    }
    return recordedResult(result)
  })
}
