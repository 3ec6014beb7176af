import { createHash } from 'node:crypto'
import type { DelegateCall, DelegatedChange, FileChange } from '../../../../0-contracts/src/index.js'
import { shownName } from '../../../../0-text/src/index.js'
import { loadDiffRenderer } from '../../../../1-reports/src/index.js'
import { decodeUtf8, MAX_DIFF_BYTES } from '../../../../2-files/src/index.js'
import type { CopyPlace } from './agent-part.js'
import { placeOf } from './tree-listing.js'

/** Longest diff of all files together, in UTF-16 units. */
const MOST_DIFF = 200_000

type Render = (changes: readonly FileChange[]) => string

/** Changes of a copy as a unified diff against what the files are now, where that is still what was copied. */
export async function diffOf(
  changes: readonly DelegatedChange[], copy: CopyPlace, call: DelegateCall,
): Promise<string> {
  const render = await loadDiffRenderer({ roots: [copy.original] })
  let diff = ''
  for (const [index, change] of changes.entries()) {
    diff += sectionOf(change, copy, call, render)
    const left = changes.length - index - 1
    if (diff.length > MOST_DIFF) return `${diff.slice(0, MOST_DIFF)}\n… and ${left} more files\n`
  }
  return diff
}

function sectionOf(
  change: DelegatedChange, { original }: CopyPlace, call: DelegateCall, render: Render,
): string {
  const { kind, path, from, before, after, content } = change
  const isTurned = after !== undefined && after.executable !== (before?.executable ?? false)
  const mode = isTurned ? `${shownName(path)}: ${after.executable ? 'made' : 'no longer'} executable\n` : ''
  if (kind === 'modify' && !content) return mode
  const approved = call.gate.approve(placeOf(original, path), 'list')
  const old = kind === 'modify' ? contentNow(change, approved, call) : undefined
  if (kind === 'modify' && !old) {
    return `${shownName(path)}: changed here since it was copied: nothing can be accepted\n`
  }
  const [oldText, newText] = [old && textOf(old), content && textOf(content)]
  const shown: FileChange = {
    kind, path: approved, ...(from !== undefined && { from: call.gate.approve(placeOf(original, from), 'list') }),
    ...(oldText !== undefined && { before: oldText }), ...(newText !== undefined && { after: newText }),
  }
  return render([shown]).replace(/^ {4}/gm, '') + mode
}

/** `undefined` where it is not what was copied. */
function contentNow(
  { before }: DelegatedChange, path: FileChange['path'], { files }: DelegateCall,
): Uint8Array | undefined {
  const bytes = files.lstat(path)?.kind === 'file' ? files.peekBytes(path, Infinity) : undefined
  return bytes && createHash('sha256').update(bytes).digest('hex') === before?.sha256 ? bytes : undefined
}

function textOf(bytes: Uint8Array): string | undefined {
  return bytes.length > MAX_DIFF_BYTES || bytes.includes(0) ? undefined : decodeUtf8(bytes)
}
