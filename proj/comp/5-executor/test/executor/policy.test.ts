import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { policyWorld, PROJECT, USER } from '../../../2-config/test/config/policy-world.js'
import {
  defineVerb, type ApprovalAnswer, type ApprovalRequest, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'
import { execute, Hermes, VerbExecutor, type ExecutorOptions } from '../../src/executor/index.js'
import { expectAccounts } from './accounts.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const write = (path: string, content = 'x'): string => call('fs.writeFile', { path, content })
const probe = call('test_exec', { command: 'make it so' })

/** The built-in verbs, and one of the class exec that only looks at what it gets. */
function registryWith(seen: VerbContext[]): VerbRegistry {
  return new VerbRegistry(VERBS).register(defineVerb({
    name: 'test_exec', vocabulary: 'clada', description: 'For tests.', category: 'test', version: '1.0.0', type: 'dynamic',
    constraints: [], primary: 'command', examples: [], accessibility: ['llm'],
    args: v.strictObject({ command: v.string() }), result: v.unknown(),
    handler: (_, context) => { seen.push(context) },
  }))
}

interface Asked {
  requests: ApprovalRequest[]
  seen: VerbContext[]
  run(text: string, options?: ExecutorOptions): ReturnType<typeof execute>
}

function asking(root: string, answer?: ApprovalAnswer | ((request: ApprovalRequest) => ApprovalAnswer)): Asked {
  const requests: ApprovalRequest[] = []
  const seen: VerbContext[] = []
  const approve = (request: ApprovalRequest): ApprovalAnswer => {
    requests.push(request)
    return typeof answer === 'function' ? answer(request) : answer ?? 'deny'
  }
  return {
    requests,
    seen,
    async run(text, options) {
      const result = await execute(text, {
        root, gitCommit: false, registry: registryWith(seen), ...(answer && { approve }), ...options,
      })
      expectAccounts(result, options?.dryRun)
      return result
    },
  }
}

describe('off', () => {
  it.each([
    ['write', write('a.txt')], ['read', call('fs.readFile', { path: 'top.txt' })], ['exec', probe],
    ['git', call('git_commit', { message: 'm', files: ['top.txt'] })],
  ])('%s: verbs of the class fail, the others run', async (name, text) => {
    const { root } = policyWorld({ [PROJECT]: `# why\nverbs:\n  ${name}: off\n`, 'project/top.txt': 'here' })
    const { run, seen } = asking(root, 'once')
    const result = await run(`${text}${call('context_list', {})}`)
    expect(result.results).toMatchObject([
      { success: false, code: 'POLICY_DENIED', error: expect.stringMatching(`is switched off: hermes.yaml:3 says ${name}: off`) as string },
      { success: true },
    ])
    expect(result.results[0]?.hint).toBeTruthy()
    expect([existsSync(join(root, 'a.txt')), seen]).toEqual([false, []])
  })

  it('counts in a dry run and for one envelope too', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { write: off }' })
    expect((await asking(root).run(write('a.txt'), { dryRun: true })).results[0]).toMatchObject({ code: 'POLICY_DENIED' })
    const printed = await new VerbExecutor({ root }).execute({ verb: 'fs.writeFile', arguments: { path: 'a', content: '' } })
    expect(JSON.parse(printed)).toMatchObject({
      succeeded: false, errorCode: 'POLICY_DENIED',
      errorMessage: 'fs.writeFile is switched off: ~/.hermes/config.yaml:1 says write: off',
    })
  })
})

describe('ask', () => {
  it('asks before each call, and says what for', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs: { write: ask, exec: ask }' })
    const { run, requests } = asking(root, 'once')
    const result = await run(`${write('a.txt')}${write('b.txt')}${probe}${call('fs.exists', { path: 'a.txt' })}`)
    expect(result.success).toBe(true)
    expect(requests).toHaveLength(3)
    expect(requests).toMatchObject([
      { action: 'fs.writeFile', kind: 'policy', reason: 'hermes.yaml:1 asks before every verb that is write (a.txt)' },
      { action: 'fs.writeFile', kind: 'policy', reason: 'hermes.yaml:1 asks before every verb that is write (b.txt)' },
      { action: 'test_exec', kind: 'policy', command: 'make it so', reason: 'hermes.yaml:1 asks before every verb that is exec' },
    ])
  })

  it('a no, and nobody to ask, are failures; nothing happens', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs: { write: ask }' })
    expect((await asking(root, 'deny').run(write('a.txt'))).results).toMatchObject([
      { success: false, code: 'APPROVAL_DENIED', error: 'fs.writeFile: the user does not want this to run' },
    ])
    expect((await asking(root).run(write('a.txt'))).results).toMatchObject([{
      success: false, code: 'APPROVAL_DENIED', hint: expect.stringContaining('--yes') as string,
      error: 'fs.writeFile needs an approval: hermes.yaml:1 asks before every verb that is write (a.txt)',
    }])
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })

  it('a dry run asks only before it shows what is read', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs: { write: ask, exec: ask, read: ask }' })
    const { run, requests } = asking(root, 'once')
    await run(`${write('a.txt')}${probe}${call('fs.readFile', { path: 'hello.txt' })}`, { dryRun: true })
    expect(requests.map(({ action }) => action)).toEqual(['fs.readFile'])
  })
})

