import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { HermesError, type PathAccess, type PathPolicy, type PathProbe } from '../../../0-contracts/src/index.js'
import { createPathGate, DENY_PATTERNS } from '../../src/policy/index.js'

function failure(run: () => unknown): HermesError {
  try {
    run()
  } catch (error) {
    if (error instanceof HermesError) return error
    throw error
  }
  throw new Error('did not throw')
}

describe('createPathGate options', () => {
  it.each([
    ['a missing root', () => ({ root: join(tempDir(), 'none') }), "'root': no such directory:"],
    ['a file as root', () => ({ root: fileIn(tempDir()) }), "'root': not a directory:"],
    ['a root below a file', () => ({ root: join(fileIn(tempDir()), 'x') }), "'root': ENOTDIR:"],
    ['an empty root', () => ({ root: '' }), "'root': not a path:"],
    ['a root that is always denied', () => ({ root: '/proc/self' }), "'root': always denied (kernel interface):"],
    ['a missing allowed directory', () => ({ root: tempDir(), allow: ['/none'] }), "'allow': no such directory:"],
    ['a denied allowed directory', () => ({ root: tempDir(), allow: ['/etc'] }), "'allow': always denied"],
    ['a relative alias', () => ({ root: tempDir(), aliases: ['workspace'] }), "'rootAliases': not an absolute path"],
    ['an alias with ..', () => ({ root: tempDir(), aliases: ['/a/../b'] }), "'rootAliases': not an absolute path"],
  ])('refuses %s', (_name, options, problem) => {
    const error = failure(() => createPathGate(options()))
    expect(error.code).toBe('INVALID_OPTION')
    expect(error.message).toContain(`Option ${problem}`)
    expect(error.hint).toBeTruthy()
  })

  it('resolves links in root and allow once', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'real'))
    symlinkSync('real', join(dir, 'link'))
    const gate = createPathGate({ root: join(dir, 'link'), allow: [join(dir, 'link')] })
    expect(gate.root).toBe(join(dir, 'real'))
    expect(gate.allow).toEqual([join(dir, 'real')])
    expect(gate.approve(join(dir, 'link', 'x'), 'write')).toBe(join(dir, 'real', 'x'))
  })

  it.each(['x.ssh.y', '.ssh', '.git', '.hermes'])('works with a root that lies in a directory named %s', (name) => {
    const root = join(tempDir(), name, 'project')
    mkdirSync(root, { recursive: true })
    const gate = createPathGate({ root })
    expect(gate.approve('a.txt', 'write')).toBe(join(root, 'a.txt'))
    expect(failure(() => gate.approve('.git/config', 'read')).code).toBe('POLICY_DENIED')
  })
})

describe('a path that means the root by another name', () => {
  it.each([
    ['/workspace/src/new.ts', '/workspace'],
    ['/workspace/file', '/workspace'],
    ['/home/me/project/src/a/b.ts', undefined],
    ['/home/me/project/src/b.ts', '/home/me/project'],
    ['/workspace/new.ts', undefined],
    ['/workspace/.env', undefined],
    ['/workspace/out/x', undefined],
    ['/work space/src/new.ts', undefined],
    ['/workspace/../etc/src/x', undefined],
  ])('%s: %s', (path, alias) => {
    const root = tempDir()
    mkdirSync(join(root, 'src'))
    fileIn(root)
    writeFileSync(join(root, '.env'), '')
    const other = tempDir()
    fileIn(other)
    symlinkSync(other, join(root, 'out'))
    const gate = createPathGate({ root })
    const { hint } = failure(() => gate.approve(path, 'read'))
    expect(hint).toContain(`(--root-alias ${alias ?? 'DIR'})`)
  })
})

function fileIn(dir: string): string {
  writeFileSync(join(dir, 'file'), '')
  return join(dir, 'file')
}

