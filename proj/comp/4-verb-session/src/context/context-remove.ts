import * as v from 'valibot'
import {
  absolutePath, type ContextItem, defineVerb, HermesError, type PathGate, text,
} from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { CONTEXT } from './context-verb.js'
import { contextKey, parseReference } from './file-reference.js'

/** Removes a file, or part of one, from the working context; data `{path}`. */
export const contextRemove = defineVerb({
  ...CONTEXT,
  name: 'context_remove',
  description: 'Remove a file, or a part of one, from the working context. The file itself stays.',
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to remove, as context_list shows it.') }),
  result: v.strictObject({ path: text('The file, as written.') }),
  examples: [{ path: '/workspace/src/main.ts' }],
  handler({ path }, { gate, session: { context: items } }) {
    const resolved = approveIfAllowed(gate, path, 'read')
    if (resolved !== undefined && items.delete(resolved)) return { path }
    // A link in its path may lead elsewhere since it was added.
    const added = [...items.values()].find((item) => item.path === path)
      ?? [...items.values()].find((item) => isSamePart(item, path, gate))
    if (added) {
      items.delete(contextKey(added.resolved, added.part))
      return { path }
    }
    throw new HermesError('INVALID_PARAMETER', `context_remove: not in the context: '${path}'`, {
      hint: hintFor(path, [...items.values()].map((item) => item.path)),
    })
  },
})

/** Whether an item is the same part, written differently. */
function isSamePart(item: ContextItem, written: string, gate: PathGate): boolean {
  return item.part !== undefined && parseReference(written).some(({ path, part }) => (
    contextKey(approveIfAllowed(gate, path, 'read') ?? '', part) === contextKey(item.resolved, item.part)
  ))
}

function hintFor(path: string, present: string[]): string {
  if (present.length === 0) return 'The context is empty.'
  const near = nearest(path, present)
  return near === undefined ? 'context_list shows what is in it.' : `Did you mean '${near}'?`
}
