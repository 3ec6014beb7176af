import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { firstSentence, parameterDefinitions, parameterInWords, type ParameterDefinition } from '../registry/index.js'
import { oneLine } from '../registry/type-words.js'

/**
 * One verb for a prompt: what it does and its parameters; with notes also its rules, which parameters are plain texts
 * and paths, and those that are seldom needed; where short, all in one line.
 */
export function verbText(
  { name, description, args, constraints, seldom = [] }: AnyVerb, { short, notes }: { short: boolean; notes: boolean },
): string {
  const parameters = Object.entries(parameterDefinitions(args))
    .filter(([parameter]) => notes || !seldom.includes(parameter))
  if (short) {
    const names = parameters.map(([parameter, { required }]) => (required ? parameter : `${parameter}?`))
    return `- \`${name}(${names.join(', ')})\` ${firstSentence(description)}`
  }
  return [
    `### ${name}`,
    '',
    oneLine(description),
    ...parameters.map(([parameter, definition]) => parameterLine(parameter, definition, notes)),
    ...(notes ? constraints : []).map((rule) => `- Note: ${oneLine(rule)}`),
  ].join('\n')
}

function parameterLine(name: string, definition: ParameterDefinition, notes: boolean): string {
  const { type, required, default: preset, description = '' } = definition
  const presence = required ? [] : [preset === undefined ? 'optional' : `default ${JSON.stringify(preset)}`]
  const kind = notes || type !== 'string' ? [parameterInWords(definition)] : []
  const told = [...kind, ...presence]
  const text = notes ? description : withoutRepetition(description, preset !== undefined)
  return `- \`${name}\`${told.length === 0 ? '' : ` (${told.join(', ')})`} ${oneLine(text)}`.trimEnd()
}

/** Removes what a prompt states elsewhere: how paths are written, and the default. */
export function withoutRepetition(description: string, hasDefault: boolean): string {
  const text = description.replace(', absolute or relative to the root', '')
  return hasDefault ? text.replace(/ Default: [^.]+\.(?= |$)/, '') : text
}
