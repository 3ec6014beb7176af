import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { expect, it, onTestFinished } from 'vitest'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\n# Text\n`

function plant(directory: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    outputFileSync(join(directory, name), text)
  }
}

/** A project and a user with skills. */
function places(): { root: string; home: string } {
  const [root, home] = [tempDir(), tempDir()]
  const before = process.env['HERMES_HOME']
  process.env['HERMES_HOME'] = home
  onTestFinished(() => {
    if (before === undefined) delete process.env['HERMES_HOME']
    else process.env['HERMES_HOME'] = before
  })
  plant(root, {
    'skills/one/SKILL.md': skill('"First \\e[31m\\n line"', 'tags: [a, b]\nrelated_skills: [two]\nversion: 1.0.0\nlicense: MIT\n'),
    'skills/one/references/api.md': 'the api\n', 'skills/one/.env': 'KEY=1\n',
    'skills/mlops/two/SKILL.md': skill('Second'), 'skills/bad/SKILL.md': '# no front matter\n', 'secret.txt': 'secret',
  })
  plant(home, { 'skills/one/SKILL.md': skill('hidden'), 'skills/mine/SKILL.md': skill('Mine') })
  symlinkSync('../../secret.txt', join(root, 'skills/one/link.md'))
  return { root, home }
}

async function call(root: string, name: string, args: Record<string, unknown> = {}) {
  const hermes = new Hermes({ root, policy: false, gitCommit: false })
  const { results: [result] } = await hermes.call([{ id: 'c', name, arguments: args }])
  await hermes[Symbol.asyncDispose]()
  return result
}

it('goes from categories to names to one text', async () => {
  const { root } = places()
  expect(await call(root, 'skills_categories')).toMatchObject({ data: [{ category: 'general', skills: 2 }, { category: 'mlops', skills: 1 }] })
  const list = await call(root, 'skills_list')
  expect(list).toMatchObject({ data: [
    { name: 'mine', source: 'user' }, { name: 'one', source: 'project', description: 'First \\x1b[31m line' }, { name: 'two', category: 'mlops' },
  ] })
  expect(list?.hint).toContain('hermes skills check')
  expect(await call(root, 'skills_list', { category: 'mlops' })).toMatchObject({ data: [{ name: 'two' }] })
  expect(await call(root, 'skill_view', { name: 'one' })).toMatchObject({
    data: { content: '# Text\n', tags: ['a', 'b'], related_skills: ['two'], version: '1.0.0', files: ['link.md', 'references/api.md'] },
  })
  expect(await call(root, 'skill_view', { name: 'one', file: 'references/api.md' })).toMatchObject({ data: { content: 'the api\n' } })
})

it.each([
  ['a link that leads out', { name: 'one', file: 'link.md' }, 'POLICY_DENIED'],
  ['a path that leads out', { name: 'one', file: '../../secret.txt' }, 'POLICY_DENIED'],
  ['an absolute path', { name: 'one', file: '/etc/passwd' }, 'ENOENT'],
  ['what the policy closes', { name: 'one', file: '.env' }, 'POLICY_DENIED'],
  ['a folder', { name: 'one', file: 'references' }, 'NOT_TEXT'],
  ['a name that is nearly right', { name: 'oen' }, 'INVALID_PARAMETER'],
  ['a file that is nearly right', { name: 'one', file: 'reference/api.md' }, 'ENOENT'],
])('does not show %s', async (_, args, code) => {
  const { root } = places()
  expect(await call(root, 'skill_view', args)).toMatchObject({ success: false, code })
})
