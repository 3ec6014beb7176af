import * as v from 'valibot'
import { defineVerb, described, path, text, titled } from '../../../../0-contracts/src/index.js'
import { allowedEntries, requireDirectory } from '../directory-entries.js'
import { approveIfAllowed, pathShower } from '../../../../2-files/src/index.js'

const entry = titled('DirEntry', {
  name: text('Its name, without the path.'),
  isDirectory: described(v.boolean(), 'True for a directory, and for a link to one.'),
})

/** Lists a directory. */
export const fsListDir = defineVerb({
  name: 'fs.listDir',
  vocabulary: 'hermes',
  description: 'List what is directly in a directory, sorted by name.',
  category: 'directory',
  type: 'read',
  constraints: ['Not recursive.', 'Entries the policy denies are not listed.'],
  primary: 'path',
  args: v.strictObject({ path: path('Directory to list, e.g. "src", or "." for the root.') }),
  result: v.strictObject({ entries: described(v.array(entry), 'What is in it, sorted by name.') }),
  examples: [{ path: 'src' }],
  handler({ path: written }, context) {
    const { files, gate } = context
    const shown = pathShower(context)
    const entries = allowedEntries(requireDirectory('fs.listDir', written, context), context)
    const leadsToDirectory = (link: string): boolean => {
      const target = approveIfAllowed(gate, link, 'read')
      return target !== undefined && files.stat(target)?.kind === 'directory'
    }
    return {
      entries: entries.map(({ name, kind, path: at }) => ({
        name: shown(name), isDirectory: kind === 'directory' || (kind === 'link' && leadsToDirectory(at)),
      })),
    }
  },
})
