import {
  appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { readTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { watchedPlace } from '../../src/watch/index.js'
import { startWatch } from './watching.js'

const cli = useCli()
const FLAGS = ['--root', 'project', '--root-alias', '/w', '--sandbox', 'none', '--quiet', '0.05']

function place(): string {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'inbox'))
  mkdirSync(join(cwd, 'project'))
  return cwd
}

/** Adds a word to `log.txt`: how often it ran can be seen. */
function adds(word: string): string {
  return `Some words.\n\n${shamBlock('abc', 'file_append', { path: '/w/log.txt', content: `${word}\n` })}\n`
}

function runs(code: string): string {
  return `${shamBlock('cmd', 'exec', { lang: 'bash', code })}\n`
}

function log(cwd: string): string {
  const file = join(cwd, 'project', 'log.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** As editors save: a new file beside it, renamed into its place. */
function renameSave(file: string, content: string): void {
  writeFileSync(`${file}.tmp`, content)
  renameSync(`${file}.tmp`, file)
}

describe('hermes watch of a folder', () => {
  it('applies new answers once, by content, and what is no answer not at all', async () => {
    const cwd = place()
    const inbox = join(cwd, 'inbox')
    writeFileSync(join(inbox, 'old.md'), adds('old'))
    const watch = await startWatch(cli, cwd, ['inbox', ...FLAGS])
    await watch.until('old.md is there already and is left alone')

    writeFileSync(join(inbox, 'one.md'), adds('one'))
    await watch.until('summary: inbox/one.md.hermes.md')
    expect(readFileSync(join(inbox, 'one.md.hermes.md'), 'utf8')).toMatch(/^# hermes report\n\n- Succeeded: 1 of 1 block succeeded/)
    // The same with what an editor adds at its end.
    writeFileSync(join(inbox, 'copy.txt'), `${adds('one')}\n\n`)
    await watch.until('copy.txt: applied before')
    renameSave(join(inbox, 'one.md'), adds('two'))
    await watch.until('summary: inbox/one.md.hermes.md', 2)
    // Touched only.
    renameSave(join(inbox, 'one.md'), adds('two'))
    await watch.until('one.md: applied before')

    writeFileSync(join(inbox, 'three.md.crdownload'), adds('three'))
    writeFileSync(join(inbox, 'three.md'), '')
    writeFileSync(join(inbox, '.hidden.md'), adds('hidden'))
    writeFileSync(join(inbox, 'picture.png'), adds('picture'))
    writeFileSync(join(inbox, 'prose.md'), 'No block, and\n\n> #!SHAM [@three-char-SHA-256: abc]\n')
    writeFileSync(join(inbox, 'binary.md'), Buffer.from([0xff, 0xfe, 0, 1]))
    await watch.until('prose.md: no live block')
    await watch.until('binary.md: no UTF-8 text')
    expect(log(cwd)).toBe('one\ntwo\n')
    renameSync(join(inbox, 'three.md.crdownload'), join(inbox, 'three.md'))
    await watch.until('summary: inbox/three.md.hermes.md')

    // The rest of a block is waited for, longer than a file has to be quiet.
    const [cut, rest] = adds('whole').split('log.txt') as [string, string]
    writeFileSync(join(inbox, 'cut.md'), adds('begun') + cut)
    await sleep(400)
    appendFileSync(join(inbox, 'cut.md'), `log.txt${rest}`)
    await watch.until('summary: inbox/cut.md.hermes.md')

    // What was there at the beginning is an answer once it changes.
    appendFileSync(join(inbox, 'old.md'), 'More words.\n')
    await watch.until('summary: inbox/old.md.hermes.md')
    rmSync(join(inbox, 'one.md'))
    rmSync(inbox, { recursive: true })
    await watch.until('is gone')
    mkdirSync(inbox)
    writeFileSync(join(inbox, 'one.md'), adds('again'))
    await watch.until('summary: inbox/one.md.hermes.md', 3)
    expect(log(cwd)).toBe('one\ntwo\nthree\nbegun\nwhole\nold\nagain\n')
    expect((await watch.stop('SIGINT')).exitCode).toBe(130)
  })

  it('takes what a run writes into it for no answer', async () => {
    const cwd = place()
    const inner = adds('inner')
    mkdirSync(join(cwd, 'project', 'inbox'))
    const watch = await startWatch(cli, cwd, ['project/inbox', ...FLAGS])
    writeFileSync(join(cwd, 'project', 'inbox', 'a.md'), shamBlock('out', 'file_write', { path: '/w/inbox/b.md', content: inner }))
    await watch.until('b.md: written by this run: no answer')
    writeFileSync(join(cwd, 'project', 'inbox', 'c.md'), adds('later'))
    await watch.until('summary: project/inbox/c.md.hermes.md')
    expect(log(cwd)).toBe('later\n')
    // Nor after a restart.
    await watch.stop('SIGINT')
    const { stdout, exitCode } = await (await startWatch(cli, cwd, ['project/inbox', '--existing', '--once', ...FLAGS])).ended
    expect([stdout, exitCode, log(cwd)]).toEqual(['', 0, 'later\n'])
  })

  it('goes by nothing that a command put in the place of an answer, of a summary or of the folder', async () => {
    const cwd = place()
    const [inbox, outside] = [join(cwd, 'project', 'inbox'), join(cwd, 'outside')]
    mkdirSync(inbox)
    mkdirSync(outside)
    writeFileSync(join(outside, 'notes.md'), adds('notes'))
    const watch = await startWatch(cli, cwd, ['project/inbox', '--prepend', ...FLAGS])
    await watch.until('It lies in the root: what a command of an answer writes there is run as an answer, too')
    writeFileSync(join(inbox, 'links.md'), runs(`ln -s ${outside}/notes.md inbox/evil.md; mkfifo inbox/pipe.md`))
    await watch.until('evil.md: a link in a directory where commands work, which one of them may have put there: left alone')
    writeFileSync(join(inbox, 'self.md'), runs(`rm inbox/self.md; ln -s ${outside}/notes.md inbox/self.md`))
    await watch.until('self.md: There is no summary: ')
    writeFileSync(join(inbox, 'folder.md'), runs(`mv inbox before; ln -s ${outside} inbox`))
    await watch.until('folder.md: There is no summary: ')
    await watch.until('notes.md: a link in a directory where commands work')
    expect(readTree(outside)).toEqual({ 'notes.md': adds('notes') })
    expect(log(cwd)).toBe('')
    expect((await watch.stop('SIGINT')).exitCode).toBe(130)
  })

  it('waits at no pipe that a command put in the place of a summary', async () => {
    const cwd = place()
    const inbox = join(cwd, 'project', 'inbox')
    mkdirSync(inbox)
    const watch = await startWatch(cli, cwd, ['project/inbox', ...FLAGS])
    writeFileSync(join(inbox, 'first.md'), runs('mkfifo inbox/first.md.hermes.md; ln -s ../../outside inbox/second.md.hermes.md'))
    await watch.until('first.md: There is no summary: ')
    writeFileSync(join(inbox, 'second.md'), adds('second'))
    await watch.until('second.md: There is no summary: ')
    writeFileSync(join(inbox, 'third.md'), adds('third'))
    await watch.until('summary: project/inbox/third.md.hermes.md')
    expect([log(cwd), existsSync(join(cwd, 'outside'))]).toEqual(['second\nthird\n', false])
    expect((await watch.stop('SIGTERM')).exitCode).toBe(143)
  })

  it('follows links of the user outside of the root', async () => {
    const cwd = place()
    writeFileSync(join(cwd, 'draft.md'), adds('draft'))
    const watch = await startWatch(cli, cwd, ['inbox', '--prepend', ...FLAGS])
    symlinkSync(join(cwd, 'draft.md'), join(cwd, 'inbox', 'a.md'))
    await untilTrue(() => readFileSync(join(cwd, 'draft.md'), 'utf8').startsWith('<!-- hermes watch: run '))
    await watch.until('block succeeded')
    expect([log(cwd), lstatSync(join(cwd, 'inbox', 'a.md')).isSymbolicLink()]).toEqual(['draft\n', true])
  })

  it('--existing --once applies what is there and ends, and not again after a restart; --json is a line a run', async () => {
    const cwd = place()
    writeFileSync(join(cwd, 'inbox', 'a.md'), adds('a'))
    writeFileSync(join(cwd, 'inbox', 'b.md'), '<tool_call>{"name": "read_file", "arguments": {"path": "nope"}}</tool_call>\n')
    const args = ['inbox', '--existing', '--once', '--json', ...FLAGS]
    const first = await (await startWatch(cli, cwd, args)).ended
    const lines = first.stdout.trim().split('\n').map((line) => JSON.parse(line) as { file: string; result: { success: boolean } })
    expect(lines.map(({ file, result }) => [file, result.success])).toEqual([
      [join(cwd, 'inbox', 'a.md'), true], [join(cwd, 'inbox', 'b.md'), false],
    ])
    expect(first.exitCode).toBe(1)
    const second = await (await startWatch(cli, cwd, args)).ended
    expect([second.stdout, second.exitCode, log(cwd)]).toEqual(['', 0, 'a\n'])
  })
})

describe('hermes watch of a file', () => {
  it('--prepend writes the summary above the answer, which is not read as a new one', async () => {
    const cwd = place()
    const file = join(cwd, 'inbox', 'buffer')
    const watch = await startWatch(cli, cwd, ['inbox/buffer', '--prepend', ...FLAGS])
    writeFileSync(file, adds('one'), { mode: 0o640 })
    await watch.until('block succeeded')
    await untilTrue(() => readFileSync(file, 'utf8').startsWith('<!-- hermes watch: run '))
    const content = readFileSync(file, 'utf8')
    expect(content.endsWith(`-->\n\n${adds('one')}`)).toBe(true)
    expect(content).toContain('✓  abc  file_append')
    // Someone pastes below the summary, and saves as editors do.
    renameSave(file, content.replace(adds('one'), adds('two')))
    await watch.until('block succeeded', 2)
    await untilTrue(() => readFileSync(file, 'utf8').includes(adds('two')) && readFileSync(file, 'utf8') !== content)
    expect(readFileSync(file, 'utf8').split('<!-- hermes watch').length).toBe(2)
    rmSync(file)
    writeFileSync(file, adds('three'))
    await watch.until('block succeeded', 3)
    expect(log(cwd)).toBe('one\ntwo\nthree\n')
    const parsed = await cli.run(['parse', 'inbox/buffer', '--json'], { cwd })
    expect((JSON.parse(parsed.stdout) as { blocks: unknown[] }).blocks).toHaveLength(1)
  })

  it('waits while another run works in the root', async () => {
    const cwd = place()
    const watch = await startWatch(cli, cwd, ['inbox/a.md', ...FLAGS])
    const ended = cli.run(['apply', '-', '--root', 'project', '--root-alias', '/w', '--sandbox', 'none'], {
      cwd, input: shamBlock('run', 'exec', { lang: 'bash', code: 'echo begun > begun; while [ ! -e go ]; do sleep 0.05; done; echo other >> log.txt' }),
    })
    await untilTrue(() => existsSync(join(cwd, 'project', 'begun')))
    writeFileSync(join(cwd, 'inbox', 'a.md'), adds('mine'))
    await watch.until('a.md · ')
    expect(log(cwd)).toBe('')
    writeFileSync(join(cwd, 'project', 'go'), '')
    await watch.until('1 of 1 block succeeded')
    await ended
    expect(log(cwd)).toBe('other\nmine\n')
  })

  it('an answer whose run was killed runs again only where hermes recover put it back', async () => {
    const cwd = place()
    const file = join(cwd, 'inbox', 'a.md')
    const answer = `${adds('begun')}${shamBlock('run', 'exec', { lang: 'bash', code: 'if [ -e go ]; then exit 0; fi; echo > waits; sleep 1000' })}`
    writeFileSync(file, answer)
    const args = ['inbox/a.md', '--existing', ...FLAGS]
    const watch = await startWatch(cli, cwd, args)
    await untilTrue(() => existsSync(join(cwd, 'project', 'waits')))
    await watch.stop('SIGKILL')
    const again = await startWatch(cli, cwd, args)
    await again.until('a.md: waits: run ')
    writeFileSync(join(cwd, 'project', 'go'), '')
    const recovered = await cli.run(['recover', '--restore', '--root', 'project'], { cwd, env: { HOME: cwd } })
    expect(recovered.stdout).toContain('Restored what was before run')
    await again.until('2 of 2 blocks succeeded')
    expect(log(cwd)).toBe('begun\n')

    rmSync(join(cwd, 'project', 'go'))
    rmSync(join(cwd, 'project', 'waits'), { force: true })
    await again.stop('SIGTERM')
    writeFileSync(file, `Anew.\n${answer}`)
    const third = await startWatch(cli, cwd, args)
    await untilTrue(() => existsSync(join(cwd, 'project', 'waits')))
    await third.stop('SIGKILL')
    await cli.run(['recover', '--root', 'project'], { cwd, env: { HOME: cwd } })
    const fourth = await startWatch(cli, cwd, args)
    await fourth.until('was cut short, and what it did was kept: not again')
    expect(log(cwd)).toBe('begun\nbegun\n')
  })

  it('Ctrl-C in the middle of a run ends its command, and the answer counts as applied', async () => {
    const cwd = place()
    writeFileSync(join(cwd, 'inbox', 'a.md'), adds('one') + shamBlock('run', 'exec', { lang: 'bash', code: 'echo $$ > pid; sleep 1000' }))
    const args = ['inbox/a.md', '--existing', ...FLAGS]
    const watch = await startWatch(cli, cwd, args)
    const pidFile = join(cwd, 'project', 'pid')
    await untilTrue(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '')
    const { exitCode, stdout } = await watch.stop('SIGINT')
    expect(exitCode).toBe(130)
    expect(stdout).toContain('interrupted · 1 of 2 blocks succeeded')
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH')
    expect(readFileSync(join(cwd, 'inbox', 'a.md.hermes.md'), 'utf8')).toContain('1 of 2 blocks succeeded')
    const again = await startWatch(cli, cwd, args)
    await again.until('a.md: applied before')
    expect(log(cwd)).toBe('one\n')
  })
})

/** A program found first in PATH, outside of what runs can write, which keeps the clipboard in a file: there is no display here. */
function clipboard(cwd: string, text = ''): { env: Record<string, string>; read: () => string } {
  const file = join(cwd, 'clipboard')
  const program = join(tempDir(), 'bin', 'xsel')
  mkdirSync(dirname(program))
  writeFileSync(file, text)
  writeFileSync(program, `#!/bin/sh\ncase "$*" in *--input*) cat > '${file}' ;; *) cat '${file}' ;; esac\n`)
  chmodSync(program, 0o755)
  return { env: { PATH: `${dirname(program)}:${plainEnvironment()['PATH'] ?? ''}`, DISPLAY: ':0' }, read: () => readFileSync(file, 'utf8') }
}

describe.runIf(process.platform === 'linux')('the clipboard', () => {
  const FAILS = '<tool_call>{"name": "read_file", "arguments": {"path": "nope"}}</tool_call>\n'
  const FEEDBACK = /^1 of 2 blocks succeeded, 1 failed\.\n\nFAILED block b1/

  it('gets the reply after each run of a watch, as the summary does', async () => {
    const cwd = place()
    const { env, read } = clipboard(cwd)
    const watch = await startWatch(cli, cwd, ['inbox', '--clipboard', ...FLAGS], env)
    const reads = '<tool_call>{"name": "read_file", "arguments": {"path": "seen.txt"}}</tool_call>\n'
    writeFileSync(join(cwd, 'project', 'seen.txt'), 'contents\n')
    writeFileSync(join(cwd, 'inbox', 'a.md'), FAILS + reads)
    await watch.until('summary:')
    await untilTrue(() => FEEDBACK.test(read()) && read().includes('\n    | contents\n'))
    expect(readFileSync(join(cwd, 'inbox', 'a.md.hermes.md'), 'utf8')).toContain(`\n## To hand back to the model\n\n\`\`\`text\n${read()}\`\`\`\n`)
    writeFileSync(join(cwd, 'inbox', 'b.md'), reads)
    await untilTrue(() => read().includes('unchanged since you read it'))
  })

  it('gives the answer to apply --clipboard, and with --feedback gets the feedback', async () => {
    const cwd = place()
    const { env, read } = clipboard(cwd, adds('pasted') + FAILS)
    const plain = await cli.run(['apply', '--clipboard', '--root', 'project', '--root-alias', '/w'], { cwd, env })
    expect([plain.exitCode, log(cwd), read()]).toEqual([1, 'pasted\n', adds('pasted') + FAILS])
    const { stdout } = await cli.run(['apply', '--clipboard', '--feedback', '--root', 'project', '--root-alias', '/w'], { cwd, env })
    expect(stdout).toMatch(/^1 of 2 blocks succeeded, 1 failed\./)
    expect(read()).toBe(stdout)
    const both = await cli.run(['apply', 'a.md', '--clipboard'], { cwd, env })
    expect([both.exitCode, both.stderr]).toEqual([2, 'hermes: --clipboard and a file cannot be given together\n  Leave one of them out: the answer comes from one place.\n'])
  })

  it('that is not there is said before anything runs', async () => {
    const cwd = place()
    const env = { DISPLAY: '', WAYLAND_DISPLAY: '' }
    for (const args of [['apply', '--clipboard'], ['watch', 'inbox', '--clipboard']]) {
      const { exitCode, stderr } = await cli.run(args, { cwd, env })
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^hermes: The clipboard cannot be used: .+\n {2}On Linux it takes a display, .+--reply/)])
    }
  })
})

it.each([
  [[], 'No PATH given'], [['.', '--quiet', 'x'], 'Invalid time: x'], [['.', '--root', 'nope'], '--root'],
])('hermes watch %j is refused', async (args, message) => {
  const { exitCode, stderr } = await cli.run(['watch', ...args], { cwd: tempDir() })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
})

it.each([['nowhere/a.md', 'No such folder'], ['a.md.hermes.md', 'has the name of a summary'], ['/dev/null', 'neither a file nor a folder']])('%s is not watched', (path, message) => {
  expect(() => watchedPlace(path)).toThrow(message)
})

async function untilTrue(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1000) throw new Error(`${String(isSo)} never came true`)
    await sleep(20)
  }
}
