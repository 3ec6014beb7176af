import * as v from 'valibot'
import { defineVerb, HermesError, isNodeError, text, texts } from '../../../../0-contracts/src/index.js'
import { formatNodeError, readExisting } from '../../../../2-files/src/index.js'

/** Reads several files; data `{paths, content[]}`. */
export const filesRead = defineVerb({
  name: 'files_read',
  vocabulary: 'clada',
  description: 'Read several text files (UTF-8), whole and exactly as they are. If some cannot be read, the error '
    + 'names them and the data still holds the others.',
  category: 'file',
  type: 'read',
  primary: 'paths',
  args: v.strictObject({ paths: text('Absolute paths, one a line; blank lines are ignored.') }),
  result: v.strictObject({
    paths: texts('The files that were read, as written.'),
    content: texts('The whole content of each, in the same order.'),
  }),
  examples: [{ paths: '/workspace/README.md\n/workspace/src/main.ts' }],
  handler(args, context) {
    const wanted = args.paths.split('\n').map((line) => line.trim()).filter((line) => line !== '')
    if (wanted.length === 0) {
      throw new HermesError('INVALID_PARAMETER', 'files_read: paths names no file', { hint: 'Write one path a line.' })
    }
    const paths: string[] = []
    const content: string[] = []
    const failures: HermesError[] = []
    for (const path of wanted) {
      try {
        content.push(readExisting('files_read', path, 'read', context).content)
        paths.push(path)
      } catch (error) {
        failures.push(asFailure(error, path))
      }
    }
    if (failures.length === 0) return { paths, content }
    const problems = failures.map(({ message }) => message).join('; ')
    const hints = [...new Set(failures.flatMap(({ hint }) => hint ?? []))]
    throw new HermesError(
      failures[0]!.code,
      wanted.length === 1 ? problems : `files_read: ${failures.length} of ${wanted.length} files not read: ${problems}`,
      { hint: hints.length === 0 ? undefined : hints.join('\n'), data: { paths, content } },
    )
  },
})

/** The failure of one file; any other error is rethrown. */
function asFailure(error: unknown, path: string): HermesError {
  if (error instanceof HermesError) return error
  if (isNodeError(error)) return new HermesError(error.code, formatNodeError(error, path, 'files_read'))
  throw error
}
