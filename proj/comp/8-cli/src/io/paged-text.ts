import { runNow, trustedEnvironment } from '../../../2-processes/src/index.js'
import { isUnattended } from './consent-options.js'
import { isPlain, isTerminal, print } from './output.js'

/** `less` as git starts it: it ends at once where all fits, keeps colours, and leaves the text on the screen. */
const LESS = 'FRX'

/** Prints a text to read: page by page where it is longer than the terminal, by the user's `PAGER` or `less`. */
export function printPaged(text: string): void {
  const isLong = text.split('\n').length > (process.stdout.rows || Infinity)
  if (!isLong || !hasReader() || !pagerShows(text)) print(text)
}

function hasReader(): boolean {
  return isTerminal('stdout') && isTerminal('stdin') && !isPlain() && !isUnattended() && process.platform !== 'win32'
}

function pagerShows(text: string): boolean {
  const pager = process.env['PAGER']?.trim() ?? 'less'
  if (pager === '' || pager === 'cat') return false
  // Ctrl-C is the pager's: hermes has to stay until it has given the terminal back.
  const stay = (): void => undefined
  process.on('SIGINT', stay)
  try {
    const { exitCode, error } = runNow({
      program: 'sh', args: ['-c', pager], stdio: ['pipe', 'inherit', 'inherit'], input: text,
      env: trustedEnvironment({ LESS, ...process.env }),
    })
    // One that closes its input early, as less does when it is left, has shown what was wanted.
    return (error === undefined || error.message.includes('EPIPE')) && exitCode !== 126 && exitCode !== 127
  } finally {
    process.off('SIGINT', stay)
  }
}