describe('approve', () => {
  it('says that outputs of commands can only be read', () => {
    const gate = createPathGate({ root: tempDir() })
    expect(failure(() => gate.approve('.hermes/runs/1/1.stdout.txt', 'write'))).toMatchObject({
      code: 'POLICY_DENIED',
      message: 'Path is denied: .hermes/runs/1/1.stdout.txt (the output of commands, which can only be read)',
      hint: 'Verbs may read it and not change it; write to another path.',
    })
    expect(failure(() => gate.approve('.hermes/x', 'write')).hint).toContain('No verb may use it')
  })

  it('names root, aliases and --allow in the hint', () => {
    const root = tempDir()
    const { hint } = failure(() => createPathGate({ root, aliases: ['/workspace'] }).approve('/etc/passwd', 'read'))
    expect(hint).toContain(root)
    expect(hint).toContain('/workspace')
    expect(hint).toContain('--allow DIR')
  })

  it('sees a link made after an approval of the same path', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'root/sub'), { recursive: true })
    const gate = createPathGate({ root: join(dir, 'root') })
    expect(gate.approve('sub/x', 'write')).toBe(join(dir, 'root/sub/x'))
    renameSync(join(dir, 'root/sub'), join(dir, 'root/old'))
    symlinkSync(dir, join(dir, 'root/sub'))
    expect(failure(() => gate.approve('sub/x', 'write')).code).toBe('POLICY_DENIED')
  })

  it('asks the probe instead of the disk', () => {
    const root = tempDir()
    symlinkSync('/etc', join(root, 'removed'))
    const made: Record<string, ReturnType<PathProbe>> = {
      [join(root, 'moved')]: { kind: 'link', target: '/etc' },
      [join(root, 'file')]: { kind: 'file' },
    }
    const probe: PathProbe = (path) => made[path] ?? (root.startsWith(path) ? { kind: 'directory' } : undefined)
    const gate = createPathGate({ root, probe })
    expect(gate.approve('removed', 'write')).toBe(join(root, 'removed'))
    expect(failure(() => gate.approve('moved/passwd', 'read')).code).toBe('POLICY_DENIED')
    expect(() => gate.approve('file/x', 'read')).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  })

  it('is faithful to realpath: what is approved is canonical and inside', () => {
    const dir = tempDir()
    const root = join(dir, 'root')
    mkdirSync(join(root, 'a/b'), { recursive: true })
    mkdirSync(join(dir, 'out'))
    const names = fc.constantFrom('a', 'b', 'c', '.', '..', '', 'l', 'm', 'root', 'out')
    const paths = fc.array(names, { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join('/')).filter((path) => path !== '')
    fc.assert(fc.property(paths, paths, paths, (path, first, second) => {
      for (const [name, target] of [['l', first], ['a/m', second]] as const) {
        rmSync(join(root, name), { force: true })
        symlinkSync(target, join(root, name))
      }
      const gate = createPathGate({ root })
      const real = attempt(() => realpathSync.native(root + sep + path))
      const approved = attempt(() => gate.approve(join(sep, root) + sep + path, 'read'))
      if (real !== undefined) expect(approved).toBe(real === root || real.startsWith(root + sep) ? real : undefined)
      else if (approved !== undefined) expect(approved === root || approved.startsWith(root + sep)).toBe(true)
    }), { numRuns: 1000 })
  })

  it('lets errors inside the root surface as Node errors', () => {
    const root = tempDir()
    writeFileSync(join(root, 'file'), '')
    expect(() => createPathGate({ root }).approve('file/x', 'write'))
      .toThrow(expect.objectContaining({ code: 'ENOTDIR', path: join(root, 'file') }))
  })
})

function attempt(run: () => string): string | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

describe('long paths', () => {
  it.each([
    ['a name of spaces', `${' '.repeat(200_000)}x`],
    ['a name of dots', `${'.'.repeat(200_000)}x`],
    ['separators before a name', `${'/'.repeat(200_000)}x`],
    ['separators after a name', `x${'/'.repeat(200_000)}`],
  ])('are answered in a dry run too: %s', (_name, path) => {
    const root = tempDir()
    const probe: PathProbe = (asked) => (root.startsWith(asked) ? { kind: 'directory' } : undefined)
    const gate = createPathGate({ root, probe })
    for (const access of ['read', 'write', 'remove'] as const) {
      expect(gate.approve(`a/${path}`, access)).toMatch(/x$/)
      expect(failure(() => gate.approve(`.git/${path}`, access)).code).toBe('POLICY_DENIED')
    }
  })
})

