import { expect, it } from 'vitest'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { command, SANDBOXES, Stage } from './stage.js'

const program = useProgram(new URL('./run-commands.ts', import.meta.url))
/** In a namespace that allows no other: bubblewrap is there and cannot work, as in many containers. */
const WITHOUT_NAMESPACES = ['bwrap', '--unshare-user', '--disable-userns', '--dev-bind', '/', '/']

needing('bubblewrap').describe('where the sandbox does not work', () => {
  it('each command needs an approval of its own', async () => {
    const stage = new Stage()
    const answers = [command('touch one'), command('touch two')]
    const { results, asked } = await stage.ask(program.path, answers, { sandbox: 'auto' }, 'once', WITHOUT_NAMESPACES)
    expect(results.map(({ results: [result] }) => result)).toMatchObject([{ data: { sandbox: 'none' } }, { data: { sandbox: 'none' } }])
    expect(asked).toMatchObject([
      { action: 'execute_command', kind: 'unsandboxed', command: 'touch one' }, { kind: 'unsandboxed', command: 'touch two' },
    ])
    expect(asked[0]?.reason).toMatch(/^runs without a sandbox \(.+\): it can do whatever you can$/)
  })

  it.each([
    ['deny', 'execute_command: the user did not allow it to run without a sandbox'],
    [undefined, /^execute_command: there is no sandbox here \(.+\), and nobody to allow the command without one$/],
  ] as const)('nothing runs without it (%s)', async (consent, message) => {
    const stage = new Stage()
    const { results: [run] } = await stage.ask(program.path, [command('touch one')], { sandbox: 'auto' }, consent, WITHOUT_NAMESPACES)
    expect(run?.results[0]).toMatchObject({
      code: 'APPROVAL_DENIED', error: typeof message === 'string' ? message : expect.stringMatching(message) as string,
    })
    expect(stage.has('project/one')).toBe(false)
  })

  it.each(['bwrap', 'unshare'] as const)('the one that was asked for is needed: %s', async sandbox => {
    const stage = new Stage()
    const { results: [run], asked } = await stage.ask(program.path, [command('touch one')], { sandbox }, 'once', WITHOUT_NAMESPACES)
    expect(run?.results[0]).toMatchObject({
      code: 'NOT_INSTALLED', error: expect.stringMatching(`^execute_command: the sandbox ${sandbox} does not work here: `) as string,
    })
    expect(asked).toEqual([])
    expect(stage.has('project/one')).toBe(false)
  })

  it('git asks once a run about its filters, and once about its hooks', async () => {
    const stage = new Stage()
    stage.plant('project/.gitattributes', '*.txt filter=f\n')
    stage.handOver()
    stage.git('init', '-q')
    for (const use of ['clean', 'smudge']) stage.git('config', `filter.f.${use}`, 'cat')
    stage.git('add', '-A')
    stage.git('commit', '-qm', 'first')
    stage.plant('project/.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n', 0o755)
    const { results: [run], asked } = await stage.ask(program.path, [command('echo more >>file.txt')], { sandbox: 'auto' }, 'once', WITHOUT_NAMESPACES)
    expect(run?.success).toBe(true)
    const questions = asked.map(({ action, command: text }) => `${action}: ${text}`)
    expect(new Set(questions).size).toBe(questions.length)
    expect(questions).toContain('execute_command: echo more >>file.txt')
  })

  it('the hooks of a project are asked about once, with all that there is to it', async () => {
    const stage = new Stage()
    stage.plant('project/hermes.yaml', 'hooks:\n  before:\n    - run: touch one\n  after:\n    - run: touch two\n')
    stage.handOver()
    const { results: [run], asked } = await stage.ask(program.path, [command('touch three')], { sandbox: 'auto', policy: {} }, 'once', WITHOUT_NAMESPACES)
    expect(run?.hooks).toMatchObject([{ success: true, sandbox: 'none' }, { success: true }])
    expect(asked).toMatchObject([
      { action: 'hooks', kind: 'unsandboxed', reasons: [{ kind: 'hooks' }, { kind: 'unsandboxed' }] }, { action: 'execute_command' },
    ])
    const refused = new Stage()
    refused.plant('project/hermes.yaml', 'hooks:\n  before:\n    - run: touch one\n')
    refused.handOver()
    await refused.ask(program.path, [command('true')], { sandbox: 'auto', policy: {} }, 'deny', WITHOUT_NAMESPACES)
    expect(refused.has('project/one')).toBe(false)
  })

  it('none is a consent for all', async () => {
    const stage = new Stage()
    const { results: [run], asked } = await stage.ask(program.path, [command('touch one')], { sandbox: 'none' }, 'deny', WITHOUT_NAMESPACES)
    expect(run?.results[0]).toMatchObject({ success: true, data: { sandbox: 'none' } })
    expect(asked).toEqual([])
  })
})

