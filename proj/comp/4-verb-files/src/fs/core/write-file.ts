import * as v from 'valibot'
import {
  boundedText, caught, defineVerb, described, flag, integer, isNodeError, text, texts, toolPath,
} from '../../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import {
  checkNotElided, fileToWrite, overwriteCheck, writeText, writeWithParents,
} from '../../../../2-files/src/index.js'
import { fileExists, parentMissing } from '../destination.js'
import { encodeText, ENCODINGS, type Utf16Order, utf16Order } from '../text-encoding.js'

const VERB = 'write_file'

/** Core tool: writes a file. */
export const writeFile = defineVerb({
  name: VERB,
  vocabulary: 'core',
  description: 'Write a file: create it, or replace its whole content.',
  category: 'file_operations',
  type: 'write',
  constraints: [
    'Atomic: the file has either its old or its new content.',
    'Nothing is added to the content, but with utf-16 a byte order mark: little-endian, or as the old file had it.',
  ],
  primary: 'path',
  seldom: ['encoding'],
  writesOneFile: true,
  args: v.strictObject({
    path: toolPath('File to write, absolute or relative to the root, e.g. "notes/today.md".'),
    content: boundedText('The whole new content, at most 1,048,576 characters.', { max: 1_048_576 }),
    create_directories: flag('Whether missing parent directories are created. Default: false.', false),
    overwrite: flag('Whether an existing file is replaced. Default: true.', true),
    encoding: v.optional(
      described(v.picklist(ENCODINGS), 'How to write the file. Default: utf-8.'), 'utf-8',
    ),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    bytes_written: integer('Size of the file in bytes.', 0),
    created_dirs: v.optional(texts('The directories that were created, outermost first. Absent when there were none.')),
    broke_hard_link: v.optional(
      described(v.boolean(), 'The file had other names; they keep the old content.'),
    ),
  }),
  examples: [
    { path: 'notes.md', content: '# Notes\n' },
    { path: 'docs/new/page.md', content: '# Page\n', create_directories: true, overwrite: false },
  ],
  async handler({ path, content, create_directories: parents, overwrite, encoding }, context) {
    const target = fileToWrite(VERB, path, context)
    if (context.takesWholeFile) checkNotElided(path, content)
    const stat = context.files.stat(target)
    if (!overwrite && stat && stat.kind !== 'directory') throw fileExists(VERB, path)
    const check = encoding === 'utf-16' ? undefined : overwriteCheck(VERB, path, content, context)
    const order = encoding === 'utf-16' && stat?.kind === 'file' ? await orderOf(target, context) : undefined
    await context.files.readAhead?.(target, context)
    const encoded = encodeText(VERB, content, encoding, order)
    const write = () => writeText(VERB, path, target, encoded, context, check)
    const { written, createdDirs } = parents ? writeWithParents(VERB, path, target, encoded, context, check) : {
      written: caught(isNodeError, write, (error) => {
        throw error.code === 'ENOENT' ? parentMissing(VERB, path, target, context) : error
      }),
      createdDirs: [],
    }
    return {
      path,
      bytes_written: written.bytes,
      ...(createdDirs.length > 0 && { created_dirs: createdDirs }),
      ...(written.brokeHardLink && { broke_hard_link: true }),
    }
  },
})

/** Byte order of the replaced file, if it is UTF-16. */
async function orderOf(target: ApprovedPath, { files }: Pick<VerbContext, 'files'>): Promise<Utf16Order | undefined> {
  for await (const chunk of files.chunks(target)) return utf16Order(chunk)
  return undefined
}
