import type { EditVerb } from '../../../0-contracts/src/index.js'
import type { EditItem, ScanError } from '../scanner/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { failed, type ReadBlock } from './read-event.js'
import { splitDiff } from './split-diff.js'

/**
 * Makes blocks of edits (contract section 1): `edit_replace`, `apply_patch`, `patch_unified` or, of a whole file,
 * `write_file`. A diff of several files becomes a block for each. A file is written whole or edited, not both: the
 * block that comes later is refused.
 */
export class EditReader {
  /** Where a file was written whole, and where it was edited first. */
  readonly #whole = new Map<string, number>()
  readonly #edited = new Map<string, number>()

  read(item: EditItem, nextId: () => string): ReadBlock[] {
    const { content, startLine, endLine, source, errors } = item
    const fail = (found: readonly ScanError[]): ReadBlock[] => [
      failed({ blockId: nextId(), startLine, endLine, source }, found),
    ]
    if (errors.length > 0) return fail(errors)
    const other = this.#otherOf(content, startLine)
    if (other) return fail([{ ...other, line: startLine, column: 1, length: 0 }])
    const block = (action: EditVerb, params: Record<string, unknown>, from = startLine, to = endLine): ReadBlock => ({
      type: 'block', block: { id: nextId(), format: content.format, action, params, startLine: from, endLine: to },
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
      case 'whole': return [
        content.content === '' ? block('edit_replace', { path: content.path, old_text: '', new_text: '' })
          : block('write_file', { path: content.path, content: content.content, create_directories: true }),
      ]
    }
  }

  /** Notes which files the block is about; an error where an earlier one says otherwise of one of them. */
  #otherOf(content: EditItem['content'], line: number): Pick<ScanError, 'code' | 'message' | 'hint'> | undefined {
    const [own, others] = content.format === 'whole' ? [this.#whole, this.#edited] : [this.#edited, this.#whole]
    const paths = content.format === 'whole' || content.format === 'search-replace' ? [content.path]
      : [...content.patch.matchAll(PATCHED)].map((found) => found[1] ?? found[2]!)
    for (const path of paths) {
      const at = others.get(path)
      if (at !== undefined) {
        return {
          code: 'INVALID_EDIT',
          message: `The block of line ${at} ${content.format === 'whole' ? 'edits' : 'writes'} ${path} too`,
          hint: `Nothing was changed by this one. Write ${path} whole, or edit it, in one answer.`,
        }
      }
      own.set(path, own.get(path) ?? line)
    }
    return undefined
  }
}

/** The files a patch of either format changes. */
const PATCHED = /^(?:\*{3} (?:Add|Update|Delete) File: (.{1,999}?)|\+{3} (?:b\/)?(\S[^\t\n]{0,999}?))[ \t]*\r?$/gm
