/** Two processes of hermes in one root that is no repository: neither opens it to what the other has left running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { ACCOUNTS, command, Stage } from './stage.js'

const WAIT = { timeout: 60_000, interval: 50 }
/** Tries again and again, until told to stop; a line for each try. */
const TRIES = `import os,time
while not os.path.exists("stop"):
    time.sleep(0.02)
    for make in (lambda: os.mkdir(".git"), lambda: open(".git/HEAD", "w").write("x"), lambda: open("hermes.yaml", "x").write("x")):
        try: make()
        except OSError: pass
    open("NAME.log", "a").write("x")
`

for (const account of ACCOUNTS) needing('bubblewrap').describe(`two sessions in one root, as ${account}:`, () => {
  const program = useProgram(new URL('./hold-session.ts', import.meta.url))

  async function open(stage: Stage, name: string, home = stage.home) {
    const [ready, end] = ['ready', 'end'].map(one => join(stage.outside, `${name}.${one}`)) as [string, string]
    const answer = command(`cat > ${name}.py <<'END'\n${TRIES.replace('NAME', name)}END\nsetsid python3 ${name}.py > /dev/null 2>&1 & echo ok`)
    const child = spawn(process.execPath, [program.path], {
      ...stage.identity, cwd: stage.root, env: { ...stage.env, HERMES_HOME: join(home, '.hermes') }, stdio: ['pipe', 'ignore', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    child.stdin.end(JSON.stringify({ answer, ready, end, options: { root: stage.root, policy: false, gitCommit: false, sandbox: 'bwrap' } }))
    await vi.waitFor(() => expect(stage.read(`outside/${name}.ready`)).toContain('"success":true'), WAIT)
    return {
      child, ended,
      end: async () => {
        writeFileSync(end, '')
        await ended
      },
      /** Until it has tried some more. */
      tries: async () => {
        const before = stage.read(`project/${name}.log`).length
        await vi.waitFor(() => expect(stage.read(`project/${name}.log`).length).toBeGreaterThan(before + 5), WAIT)
      },
    }
  }

  function state(stage: Stage) {
    return { repository: stage.has('project/.git') ? readdirSync(join(stage.root, '.git')) : undefined, policy: stage.read('project/hermes.yaml') }
  }

  it.each(['first', 'second'])('when the %s ends, the other is held as before', async (name) => {
    const stage = new Stage(account)
    stage.handOver()
    const sessions = { first: await open(stage, 'first'), second: await open(stage, 'second') }
    const { [name === 'first' ? 'second' : 'first']: other, [name as 'first']: one } = sessions
    await one.end()
    await other.tries()
    expect(state(stage)).toEqual({ repository: [], policy: '' })
    stage.plant('project/stop', '')
    await other.end()
    expect([stage.has('project/.git'), stage.has('project/hermes.yaml')]).toEqual([false, false])
  })

  it('what a living process of another home has made is left to it', async () => {
    const stage = new Stage(account)
    stage.handOver()
    const first = await open(stage, 'first')
    const second = await open(stage, 'second', stage.outside)
    await second.end()
    await first.tries()
    expect(state(stage)).toEqual({ repository: [], policy: '' })
    stage.plant('project/stop', '')
    await first.end()
    expect([stage.has('project/.git'), stage.has('project/hermes.yaml')]).toEqual([false, false])
  })

  it('what one that was killed left behind goes with the next', async () => {
    const stage = new Stage(account)
    stage.handOver()
    const first = await open(stage, 'first')
    first.child.kill('SIGKILL')
    await first.ended
    expect(state(stage)).toEqual({ repository: [], policy: '' })
    const second = await open(stage, 'second')
    stage.plant('project/stop', '')
    await second.end()
    expect([stage.has('project/.git'), stage.has('project/hermes.yaml')]).toEqual([false, false])
  })
})