describe('network', () => {
  const network = (seen: readonly VerbContext[]) => seen.map(({ policy }) => policy.verbs.network.value)

  it('is off unless an option opens it', async () => {
    const { root } = policyWorld({})
    const { run, seen } = asking(root)
    await run(probe)
    await run(probe, { network: true })
    expect(network(seen)).toEqual(['off', 'on'])
  })

  it('ask: each command gets it or runs without', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { network: ask }' })
    const answers: ApprovalAnswer[] = ['once', 'deny']
    const { run, seen, requests } = asking(root, () => answers.shift() ?? 'deny')
    expect((await run(`${probe}${probe}`)).success).toBe(true)
    expect(network(seen)).toEqual(['on', 'off'])
    expect(requests[0]).toMatchObject({
      action: 'test_exec with network', kind: 'policy', command: 'make it so',
      reason: '~/.hermes/config.yaml:1 asks before a command gets the network',
    })
  })

  it('is asked about in one question with the verb', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { network: ask, exec: ask }' })
    const allowed = asking(root, 'session')
    await allowed.run(`${probe}${probe}`)
    expect(network(allowed.seen)).toEqual(['on', 'on'])
    expect(allowed.requests).toMatchObject([{
      action: 'test_exec', network: true, reasons: [{ kind: 'policy' }, { kind: 'policy', pattern: 'network' }],
    }])
    const refused = asking(root, 'deny')
    await refused.run(probe)
    expect([refused.seen, refused.requests.length]).toEqual([[], 1])
  })

  it('cannot be kept off without a sandbox: then commands are refused', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { network: off }\nsandbox: none' })
    const { run, seen } = asking(root, 'once')
    expect((await run(probe)).results).toMatchObject([{ code: 'POLICY_DENIED', error: expect.stringContaining('config.yaml:1') as string }])
    expect(seen).toEqual([])
  })

  it('is kept off by a project as well', async () => {
    const { root } = policyWorld({ [USER]: 'sandbox: none', [PROJECT]: 'verbs: { network: off }' })
    const { run, seen } = asking(root, 'once')
    expect((await run(probe)).results).toMatchObject([{ code: 'POLICY_DENIED', error: expect.stringContaining('hermes.yaml:1') as string }])
    expect(seen).toEqual([])
  })
})

describe('limits', () => {
  it('blocks of one run', async () => {
    const { root } = policyWorld({ [PROJECT]: 'limits: { blocks: 2 }' })
    const result = await asking(root).run(['a', 'b', 'c', 'd'].map((name) => write(name)).join(''))
    expect(result.results.map(({ code }) => code)).toEqual([undefined, undefined, 'POLICY_DENIED', 'POLICY_DENIED'])
    expect(result.results[2]?.error).toBe('Not started: a run may have 2 blocks')
    expect(result).toMatchObject({ totalBlocks: 4, executedActions: 2 })
  })

  it('bytes written by one run, copies included', async () => {
    const { root } = policyWorld({ [PROJECT]: 'limits: { written: 10 }' })
    const copy = (to: string): string => call('fs.copyFile', { sourcePath: 'a', destinationPath: to })
    const result = await asking(root).run(`${write('a', '1234')}${copy('b')}${copy('c')}${write('d', '12')}${write('e', '1')}`)
    expect(result.results.map(({ code, error }) => code ?? error)).toEqual([
      undefined, undefined, 'POLICY_DENIED', undefined, 'POLICY_DENIED',
    ])
    expect(result.results[2]?.error).toBe('Not written: a run may write 10 bytes, and 8 are written')
    expect(['b', 'c', 'd', 'e'].map((name) => existsSync(join(root, name)))).toEqual([true, false, true, false])
  })

  it('size of one file', async () => {
    const { root } = policyWorld({ [PROJECT]: 'limits: { file_size: 3 }' })
    expect((await asking(root).run(write('a', '1234'))).results).toMatchObject([{ code: 'FILE_TOO_LARGE' }])
  })

  it('time of one run', async () => {
    const { root } = policyWorld({ [PROJECT]: 'limits: { run_time: 300ms }' })
    const seen: VerbContext[] = []
    const hermes = new Hermes({ root, gitCommit: false, registry: registryWith(seen) })
    const results = []
    async function* slowly(): AsyncGenerator<string> {
      yield probe
      await new Promise((resolve) => setTimeout(resolve, 350))
      yield write('late.txt')
    }
    for await (const event of hermes.stream(slowly())) if (event.type === 'block-end') results.push(event.result)
    expect(results).toMatchObject([{ success: true }, { code: 'TIMEOUT', error: expect.stringContaining('0.3 s') as string }])
    expect(seen[0]?.limits.maxCommandTimeoutMs).toBeLessThanOrEqual(300)
    expect(existsSync(join(root, 'late.txt'))).toBe(false)
  })
})

