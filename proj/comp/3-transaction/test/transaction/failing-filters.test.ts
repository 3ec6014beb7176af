import { beforeEach, describe, expect, it } from 'vitest'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }

let root: Root

/** Files `*.x` have a filter that git must run, and that fails wherever a file holds `bad`. */
beforeEach(() => {
  root = Root.repository({ '.gitattributes': '*.x filter=strict\n', 'a.txt': 'a\n' })
  root.git('config', 'filter.strict.clean', 'f=$(cat; echo .); case $f in *bad*) echo no key >&2; exit 1;; esac; printf %s "${f%.}" | tr a-z A-Z')
  root.git('config', 'filter.strict.smudge', 'cat')
  root.git('config', 'filter.strict.required', 'true')
  root.put({ 'one.x': 'one\n', 'two.x': 'two\n' })
  root.git('add', '--all')
  root.git('commit', '--quiet', '-m', 'filtered')
})

async function runCommand(act: () => void) {
  const transaction = root.transaction()
  await transaction.beforeBlock('exec')
  act()
  transaction.afterBlock('exec')
  return transaction.finish(SUMMARY)
}

describe('a file whose filter fails', () => {
  const told = [expect.stringMatching(/^Not committed, since the filter strict fails: one\.x \(.*no key.*\)\. .*git add/)]

  it.each(['bad', 'bad one that is longer\n'])('is left out of the commit of a run, which names it: %j', async (content) => {
    const outcome = await root.run({ 'one.x': content, 'two.x': 'better\n', 'a.txt': 'b\n', 'new.x': 'new\n' })
    expect(outcome).toMatchObject({ warnings: told, gitCommit: expect.any(String) })
    expect(root.changedIn()).toEqual(['a.txt', 'new.x', 'two.x'])
    expect(root.git('show', 'HEAD:two.x')).toBe('BETTER\n')
    expect(root.text('one.x')).toBe(content)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect([root.text('one.x'), root.text('two.x')]).toEqual(['one\n', 'two\n'])
    expect(root.status()).toEqual([])
  })

  it('is left out also where it is new, and where many are', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `bad-${index}.x`)
    const outcome = await root.run({ ...Object.fromEntries(names.map((name) => [name, 'bad\n'])), 'a.txt': 'b\n' })
    expect(outcome.warnings).toEqual([expect.stringContaining('bad-0.x')])
    expect(root.changedIn()).toEqual(['a.txt'])
    await root.undo()
    expect(root.status()).toEqual([])
  })

  it('leaves a run of commands known: the rest is committed, and all is undone', async () => {
    const outcome = await runCommand(() => root.put({ 'one.x': 'bad\n', 'two.x': 'better\n', 'a.txt': 'b\n', 'new.x': 'bad\n' }))
    expect(outcome.warnings).toEqual([expect.stringMatching(/the filter strict fails: (?:new\.x, one\.x|one\.x, new\.x) \(/)])
    expect(root.changedIn()).toEqual(['a.txt', 'two.x'])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toMatchObject({ 'one.x': '644 one\n', 'two.x': '644 two\n', 'a.txt': '644 a\n' })
    expect(root.status()).toEqual([])
  })

  it('that was there before a command is as it was after the undo of it', async () => {
    root.put({ 'one.x': 'bad, mine\n', 'mine.x': 'bad, mine\n' })
    const before = root.tree()
    const outcome = await runCommand(() => root.put({ 'one.x': 'bad, changed\n', 'a.txt': 'b\n' }))
    expect(outcome.warnings).toEqual([expect.stringContaining('not clean before: one.x')])
    expect(root.changedIn()).toEqual(['a.txt'])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.git('diff', '--cached', '--name-only')).toBe('')
  })
})

it('where filters may not run, their files are left out of the commit, and named', async () => {
  const outcome = await root.run({ 'one.x': 'fine\n', 'a.txt': 'b\n' }, { hooks: undefined })
  expect(outcome.warnings).toEqual([expect.stringMatching(/^Not committed, since the filter strict may not run: one\.x/)])
  expect(root.changedIn()).toEqual(['a.txt'])
})
