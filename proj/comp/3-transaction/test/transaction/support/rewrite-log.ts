import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { journalKey, LineSigner, splitMac } from '../../../src/journal/index.js'

/** Rewrites the log of a run as its own process would have written it: signed again. */
export function rewriteLog(directory: string, change: (lines: Record<string, unknown>[]) => object[]): void {
  const file = join(directory, 'log.jsonl')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    .map((line) => JSON.parse(splitMac(line).body) as Record<string, unknown>)
  const signer = new LineSigner(journalKey(true), basename(directory))
  writeFileSync(file, change(lines).map((line) => {
    const { line: written, done } = signer.sign(JSON.stringify(line))
    done()
    return `${written}\n`
  }).join(''))
}
