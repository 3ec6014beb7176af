/** What became of a call that was played with canaries, beside how it ended without. */

/** Codes with which hermes ends by itself. */
const EXIT_CODES = new Set(['0', '1', '2', '130'])
/** What Node prints last where nothing caught an error. */
const UNCAUGHT = /^Node\.js v\d+\.\d+\.\d+\s*$/m
const STOPPED_BY_NPM = /^npm (?:error|ERR!)/m

/** Of these plays so many may have died: of more, that none fired says little. */
export const MOST_DIED = 0.02

/**
 * - `same`: it ended as without canaries
 * - `otherwise`: hermes went another way, and ended by itself with words
 * - `stoppedByNpm`: `npx` did not start it, as it would not for the user
 * - `died`: an error that nobody caught, a signal, no end within the time, or not a word
 *
 * @param {{ outcomes: string[], said: string[] }} played
 * @param {string[]} [expected] how its steps ended without canaries; absent for that play itself
 */
export function classOf({ outcomes, said }, expected = outcomes) {
  for (const [index, outcome] of outcomes.entries()) {
    const words = said[index]
    if (UNCAUGHT.test(words)) return 'died'
    // A signal that the step itself sends is the same in both.
    const isExpected = outcome === expected[index]
    if (outcome !== '0' && STOPPED_BY_NPM.test(words)) return isExpected ? 'same' : 'stoppedByNpm'
    if (outcome.includes('took too long') || (!EXIT_CODES.has(outcome) && !isExpected)) return 'died'
    if (outcome !== '0' && !isExpected && words.trim() === '') return 'died'
  }
  return outcomes.join() === expected.join() ? 'same' : 'otherwise'
}

/** The last words, for people; without the keys of pages, which look like secrets in what is committed. */
export function lastWords(said) {
  const lines = said.flatMap((text) => text.trim().split('\n'))
  return lines.filter((line) => !line.startsWith('Node.js v')).slice(-6).join('\n').replace(/#[\w-]{20,}/g, '#…')
}
