import { mkdirSync, renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { printed } from './escapes.js'
import { ACCOUNTS, command, SANDBOXES, spreadIn, Stage } from './stage.js'

const program = useProgram(new URL('./run-commands.ts', import.meta.url))
const SECRETS = ['config.yaml', '.env', 'sessions/1.jsonl', 'history', 'gateway/seen', 'cron/jobs.json']
const READ = 'cat ~/.hermes/journal.key; cat ~/.hermes/* ~/.hermes/.env ~/.hermes/*/*'

/** A stage whose home has all that hermes keeps there, each with a word of its own. */
function settled(account?: (typeof ACCOUNTS)[number]): Stage {
  const stage = new Stage(account)
  for (const name of SECRETS) stage.plant(`home/.hermes/${name}`, '# told\n')
  stage.plant('home/.hermes/journal.key', `${'f00d'.repeat(16)}\n`)
  stage.plant('home/.hermes/skills/one/SKILL.md', 'a skill\n')
  return stage
}

for (const account of ACCOUNTS) for (const [sandbox, needs] of SANDBOXES) {
  needing(...needs).describe(`what hermes keeps in the home, in ${sandbox}, as ${account}:`, () => {
    it.each(spreadIn(sandbox, [
      'the home is the root', 'the home is allowed', '~/.hermes is allowed', '~/.hermes is the root',
    ], 1))('%s: commands can neither read nor make it', async (title) => {
      const stage = settled(account)
      const place = title.startsWith('the home') ? stage.home : `${stage.home}/.hermes`
      const roots = title.endsWith('root') ? { root: place } : { allow: [place] }
      const lines = `(${READ}) 2>/dev/null; cat ~/.hermes/skills/one/SKILL.md; for n in new journal.key config.yaml; do echo planted >> ~/.hermes/$n; done 2>/dev/null; rm -f ~/.hermes/journal.key; mv ~/.hermes ~/moved; true`
      const { results: [run] } = await stage.ask(program.path, [command(lines)], { ...roots, sandbox, gitCommit: false }, 'once')
      expect(run?.results[0]?.data, JSON.stringify(run)).toMatchObject({ sandbox })
      const stdout = printed(run === undefined ? [] : [run])
      expect(stdout).toContain('a skill')
      expect(stdout).not.toMatch(/told|f00d/)
      expect([stage.read('home/.hermes/journal.key'), stage.read('home/.hermes/config.yaml'), stage.has('home/.hermes/new')])
        .toEqual([`${'f00d'.repeat(16)}\n`, '# told\n', false])
    })

    it('it lies in a directory that is shown for its programs, or because its hooks run: nothing reads it', async () => {
      const stage = settled(account)
      stage.plant('home/tools/bin/tool', '#!/bin/sh\necho works\n', 0o755)
      renameSync(`${stage.home}/.hermes`, `${stage.home}/tools/bin/.hermes`)
      stage.plant('home/.ssh/id_mine', 'told\n')
      mkdirSync(`${stage.home}/project`)
      Object.assign(stage.env, { HERMES_HOME: `${stage.home}/tools/bin/.hermes`, PATH: `${stage.home}/tools/bin:${stage.env['PATH']}` })
      // Its work tree is the home, and its hooks see all of that.
      stage.handOver()
      stage.git('-C', stage.home, 'init', '-q')
      stage.plant('home/.git/hooks/pre-commit', `#!/bin/sh\ncat ~/tools/bin/.hermes/* ~/tools/bin/.hermes/*/* ~/.ssh/* > ~/project/seen 2>/dev/null; ls ~/tools/bin >> ~/project/seen\n`, 0o755)
      const reads = command('tool; cat ~/tools/bin/.hermes/journal.key ~/tools/bin/.hermes/* ~/tools/bin/.hermes/.env ~/tools/bin/.hermes/*/* 2>/dev/null; echo x > new.txt')
      const { results: [run] } = await stage.ask(program.path, [reads], { root: `${stage.home}/project`, sandbox }, 'once')
      const stdout = printed(run === undefined ? [] : [run])
      expect(stdout).toContain('works')
      expect(`${stdout}${stage.read('home/project/seen')}`).not.toMatch(/told|f00d/)
      expect(stage.read('home/project/seen'), JSON.stringify(run)).toContain('tool\n')
    })
  })
}

describe('what hermes keeps in the home', () => {
  const call = (name: string, args: object) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`

  it.each(['.', '.hermes'])('is closed to verbs where ~/%s is allowed', async (allowed) => {
    const stage = settled()
    const names = [...SECRETS, 'journal.key', 'made-by-commands.jsonl']
    const calls = names.flatMap(name => ['fs.readFile', 'fs.writeFile'].map(verb => (
      call(verb, { path: `${stage.home}/.hermes/${name}`, ...(verb === 'fs.writeFile' && { content: 'x' }) })
    )))
    const { results: [run] } = await stage.ask(program.path, [calls.join('\n')], {
      allow: [`${stage.home}/${allowed}`], sandbox: 'none', gitCommit: false,
    }, 'once')
    expect(run?.results.map(({ code }) => code), JSON.stringify(run)).toEqual(calls.map(() => 'POLICY_DENIED'))
  })
})