describe('what policy and purpose change', () => {
  const accesses = ['list', 'show', 'read', 'write', 'remove'] as const
  const granted = (gate: ReturnType<typeof createPathGate>, path: string): PathAccess[] => (
    accesses.filter((access) => attempt(() => gate.approve(path, access)) !== undefined)
  )

  it('is nothing by itself', () => {
    const gate = createPathGate({ root: tempDir() })
    expect(granted(gate, '.env')).toEqual(['list'])
    expect(granted(gate, 'keys/server.pem')).toEqual(['list'])
    expect(granted(gate, '.vscode/tasks.json')).toEqual(['list', 'show', 'read'])
    expect(granted(gate, '.hermes/runs/1/x')).toEqual(['list', 'show', 'read'])
    expect(granted(gate, '.git/config')).toEqual([])
    expect(granted(gate, 'src/main.ts')).toEqual(accesses)
  })

  it('opens secrets for reading only', () => {
    const policy = { opens: (_path: string, below: string) => below === '.env', denies: () => undefined }
    const gate = createPathGate({ root: tempDir(), policy })
    expect(granted(gate, '.env')).toEqual(['list', 'show', 'read'])
    expect(failure(() => gate.approve('.env', 'write')).hint).toContain('Verbs may read it')
    expect(granted(gate, '.env.local')).toEqual(['list'])
  })

  it('denies more, with the reason of the policy, and opens nothing that is closed to every verb', () => {
    const policy = { opens: () => true, denies: (_path: string, below: string) => (below === 'a' ? 'hermes.yaml:2' : undefined) }
    const gate = createPathGate({ root: tempDir(), policy })
    expect(failure(() => gate.approve('a', 'read')).message).toBe('Path is denied: a (hermes.yaml:2)')
    for (const path of ['.git/x', '.hermes/x', '.ssh', 'hermes.yaml']) expect(granted(gate, path)).toEqual([])
    expect(granted(gate, '.vscode')).toEqual(['list', 'show', 'read'])
  })

  it('tells a policy whether a directory is there', () => {
    const root = tempDir()
    mkdirSync(join(root, 'd'))
    const policy: PathPolicy = { opens: () => false, denies: (_path, _below, _access, isDirectory) => (isDirectory() ? 'd' : undefined) }
    const gate = createPathGate({ root, policy })
    expect(failure(() => gate.approve('d', 'read')).code).toBe('POLICY_DENIED')
    expect(gate.approve('e', 'read')).toBe(join(root, 'e'))
  })

  it('lets the user himself take back what closed files had', () => {
    const gate = createPathGate({ root: tempDir(), forUser: true })
    for (const path of [
      '.env', '.vscode/tasks.json', '.husky/pre-commit', '.ssh/config', 'hermes.yaml', 'a/.hermes/x', '.hermes-tmp-x',
    ]) expect(granted(gate, path)).toEqual(accesses)
    for (const path of ['.git/config', 'a/.Git/x', '.hermes/x', '.HERMES']) expect(granted(gate, path)).toEqual([])
    expect(failure(() => gate.approve('.hermes/x', 'write')).hint).toMatch(/by hand/)
  })

  it('keeps links for list and show as they are', () => {
    const root = tempDir()
    symlinkSync('/etc', join(root, 'out'))
    const gate = createPathGate({ root })
    expect(gate.approve('out', 'list')).toBe(join(root, 'out'))
    expect(gate.approve('out', 'show')).toBe(join(root, 'out'))
    expect(failure(() => gate.approve('out/passwd', 'list')).code).toBe('POLICY_DENIED')
  })
})

describe('DENY_PATTERNS', () => {
  it('are regular expressions with reasons', () => {
    for (const { pattern, reason } of DENY_PATTERNS) {
      expect(() => new RegExp(pattern)).not.toThrow()
      expect(reason).not.toBe('')
    }
  })

  it('hold in lower case as well: no escape means another thing then', () => {
    for (const { pattern } of DENY_PATTERNS) expect(pattern).not.toMatch(/\\[A-Za-z]|\(\?<[A-Z]/)
  })

  it.each([
    '.GIT/config', 'a/.Git/x', '.ENV', 'Prod.Env', 'ID_RSA', 'Library/LaunchAgents/x', 'library/launchagents/x', '.Rprofile', '.rPROFILE',
    '.NPMRC', 'HERMES.YAML', '.g\u200bit/x', '.ſsh/x',
  ])('deny %s, whatever the case', (path) => {
    expect(failure(() => createPathGate({ root: tempDir() }).approve(path, 'write')).code).toBe('POLICY_DENIED')
  })
})
