import * as v from 'valibot'
import {
  absolutePath, type ApprovedPath, type ContextItem, defineVerb, type FilePart, HermesError, integer, text,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { approvePath, missingPath, pathError, readText } from '../../../2-files/src/index.js'
import { CONTEXT } from './context-verb.js'
import { contextKey, lineRange, parseReference } from './file-reference.js'
import { findPart } from './find-part.js'
import { itemSize, linesIn } from './item-content.js'

const VERB = 'context_add'

/** Adds a file, or part of one, to the working context; data `{path}`, and for a part its lines. */
export const contextAdd = defineVerb({
  ...CONTEXT,
  name: VERB,
  version: '1.1.0',
  description: 'Add a file, or a part of one, to the working context, which the session keeps: the next prompts show '
    + 'it as it then is. One that is in it already stays.',
  constraints: ['Kept in memory for the session only.', 'A definition or section is found by its name when it moves.'],
  primary: 'path',
  args: v.strictObject({
    path: absolutePath('File to add. With #L10-L40 or :10-40 only these lines, with #Server.listen a definition in '
      + 'source code, with #install a section of Markdown.'),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    tokens: integer('About how many tokens it takes in the prompt.', 0),
    lines: v.optional(text('Of a part: its lines now, e.g. "10-40".')),
  }),
  examples: [{ path: '/workspace/src/main.ts' }, { path: '/workspace/src/main.ts#main' }],
  async handler({ path }, context) {
    const { resolved, ...of } = await referredTo(path, context)
    const { context: items } = context.session
    const item = valueAt(items, contextKey(resolved, of.part), (): ContextItem => ({ path, resolved, ...of }))
    // The session notes a file's use at the path gate, and adding is a use.
    approvePath(context.gate, VERB, resolved, 'read')
    const { tokens = 0, lines } = await itemSize(item, context) ?? {}
    return { path, tokens, ...(lines && { lines: lineRange(lines) }) }
  },
})

/** Resolves a reference; an existing file whose name looks like a reference takes precedence over part of another. */
async function referredTo(
  written: string, context: VerbContext,
): Promise<{ resolved: ApprovedPath; part?: FilePart; file?: string }> {
  const whole = approvePath(context.gate, VERB, written, 'read')
  if (isFile(whole, written, context)) return { resolved: whole }
  const references = parseReference(written)
  for (const { path, part } of references) {
    const resolved = approvePath(context.gate, VERB, path, 'read')
    if (!isFile(resolved, path, context)) continue
    const source = readText(context.files, resolved, context.limits.maxFileBytes, path)
    const place = await findPart(resolved, linesIn(source), part)
    if ('lines' in place) return { resolved, part, file: path }
    throw new HermesError(place.code, `${VERB}: ${path}: ${place.lost}`, { hint: place.hint })
  }
  const [{ path } = { path: written }] = references
  throw missingPath(VERB, path, approvePath(context.gate, VERB, path, 'read'), context)
}

function isFile(target: ApprovedPath, written: string, { files }: VerbContext): boolean {
  const stat = files.stat(target)
  if (stat !== undefined && stat.kind !== 'file') {
    throw pathError('EISDIR', VERB, written, 'Only files can be added; glob lists those of a directory.')
  }
  return stat !== undefined
}
