import * as v from 'valibot'
import { defineVerb, described, path, unlessCode } from '../../../../0-contracts/src/index.js'
import { HERMES_READ } from '../verb-kinds.js'

/** Tells whether a path exists. */
export const fsExists = defineVerb({
  ...HERMES_READ,
  name: 'fs.exists',
  description: 'Tell whether there is a file or a directory at a path. Of a symbolic link its target counts.',
  args: v.strictObject({ path: path('The path to look at, e.g. "src/main.ts".') }),
  result: v.strictObject({ exists: described(v.boolean(), 'True if a file or a directory is there.') }),
  examples: [{ path: 'src/main.ts' }],
  handler({ path: written }, { gate, files }) {
    // Where the path leads through a file, nothing can be below it.
    const exists = unlessCode(['ENOTDIR'], () => {
      const stat = files.lstat(gate.approve(written, 'list'))
      return stat?.kind === 'link' ? files.stat(gate.approve(written, 'read')) !== undefined : stat !== undefined
    }, false)
    return { exists }
  },
})
