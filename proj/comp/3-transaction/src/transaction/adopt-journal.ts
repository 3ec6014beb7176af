import { join } from 'node:path'
import { caught, HermesError, isNodeError, unlessRefused } from '../../../0-contracts/src/index.js'
import { writeOwn } from '../../../2-files/src/index.js'
import {
  journalKey, journalKeyFile, lastMacOf, LineSigner, LOG_FILE, readHeads, readLog, type RunHead,
} from '../journal/index.js'
import { signInventories } from './commands/command-inventory.js'

/**
 * Signs every run in the journal of a root with this user's key, in the order in which they are listed. The caller
 * holds the root's lock. Damaged runs stay as they are. If interrupted, it can be repeated.
 *
 * @throws HermesError where there is no key; Node's errors
 */
export function adoptJournal(root: string): void {
  if (!journalKey(true)) {
    throw new HermesError('EACCES', `There is no key to sign the journal with: ${journalKeyFile()}`, {
      hint: 'Make its directory writable for you; a file there that is no key has to go. '
        + 'HERMES_HOME=DIR takes the place of ~/.hermes.',
    })
  }
  let before: { runId: string; seq: number } | undefined
  for (const head of readHeads(root)) {
    const seq: number = (before?.seq ?? 0) + 1
    if (signAgain(root, head, seq, before && lastMacOf(root, before.runId))) before = { runId: head.runId, seq }
  }
}

function signAgain(root: string, { runId, begin }: RunHead, seq: number, prev: string | undefined): boolean {
  const directory = join(root, '.hermes', 'journal', runId)
  if (!begin) return false
  const lines = unlessRefused((): object[] => readLog(directory), undefined)
  if (!lines) return false
  const { seq: _, prev: __, op, format: ___, runId: ____, ...rest } = begin
  const first = { op, format: 2, runId, ...rest, seq, ...(prev !== undefined && { prev }) }
  const signer = new LineSigner(journalKey(), runId)
  const text = [first, ...lines.slice(1)].map((line) => {
    const signed = signer.sign(JSON.stringify(line))
    signed.done()
    return `${signed.line}\n`
  })
  caught(isNodeError, () => {
    signInventories(directory)
    writeOwn(join(directory, LOG_FILE), text.join(''))
  }, (error) => {
    throw new HermesError(error.code, `Cannot sign the journal: ${error.message}`, {
      hint: `Make ${directory} writable.`, cause: error,
    })
  })
  return true
}
