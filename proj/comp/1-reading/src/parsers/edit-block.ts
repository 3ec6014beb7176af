import type { EditVerb } from '../../../0-contracts/src/index.js'
import type { EditItem } from '../scanner/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { failed, type ReadBlock } from './read-event.js'
import { splitDiff } from './split-diff.js'

/**
 * Makes a block of an edit (contract section 1): `edit_replace`, `apply_patch` or `patch_unified`; a whole file is
 * written by `fs.writeFile`, which takes paths as the others do. A diff of several files becomes a block for each.
 */
export function readEdit(item: EditItem, nextId: () => string): ReadBlock[] {
  const { content, startLine, endLine, source, errors } = item
  if (errors.length > 0) return [failed({ blockId: nextId(), startLine, endLine, source }, errors)]
  const block = (action: EditVerb, params: Record<string, unknown>, from = startLine, to = endLine): ReadBlock => ({
    type: 'block', block: { id: nextId(), format: content.format, action, params, startLine: from, endLine: to },
  })
  // An empty fence makes an empty file, it never empties one.
  if ('content' in content && content.content !== '') {
    return [block('fs.writeFile', { path: content.path, content: content.content })]
  }
  switch (content.format) {
    case 'search-replace': {
      const { oldText, newText } = 'content' in content ? { oldText: '', newText: '' } : content
      return [block('edit_replace', { path: content.path, old_text: oldText, new_text: newText })]
    }
    case 'v4a': return [block('apply_patch', { patch: content.patch })]
    case 'unified': {
      let line = startLine
      return splitDiff(content.patch).map((patch) => {
        const first = line
        line += countBreaks(patch, 0, patch.length)
        return block('patch_unified', { patch }, first, Math.max(first, line - 1))
      })
    }
  }
}
