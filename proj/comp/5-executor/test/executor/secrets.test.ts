import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, VerbExecutor } from '../../src/executor/index.js'

const TOKEN = 'ghp_1aB2cD3eF4gH5iJ6'

function withToken(): void {
  vi.stubEnv('MY_GITHUB_TOKEN', TOKEN)
  onTestFinished(() => void vi.unstubAllEnvs())
}

function block(action: string, values: Record<string, string>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return ['#!SHAM [@three-char-SHA-256: abc]', `action = "${action}"`, ...lines, '#!END_SHAM_abc', ''].join('\n')
}

describe('secrets of the environment', () => {
  it('are masked in data, errors, parameters, parse errors, events and the journal', async () => {
    withToken()
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), `token ${TOKEN}\n`)
    const events: unknown[] = []
    await using hermes = new Hermes({ root, relativePaths: true, policy: false, onEvent: event => void events.push(event) })
    const result = await hermes.execute([
      block('file_read', { path: 'a.txt' }), block('file_read', { path: TOKEN }), block('file_delete', { path: 'a.txt' }),
      `#!SHAM [@three-char-SHA-256: abd]\naction = "file_read"\npath = ${TOKEN}\n#!END_SHAM_abd`,
    ].join('\n'))
    expect(result.results[0]?.data).toMatchObject({ content: 'token [masked MY_GITHUB_TOKEN]\n' })
    expect(result.results[1]?.error).toContain('[masked MY_GITHUB_TOKEN]')
    expect(JSON.stringify(result)).not.toContain(TOKEN)
    expect(JSON.stringify(events)).not.toContain(TOKEN)
    expect(logsOf(root)).not.toContain(TOKEN)
  })

  it('are masked in what VerbExecutor returns', async () => {
    withToken()
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), TOKEN)
    await using executor = new VerbExecutor({ root, policy: false })
    const answer = await executor.execute(JSON.stringify({ verb: 'fs.readFile', arguments: { path: 'a.txt' } }))
    expect(answer).toContain('[masked MY_GITHUB_TOKEN]')
    expect(answer).not.toContain(TOKEN)
  })

  it('are kept in files: undo gives back what was there', async () => {
    withToken()
    const root = tempDir()
    await using hermes = new Hermes({ root, relativePaths: true, policy: false })
    await hermes.execute(block('file_write', { path: 'b.txt', content: TOKEN }))
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toContain(TOKEN)
  })

  it('do not reach commands', async () => {
    withToken()
    await using hermes = new Hermes({ root: tempDir(), policy: false, sandbox: 'none' })
    const { results: [result] } = await hermes.execute(block('exec', { lang: 'bash', code: 'echo "[$MY_GITHUB_TOKEN]"' }))
    expect(result?.data).toMatchObject({ stdout: '[]\n' })
  })
})

/** The logs and summaries of all runs; the saved contents of files are not among them. */
function logsOf(root: string): string {
  const directory = join(root, '.hermes', 'journal')
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.jsonl?$/.test(name) && statSync(join(directory, name)).isFile())
    .map(name => readFileSync(join(directory, name), 'utf8')).join('\n')
}
