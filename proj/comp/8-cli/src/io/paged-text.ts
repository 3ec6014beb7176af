import { runNow, trustedEnvironment } from '../../../2-processes/src/index.js'
import { isUnattended } from './consent-options.js'
import { isPlain, isTerminal, print, printRaw } from './output.js'

/** Options for `less` as git sets them: exit if all fits, keep colours, leave the text on the screen. */
const LESS = 'FRX'

/**
 * Prints a text to read; if it is longer than the terminal, page by page, with the user's `PAGER` or `less`.
 *
 * @param isWrapped its lines are wrapped already; longer ones are code to be copied, and stay whole
 */
export function printPaged(text: string, isWrapped = false): void {
  const isLong = text.split('\n').length > (process.stdout.rows || Infinity)
  if (isLong && hasReader() && pagerShows(text)) return
  if (isWrapped) printRaw(text)
  else print(text)
}

function hasReader(): boolean {
  return isTerminal('stdout') && isTerminal('stdin') && !isPlain() && !isUnattended() && process.platform !== 'win32'
}

function pagerShows(text: string): boolean {
  const pager = process.env['PAGER']?.trim() ?? 'less'
  if (pager === '' || pager === 'cat') return false
  // Ctrl-C is for the pager: hermes must stay until the pager has released the terminal.
  const stay = (): void => undefined
  process.on('SIGINT', stay)
  try {
    const { exitCode, error } = runNow({
      program: 'sh', args: ['-c', pager], stdio: ['pipe', 'inherit', 'inherit'], input: text,
      env: trustedEnvironment({ LESS, ...process.env }),
    })
    // A pager that closes its input early, as less does when left, or that a signal ended, has shown enough.
    return (error === undefined || error.message.includes('EPIPE')) && (exitCode === 0 || exitCode === null)
  } finally {
    process.off('SIGINT', stay)
  }
}
