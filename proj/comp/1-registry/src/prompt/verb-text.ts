import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { firstSentence, parameterDefinitions, parameterInWords, type ParameterDefinition } from '../registry/index.js'

/** One verb for a prompt: what it does, its parameters and its rules; or, where short, all in one line. */
export function verbText({ name, description, args, constraints }: AnyVerb, short: boolean): string {
  const parameters = Object.entries(parameterDefinitions(args))
  if (short) return `- \`${name}(${parameters.map(signature).join(', ')})\` ${firstSentence(description)}`
  return [
    `### ${name}`,
    '',
    oneLine(description),
    ...parameters.map((parameter) => parameterLine(...parameter)),
    ...constraints.map((rule) => `- Note: ${oneLine(rule)}`),
  ].join('\n')
}

function signature([name, { required }]: [string, ParameterDefinition]): string {
  return required ? name : `${name}?`
}

function parameterLine(name: string, definition: ParameterDefinition): string {
  const { required, default: preset, description = '' } = definition
  const presence = required ? '' : preset === undefined ? ', optional' : `, default ${JSON.stringify(preset)}`
  return `- \`${name}\` (${parameterInWords(definition)}${presence}) ${oneLine(description)}`.trimEnd()
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
