import type { AnyVerb } from '../../contracts/src/index.js'
import {
  exampleCall, firstSentence, parameterDefinitions, parameterInWords, type ParameterDefinition,
} from '../../registry/src/index.js'
import { type Palette, plural } from '../../reports/src/index.js'

const WIDTH = 100
/** After a type longer than this the description begins on a line of its own. */
const MAX_TYPE = 34

/** Verbs by vocabulary and category: name and the first sentence of the description. */
export function renderToolList(verbs: readonly AnyVerb[], palette: Palette): string {
  const width = Math.max(0, ...verbs.map(({ name }) => name.length)) + 2
  const titles = [...new Set(verbs.map(titleOf))]
  const groups = titles.map(title => [
    palette.strong(title),
    ...verbs.filter(verb => titleOf(verb) === title).map(({ name, description }) => (
      `  ${palette.accent(name.padEnd(width))}${firstSentence(description)}`
    )),
  ].join('\n'))
  const end = palette.faint(`${plural(verbs.length, 'verb')}. hermes tools show NAME explains one.`)
  return `${[...groups, end].join('\n\n')}\n`
}

/** One verb: what it does, its parameters and rules, and an example as a model writes it. */
export function renderTool(verb: AnyVerb, palette: Palette): string {
  const parameters = Object.entries(parameterDefinitions(verb.args))
  const nameWidth = Math.max(0, ...parameters.map(([name]) => name.length)) + 2
  const types = parameters.map(([, definition]) => typeText(definition))
  const typeWidth = Math.max(0, ...types.map(({ length }) => length).filter(length => length <= MAX_TYPE)) + 2
  const indent = 2 + nameWidth + typeWidth
  const [example] = verb.examples
  const rows = parameters.map(([name, { description = '' }], index) => [
    '  ', palette.accent(name.padEnd(nameWidth)), types[index]!.padEnd(typeWidth),
    types[index]!.length > MAX_TYPE ? `\n${' '.repeat(indent)}` : '', wrap(description, indent),
  ].join('').replaceAll(/ +$/gm, ''))
  const rules = verb.constraints.map(rule => `  - ${wrap(rule, 4)}`)
  const kind = `${verb.category}, ${verb.type}, ${verb.vocabulary} ${verb.version}`
  const sections = [
    `${palette.strong(verb.name)}  ${palette.faint(kind)}`,
    wrap(verb.description, 0),
    rows.length === 0 ? 'Parameters: none' : ['Parameters:', ...rows].join('\n'),
    ...(rules.length === 0 ? [] : [['Rules:', ...rules].join('\n')]),
    ...(isRecord(example) ? [`Example:\n${exampleCall(verb, example)}`] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

function titleOf({ vocabulary, category }: AnyVerb): string {
  return `${vocabulary} · ${category}`
}

function typeText(definition: ParameterDefinition): string {
  const kind = parameterInWords(definition)
  if (definition.required) return `${kind}, required`
  return `${kind}, ${definition.default === undefined ? 'optional' : `default ${String(definition.default)}`}`
}

/** Breaks text into lines of at most `WIDTH`, the further ones indented. */
function wrap(text: string, indent: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && indent + line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
