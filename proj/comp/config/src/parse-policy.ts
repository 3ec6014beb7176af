import { isRecord } from '../../contracts/src/index.js'
import { SECTIONS } from './schema.js'
import { checkPolicy, policyError, type Locate, type PolicySource } from './source.js'

const CODE = 'INVALID_POLICY'

/**
 * Reads the text of a policy file: YAML 1.2 core without aliases and tags of its own.
 *
 * @param name what messages call the file
 * @param directory of the project's file; `undefined` for the user's
 * @throws HermesError `INVALID_POLICY`, with line and column: `hermes.yaml:7:3: …`
 */
export async function parsePolicy(text: string, name: string, directory: string | undefined): Promise<PolicySource> {
  // Only who has such a file pays for the parser.
  const { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const lineCounter = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset)
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const fail = (offset: number, problem: string): never => {
    throw policyError(CODE, [`${at(offset)}: ${problem}`])
  }
  const read = () => {
    try {
      return parseDocument(text, {
        lineCounter, prettyErrors: false, logLevel: 'error', version: '1.2', schema: 'core', merge: false, stringKeys: true,
        resolveKnownTags: false,
      })
    } catch (error) {
      // The parser calls itself for each level.
      if (error instanceof RangeError) return fail(0, 'nested too deeply')
      throw error
    }
  }
  const document = read()
  const problems = [...document.errors, ...document.warnings].map(({ pos, message, code }) => (
    `${at(pos[0])}: ${code === 'MULTIPLE_DOCS' ? 'only one document is read' : message}`
  ))
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    problems.push(`${at(0)}: only YAML 1.2 is read`)
  }
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) problems.push(`${at(node.range?.[0] ?? 0)}: aliases are not read; write the value out`)
    },
  })
  if (problems.length > 0) throw policyError(CODE, problems)

  const locate: Locate = (path, atKey) => {
    const holder = document.getIn(path.slice(0, -1), true)
    const pair = isMap(holder)
      ? holder.items.find(({ key }) => (isScalar(key) ? key.value : key) === path.at(-1)) : undefined
    const found: unknown = atKey && isPair(pair) ? pair.key : document.getIn(path, true)
    const place = isNode(found) ? found : isPair(pair) ? pair.key : document.contents
    const order = isNode(place) ? place.range?.[0] ?? 0 : 0
    return { text: at(order), order }
  }
  const values = checkPolicy(withoutEmptySections(document.toJS() ?? {}), locate, {
    code: CODE, isProject: directory !== undefined,
  })
  return { values, directory, place: (...path) => locate(path, true).text.replace(/:\d+$/, '') }
}

/** A section whose entries are all commented out is no mistake. */
function withoutEmptySections(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name, section]) => (
    section !== null || ![...SECTIONS, 'mcp_servers', 'extensions', 'hooks', 'prices', 'personalities'].includes(name)
  )))
}
