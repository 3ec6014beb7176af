import type { AnyVerb } from '../../contracts/src/index.js'
import { readBareDocument } from '../../parsers/src/index.js'
import { validateCall, type CallError } from '../../registry/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import { type Arguments, usageError } from './arguments.js'
import { EXIT } from './exit-codes.js'
import { isTerminal, print, printJson } from './output.js'
import { readInput } from './read-input.js'

/** `hermes tools validate NAME`: checks arguments from standard input against the verb's schema, and runs nothing. */
export async function validateArguments(verb: AnyVerb, args: Arguments): Promise<number> {
  if (isTerminal('stdin')) {
    const hint = `Pipe them in: echo '${exampleOf(verb)}' | hermes tools validate ${verb.name}`
    throw usageError('No arguments given, and standard input is a terminal', hint)
  }
  const errors = errorsOf(verb, await readInput('tools validate', '-'))
  if (args.has('json')) printJson({ valid: errors.length === 0, errors })
  else print(errors.length === 0 ? 'valid\n' : errors.map(describe).join(''))
  return errors.length === 0 ? EXIT.ok : EXIT.failed
}

function errorsOf(verb: AnyVerb, text: string): readonly CallError[] {
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

function describe({ code, message, hint }: CallError): string {
  const help = hint === undefined ? '' : `  hint: ${escapeControls(hint)}\n`
  return `${code}  ${escapeControls(message)}\n${help}`
}

function exampleOf(verb: AnyVerb): string {
  return JSON.stringify(verb.examples[0] ?? {})
}
