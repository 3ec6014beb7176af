import { describe, expect, it } from 'vitest'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { makeRepository } from './escapes.js'
import { command, SANDBOXES, spreadIn, Stage } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)
const WRITE = command('echo changed > file.txt')

/** What hermes itself would run outside of the sandbox: git's hooks and whatever git's configuration names. */
interface Plan {
  name: string
  /** Hermes itself already keeps from following it, without a sandbox too. */
  isHarmless?: true
  prepare?(stage: Stage): void
  /** The answers of one session; `evil` is a command line that leaves a mark outside of the root. */
  answers(evil: string): string[]
}

const PLANS: readonly Plan[] = [
  {
    name: 'a hook in the directory of husky',
    prepare(stage) {
      stage.plant('project/.husky/pre-commit', '#!/bin/sh\ntrue\n', 0o755)
      makeRepository(stage)
      stage.git('config', 'core.hooksPath', '.husky')
    },
    answers: evil => [command(`printf '#!/bin/sh\\n${evil}\\n' > .husky/pre-commit; echo x > file.txt`), WRITE],
  },
  {
    name: 'a hook in a directory of its own',
    prepare(stage) {
      stage.plant('project/tools/hooks/pre-commit', '#!/bin/sh\ntrue\n', 0o755)
      makeRepository(stage)
      stage.git('config', 'core.hooksPath', 'tools/hooks')
    },
    answers: evil => [command(`printf '#!/bin/sh\\n${evil}\\n' > tools/hooks/pre-commit; echo x > file.txt`), WRITE],
  },
  {
    name: 'a repository where there was none',
    isHarmless: true,
    answers: evil => [
      command(`git init -q . && printf '#!/bin/sh\\n${evil}\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit; echo x > y`), WRITE,
    ],
  },
  {
    name: 'a filter of git by attributes',
    prepare: makeRepository,
    answers: evil => [command(`echo '* filter=evil' > .gitattributes; git config filter.evil.clean '${evil}; cat'; echo x > file.txt`), WRITE],
  },
  {
    name: 'the configuration of a nested repository',
    isHarmless: true,
    prepare: makeRepository,
    answers: evil => [
      command(`mkdir sub && cd sub && git init -q . && echo a > a && git add a && git -c user.name=a -c user.email=a@b commit -qm a && printf '#!/bin/sh\\n${evil}\\n' > mon && chmod +x mon && git config core.fsmonitor "$PWD/mon"; echo x > ../file.txt`),
      command('echo b > sub/a; echo y > file.txt'), WRITE,
    ],
  },
  {
    name: 'settings of direnv, npm and bash in the root',
    isHarmless: true,
    answers: evil => [
      command(`echo '${evil}' > .envrc; echo '${evil}' > .bashrc; echo '${evil}' > .profile; echo 'script-shell=${evil}' > .npmrc`), WRITE,
    ],
  },
]

describe.skipIf(process.platform !== 'linux')('what a command plants and hermes would run later, as an unprivileged user:', () => {
  const program = useProgram(source)

  async function runsOutside({ prepare, answers }: Plan, sandbox: 'bwrap' | 'unshare' | 'none', expected: boolean): Promise<void> {
    const stage = new Stage()
    prepare?.(stage)
    const results = await stage.run(program.path, answers(`touch ${stage.outside}/planted`), { sandbox })
    for (const { fatalError, results: [result] } of results) {
      expect(fatalError).toBeUndefined()
      expect(result?.data).toMatchObject({ sandbox })
    }
    expect(stage.has('outside/planted'), JSON.stringify(results, null, 1)).toBe(expected)
  }

  for (const [sandbox, needs] of SANDBOXES) {
    needing(...needs).it.each(spreadIn(sandbox, PLANS, 2))(`$name: not out of ${sandbox}`, plan => runsOutside(plan, sandbox, false))
  }

  it.each(spread(PLANS, 6))('$name: without a sandbox', plan => runsOutside(plan, 'none', plan.isHarmless !== true))

  for (const [sandbox, needs] of [...SANDBOXES, ['none', []]] as const) needing(...needs).it(`runs the user's own hooks all the same: sandbox ${sandbox}`, async () => {
    const isOutside = sandbox === 'none'
    const stage = new Stage()
    makeRepository(stage)
    stage.plant('project/.git/hooks/pre-commit', `#!/bin/sh\ntouch ran ${stage.outside}/planted; true\n`, 0o755)
    await stage.run(program.path, [WRITE], { sandbox })
    expect([stage.has('project/ran'), stage.has('outside/planted')]).toEqual([true, isOutside])
  })
})
