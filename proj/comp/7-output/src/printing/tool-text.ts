import { isRecord, type AnyVerb } from '../../../0-contracts/src/index.js'
import {
  exampleCall, firstSentence, parameterDefinitions, parameterInWords, resultFields, type ParameterDefinition,
} from '../../../1-registry/src/index.js'
import { wrapWords } from '../../../0-text/src/index.js'
import { plural, type Palette } from '../../../1-reports/src/index.js'

/** Style of the lists and descriptions of verbs. */
export interface ToolStyle {
  palette: Palette
  /** Columns of the terminal; `undefined` where there is none, and lists then have one line for each verb. */
  columns: number | undefined
}

const WIDTH = { usual: 100, least: 40, most: 120 }
/** After a type longer than this the description begins on a line of its own. */
const MAX_TYPE = 34
/** Fewer columns for the descriptions, and each stands on lines of its own. */
const LEAST_DESCRIPTION = 30
const DEEP = 6

interface TableRow {
  name: string
  type: string
  description: string
}

/**
 * Verbs by vocabulary and category: name and the first sentence of the description.
 *
 * @param whyNone why the list is empty, if it is
 * @param unavailable why verbs cannot be used here, by name
 */
export function renderToolList(
  verbs: readonly AnyVerb[], { palette, columns }: ToolStyle, whyNone: string,
  unavailable: ReadonlyMap<string, string> = new Map(),
): string {
  if (verbs.length === 0) return `${palette.faint(`0 verbs${whyNone}.`)}\n`
  const nameWidth = Math.max(...verbs.map(({ name }) => name.length)) + 2
  const width = columns === undefined ? Infinity : widthFor(columns)
  const isNarrow = width - 2 - nameWidth < LEAST_DESCRIPTION
  const indent = isNarrow ? DEEP : 2 + nameWidth
  const titles = [...new Set(verbs.map(titleOf))]
  const groups = titles.map(title => [
    palette.strong(title),
    ...verbs.filter(verb => titleOf(verb) === title).map(({ name, description }) => {
      const margin = ' '.repeat(indent)
      const head = isNarrow ? `${palette.accent(name)}\n${margin}` : palette.accent(name.padEnd(nameWidth))
      const row = `  ${head}${wrapWords(firstSentence(description), indent, width)}`
      const why = unavailable.get(name)
      return why === undefined ? row : `${row}\n${margin}${palette.bad(`not available: ${why}`)}`
    }),
  ].join('\n'))
  const end = palette.faint(`${plural(verbs.length, 'verb')}. hermes tools show NAME explains one.`)
  return `${[...groups, end].join('\n\n')}\n`
}

/**
 * One verb: its purpose, parameters, result and rules, and an example as a model writes it.
 *
 * @param unavailable why it cannot be used here
 */
export function renderTool(verb: AnyVerb, { palette, columns }: ToolStyle, unavailable?: string): string {
  const width = columns === undefined ? WIDTH.usual : widthFor(columns)
  const parameters = Object.entries(parameterDefinitions(verb.args)).map(([name, definition]) => ({
    name, type: typeText(definition), description: definition.description ?? '',
  }))
  const { kind, fields } = resultFields(verb)
  const results = fields.map(({ path, type, required, description }) => ({
    name: path, type: required ? type : `${type}, optional`, description,
  }))
  const [example] = verb.examples
  const rules = verb.constraints.map(rule => `  - ${wrapWords(rule, 4, width)}`)
  const kindOfVerb = `${verb.category}, ${verb.type}, ${verb.vocabulary}, version ${verb.version}`
  const sections = [
    `${palette.strong(verb.name)}  ${palette.faint(kindOfVerb)}`,
    wrapWords(verb.description, 0, width),
    ...(unavailable === undefined ? [] : [palette.bad(wrapWords(`Not available: ${unavailable}`, 2, width))]),
    parameters.length === 0 ? 'Parameters: none' : ['Parameters:', ...table(parameters, width, palette)].join('\n'),
    [wrapWords(`Result:${kind === '' ? '' : ` ${kind}`}`, 2, width), ...table(results, width, palette)].join('\n'),
    ...(rules.length === 0 ? [] : [['Rules:', ...rules].join('\n')]),
    ...(isRecord(example) ? [`Example:\n${exampleCall(verb, example)}`] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

/** Three columns, of which the last is broken into lines. */
function table(rows: readonly TableRow[], width: number, palette: Palette): string[] {
  const nameWidth = Math.max(0, ...rows.map(({ name }) => name.length)) + 2
  const typeWidth = Math.max(0, ...rows.map(({ type }) => type.length).filter(length => length <= MAX_TYPE)) + 2
  const column = 2 + nameWidth + typeWidth
  const isNarrow = width - column < LEAST_DESCRIPTION
  const indent = isNarrow ? DEEP : column
  return rows.map(({ name, type, description }) => {
    const begin = isNarrow || type.length > MAX_TYPE ? `\n${' '.repeat(indent)}` : ''
    const end = description === '' ? '' : `${begin}${wrapWords(description, indent, width)}`
    return `  ${palette.accent(name.padEnd(nameWidth))}${type.padEnd(typeWidth)}${end}`.replaceAll(/ +$/gm, '')
  })
}

function widthFor(columns: number): number {
  return Math.min(Math.max(columns, WIDTH.least), WIDTH.most)
}

function titleOf({ vocabulary, category }: AnyVerb): string {
  return `${vocabulary} · ${category}`
}

function typeText(definition: ParameterDefinition): string {
  const kind = parameterInWords(definition)
  if (definition.required) return `${kind}, required`
  return `${kind}, ${definition.default === undefined ? 'optional' : `default ${String(definition.default)}`}`
}
