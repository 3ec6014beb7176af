import type { AnyVerb } from '../../contracts/src/index.js'
import { parameterDefinitions, type ParameterDefinition } from '../../registry/src/index.js'
import { type Palette, plural } from '../../reports/src/index.js'
import { shamBlock } from './sham-block.js'

const WIDTH = 100

/** Verbs by category: name and the first sentence of the description. */
export function renderToolList(verbs: readonly AnyVerb[], palette: Palette): string {
  const width = Math.max(0, ...verbs.map(({ name }) => name.length)) + 2
  const categories = [...new Set(verbs.map(({ category }) => category))]
  const groups = categories.map(category => [
    palette.strong(category),
    ...verbs.filter(verb => verb.category === category).map(({ name, description }) => (
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
  const typeWidth = Math.max(0, ...parameters.map(([, definition]) => typeText(definition).length)) + 2
  const indent = 2 + nameWidth + typeWidth
  const [example] = verb.examples
  const rows = parameters.map(([name, definition]) => [
    '  ', palette.accent(name.padEnd(nameWidth)), typeText(definition).padEnd(typeWidth),
    wrap(definition.description ?? '', indent),
  ].join(''))
  const rules = verb.constraints.map(rule => `  - ${wrap(rule, 4)}`)
  const kind = `${verb.category}, ${verb.type}, ${verb.vocabulary} ${verb.version}`
  const sections = [
    `${palette.strong(verb.name)}  ${palette.faint(kind)}`,
    wrap(verb.description, 0),
    rows.length === 0 ? 'Parameters: none' : ['Parameters:', ...rows].join('\n'),
    ...(rules.length === 0 ? [] : [['Rules:', ...rules].join('\n')]),
    ...(isRecord(example) ? [`Example:\n${shamBlock('abc', verb.name, example)}`] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

function typeText({ type, format, required, values, default: preset }: ParameterDefinition): string {
  const kind = values ? values.join(' | ') : format === 'absolute_path' ? 'absolute path' : type
  if (required) return kind
  return `${kind}, ${preset === undefined ? 'optional' : `default ${String(preset)}`}`
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text
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
