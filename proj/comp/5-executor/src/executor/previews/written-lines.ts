import { isRecord, type ActionResult, type VerbContext } from '../../../../0-contracts/src/index.js'
import { shortTextDiff } from '../../../../1-reports/src/index.js'

const MOST = { lines: 40, bytes: 4096 }
/** Larger files are not read again for it, in bytes. */
const LARGEST_FILE = 1024 * 1024

/**
 * How the lines that a block wrote differ from its `new_text`, where it found its place by a tolerance; `undefined`
 * where they do not, or the verb does not say which lines they are.
 */
export async function writtenOtherwise(
  data: unknown, params: Readonly<Record<string, unknown>>, { files }: Pick<VerbContext, 'files'>,
): Promise<ActionResult['written']> {
  if (!isRecord(data) || data['match'] === undefined || data['match'] === 'exact') return undefined
  const { startLine, endLine } = data
  const { new_text: text } = params
  const path = files.changes.findLast(({ kind }) => kind === 'modify')?.path
  if (typeof startLine !== 'number' || typeof endLine !== 'number') return undefined
  if (typeof text !== 'string' || path === undefined) return undefined
  if ((files.stat(path)?.size ?? Infinity) > LARGEST_FILE) return undefined
  const content = Buffer.from(files.peekBytes(path, LARGEST_FILE)).toString('utf8')
  const written = content.split('\n').slice(startLine - 1, endLine).map((line) => line.replace(/\r$/, '')).join('\n')
  const shortDiff = await shortTextDiff(`${text.replace(/\r?\n$/, '')}\n`, `${written}\n`, MOST)
  return shortDiff === undefined || shortDiff.diff === '' ? undefined : shortDiff
}
