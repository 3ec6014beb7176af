import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTree } from '../../../../../test/support/file-tree.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { createPathGate } from '../../../../2-files/src/index.js'
import { createRunId, undo } from '../../../../3-transaction/src/index.js'
import { agentWithDelegates, copiesLeft, toldOf, type DelegatePlay } from '../support/play-delegates.js'
import { say, type ScriptedAnswer } from '../support/script.js'
import { eventsOf, useAgents } from '../support/use-agents.js'

const agents = useAgents()

type Call = [name: string, args: Record<string, unknown>]

const COPY: Call = ['delegate', { task: 'work', mode: 'copy', name: 'work' }]
const ACCEPT: Call = ['delegate_accept', { name: 'work' }]

interface Told {
  success: boolean
  code?: string
  error?: string
  hint?: string
  data: { changes?: { path: string; change: string }[]; diff?: string; left_out?: string[]; answer: string }
}

/** A conversation whose delegate makes these calls in a copy; then its changes are accepted. */
function working(
  calls: readonly Call[] | ((root: string) => readonly Call[]), own: readonly (ScriptedAnswer | DelegatePlay)[] = [say('', COPY), say('', ACCEPT), say('Done.')],
  options: Parameters<typeof agentWithDelegates>[3] = {},
) {
  const playing: ReturnType<typeof agentWithDelegates> = agentWithDelegates(agents, own, {
    work: [() => say('', ...(typeof calls === 'function' ? calls(playing.root) : calls)), say('It is done.')],
  }, options)
  return { ...playing, told: (): Told[] => toldOf(playing.requests().at(-1)) as unknown as Told[] }
}

function command(text: string): Call {
  return ['execute_command', { command: text }]
}

async function takeBack(root: string): Promise<void> {
  await undo({
    root, gate: createPathGate({ root, allow: [], forUser: true }), runId: createRunId(), force: false, git: false,
    durable: false, waitMs: 0, signal: new AbortController().signal,
  })
}

