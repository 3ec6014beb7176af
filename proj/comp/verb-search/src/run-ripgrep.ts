import { HermesError, isNodeError, type VerbContext } from '../../contracts/src/index.js'
import { watchForStall } from '../../files/src/index.js'
import { checkSignal } from '../../tree-walk/src/index.js'
import type { RipgrepMatches } from './ripgrep-matches.js'
import { RipgrepReader } from './ripgrep-records.js'

/** Characters kept of what ripgrep complains about. */
const MOST_COMPLAINTS = 1 << 16

/**
 * Runs ripgrep until it ends, or is killed since there are enough matches.
 *
 * @returns its standard error; `undefined` where it cannot be started, or waits for what never comes
 * @throws HermesError `CANCELLED`; `TIMEOUT` once it takes as long as a command may
 */
export async function runRipgrep(
  program: string, args: readonly string[], cwd: string, matches: RipgrepMatches,
  { signal, limits }: Pick<VerbContext, 'signal' | 'limits'>,
): Promise<string | undefined> {
  const { execa } = await import('execa')
  checkSignal(signal)
  const child = execa(program, args, { cwd, stdin: 'ignore', buffer: false, reject: false, encoding: 'buffer' })
  const stop = (): void => void child.kill()
  signal.addEventListener('abort', stop)
  let [isStalled, isLate] = [false, false]
  const limit = setTimeout(() => {
    isLate = true
    stop()
  }, limits.commandTimeoutMs)
  const endWatch = child.pid === undefined ? () => undefined : watchForStall(child.pid, () => {
    isStalled = true
    stop()
  })
  try {
    let complained = ''
    child.stderr.on('data', (piece: Buffer) => {
      if (complained.length < MOST_COMPLAINTS) complained += piece.toString('utf8')
    })
    const reader = new RipgrepReader((record) => matches.add(record), (path) => matches.drop(path))
    child.stdout.on('data', (piece: Buffer) => {
      if (matches.isFull) return
      reader.push(piece)
      if (matches.isFull) stop()
    })
    const { cause } = await child
    checkSignal(signal)
    if (isStalled) return undefined
    if (isLate) throw tooSlow(limits.commandTimeoutMs)
    if (child.pid === undefined) {
      if (isNodeError(cause)) return undefined
      throw cause
    }
    if (!matches.isFull) reader.end()
    return complained
  } finally {
    endWatch()
    clearTimeout(limit)
    signal.removeEventListener('abort', stop)
  }
}

function tooSlow(limitMs: number): HermesError {
  return new HermesError('TIMEOUT', `search_files: stopped after ${limitMs / 1000}s`, {
    hint: 'Write a narrower path or pattern.',
  })
}
