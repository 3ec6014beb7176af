/** Whether canaries leave their marks at all: each kind is made to run where it may, and where it may not. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer } from './calls.mjs'
import { play } from './play.mjs'

/** @returns {Promise<Record<string, boolean>>} by what is shown, whether it was so */
export async function controls(stage) {
  const { project, outside, laidOut: { place, cwd } } = stage
  const command = join(outside, 'control.md')
  writeFileSync(command, answer([['execute_command', { command: 'canary-by-path' }]]))
  const whenPlanted = async (path, run) => {
    stage.reset()
    const undo = stage.plant(path)
    await run()
    const { outside: marks, within } = stage.fired()
    undo()
    return { isOutside: marks.length > 0, isWithin: within.length > 0 }
  }
  const node = (...args) => spawnSync(process.execPath, args, { ...stage.identity, cwd: project, env: stage.env })
  const program = join(cwd, 'scripts', 'canary-by-path')
  const apply = (...flags) => play(stage, [{ args: ['apply', command, '--yes', ...flags] }])
  const packageOf = join(project, 'loaded', 'package.json')
  mkdirSync(join(project, 'loaded'))
  const seen = {
    script: (await whenPlanted(program, () => spawnSync('sh', [program], stage.identity))).isOutside,
    commonjs: (await whenPlanted(join(project, 'x.cjs'), () => node('./x.cjs'))).isOutside,
    module: (await whenPlanted(join(project, 'x.mjs'), () => node('./x.mjs'))).isOutside,
    json: (await whenPlanted(packageOf, () => node('-e', 'require("./loaded")'))).isOutside,
    native: (await whenPlanted(join(project, 'x.node'), () => (
      node('-e', 'try { require("./x.node") } catch {}')
    ))).isOutside,
    git: (await whenPlanted(join(project, '.git', 'config'), () => (
      spawnSync('git', ['status'], { ...stage.identity, cwd: project, env: { ...stage.env, PATH: stage.systemPath } })
    ))).isOutside,
    'hermes\' own package': (await whenPlanted(join(place, 'dist', 'cli.cjs'), () => apply())).isOutside,
    'command without sandbox': (await whenPlanted(program, () => apply('--sandbox', 'none'))).isOutside,
  }
  const { isOutside, isWithin } = await whenPlanted(program, () => apply())
  seen['command in the sandbox, within alone'] = isWithin && !isOutside
  rmSync(join(project, 'loaded'), { recursive: true, force: true })
  return seen
}
