import { setImmediate } from 'node:timers/promises'
import {
  type Definition, fullName, parseDefinitions, type ParseTime, type WantedName,
} from '../../../2-syntax/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { checkSignal } from '../../../2-files/src/index.js'
import { orSkip, type SourceFile } from './source-files.js'

const MOST_NAMES = 3
const MOST_TRIED = 10
/** Words of all files, and characters of each, that are looked at. */
const MOST_WORDS = 100_000
const MOST_CHARS = 200_000

/**
 * Definitions with names like one that is not defined: the same name in another container, or words of the files
 * that differ little and turn out to be defined.
 *
 * @throws HermesError `CANCELLED`
 */
export async function similarNames(
  verb: string, wanted: WantedName, { elsewhere, time }: { elsewhere: readonly Definition[]; time: ParseTime },
  files: AsyncIterable<SourceFile>, signal: AbortSignal,
): Promise<string[]> {
  if (elsewhere.length > 0) return [...new Set(elsewhere.map(fullName))].slice(0, MOST_NAMES)
  const words = await wordsOf(files)
  const similar: string[] = []
  for (let tried = 0; tried < MOST_TRIED && similar.length < MOST_NAMES; tried++) {
    const near = nearest(wanted.name, words.keys())
    const file = near === undefined ? undefined : words.get(near)
    if (near === undefined || file === undefined) break
    words.delete(near)
    await setImmediate()
    checkSignal(signal)
    const parse = () => parseDefinitions(file.language, file.text, time)
    const definitions = await orSkip(verb, file.shown, () => undefined, parse)
    const found = definitions?.find(({ name }) => name === near)
    if (found) similar.push(fullName(found))
  }
  return similar
}

/** Each word with the first file that holds it. */
async function wordsOf(files: AsyncIterable<SourceFile>): Promise<Map<string, SourceFile>> {
  const words = new Map<string, SourceFile>()
  for await (const file of files) {
    for (const [word] of file.text.slice(0, MOST_CHARS).matchAll(/[\p{L}_][\p{L}\p{N}_]{2,}/gu)) {
      if (!words.has(word)) words.set(word, file)
      if (words.size === MOST_WORDS) return words
    }
  }
  return words
}