describe('a delegate in a copy', () => {
  it('changes nothing here until that is accepted, and undo takes it back', async () => {
    const seen: unknown[] = []
    const { agent, root, told } = working([
      ['write_file', { path: 'src/new.js', content: 'new\n', create_directories: true }],
      ['edit_replace', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }], command('rm old.txt && cat a.txt'),
    ], [say('', COPY), () => {
      seen.push(readTree(root))
      return say('', ACCEPT)
    }, say('Done.')])
    await using _ = agent
    const before = { 'a.txt': 'one\ntwo\nthree\n', 'old.txt': 'old\n' }
    for (const [name, text] of Object.entries(before)) writeFileSync(join(root, name), text)
    await agent.chat('Go')
    const [delegated, accepted] = told()
    expect(seen).toEqual([before])
    expect(delegated?.data.changes).toEqual([
      { path: 'a.txt', change: 'modify' }, { path: 'old.txt', change: 'delete' },
      { path: 'src/new.js', change: 'create' },
    ])
    expect(delegated?.data.diff).toContain('-two\n+TWO\n')
    expect(accepted).toMatchObject({ success: true, data: { files: ['a.txt', 'old.txt', 'src/new.js'] } })
    const after = { 'a.txt': 'one\nTWO\nthree\n', 'src/new.js': 'new\n' }
    expect(readTree(root)).toEqual(after)
    expect(copiesLeft()).toEqual([])
    await takeBack(root)
    expect(readTree(root)).toEqual(before)
  })

  it('leaves all as it is where that is not accepted', async () => {
    const { agent, root } = working([['write_file', { path: 'a.txt', content: 'other\n' }]], [say('', COPY), say('No.')])
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    await agent.chat('Go')
    expect(readTree(root)).toEqual({ 'a.txt': 'text\n' })
    expect(existsSync(join(root, '.hermes'))).toBe(false)
  })

  it('is refused whole where a file was changed here meanwhile', async () => {
    const { agent, root, told } = working([
      ['write_file', { path: 'a.txt', content: 'theirs\n' }], ['write_file', { path: 'b.txt', content: 'theirs\n' }],
    ], [say('', COPY), () => {
      writeFileSync(join(root, 'b.txt'), 'mine\n')
      return say('', ACCEPT)
    }, say('Done.')])
    await using _ = agent
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(root, name), 'text\n')
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({
      success: false, code: 'CHANGED_ON_DISK', error: 'delegate_accept: changed since the copy was made: b.txt',
    })
    expect(readTree(root)).toEqual({ 'a.txt': 'text\n', 'b.txt': 'mine\n' })
  })

  it.each([
    ['created', (root: string) => writeFileSync(join(root, 'new.txt'), 'mine\n')],
    ['deleted', (root: string) => rmSync(join(root, 'a.txt'))],
    ['made executable', (root: string) => chmodSync(join(root, 'a.txt'), 0o755)],
  ])('is refused where a file of it was %s here meanwhile', async (_what, change) => {
    const { agent, root, told } = working([
      ['write_file', { path: 'a.txt', content: 'theirs\n' }], ['write_file', { path: 'new.txt', content: 'theirs\n' }],
    ], [say('', COPY), () => {
      change(root)
      return say('', ACCEPT)
    }, say('Done.')])
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
    expect(JSON.stringify(readTree(root))).not.toContain('theirs')
  })

  it('takes over binary, executable, moved and emptied files', async () => {
    const { agent, root, told } = working([
      command('printf "\\377\\000\\001" > image.bin && chmod +x run.sh && chmod -x was.sh && mkdir lib '
        + '&& mv old.js lib/new.js && : > full.txt && printf "\\001" >> blob && chmod +x blob'),
    ])
    await using _ = agent
    const files = { 'run.sh': 'echo\n', 'was.sh': 'exit\n', 'old.js': 'same\n', 'full.txt': 'text\n', 'blob': '\0' }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
    chmodSync(join(root, 'was.sh'), 0o755)
    await agent.chat('Go')
    const [delegated, accepted] = told()
    expect(delegated?.data.changes).toEqual([
      { path: 'blob', change: 'modify', executable: true }, { path: 'full.txt', change: 'modify' },
      { path: 'image.bin', change: 'create' }, { path: 'lib/new.js', change: 'move', from: 'old.js' },
      { path: 'run.sh', change: 'modify', executable: true }, { path: 'was.sh', change: 'modify', executable: false },
    ])
    expect(delegated?.data.diff).toMatch(/blob\n\(binary[^]*new file image\.bin[^]*move old\.js → lib\/new\.js[^]*run\.sh: made executable/)
    expect(accepted).toMatchObject({ success: true, data: { files: expect.arrayContaining(['old.js → lib/new.js']) } })
    const bits = (name: string): boolean => (statSync(join(root, name)).mode & 0o100) !== 0
    expect(['blob', 'run.sh', 'was.sh', 'lib/new.js'].map(bits)).toEqual([true, true, false, false])
    expect([...readFileSync(join(root, 'image.bin'))]).toEqual([255, 0, 1])
    expect([...readFileSync(join(root, 'blob'))]).toEqual([0, 1])
    expect(readFileSync(join(root, 'lib/new.js'), 'utf8')).toBe('same\n')
    expect(existsSync(join(root, 'old.js'))).toBe(false)
    await takeBack(root)
    expect(readTree(root)).toMatchObject(files)
    expect(['blob', 'run.sh', 'was.sh'].map(bits)).toEqual([false, false, true])
  })

  it('names what is no part of the changes: links, names that are not UTF-8, what the policy closes', async () => {
    const { agent, root, told } = working([
      command('ln -s a.txt link; rm kept; printf x > "$(printf \'odd\\377\')"; printf s > .env; mkdir -p closed .vscode; '
        + 'printf x > closed/b; printf x > .vscode/settings.json; mkfifo pipe; printf y > a.txt'),
    ], undefined, { policy: { deny: ['closed/**'] } })
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    symlinkSync('a.txt', join(root, 'kept'))
    await agent.chat('Go')
    const [delegated, accepted] = told()
    expect(delegated?.data.changes).toEqual([{ path: 'a.txt', change: 'modify' }])
    const left = (delegated?.data.left_out ?? []).join('\n')
    for (const name of ['link: it is a link', 'kept: it was a link', 'odd\\xff: ', '.env: ', 'closed/b: ', '.vscode/settings.json: ']) {
      expect(left).toContain(name)
    }
    expect(accepted).toMatchObject({ success: true, data: { files: ['a.txt'] } })
  })

  it('reads nothing through a link that a command put in the place of a folder', async () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'config'), 'private of the user\n')
    const { agent, root, told } = working([command(`mv d e && ln -s '${outside}' d`)], [say('', COPY), say('No.')])
    await using _ = agent
    mkdirSync(join(root, 'd'))
    writeFileSync(join(root, 'd', 'config'), 'of the project\n')
    await agent.chat('Go')
    const [delegated] = told()
    expect(delegated?.data.left_out).toEqual(expect.arrayContaining(['d/config: a folder above it is a link']))
    expect(JSON.stringify(delegated)).not.toContain('private')
  })

  it('proposes nothing of what is too much, and reads no more of it than it would keep', async () => {
    const { agent, root, told } = working([
      command('for i in 1 2 3 4; do truncate -s 1T big$i; done; echo new > small.txt'),
    ], [say('', COPY), say('No.')])
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    await agent.chat('Go')
    const [delegated] = told()
    expect(delegated?.data.left_out).toEqual(['All of it: 5 files, 4194305 MiB changed, of 2000 files and 32 MiB at most'])
  })

  it('takes over what is little beside large files that were only moved', async () => {
    const { agent, root, told } = working([command('mkdir m; mv *.bin m; head -c 9000000 m/1.bin > z.bin; echo end >> z.bin')])
    await using _ = agent
    const names = ['1.bin', '2.bin', '3.bin']
    for (const name of names) writeFileSync(join(root, name), Buffer.alloc(9_000_000, name))
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({
      success: true, data: { files: [...names.map((name) => `${name} → m/${name}`), 'z.bin'] },
    })
    const [first, last] = ['m/1.bin', 'z.bin'].map((name) => readFileSync(join(root, name)))
    expect(last?.equals(Buffer.concat([first ?? Buffer.of(), Buffer.from('end\n')]))).toBe(true)
  })

  it('has nothing in its copy that its giver may not read, nor what leads out of it', async () => {
    const { agent, root, requests } = working([
      command('ls -A; cat .env closed/b; ls -l inside'), ['read_file', { path: '.env' }],
      ['read_file', { path: 'closed/b' }],
    ], undefined, { policy: { deny: ['closed/**'] } })
    await using _ = agent
    for (const name of ['closed', '.git', '.hermes']) mkdirSync(join(root, name))
    for (const name of ['.env', 'closed/b', '.git/HEAD', 'a.txt']) writeFileSync(join(root, name), 'secret\n')
    symlinkSync('/etc/hostname', join(root, 'outside'))
    symlinkSync('a.txt', join(root, 'inside'))
    await agent.chat('Go')
    const [listed, ...read] = toldOf(requests('work')[1])
    const output = JSON.stringify(listed)
    expect(output).toMatch(/inside -> a\.txt/)
    expect(output).not.toMatch(/secret|outside|HEAD/)
    expect(read.map(({ code }) => code)).toEqual(['POLICY_DENIED', 'POLICY_DENIED'])
  })

  it('never shows where its copy is, and reads the paths of the project', async () => {
    const { agent, root, model, requests } = working((at) => [
      command('pwd; pwd > where.txt; ls ..'), ['read_file', { path: join(at, 'a.txt') }],
      ['read_file', { path: 'missing.txt' }], command(`cat ${at}/a.txt; echo ${at}-2`),
      ['write_file', { path: 'kept.txt', content: `in ${at}/a.txt\n` }],
    ])
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text of a\n')
    await agent.chat('Go')
    expect(JSON.stringify(agents.server.requests(model))).not.toContain('hermes-delegate-')
    const [place, read, missing, printed] = toldOf(requests('work')[1])
    expect(JSON.stringify(place)).toContain(root)
    expect(JSON.stringify(read)).toContain('text of a')
    expect(missing).toMatchObject({ success: false, code: 'ENOENT' })
    expect(JSON.stringify(printed)).toContain(`text of a\\n${root}-2`)
    expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe(`in ${root}/a.txt\n`)
    expect(readFileSync(join(root, 'where.txt'), 'utf8')).toBe(`${root}\n`)
  })

  it('is refused for a tree that is too large, before anything is copied', async () => {
    const { agent, root, told } = working([], [say('', COPY), say('Well.')], { delegate: { copyFiles: 2 } })
    await using _ = agent
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), 'text\n')
    await agent.chat('Go')
    expect(told()[0]).toMatchObject({ success: false, code: 'FILE_TOO_LARGE', error: expect.stringContaining('3 files') })
  })

  it('asks its user by its name, and what was said of always is not kept', async () => {
    const asked: { reason: string; exact?: string | undefined }[] = []
    const { agent, requests } = working([command('echo hi')], [say('', COPY), say('Done.')], {
      policy: { verbs: { exec: 'ask' } },
      approve: ({ reason, exact }) => {
        asked.push({ reason, exact })
        return 'always'
      },
    })
    await using _ = agent
    await agent.chat('Go')
    expect(asked).toEqual([{ reason: expect.stringMatching(/^delegate work: /) as string, exact: undefined }])
    expect(toldOf(requests('work')[1])).toMatchObject([{ success: true }])
  })

  it('is denied what nobody is there to approve', async () => {
    const { agent, requests } = working([command('echo hi')], [say('', COPY), say('Done.')], { policy: { verbs: { exec: 'ask' } } })
    await using _ = agent
    await agent.chat('Go')
    expect(toldOf(requests('work')[1])).toMatchObject([{ success: false, code: 'APPROVAL_DENIED' }])
  })

  it('is accepted with the difference before the user, where writes are asked about', async () => {
    const diffs: (string | undefined)[] = []
    const { agent, root, told } = working([command('printf "TWO\\n" > a.txt; chmod +x a.txt')], undefined, {
      policy: { verbs: { write: 'ask' } },
      approve: ({ diff }) => {
        diffs.push(diff)
        return diffs.length === 1 ? 'once' : 'deny'
      },
    })
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'two\n')
    await agent.chat('Go')
    expect(diffs).toEqual([expect.stringContaining('-two\n+TWO')])
    expect(told()[1]).toMatchObject({ success: true })
    expect(readTree(root)).toEqual({ 'a.txt': 'TWO\n' })
  })

  it('cannot be accepted where writes are switched off', async () => {
    const { agent, root, told } = working([command('echo x > a.txt')], undefined, { policy: { verbs: { write: 'off' } } })
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({ success: false })
    expect(readTree(root)).toEqual({ 'a.txt': 'text\n' })
  })

  it('is refused whole where a link is in the place of a file meanwhile', async () => {
    const playing = working([['write_file', { path: 'a.txt', content: 'new\n' }]], [say('', COPY), () => {
      rmSync(join(playing.root, 'a.txt'))
      symlinkSync('b.txt', join(playing.root, 'a.txt'))
      return say('', ACCEPT)
    }, say('Done.')])
    await using _ = playing.agent
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(playing.root, name), 'the same\n')
    await playing.agent.chat('Go')
    expect(playing.told()[1]).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
    expect(readFileSync(join(playing.root, 'b.txt'), 'utf8')).toBe('the same\n')
  })

  it('is refused whole where a link is in the place of a folder meanwhile', async () => {
    const playing = working([['write_file', { path: 'd/a.txt', content: 'new\n' }]], [say('', COPY), () => {
      renameSync(join(playing.root, 'd'), join(playing.root, 'e'))
      symlinkSync('e', join(playing.root, 'd'))
      return say('', ACCEPT)
    }, say('Done.')])
    await using _ = playing.agent
    mkdirSync(join(playing.root, 'd'))
    writeFileSync(join(playing.root, 'd', 'a.txt'), 'old\n')
    await playing.agent.chat('Go')
    expect(playing.told()[1]).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
    expect(readFileSync(join(playing.root, 'e', 'a.txt'), 'utf8')).toBe('old\n')
  })

  it('is refused whole where it would put a file in the place of a folder, and says so', async () => {
    const { agent, root, told } = working([command('rm g/y && rmdir g && echo g > g; echo new > a.txt')])
    await using _ = agent
    mkdirSync(join(root, 'g'))
    for (const name of ['a.txt', 'g/y']) writeFileSync(join(root, name), 'text\n')
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({
      success: false, code: 'EISDIR', error: 'delegate_accept: a folder is in the place of g',
    })
    expect(readTree(root)).toEqual({ 'a.txt': 'text\n', 'g/y': 'text\n' })
  })

  it('is accepted without files that were larger than the limits let a file be', async () => {
    const { agent, root, told } = working([command('echo >> big1; rm big2; mv big3 big4; echo new > a.txt')], undefined, {
      limits: { maxFileBytes: 1000 },
    })
    await using _ = agent
    for (const name of ['big1', 'big2', 'big3']) writeFileSync(join(root, name), name.repeat(1000))
    writeFileSync(join(root, 'a.txt'), 'text\n')
    await agent.chat('Go')
    const [delegated, accepted] = told()
    expect(delegated?.data.left_out).toEqual(['big1', 'big2', 'big3'].map((name) => (
      `${name}: it was larger than a file may be (1000 bytes)`
    )))
    expect(accepted).toMatchObject({ success: true, data: { files: ['a.txt', 'big4'] } })
    expect(readFileSync(join(root, 'big2'), 'utf8')).toBe('big2'.repeat(1000))
  })

  it('has nothing to accept where another of its name changed nothing', async () => {
    const { agent, root, requests } = agentWithDelegates(agents, [
      say('', COPY), say('', ['delegate', { task: 'idle', mode: 'copy', name: 'work' }]), say('', ACCEPT), say('Done.'),
    ], { work: [say('', ['write_file', { path: 'a.txt', content: 'new\n' }]), say('Done.')], idle: [say('Nothing to do.')] })
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'old\n')
    await agent.chat('Go')
    expect(toldOf(requests().at(-1))[2]).toMatchObject({ success: false, code: 'INVALID_PARAMETER' })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old\n')
  })

  it('is accepted once, and by its name', async () => {
    const { agent, root, told } = working([['write_file', { path: 'a.txt', content: 'new\n' }]], [
      say('', COPY), say('', ['delegate_accept', { name: 'other' }], ACCEPT), say('', ACCEPT), say('Done.'),
    ])
    await using _ = agent
    await agent.chat('Go')
    const [, unknown, first, again] = told()
    expect(unknown).toMatchObject({ success: false, code: 'INVALID_PARAMETER', hint: 'There are some of work.' })
    expect(first).toMatchObject({ success: true, data: { files: ['a.txt'], bytes: 4 } })
    expect(again).toMatchObject({ success: true, data: { already: true, bytes: 0 } })
    expect(readTree(root)).toEqual({ 'a.txt': 'new\n' })
  })

  it('puts back what it did where the rest cannot be done', async () => {
    const { agent, root, told } = working([
      command('printf new > a.txt; rm b.txt; mkdir -p c/d; mv e.txt c/d/f.txt; printf new > c/new.txt; chmod +x m.sh; '
        + 'printf "%01000d" 0 > z.txt'),
    ], undefined, { limits: { maxWrittenBytes: 100 } })
    await using _ = agent
    const before = { 'a.txt': 'text\n', 'b.txt': 'b\n', 'e.txt': 'moved\n', 'm.sh': 'exit\n', 'z.txt': 'z\n' }
    for (const [name, text] of Object.entries(before)) writeFileSync(join(root, name), text)
    await agent.chat('Go')
    expect(told()[0]?.data.changes).toHaveLength(6)
    // The last of them is more than the run may write.
    expect(told()[1]).toMatchObject({
      success: false, code: 'POLICY_DENIED', hint: 'Nothing was taken over.', error: expect.stringContaining('may write 100 bytes'),
    })
    expect(readTree(root)).toEqual(before)
    expect(statSync(join(root, 'm.sh')).mode & 0o111).toBe(0)
  })

  it('is shown as one call, whose progress tells of the copy', async () => {
    const { agent, root } = working([['write_file', { path: 'a.txt', content: 'new\n' }]], [say('', COPY), say('Done.')])
    await using _ = agent
    writeFileSync(join(root, 'a.txt'), 'text\n')
    const events = await eventsOf(agent.run('Go'))
    expect(events.filter(({ type }) => type === 'call_start')).toHaveLength(1)
    expect(events.flatMap((event) => (event.type === 'call_output' ? event.lines : []))).toEqual([
      'work: copying the project', 'work: turn 1 · thinking', 'work: turn 1 · write_file a.txt',
      'work: turn 2 · thinking', 'work: comparing the copy',
    ])
  })
})
