import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { readBareDocument } from '../../../1-reading/src/index.js'
import { validateCall, type CallError } from '../../../1-registry/src/index.js'

/** What is wrong with arguments, written as JSON or YAML: they are held against the verb's schema, and nothing runs. */
export function argumentErrors(verb: AnyVerb, text: string): readonly CallError[] {
  const read = readBareDocument(text)
  if (!read.ok) {
    const { message, hint } = read
    const place = read.line === undefined ? '' : ` in line ${read.line}`
    // Hints on envelopes do not fit arguments alone.
    const fits = hint !== undefined && !/verb:/.test(hint)
    return [{
      code: 'INVALID_ENVELOPE',
      message: `${message.replace(/^(?:The e|E)nvelope/, 'The text')}${place}`,
      hint: fits ? hint : `Write the arguments as JSON or YAML, e.g. ${exampleOf(verb)}.`,
    }]
  }
  const rules = { relativePaths: false, root: process.cwd(), rootAliases: [] }
  const valid = validateCall(verb, 'envelope', read.value, rules)
  return valid.ok ? [] : valid.errors
}

/** Arguments that are right, on one line. */
export function exampleOf(verb: AnyVerb): string {
  return JSON.stringify(verb.examples[0] ?? {})
}
