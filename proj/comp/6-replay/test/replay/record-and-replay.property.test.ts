import fc from 'fast-check'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { call, canonical, record, replayed } from './record-and-replay.js'

const name = fc.constantFrom('a', 'b.txt', 'C', 'é', '.dot', 'two words')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
const text = fc.constantFrom('', 'a', 'a\nb\n', 'a\r\nb\r\n', '\ufeffa\n', 'b\0', 'é\n'.repeat(50))

/** Trees in which no file stands where a directory is. */
const tree = fc.array(fc.tuple(path, text), { maxLength: 8 }).map((files) => (
  Object.fromEntries(files.filter(([at], index) => files.every(([other], nth) => (
    nth === index || !(other.startsWith(`${at}/`) || at.startsWith(`${other}/`) || (other === at && nth < index))
  ))))
))
const onPath = (...names: string[]) => fc.tuple(fc.constantFrom(...names), path).map(([verb, at]) => call(verb, { path: at }))
const action = fc.oneof(
  onPath('read_file', 'file_delete', 'dir_create', 'dir_delete', 'list_directory', 'fs.exists'),
  fc.tuple(path, text).map(([at, content]) => call('file_write', { path: at, content })),
  fc.tuple(path, text).map(([at, content]) => call('file_append', { path: at, content })),
  fc.tuple(path, path).map(([from, to]) => call('file_move', { old_path: from, new_path: to })),
  fc.tuple(path, fc.constantFrom('a', 'b')).map(([at, old]) => (
    call('file_replace_text', { path: at, old_text: old, new_text: 'X' })
  )),
  fc.constantFrom(
    call('list_directory', { path: '.' }), call('glob', { pattern: '**/*' }), call('grep', { pattern: 'a' }),
  ),
)
const run = fc.array(action, { minLength: 1, maxLength: 8 }).map((actions) => actions.join(''))

it('what was recorded in any tree is replayed elsewhere with the same results', async () => {
  const directory = canonical(tempDir())
  const [root, file] = [join(directory, 'p'), join(directory, 'r.jsonl')]
  await fc.assert(fc.asyncProperty(tree, fc.option(path), fc.array(run, { minLength: 1, maxLength: 3 }), async (files, target, runs) => {
    for (const one of [root, file]) removeSync(one)
    writeTree(root, { ...files, 'z/': '' })
    if (target !== null) symlinkSync(target, join(root, 'link'))
    for (const answer of runs) await record(root, file, target === null ? answer : `${answer}${call('read_file', { path: 'link' })}`)
    const report = await replayed(file)
    expect({ ...report.counts, blocks: report.blocks, error: report.error }).toMatchObject({
      blocks: [], 'error': undefined, changed: 0, 'newly failing': 0, 'newly passing': 0,
    })
  }), { numRuns: isCampaign ? 1000 : 25 })
})
