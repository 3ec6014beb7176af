import { isRecord, type AnyVerb, type Vocabulary } from '../../../0-contracts/src/index.js'
import { exampleCall } from './example-call.js'
import { parameterDefinitions, type ParameterDefinition } from './parameters.js'
import { resultFields } from './result-fields.js'
import { firstSentence, oneLine, parameterInWords } from './type-words.js'

interface Part {
  vocabulary: Vocabulary
  title: string
  about: string
  /** Info string of an example's fence; '' for examples with fences of their own. */
  fence: string
}

const PARTS: readonly Part[] = [
  {
    vocabulary: 'clada', title: 'SHAM actions', fence: 'sh sham',
    about: 'Written as SHAM blocks. Paths are absolute, unless a run allows relative ones (`--relative-paths`) or has '
      + 'an alias for its root (`--root-alias /workspace`).',
  },
  {
    vocabulary: 'hermes', title: 'Hermes verbs', fence: '',
    about: 'Written as envelopes. Names ignore case. Relative paths start at the root. `hermes exec` gives their '
      + 'results with `succeeded` and `errorMessage`.',
  },
  {
    vocabulary: 'core', title: 'Core tools', fence: 'text',
    about: 'Written as tool calls. Relative paths start at the root; a path is at most 4096 characters long and holds '
      + 'no `..`.',
  },
]

const HEAD = `# Verbs

<!-- Derived from the registry by \`npm run design\`; \`npm test\` fails when it is stale. Do not edit. -->

Every verb that blocks can call. Any block format may call any of them; the examples show the usual one. A value that is
no string is written in a SHAM block as its text: a list as one item a line, an object as JSON. Function calling allows no
dots in names: there \`fs.writeFile\` is \`fs_writeFile\`, a name that no other verb can have and that blocks may write too.

Fields of results are named here as in the JSON Schema and in the \`data\` of \`hermes apply --json\`. \`hermes exec\`,
\`VerbExecutor\` and the IDL write all of them in camelCase (\`total_lines\` is \`totalLines\`), beside \`succeeded\` and
\`errorMessage\`, and a result that is a list as \`items\`. What failures are called is in [codes.md](codes.md).
`

/** Renders `docs/verbs.md`: every verb with parameters, result, rules and an example, by vocabulary and category. */
export function renderVerbsPage(verbs: readonly AnyVerb[]): string {
  const parts = PARTS.flatMap((part) => {
    const own = verbs.filter(({ vocabulary }) => vocabulary === part.vocabulary)
    return own.length === 0 ? [] : [renderPart(part, own)]
  })
  return [HEAD, ...parts].join('\n')
}

function renderPart({ title, about, fence }: Part, verbs: readonly AnyVerb[]): string {
  const categories = [...new Set(verbs.map(({ category }) => category))]
  const overview = verbs.map(({ name, description }) => (
    // The anchor of its heading, as GitHub makes it.
    `- [\`${name}\`](#${name.toLowerCase().replaceAll('.', '')}): ${firstSentence(description)}`
  )).join('\n')
  const sections = categories.flatMap((category) => [
    `### ${sentence(category)}`,
    ...verbs.filter((verb) => verb.category === category).map((verb) => renderVerb(verb, fence)),
  ])
  return `${[`## ${title}`, about, overview, ...sections].join('\n\n')}\n`
}

function renderVerb(verb: AnyVerb, fence: string): string {
  const parameters = Object.entries(parameterDefinitions(verb.args))
  const { kind, fields } = resultFields(verb)
  const [example] = verb.examples
  return [
    `#### ${verb.name}`,
    oneLine(verb.description),
    `Kind: ${verb.type}. Version ${verb.version}.${verb.accessibility.includes('llm') ? '' : ' Not for models.'}`,
    parameters.length === 0
      ? 'No parameters.'
      : table(['Parameter', 'Type', '', 'Description'], parameters.map(parameterRow)),
    `Result${kind === '' ? '' : `: ${kind}`}${fields.length === 0 ? '.' : ':'}`,
    ...(fields.length === 0 ? [] : [table(['Field', 'Type', 'Description'], fields.map(
      ({ path, type, required, description }) => [`\`${path}\`${required ? '' : '?'}`, type, description],
    ))]),
    ...(verb.constraints.length === 0 ? [] : [`Rules:\n\n${verb.constraints.map((rule) => `- ${rule}`).join('\n')}`]),
    ...(isRecord(example) ? [fenced(exampleCall(verb, example), fence)] : []),
  ].join('\n\n')
}

function parameterRow([name, definition]: [string, ParameterDefinition]): string[] {
  const { required, default: preset, description = '' } = definition
  const presence = required ? 'required' : preset === undefined ? '' : `default \`${JSON.stringify(preset)}\``
  return [`\`${name}\``, parameterInWords(definition), presence, description]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => (
    `|${cells.map((cell) => ` ${oneLine(cell).replaceAll('|', '\\|')} `).join('|')}|`
  )
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)].join('\n')
}

function fenced(text: string, info: string): string {
  return info === '' ? text : `\`\`\`${info}\n${text}\n\`\`\``
}

/** Converts `version_control` to `Version control`. */
function sentence(category: string): string {
  const words = category.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