describe('a policy that cannot be read', () => {
  it('stops the run and says where', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs:\n  exec: off\n  wirte: off\n' })
    const result = await asking(root, 'once').run(`${write('a.txt')}${probe}`)
    expect(result).toMatchObject({
      success: false, executedActions: 0, fatalError: `hermes.yaml:3:3: unknown name verbs.wirte; did you mean write? (in ${root})`,
      results: [{ code: 'CANCELLED' }, { code: 'CANCELLED' }],
    })
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
    const printed = await new VerbExecutor({ root }).execute({ verb: 'fs.exists', arguments: { path: 'a' } })
    expect(JSON.parse(printed)).toMatchObject({
      succeeded: false, errorCode: 'INVALID_POLICY',
      errorMessage: `hermes.yaml:3:3: unknown name verbs.wirte; did you mean write? (in ${root})`,
    })
  })

  it.each<[name: string, policy: unknown, message: RegExp]>([
    ['an unknown name', { verb: {} }, /option 'policy': unknown name verb; did you mean verbs\?/],
    ['a wrong value', { verbs: { exec: 'no' } }, /verbs\.exec: write on, ask or off/],
    ['a list', [], /policy/],
    ['true', true, /policy/],
    ['an empty path', '', /policy/],
  ])('as an option, %s, throws', (_, policy, message) => {
    const { root } = policyWorld({})
    expect(() => new Hermes({ root, policy: policy as ExecutorOptions['policy'] as never })).toThrowError(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringMatching(message) as string }) as Error,
    )
  })
})

describe('model text cannot change a policy', () => {
  const files: [name: string, inside: 'project' | 'home', path: string][] = [
    ['that of the project', 'project', 'hermes.yaml'], ['that of the user', 'home', '.hermes/config.yaml'],
  ]
  it.each(files)('%s: no verb may touch it', async (_, inside, path) => {
    const { root, home } = policyWorld({ [USER]: 'deny: [x]\n', [PROJECT]: 'deny: [y]\n' })
    const directory = inside === 'home' ? home : root
    const file = join(directory, path)
    const before = readFileSync(file, 'utf8')
    const attempts = [
      write(file, 'deny: []'), call('fs.deleteFile', { path: file }), call('fs.readFile', { path: file }),
      call('fs.moveFile', { sourcePath: file, destinationPath: join(directory, 'elsewhere') }),
      call('fs.moveFile', { sourcePath: join(directory, 'mine'), destinationPath: file, overwrite: true }),
      call('fs.copyFile', { sourcePath: join(directory, 'mine'), destinationPath: file, overwrite: true }),
      call('fs.deleteDirectory', { path: join(file, '..') }),
    ]
    writeFileSync(join(directory, 'mine'), 'deny: []')
    for (const options of [{ root }, { root, allow: [home] }, { root: home }]) {
      const { results } = await asking(root, 'once').run(attempts.join(''), options)
      expect(results.map(({ success }) => success)).toEqual(attempts.map(() => false))
      expect(readFileSync(file, 'utf8')).toBe(before)
    }
  })

  it('a change that something else made counts from the next session on', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs: { write: off }' })
    const hermes = new Hermes({ root, gitCommit: false })
    await hermes.execute(write('a.txt'))
    writeFileSync(join(root, 'hermes.yaml'), 'verbs: { write: on }')
    expect((await hermes.execute(write('a.txt'))).results).toMatchObject([{ code: 'POLICY_DENIED' }])
    expect((await asking(root).run(write('a.txt'))).success).toBe(true)
  })

  it("a project's file loosens nothing, and the result says so", async () => {
    const hostile = 'sandbox: none\nverbs: { network: on }\nroots: [/]\nallow: ["/**"]\nenv: ["*"]\n'
    const { root, home } = policyWorld({ [PROJECT]: hostile, 'home/secret.txt': 'mine' })
    const { run, seen } = asking(root)
    const result = await run(`${probe}${call('fs.readFile', { path: join(home, 'secret.txt') })}`)
    expect(result.warnings).toHaveLength(3)
    expect(result.results).toMatchObject([{ success: true }, { code: 'POLICY_DENIED' }])
    expect(seen[0]?.policy).toMatchObject({ sandbox: { value: 'auto' }, verbs: { network: { value: 'off' } } })
    expect(seen[0]?.policy.passesEnv('AWS_SECRET_ACCESS_KEY')).toBe(false)
  })
})