needing('namespaces').it('where bubblewrap is missing, auto is unshare', async () => {
  const stage = new Stage()
  // Where it is there, an empty file lies over it.
  const hidden = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', 'for p in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -f $p ] || mount --bind /dev/null $p; done; exec "$@"', 'sh']
  const { results: [run], asked } = await stage.ask(program.path, [command('cat ~/secret.txt; echo ran')], { sandbox: 'auto' }, undefined, hidden)
  expect(run?.results[0]).toMatchObject({ success: true, data: { sandbox: 'unshare', stdout: 'ran\n' } })
  expect(asked).toEqual([])
})

for (const [sandbox, needs] of SANDBOXES) needing(...needs).describe(`in ${sandbox}`, () => {
  it('the network is the user\'s to open', async () => {
    const stage = new Stage()
    await stage.listen()
    const reach = command(`exec 3<>/dev/tcp/127.0.0.1/${stage.port}`)
    const { results: [closed] } = await stage.ask(program.path, [reach], { sandbox }, 'once')
    expect(closed?.results[0]).toMatchObject({ success: false })
    expect(stage.connections).toBe(0)
    const { results: [open] } = await stage.ask(program.path, [reach], { sandbox, network: true }, 'once')
    expect(open?.results[0]).toMatchObject({ success: true, data: { sandbox } })
    expect(stage.connections).toBe(1)
  })

  it.each([
    ['cat ~/secret.txt', 'it does not show /'],
    ['mkdir .git/x', '.git is read-only there; only the root and the directories of --allow can be written'],
    ['touch /usr/x', 'only the root and the directories of --allow can be written'],
    ["python3 -c 'import urllib.request as u; u.urlopen(\"http://example.invalid\")'", 'there is no network in it'],
    ['fallocate -l 1500000000 /tmp/big', '/tmp and the home are in memory'],
  ])('a failure that it caused says so: %s', async (text, hint) => {
    const stage = new Stage()
    const { results: [run] } = await stage.ask(program.path, [command(text)], { sandbox })
    expect(run?.results[0]).toMatchObject({ code: 'NONZERO_EXIT' })
    expect(run?.results[0]?.hint).toContain(`The command ran in a sandbox: ${hint}`)
  })

  it.each([['exit 3'], ['ls no-such-file'], ['cat /tmp/no-such-file']])('another failure does not: %s', async text => {
    const stage = new Stage()
    const { results: [run] } = await stage.ask(program.path, [command(text)], { sandbox })
    expect(run?.results[0]).toMatchObject({ code: 'NONZERO_EXIT' })
    expect(run?.results[0]?.hint).not.toContain('sandbox')
  })

  it('the user is known by name, and no other account', async () => {
    const stage = new Stage()
    const { results: [run] } = await stage.ask(program.path, [command('id -u; whoami; wc -l < /etc/passwd; ls -A ~ /tmp | grep -v :; ls /etc/shadow /etc/ssh')], { sandbox })
    expect(run?.results[0]).toMatchObject({ code: 'NONZERO_EXIT', data: { stdout: expect.stringMatching(/^\d+\n\S+\n[12]\n/) as string } })
  })

  it('nothing is left in the root but what commands wrote', async () => {
    const stage = new Stage()
    await stage.ask(program.path, [command('echo x > y')], { sandbox })
    expect([stage.has('project/.git'), stage.has('project/hermes.yaml'), stage.has('project/y')]).toEqual([false, false, true])
  })
})
