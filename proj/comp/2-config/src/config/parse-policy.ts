import { parseStrictYaml } from '../yaml/index.js'
import { isRecord } from '../../../0-contracts/src/index.js'
import { SECTIONS } from './policy-schema.js'
import { asWritten, checkPolicy, policyError, type Locate, type PolicySource } from './source.js'

const CODE = 'INVALID_POLICY'
/** More columns than a line of a policy file can have; used to sort places. */
const LONGEST_LINE = 2 ** 24

/**
 * Parses a policy file: YAML 1.2 core without aliases and custom tags.
 *
 * @param name of the file in messages
 * @param directory of a project's file; `undefined` for the user's
 * @throws HermesError `INVALID_POLICY`, with line and column: `hermes.yaml:7:3: …`
 */
export async function parsePolicy(text: string, name: string, directory: string | undefined): Promise<PolicySource> {
  // The YAML parser is only loaded where there is such a file.
  const read = await parseStrictYaml(text)
  if ('problems' in read) {
    throw policyError(CODE, read.problems.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`))
  }
  const locate: Locate = (path, atKey) => {
    const { line, column } = read.locate(asWritten(read.value, path), atKey)
    return { text: `${name}:${line}:${column}`, order: line * LONGEST_LINE + column }
  }
  const values = checkPolicy(withoutEmptySections(read.value ?? {}), locate, {
    code: CODE, isProject: directory !== undefined,
  })
  return { values, directory, place: (...path) => locate(path, true).text.replace(/:\d+$/, '') }
}

/** A section whose entries are all commented out counts as absent. */
function withoutEmptySections(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name, section]) => (
    section !== null || ![
      ...SECTIONS, 'mcp_servers', 'language_servers', 'extensions', 'hooks', 'prices', 'personalities',
    ].includes(name)
  )))
}
