import { HermesError } from '../../../0-contracts/src/index.js'
import { prompt, discardTyped } from '../../../2-terminal/src/index.js'
import { isUnattended } from './consent-options.js'
import { asideOfStatus } from './shown-status.js'
import { isPlain, isTerminal } from './output.js'

const REPLIES: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

/** Whether there is somebody to ask: as `apply` judges it. */
export function mayAsk(): boolean {
  return isTerminal('stdin') && isTerminal('stderr') && !isUnattended()
}

/**
 * Asks yes or no on standard error.
 *
 * @param preset what Enter alone means
 * @returns false where the input ended, or the replies were none
 * @throws HermesError `CANCELLED`
 */
export async function askYes(question: string, preset: boolean, signal: AbortSignal): Promise<boolean> {
  const answer = await prompt({
    input: process.stdin, output: process.stderr, discardTyped, aside: asideOfStatus, isPlain: isPlain(),
  }, {
    text: '',
    question: `${question} ${preset ? '[Y/n]' : '[y/N]'} `,
    read: (reply) => (reply === '' ? preset : REPLIES[reply.toLowerCase()]),
    help: 'Type y or n.',
  }, signal).catch((error: unknown) => {
    if (!(error instanceof HermesError) || error.code !== 'CANCELLED') throw error
    throw new HermesError('CANCELLED', 'Cancelled: what you were asked was not done', { cause: error })
  })
  return answer ?? false
}
