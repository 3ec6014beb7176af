import { readFileSync } from 'node:fs'
import { isRecord, orNothing } from '../../../../0-contracts/src/index.js'
import { RESULTS_SUFFIX } from '../../../../2-transcripts/src/index.js'
import { JsonText } from '../compare/json-text.js'
import { parsedJson } from '../compare/parsed-json.js'
import { createFile, lookAt, spliceFile } from './splice-file.js'
import type { MadeResult } from '../replay-transcript.js'
import { isNew, type Updated } from './update-model.js'

const MARK = '\uFEFF'

/** Updates the results recorded beside an answer; unchanged ones stay as written. */
export function putAnswerResults(answer: string, made: readonly MadeResult[], updated: Updated): void {
  const own = made.filter(({ result }) => result?.outcome !== undefined)
  const changed = own.filter(isNew)
  if (changed.length === 0) return
  const file = `${answer}${RESULTS_SUFFIX}`
  const before = orNothing(() => lookAt(file), undefined)
  if (!before) createFile(file, allOf(own))
  else {
    const text = readFileSync(file, 'utf8')
    const plain = text.startsWith(MARK) ? text.slice(1) : text
    const now = (text === plain ? '' : MARK) + (inPlace(plain, own) ?? allOf(own))
    spliceFile(file, [{ start: 0, end: Number(before.size), text: now }], before)
  }
  updated.files.push(file)
  updated.results += changed.length
}

function allOf(own: readonly MadeResult[]): string {
  return `${JSON.stringify({ results: own.map(({ result }) => result?.outcome) }, null, 2)}\n`
}

/** `undefined` where their number differs. */
function inPlace(text: string, own: readonly MadeResult[]): string | undefined {
  const value = parsedJson(text)
  const results = isRecord(value) ? value['results'] : undefined
  if (!Array.isArray(results) || results.length !== own.length) return undefined
  const json = new JsonText(text)
  for (const [index, made] of own.entries()) if (isNew(made)) json.replace(['results', index], made.result?.outcome)
  return json.toString()
}
