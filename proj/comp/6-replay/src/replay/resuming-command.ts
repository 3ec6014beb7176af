import { shellWord } from '../../../0-text/src/index.js'

/** The command line that goes on with a replay. @param words arguments of the one that was interrupted */
export function resumingCommand(words: readonly string[]): string {
  const all = words.includes('--resume') ? words : [...words, '--resume']
  return all.map(withoutQueuePassword).map(shellWord).join(' ')
}

/** A password is not printed; it has to be put back, or into HERMES_QUEUE_PASSWORD. */
function withoutQueuePassword(word: string): string {
  return word.replace(/^((?:--queue=)?rediss?:\/\/[^:@/]*):.*@/i, '$1:***@')
}
