import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { repositoryPrograms } from '../src/program-settings.js'
import { findsCode, runsOutside } from '../src/user-programs.js'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
afterAll(() => rmSync(base, { recursive: true }))
const top = join(base, 'project')
const outside = join(base, 'outside')
for (const directory of [top, outside]) mkdirSync(directory)
for (const path of [join(top, 'clean.sh'), join(outside, 'clean.sh'), join(outside, 'python3')]) writeFileSync(path, '')
const placed = (command: string): string => command.replaceAll('TOP', top).replaceAll('OUT', outside)

describe('a filter of the user', () => {
  it.each([
    'git-lfs clean -- %f', 'git-lfs filter-process', 'git lfs smudge -- %f', '"git-crypt" clean', 'cat', 'sed -e "s/a/b/"',
    'OUT/clean.sh', 'OUT/clean.sh --strip %f', 'sh OUT/clean.sh', "python3 'OUT/clean.sh' %f", '/usr/bin/cat',
  ])('%s: runs outside', command => expect(runsOutside(top, placed(command))).toBe(true))

  it.each([
    '"/usr/bin/python3" -m nbstripout', 'OUT/python3 -m nbstripout', 'python3 -c "import x"', 'python3 -mx', 'python3.12 -m x',
    'nbstripout', 'jupyter nbconvert --to notebook', 'ruby -I. -rx', 'perl -I. -Mx -e1', 'node -r x', 'node --import x OUT/clean.sh',
    'npx prettier', 'npx --no x', 'sh clean.sh', 'sh -c "python3 -m x"', 'bash -lc x', './clean.sh', 'TOP/clean.sh', 'OUT/none.sh',
    'cat | python3 -m x', 'cat; python3 -m x', 'cat && python3 -m x', '$(python3 -m x)', '`x`', 'A=b cat', 'env python3 -m x',
    'PYTHONPATH=. OUT/clean.sh', 'git -c alias.x=!sh x', 'git x', 'cat\npython3 -m x', 'cat & x', '(x)', '"x$(y)"', '"unclosed', '',
    'OUT/../project/clean.sh', 'eval x', 'exec python3 -m x', 'command python3 -m x', '/usr/bin/env python3 -m x',
  ])('%s: only in the sandbox', command => expect(runsOutside(top, placed(command))).toBe(false))

  it('of the system is only in the sandbox, whatever PATH is', () => {
    vi.stubEnv('PATH', outside)
    expect(runsOutside(top, '/usr/bin/env python3 -m x')).toBe(false)
    vi.unstubAllEnvs()
  })

  it('is held as a whole where one of its programs has to be', () => {
    const setting = (key: string, value: string) => ({ scope: 'global', key: `filter.n.${key}`, value })
    const settings = [setting('clean', '"/usr/bin/python3" -m nbstripout'), setting('smudge', 'cat'), setting('required', 'true')]
    expect(repositoryPrograms(settings, top)).toEqual({
      replaced: [], filters: [{ driver: 'filter.n', clean: '"/usr/bin/python3" -m nbstripout', smudge: 'cat', isRequired: true }],
    })
    const lfs = [setting('clean', 'git-lfs clean -- %f'), setting('process', 'git-lfs filter-process'), setting('required', 'true')]
    expect(repositoryPrograms(lfs, top)).toEqual({ replaced: [], filters: [] })
  })
})

describe('another program of the user', () => {
  it.each(['python3 -m x', '/usr/bin/python3 -m nbdime', 'sh -c "node -r x"', '!npx x', 'x | ruby -rx'])('%s: finds code where it is called', command => {
    expect(findsCode(command)).toBe(true)
    const settings = [{ scope: 'global', key: 'diff.n.textconv', value: command }]
    expect(repositoryPrograms(settings, top).replaced).toEqual([['diff.n.textconv', 'cat']])
  })

  it.each(['gpg', '/opt/tool/op-ssh-sign', 'osxkeychain', '!gh auth git-credential', 'python3 /opt/x.py', 'ssh -i ~/.ssh/id', 'vim'])('%s: finds none', command => {
    expect(findsCode(command)).toBe(false)
  })
})
