import type { EditVerb } from '../../../0-contracts/src/index.js'
import type { EditItem } from '../scanner/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { failed, type ReadBlock } from './read-event.js'
import { splitDiff } from './split-diff.js'

/**
 * Makes blocks of an edit (contract section 1): `edit_replace`, `apply_patch`, `patch_unified` or, of a whole file,
 * `write_file`. A diff of several files becomes a block for each.
 */
export function readEdit(item: EditItem, nextId: () => string): ReadBlock[] {
  const { content, startLine, endLine, source, errors } = item
  if (errors.length > 0) return [failed({ blockId: nextId(), startLine, endLine, source }, errors)]
  const block = (action: EditVerb, params: Record<string, unknown>, from = startLine, to = endLine) => ({
    type: 'block' as const,
    block: { id: nextId(), format: content.format, action, params, startLine: from, endLine: to },
  })
  switch (content.format) {
    case 'search-replace':
      return [block('edit_replace', { path: content.path, old_text: content.oldText, new_text: content.newText })]
    case 'v4a': return [block('apply_patch', { patch: content.patch })]
    case 'unified': {
      let line = startLine
      return splitDiff(content.patch).map((patch) => {
        const first = line
        line += countBreaks(patch, 0, patch.length)
        return block('patch_unified', { patch }, first, Math.max(first, line - 1))
      })
    }
    // An empty fence makes an empty file, it never empties one.
    case 'whole': return [{
      source,
      ...content.content === '' ? block('edit_replace', { path: content.path, old_text: '', new_text: '' })
        : block('write_file', { path: content.path, content: content.content, create_directories: true }),
    }]
  }
}
