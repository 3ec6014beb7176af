import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest } from '../../../0-contracts/src/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'

/** A session in a directory with `full/a`, and what it asked. */
function session(answer: ApprovalAnswer | undefined, options: ExecutorOptions = {}) {
  const root = tempDir()
  mkdirSync(join(root, 'full'))
  writeFileSync(join(root, 'full', 'a'), 'a')
  const asked: ApprovalRequest[] = []
  const approve = (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request)
    // What runs here can do no harm: it is in the temporary directory.
    return request.kind === 'unsandboxed' ? 'session' : answer ?? 'deny'
  }
  const hermes = new Hermes({ root, policy: false, sandbox: 'none', ...(answer && { approve }), ...options })
  return { root, asked, hermes, dangers: () => asked.filter(({ kind }) => kind === 'dangerous') }
}

function command(text: string): string {
  return `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command: text } })}</tool_call>\n`
}

const REMOVE = command('rm -rf full')

describe.skipIf(process.platform === 'win32')('dangerous commands', () => {
  it('are refused by their name where there is nobody to ask', async () => {
    const { hermes, root } = session(undefined)
    const { results, executedActions } = await hermes.execute(REMOVE)
    expect(results[0]).toMatchObject({ success: false, code: 'APPROVAL_DENIED' })
    expect(results[0]?.error).toBe(
      'execute_command needs an approval: recursive delete (it deletes a directory with all it holds): rm -rf full',
    )
    expect(results[0]?.hint).toContain('command_allowlist')
    expect(executedActions).toBe(1)
    expect(existsSync(join(root, 'full', 'a'))).toBe(true)
  })

  needing('bubblewrap').it('that may run in the sandbox are asked about again without it, or with the network', async () => {
    const file = join(tempDir(), 'config.yaml')
    const root = tempDir()
    const runWith = async (policy: string, answer?: ApprovalAnswer) => {
      writeFileSync(file, `${existsSync(file) ? readFileSync(file, 'utf8').replace(/^(?:sandbox|verbs).*\n/gm, '') : ''}${policy}`)
      mkdirSync(join(root, 'full'), { recursive: true })
      const { hermes, asked } = session(answer, { root, policy: file, sandbox: undefined as never })
      const { success } = await hermes.execute(REMOVE)
      return { success, asked: asked.map(({ sandbox, network }) => ({ sandbox, network })) }
    }
    const [held, reaching, bare] = ['sandbox: bwrap\n', 'sandbox: bwrap\nverbs: { network: on }\n', 'sandbox: none\n'] as const
    expect(await runWith(held, 'always')).toEqual({ success: true, asked: [{ sandbox: 'bwrap', network: false }] })
    expect(await runWith(held)).toEqual({ success: true, asked: [] })
    expect(await runWith(bare)).toEqual({ success: false, asked: [] })
    expect(await runWith(reaching)).toEqual({ success: false, asked: [] })
    expect(await runWith(reaching, 'always')).toEqual({ success: true, asked: [{ sandbox: 'bwrap', network: true }] })
    expect(await runWith(reaching)).toEqual({ success: true, asked: [] })
    expect(await runWith(bare)).toEqual({ success: false, asked: [] })
    expect(readFileSync(file, 'utf8')).toContain(`"execute_command in ${root}, in a sandbox with the network: rm -rf full"`)
  })

  it('are shown in full to who is asked, and do not run after a no', async () => {
    const { hermes, root, asked } = session('deny')
    const { results } = await hermes.execute(command('ls\nrm -rf full # tidy'))
    expect(asked).toHaveLength(1)
    expect(asked).toMatchObject([{
      action: 'execute_command', kind: 'dangerous', pattern: 'recursive delete', command: 'ls\nrm -rf full # tidy',
      reason: 'Potentially dangerous command detected: recursive delete (it deletes a directory with all it holds): rm -rf full',
    }])
    expect(results[0]).toMatchObject({ code: 'APPROVAL_DENIED' })
    expect(results[0]?.error).toContain('the user does not want')
    expect(existsSync(join(root, 'full', 'a'))).toBe(true)
  })

  it('run after a yes, which holds once', async () => {
    const { hermes, root, dangers } = session('once')
    const { success } = await hermes.execute(REMOVE + REMOVE)
    expect(success).toBe(true)
    expect(dangers()).toHaveLength(2)
    expect(existsSync(join(root, 'full'))).toBe(false)
  })

  it('are asked about in every verb that starts programs', async () => {
    const { hermes, dangers } = session('deny')
    const text = [
      '```yaml hermes', 'verb: proc.run', 'arguments: {executable: rm, arguments: [-r, full]}', '---',
      'verb: exec', "arguments: {lang: python, code: \"import shutil; shutil.rmtree('full')\"}", '---',
      'verb: exec', "arguments: {lang: bash, code: 'r\\m -r full'}", '---',
      'verb: exec', "arguments: {lang: javascript, code: \"require('fs').rmSync('full', {recursive: true})\"}", '---',
      'verb: execute_script', "arguments: {language: bash, script: 'find . -delete'}", '```', '',
    ].join('\n')
    const { results } = await hermes.execute(text)
    expect(results.map(({ code }) => code)).toEqual(Array(5).fill('APPROVAL_DENIED'))
    expect(dangers().map(({ action, pattern }) => `${action}: ${pattern}`)).toEqual([
      'proc.run: recursive delete', 'exec: recursive delete', 'exec: recursive delete', 'exec: recursive delete',
      'execute_script: mass delete',
    ])
  })

  it('are not asked about again in a session that allowed just them; others are', async () => {
    const { hermes, dangers } = session('session')
    await hermes.execute(REMOVE + command('chmod 777 .') + REMOVE)
    await hermes.execute(REMOVE)
    expect(dangers().map(({ pattern }) => pattern)).toEqual(['recursive delete', 'world-writable permissions'])
  })

  it('harmless commands are not asked about, whatever they print', async () => {
    const { hermes, dangers } = session('deny')
    const { success } = await hermes.execute(command('echo "rm -rf /"') + command("printf 'DROP TABLE x;'"))
    expect(success).toBe(true)
    expect(dangers()).toEqual([])
  })

  it('on the allow-list run unasked', async () => {
    const { hermes, root } = session(undefined, { policy: { command_allowlist: ['recursive delete'], sandbox: 'none' } })
    const { results } = await hermes.execute(REMOVE + command('chmod 777 .'))
    expect(results.map(({ code, success }) => code ?? success)).toEqual([true, 'APPROVAL_DENIED'])
    expect(existsSync(join(root, 'full'))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('always', () => {
  it('is stored in the policy file, which keeps its comments', async () => {
    const file = join(tempDir(), 'config.yaml')
    writeFileSync(file, '# mine\nsandbox: none # here\n\ncommand_allowlist:\n  # tidying\n  - mass delete # yes\n')
    const { hermes, root } = session('always', { policy: file, sandbox: undefined as never })
    const { success } = await hermes.execute(REMOVE + REMOVE)
    expect(success).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(
      '# mine\nsandbox: none # here\n\ncommand_allowlist:\n  # tidying\n  - mass delete # yes\n'
        + `  - "execute_command in ${root}, without a sandbox: rm -rf full"\n`,
    )
    const later = session(undefined, { policy: file, sandbox: undefined as never, root })
    expect((await later.hermes.execute(REMOVE)).success).toBe(true)
    const further = [command('rm -rf full/'), command('rm  -rf full'), command('rm -rf other')]
    expect((await later.hermes.execute(further.join(''))).results.map(({ code }) => code)).toEqual(Array(3).fill('APPROVAL_DENIED'))
    const elsewhere = session(undefined, { policy: file, sandbox: undefined as never })
    expect((await elsewhere.hermes.execute(REMOVE)).results).toMatchObject([{ code: 'APPROVAL_DENIED' }])
  })

  it('keeps a link to the policy file, and its mode', async () => {
    const directory = tempDir()
    const [file, link] = [join(directory, 'real.yaml'), join(directory, 'config.yaml')]
    writeFileSync(file, 'sandbox: none\n', { mode: 0o640 })
    symlinkSync('real.yaml', link)
    const { hermes, root } = session('always', { policy: link, sandbox: undefined as never })
    await hermes.execute(REMOVE)
    expect(readFileSync(file, 'utf8')).toBe(`sandbox: none\ncommand_allowlist:\n  - "execute_command in ${root}, without a sandbox: rm -rf full"\n`)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readFileSync(link, 'utf8')).toBe(readFileSync(file, 'utf8'))
  })

  it('without a policy file holds for the session, and says so', async () => {
    const { hermes, root, dangers } = session('always')
    const result = await hermes.execute(REMOVE + REMOVE)
    expect(result.success).toBe(true)
    expect(dangers()).toHaveLength(1)
    expect(result.warnings).toEqual([`'execute_command in ${root}, without a sandbox: rm -rf full' is allowed for this session only: the policy is not read from a file`])
  })
})
