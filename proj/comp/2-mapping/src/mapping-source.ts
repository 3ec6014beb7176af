import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { nearest } from '../../0-text/src/index.js'
import { readInFolder } from '../../2-files/src/index.js'
import { SHIPPED } from './shipped/index.js'

export const CODE = 'INVALID_MAPPING'
export const HINT = 'hermes help mappings describes them; hermes replay --show-mapping NAME prints one that ships '
  + 'with hermes.'
const MOST_BYTES = 1024 * 1024

/**
 * The text of a mapping that ships with hermes.
 *
 * @throws HermesError `INVALID_MAPPING` for an unknown name
 */
export function shippedMapping(name: string): string {
  const text = ofName(name)
  if (text !== undefined) return text
  const names = Object.keys(SHIPPED)
  const meant = nearest(name, names)
  throw new HermesError(CODE, `There is no mapping ${name}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Mappings: ${names.join(', ')}; `
      + 'or the path of a file.',
  })
}

function ofName(name: string): string | undefined {
  return Object.hasOwn(SHIPPED, name) ? SHIPPED[name as keyof typeof SHIPPED] : undefined
}

interface Source {
  /** Identifies the mapping. */
  id: string
  text: string
  /** Name in messages. */
  label: string
  /** Base of file names in it. */
  base: string
}

/**
 * The text of a mapping.
 *
 * @param blame error to throw where there is none
 * @param folder that must contain a file
 */
export function readSource(
  name: string, directory: string, blame: HermesError | undefined, folder: string | undefined,
): Source {
  const shipped = ofName(name)
  if (shipped !== undefined) return { id: name, text: shipped, label: name, base: directory }
  const path = resolve(directory, name)
  const fail = (problem: string, cause?: unknown): never => {
    throw new HermesError(CODE, `${name}: ${problem}`, { hint: HINT, cause })
  }
  try {
    const stats = statSync(path)
    if (stats.isFIFO() || stats.isSocket() || stats.isCharacterDevice()) fail('is no regular file')
    if (stats.size > MOST_BYTES) fail(`is larger than ${MOST_BYTES / 1024} KB`)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      folder === undefined ? readFileSync(path) : readInFolder(path, folder, MOST_BYTES),
    )
    return { id: path, text, label: name, base: dirname(path) }
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') fail('is not valid UTF-8')
    if (error.code !== 'ENOENT') fail(`cannot be read (${error.code})`, error)
    if (blame) throw blame
    shippedMapping(name)
    throw error
  }
}
