import * as v from 'valibot'
import { absolutePath, defineVerb, integer, text } from '../../../../0-contracts/src/index.js'
import { pathShower } from '../../../../2-files/src/index.js'
import { allowedEntries, ENTRY_TYPES, entryType, requireDirectory } from '../directory-entries.js'

/** Lists a directory; data `[{name, type, size, modified}]`, `size` in bytes, `modified` as ISO 8601. */
export const ls = defineVerb({
  name: 'ls',
  vocabulary: 'clada',
  description: 'List a directory: name, type, size and time of the last change of each entry, sorted by name.',
  category: 'directory',
  type: 'read',
  constraints: ['Not recursive.', 'Entries the policy denies are not listed.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to list.') }),
  result: v.array(v.strictObject({
    name: text('Its name, without the path.'),
    type: entryType,
    size: integer('Size in bytes.', 0),
    modified: text('Time of the last change, as ISO 8601.'),
  })),
  examples: [{ path: '/workspace/src' }],
  handler({ path }, context) {
    const shown = pathShower(context)
    return allowedEntries(requireDirectory('ls', path, context), context).flatMap(({ name, path: entry }) => {
      const stat = context.files.lstat(entry)
      if (stat === undefined) return []
      const { kind, size, mtimeMs } = stat
      return [{ name: shown(name), type: ENTRY_TYPES[kind], size, modified: new Date(mtimeMs).toISOString() }]
    })
  },
})
