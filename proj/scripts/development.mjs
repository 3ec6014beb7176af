/**
 * Installs what checks, tests, trials and benchmarks need into proj/node_modules, from the lockfile there, where it is
 * not installed yet. Those who only use hermes do not need it, and it is three times as large as the rest.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = join(root, 'proj')
/** npm writes it when all is installed. */
const installed = statSync(join(project, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })

if (installed === undefined || installed.mtimeMs < statSync(join(project, 'package-lock.json')).mtimeMs) {
  const [program, ...first] = process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm']
  // No package needs a script of its own.
  execFileSync(program, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: project, stdio: ['ignore', 'inherit', 'inherit'],
  })
}

// What a user adds to hermes lies beside it, where the built package looks for it.
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
for (const name of Object.keys(peerDependencies)) {
  const place = join(root, 'node_modules', name)
  if (!existsSync(place)) symlinkSync(join('..', 'proj', 'node_modules', name), place, 'junction')
}
