import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from './escape.js'
import { nearest } from './nearest.js'

/** What a caller chose wrongly; commands say it of a command line. */
export function usageError(message: string, hint: string): HermesError {
  return new HermesError('INVALID_OPTION', escapeControls(message), { hint })
}

/** A failure for people: its message on a line, and its hint below it. */
export function failureText({ message, hint }: HermesError): string {
  const more = hint === undefined ? '' : `  ${escapeControls(hint, true).replaceAll('\n', '\n  ')}\n`
  return `${escapeControls(message)}\n${more}`
}

/** `Did you mean X?`, or nothing. Of names of several words the first alone may have been meant. */
export function didYouMean(name: string, names: readonly string[], prefix = ''): string {
  const meant = nearest(name, names) ?? nearestByFirstWord(name, names)
  return meant === undefined ? '' : `Did you mean ${prefix}${meant}? `
}

/**
 * One of the values that there are.
 *
 * @param what it is called: `sandbox`
 * @throws HermesError `INVALID_OPTION` with the nearest one, and all
 */
export function oneOf<const T extends string>(what: string, written: string, values: readonly T[]): T {
  const value = values.find((each) => each === written)
  if (value !== undefined) return value
  throw usageError(`Unknown ${what}: ${written}`, `${didYouMean(written, values)}There are: ${values.join(', ')}.`)
}

function nearestByFirstWord(name: string, names: readonly string[]): string | undefined {
  const firstOf = (text: string): string => text.split('-')[0] ?? text
  const first = nearest(name, names.map(firstOf))
  const alike = first === undefined ? [] : names.filter((value) => firstOf(value) === first)
  return alike.length === 1 ? alike[0] : undefined
}