describe('how files have answers read', () => {
  const written = '<write_to_file>\n<path>a.txt</path>\n<content>\nnew\n</content>\n</write_to_file>\n'
  const command = '<execute_command>\n<command>touch ran.txt</command>\n</execute_command>\n'

  it.each([
    ["the project's", { [PROJECT]: 'dialects: [cline]\n' }], ["the user's", { [USER]: 'dialects: [cline]\n' }],
  ])('reads the dialects of %s file, whole and as a stream', async (_, files) => {
    const { root } = policyWorld(files)
    expect(await execute(written, { root, gitCommit: false })).toMatchObject({ success: true, executedActions: 1 })
    writeFileSync(join(root, 'a.txt'), 'old')
    const hermes = new Hermes({ root, gitCommit: false })
    for await (const event of hermes.stream(written)) if (event.type === 'end') expect(event.result.success).toBe(true)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new\n')
    await hermes[Symbol.asyncDispose]()
  })

  it('counts the option before the files', async () => {
    const { root } = policyWorld({ [PROJECT]: 'dialects: [cline]\nmapping: codex\n' })
    const result = await execute(written, { root, gitCommit: false, editFormats: [] })
    expect(result.parseErrors.map(({ error }) => error.code)).toEqual(['NOT_READ'])
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })

  it.each([
    ['dialect', 'dialects: [cline]\n', command], ['dialect', 'dialects: [gptme]\n', '```shell\ntouch ran.txt\n```\n'],
    ['dialect', 'dialects: [mini-swe-agent]\n', '```bash\ntouch ran.txt\n```\n'],
    ['dialect', 'dialects: [swe-agent]\n', '```\ntouch ran.txt\n```\n'],
    ['dialect', 'dialects: [bolt]\n', '<boltAction type="shell">\ntouch ran.txt\n</boltAction>\n'], ['mapping', 'mapping: claude-code\n', call('Bash', { command: 'touch ran.txt' })],
  ])('asks about commands that only the %s of the project makes run', async (name, policy, text) => {
    const { root } = policyWorld({ [PROJECT]: policy })
    const alone = asking(root)
    expect((await alone.run(text, { registry: new VerbRegistry(VERBS) })).results)
      .toMatchObject([{ success: false, code: 'APPROVAL_DENIED', error: expect.stringContaining(`hermes.yaml:1 (${name}`) as string }])
    expect(existsSync(join(root, 'ran.txt'))).toBe(false)
    const asked = asking(root, 'once')
    expect((await asked.run(text, { registry: new VerbRegistry(VERBS) })).success).toBe(true)
    expect(asked.requests).toHaveLength(1)
    expect(existsSync(join(root, 'ran.txt'))).toBe(true)
  })

  it('takes what the user has read of one run for their own choice', async () => {
    const { root } = policyWorld({ [PROJECT]: 'dialects: [cline]\n' })
    const hermes = new Hermes({ root, gitCommit: false })
    expect(await hermes.execute(command, { alsoRead: ['cline'] })).toMatchObject({ success: true })
    expect((await hermes.execute(command)).results[0]?.code).toBe('APPROVAL_DENIED')
    await hermes[Symbol.asyncDispose]()
  })

  it.each([
    ['the dialects of its own file', { [USER]: 'dialects: [cline]\n', [PROJECT]: 'dialects: [cline]\n' }, undefined],
    ['a dialect of an option', { [PROJECT]: 'dialects: [cline]\n' }, ['cline'] as const],
  ])('asks about no command of %s', async (_, files, editFormats) => {
    const { root } = policyWorld(files)
    const asked = asking(root, 'deny')
    const result = await asked.run(command, { registry: new VerbRegistry(VERBS), ...(editFormats && { editFormats }) })
    expect(asked.requests).toEqual([])
    expect(result.success).toBe(true)
  })
})
