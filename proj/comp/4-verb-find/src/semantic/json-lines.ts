import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

const MOST_BYTES = 512 * 1024 * 1024

/**
 * A file of JSON lines below `.hermes/index/`: a header that also counts the lines, then the lines.
 *
 * @returns `undefined` where it is missing, damaged, too large, or has another header
 */
export function loadLines(root: string, name: string, header: object): unknown[] | undefined {
  const path = join(root, '.hermes', 'index', name)
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_BYTES) return undefined
    const [first, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    if (first !== JSON.stringify({ ...header, lines: lines.length })) return undefined
    return lines.map((line) => JSON.parse(line) as unknown)
  } catch (error) {
    if (error instanceof SyntaxError || isNodeError(error)) return undefined
    throw error
  }
}

/**
 * Other processes see the old or the new file, and of two that save at once one wins. Where nothing can be written the
 * index is lost, which costs time and no answer.
 */
export function saveLines(root: string, name: string, header: object, lines: Iterable<unknown>): void {
  const written = Array.from(lines, (line) => JSON.stringify(line))
  try {
    const text = `${[JSON.stringify({ ...header, lines: written.length }), ...written].join('\n')}\n`
    writeOwn(join(stateDirectory(root, 'index'), name), text, { isDurable: false })
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
  }
}
