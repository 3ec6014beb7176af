import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkInserted } from '../../../1-edits/src/index.js'
import { readText, fileToWrite, notesOf, parentsOf, writeWithParents } from '../../../2-files/src/index.js'

const BOM = '\ufeff'

/**
 * Creates a file, with missing parent directories; an existing file must be empty. Its last line gets a line break.
 *
 * @throws HermesError `EEXIST` for a file with other content, and as `readText` and `writeText`
 */
export function createFile(verb: string, path: string, lines: string, context: VerbContext) {
  const target = fileToWrite(verb, path, context)
  let content = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
  const stat = context.files.stat(target)
  if (stat?.kind === 'file' && stat.size > 0) {
    const old = readText(context.files, target, context.limits.maxFileBytes, path)
    if (old === content || old === lines) return { path, alreadyApplied: true }
    if (old.trim() !== '') throw exists(verb, path)
    if (old.startsWith(BOM) && !content.startsWith(BOM)) content = BOM + content
  }
  checkInserted({ verb, parameter: 'new_text', path, content: '', removed: '', inserted: content })
  const { written, createdDirs } = writeWithParents(verb, path, target, content, context)
  return { path, ...(written.created && { created: true as const }), ...parentsOf(createdDirs), ...notesOf(written) }
}

function exists(verb: string, path: string): HermesError {
  return new HermesError('EEXIST', `${verb}: old_text is empty, which creates a file, but '${path}' exists`, {
    hint: 'Nothing was written. Quote the lines to change in old_text, or replace the whole file with file_write.',
  })
}
