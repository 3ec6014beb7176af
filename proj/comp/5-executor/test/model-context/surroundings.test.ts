import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it, onTestFinished, vi } from 'vitest'
import { estimateTokens } from '../../../1-registry/src/index.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { readGoldens } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'

const cases = readGoldens(new URL('../../test-data/model-context/project-notes.cases.md', import.meta.url))
const NOTES = '## Notes of the project\n\n'

async function told(root: string, options: ExecutorOptions = {}): Promise<string> {
  await using hermes = new Hermes({ root, policy: false, gitCommit: false, ...options })
  return await hermes.surroundings()
}

it.each(cases)('$group: $name', async ({ fences }) => {
  const root = tempDir()
  let options: ExecutorOptions = {}
  for (const { info, body } of fences) {
    const [kind, name = ''] = info.split(' ')
    if (kind === 'file') writeTree(root, { [name]: `${body}\n` })
    if (kind === 'link') {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      symlinkSync(body, join(root, name))
    }
    if (kind === 'policy') options = { policy: load(body) as NonNullable<ExecutorOptions['policy']> }
  }
  const [, notes] = (await told(root, options)).split(NOTES)
  // The rule above them is a paragraph.
  expect(notes?.slice(notes.indexOf('\n\n') + 2)).toBe(fences.find(({ info }) => info === 'notes')?.body)
})

it('cuts long notes at a line, and says how much there is', async () => {
  const root = tempDir()
  writeTree(root, { 'AGENTS.md': 'ä line of advice\n'.repeat(4000), 'CLAUDE.md': 'unseen '.repeat(10_000) })
  const text = await told(root)
  expect(Buffer.byteLength(text)).toBeLessThan(33_500)
  expect(text).toContain('advice\n```\n\n(The first 32759 of 71999 bytes: read the file for the rest.)')
  expect(text).toContain('### CLAUDE.md\n\n(Not shown, 69999 bytes: read the file.)')
})

it('shows the beginning of a line that is longer than there is room', async () => {
  const root = tempDir()
  writeTree(root, { 'AGENTS.md': `# Title\n${'ä'.repeat(40_000)}\n` })
  const text = await told(root)
  expect(text).toContain('# Title\näää')
  expect(text).toContain('ä\n```\n\n(The first 32768 of 80008 bytes: read the file for the rest.)')
  expect(text).not.toContain('\ufffd')
})

it('masks the values of variables that hold secrets', async () => {
  const root = tempDir()
  vi.stubEnv('NOTES_API_KEY', 'zomRk3vBq0AX8')
  onTestFinished(() => { vi.unstubAllEnvs() })
  writeTree(root, { 'AGENTS.md': 'The key is zomRk3vBq0AX8.' })
  expect(await told(root)).toContain('The key is [')
  expect(await told(root)).not.toContain('zomRk3vBq0AX8')
})

it('says that there may be more notes where a tree is too large to be looked through', async () => {
  const root = tempDir()
  writeTree(root, { 'a/AGENTS.md': 'Near.' })
  expect(await told(root)).toMatch(/read them: a\/AGENTS\.md\.$/)
  mkdirSync(join(root, 'b'))
  for (let file = 0; file <= 20_000; file++) writeFileSync(join(root, 'b', String(file)), '')
  expect(await told(root)).toMatch(/read them: a\/AGENTS\.md \(and there may be more\)\.$/)
})

it('passes over what is no text, and a folder of that name', async () => {
  const root = tempDir()
  writeTree(root, { 'CLAUDE.md/': '' })
  writeFileSync(join(root, 'AGENTS.md'), Buffer.from([0, 1, 2]))
  expect(await told(root)).not.toContain('Notes of the project')
})

it('tells of git, and of no repository', async () => {
  const root = tempDir()
  expect(await told(root)).toContain('It is in no git repository.')
  execFileSync('git', ['init', '-q', '-b', 'main', root])
  expect(await told(root)).toContain('Git is on the branch main; nothing is uncommitted.')
  writeTree(root, { 'a.txt': 'a', 'b.txt': 'b' })
  execFileSync('git', ['add', 'a.txt'], { cwd: root })
  expect(await told(root)).toContain('Git is on the branch main; uncommitted files: 1 changed, 1 new.')
})

it('tells what commands can do', async () => {
  const root = tempDir()
  const line = async (options: ExecutorOptions): Promise<string | undefined> => (
    (await told(root, options)).split('\n').find((one) => one.startsWith('- Commands'))
  )
  expect(await line({ sandbox: 'none', limits: { commandTimeoutMs: 5000 } })).toBe(
    '- Commands run without a sandbox, as the user. A command may take 5 s where its call asks for no other time.',
  )
  expect(await line({ policy: { verbs: { exec: 'off' } } })).toBe('- Commands are switched off.')
  expect(await line({ policy: { terminal: { backend: 'docker', docker_image: 'debian:12' } } })).toBe(
    '- Commands run in a docker container (image debian:12) that has the project at its own path, so they and the tools for files see the '
    + 'same files. What they install, /tmp and servers they leave running (output to a file) last until the task ends; they are not root, so '
    + 'install below the home (pip install --user). They have no network. A command may take 120 s where its call asks for no other time.',
  )
  const there = { backend: 'singularity', singularity_image: 'a.sif', cwd: '/workspace' } as const
  expect(await line({ policy: { terminal: there }, network: true })).toMatch(/singularity container \(image a\.sif\) that has the project at \/workspace, .* reach the network\./)
  expect(await line({ policy: { terminal: { backend: 'modal' } } })).toMatch(/^- Commands cannot run: terminal\.backend is modal/)
})

it('has a line for each skill', async () => {
  const root = tempDir()
  writeTree(root, { 'skills/release/SKILL.md': `---\nname: release\ndescription: ${'How we release. '.repeat(20)}\n---\n# Release\n` })
  expect(await told(root)).toMatch(/## Skills\n\n.*\n\n- release: How we release\. .{60,120}…/)
})

it('costs little where there are no notes', async () => {
  expect(estimateTokens(await told(tempDir()))).toBeLessThan(140)
})

it('tells of the sandbox what a command then meets', async () => {
  const root = tempDir()
  const line = async (options: ExecutorOptions): Promise<string | undefined> => (
    (await told(root, options)).split('\n').find((one) => /commands?\b/i.test(one))
  )
  await using hermes = new Hermes({ root, policy: false, gitCommit: false })
  const { results: [result] } = await hermes.call([{ id: 'c', name: 'execute_command', arguments: { command: 'true' } }])
  if (result?.success === true) {
    expect(await line({})).toMatch(/^- Commands run in a sandbox: .* They have no network\. .* 120 s/)
    expect(await line({ network: true })).toContain('They reach the network.')
  } else {
    expect(result?.code).toBe('APPROVAL_DENIED')
    expect(await line({})).toMatch(/^- No sandbox works here \(.+\): a command runs only where the user approves it/)
  }
})
