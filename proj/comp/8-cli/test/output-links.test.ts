/** Files that keep a run are never written through a link that a command of a run may have put in the root. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const KEYS = 'ssh-ed25519 AAAA\n'

function plant(): { base: string; root: string; keys: string } {
  const base = tempDir()
  const [root, keys] = [join(base, 'p'), join(base, 'authorized_keys')]
  mkdirSync(root)
  writeFileSync(keys, KEYS)
  return { base, root, keys }
}

const linking = (file: string): string => JSON.stringify({
  verb: 'exec', arguments: { lang: 'bash', code: `ln -sf ../authorized_keys ${file}` },
})
const answer = (envelope: string): string => `\`\`\`json hermes\n${envelope}\n\`\`\`\n`

describe.skipIf(process.platform === 'win32')('a link that a command made', () => {
  it.each(['md', 'json', 'html'])('--report: nothing is written through it (.%s)', async (kind) => {
    const { root, keys } = plant()
    const { exitCode, stderr } = await cli.run(
      ['apply', '--root', '.', '--sandbox', 'none', '--no-git', '--report', `report.${kind}`],
      { cwd: root, input: answer(linking(`report.${kind}`)) },
    )
    expect(readFileSync(keys, 'utf8')).toBe(KEYS)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is a link in')
    expect(stderr).toContain('remove')
  })

  it.each(['record', 'trajectory'])('--%s: nothing is added through it', async (flag) => {
    const { root, keys } = plant()
    writeFileSync(keys, '')
    const record = 'run.jsonl'
    await cli.run(['apply', '--sandbox', 'none', '--no-git'], { cwd: root, input: answer(linking(record)) })
    const { exitCode, stderr } = await cli.run(
      ['apply', '--no-git', `--${flag}`, record], { cwd: root, input: answer('{"verb": "ls", "arguments": {"path": "."}}') },
    )
    expect(readFileSync(keys, 'utf8')).toBe('')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is a link in')
  })

  it('--trajectory: nor where it was made in the same run, or in the place of a directory', async () => {
    const { base, root } = plant()
    mkdirSync(join(root, 'kept'))
    const code = 'mv kept moved; ln -s .. kept'
    const { stderr } = await cli.run(
      ['apply', '--sandbox', 'none', '--no-git', '--trajectory', 'kept/new.jsonl'],
      { cwd: root, input: answer(JSON.stringify({ verb: 'exec', arguments: { lang: 'bash', code } })) },
    )
    expect(() => readFileSync(join(base, 'new.jsonl'))).toThrow('ENOENT')
    expect(stderr).toContain('leads through a link')
  })

  it('--plan: it is neither followed nor replaced', async () => {
    const { root, keys } = plant()
    symlinkSync(keys, join(root, 'plan.json'))
    const { exitCode, stderr } = await cli.run(
      ['apply', '--dry-run', '--plan', 'plan.json'],
      { cwd: root, input: answer('{"verb": "file_write", "arguments": {"path": "a", "content": "a"}}') },
    )
    expect(readFileSync(keys, 'utf8')).toBe(KEYS)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is a link in')
  })

  it('a link of the user outside of the root still leads to where the report goes', async () => {
    const { base, root } = plant()
    writeFileSync(join(base, 'real.md'), '')
    symlinkSync('real.md', join(base, 'report.md'))
    const { exitCode } = await cli.run(
      ['apply', '--root', root, '--relative-paths', '--no-git', '--report', 'report.md'],
      { cwd: base, input: answer('{"verb": "ls", "arguments": {"path": "."}}') },
    )
    expect(exitCode).toBe(0)
    expect(readFileSync(join(base, 'real.md'), 'utf8')).toContain('ls')
  })
})
