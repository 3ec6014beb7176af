import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { printed } from './escapes.js'
import { ACCOUNTS, command, makesMounts, SANDBOXES, Stage } from './stage.js'

const program = useProgram(new URL('./run-commands.ts', import.meta.url))

/** File systems that are mounted inside of what a sandbox shows: each has flags of its own, which count or are lost. */
for (const account of ACCOUNTS) for (const [sandbox, needs] of SANDBOXES) {
  needing(...needs, 'namespaces').describe(`mounts below others in ${sandbox}, as ${account}:`, () => {
    async function printedWith(mounts: readonly (readonly [at: string, options: string])[], line: string) {
      const stage = new Stage(account)
      for (const path of ['project/.git', 'project/data/deep', 'home/.pyenv/versions/3/bin', 'home/.pyenv/shims']) stage.plant(`${path}/file`, 'text\n')
      stage.env['PATH'] = `${stage.home}/.pyenv/shims:${stage.env['PATH']}`
      const all = mounts.map(([at, options]) => [join(stage.base, at), options] as const)
      const { results: [run] } = await stage.ask(program.path, [command(line)], { sandbox, gitCommit: false }, 'once', makesMounts(all))
      expect(run?.fatalError).toBeUndefined()
      const [result] = run?.results ?? []
      expect(result?.data, JSON.stringify(result)).toMatchObject({ sandbox })
      return { result, stdout: printed(run === undefined ? [] : [run]) }
    }

    it('what is read-only stays so in them', async () => {
      const { result, stdout } = await printedWith(
        [['project/.git', 'rw'], ['project/.git/inner', 'rw'], ['home/.pyenv/versions', 'rw'], ['home/.pyenv/versions/x', 'rw,noexec']],
        'for d in .git .git/inner ~/.pyenv/versions ~/.pyenv/versions/x; do [ -d $d ] || echo "no $d"; touch $d/planted && echo "reached $d"; done 2>/dev/null; mkdir .git/x 2>&1 | grep -c Read-only',
      )
      expect(stdout, JSON.stringify(result)).toBe('1\n')
    })

    it('what may be written may be written in them, with their own flags', async () => {
      const { stdout } = await printedWith(
        [['project/data', 'nosuid,nodev,noexec,noatime'], ['project/data/more', 'ro']],
        'touch data/new && echo written; cp /bin/true data/t; ./data/t 2>/dev/null || echo noexec; touch data/more/x 2>/dev/null || echo ro; grep -c "project/data[^ ]* .*nosuid,nodev" /proc/self/mountinfo',
      )
      expect(stdout).toBe('written\nnoexec\nro\n2\n')
    })
  })
}

describe.skipIf(process.platform !== 'linux')('names that mean something to a shell or to a table of mounts', () => {
  for (const [sandbox, needs] of SANDBOXES) needing(...needs).it(`are what they are in ${sandbox}`, async () => {
    const stage = new Stage()
    const name = 'a b\t#"\'\\040$(touch planted);`x`*é\n--'
    stage.plant(`project/${name}/file`, 'text\n')
    stage.plant(`project/${name}/.git/config`, '')
    const root = join(stage.root, name)
    const { results: [run] } = await stage.ask(program.path, [
      command('cat file; pwd; touch new; touch .git/planted 2>/dev/null || echo kept', { env: { 'A B': 'x y', 'N': "1\n'2' $3" } }),
      ], { sandbox, root, gitCommit: false }, 'once')
    expect(run?.results[0]?.data, JSON.stringify(run)).toMatchObject({ sandbox, stdout: `text\n${root}\nkept\n` })
    expect([stage.has(`project/${name}/new`), stage.has('project/planted'), stage.has(`project/${name}/planted`)]).toEqual([true, false, false])
  })

  for (const [sandbox, needs] of SANDBOXES) needing(...needs).it(`variables arrive as they are in ${sandbox}, and nowhere else`, async () => {
    const stage = new Stage()
    const env = {
      'A-B': 'x', 'LINES': '7', 'RANDOM': 'r', 'UID': '5', 'IFS': 'z', 'BASH_ENV': 'evil', 'N': "1\n'2' $3 `4`", 'EMPTY': '', 'É': 'é',
      'LD_PRELOAD': '/nowhere.so', 'PS4': 'p', 'LC_ALL': 'xx_XX', 'BASH_FUNC_ls%%': '() { echo evil; }',
    }
    const line = "python3 -c 'import os,json; print(json.dumps({k: v for k, v in os.environ.items()}))' 2>/dev/null; tr '\\0' '\\n' < /proc/1/environ | grep -c LD_PRELOAD"
    const { results: [run] } = await stage.ask(program.path, [command(line, { env })], { sandbox }, 'once')
    const [variables = '{}', ofFirst = ''] = printed(run === undefined ? [] : [run]).split('\n')
    // What shells make of these names is their own: commands are run by one.
    const { 'A-B': _name, 'É': _letter, RANDOM: _random, UID: _uid, 'BASH_FUNC_ls%%': _function, IFS: _ifs, ...plain } = env
    expect(JSON.parse(variables)).toMatchObject(plain)
    expect(ofFirst).toBe('0')
  })
})
