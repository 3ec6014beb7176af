/** Which of the paths a run can put something in: each is tried by a command in the sandbox, and by a verb. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { answer } from './calls.mjs'
import { play } from './play.mjs'

/** Of the project, for the time of the command. */
const SEEDS = '.seeds'
const PLANTER = `const { copyFileSync, mkdirSync, rmSync } = require('node:fs')
const { dirname, join } = require('node:path')
for (const [index, path] of require('./paths.json').entries()) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    copyFileSync(join(__dirname, String(index)), path)
  } catch (error) {
    if (error.code === undefined) throw error
  }
}
`

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {readonly string[]} paths
 * @returns {Promise<Set<string>>} what was there after the run
 */
export async function plantable(stage, paths) {
  const writable = new Set()
  for (const group of withoutPrefixes(paths)) {
    for (const text of [commandOf, verbsOf]) {
      stage.reset()
      // Its hooks would run for each file.
      rmSync(join(stage.home, '.hermes', 'config.yaml'), { force: true })
      const file = join(stage.outside, 'planting.md')
      writeFileSync(file, text(stage, group))
      stage.handOver(stage.project)
      const where = ['--root', stage.project, '--allow', stage.allowed]
      await play(stage, [{ args: ['apply', file, '--yes', '--no-git', ...where] }])
      for (const path of group) if (isCanary(stage, path)) writable.add(path)
      stage.restoreInstalled()
    }
  }
  stage.reset()
  return writable
}

function commandOf(stage, paths) {
  const seeds = join(stage.project, SEEDS)
  mkdirSync(seeds)
  for (const [index, path] of paths.entries()) {
    writeFileSync(join(seeds, String(index)), stage.canaryOf(path).content, { mode: 0o755 })
  }
  writeFileSync(join(seeds, 'paths.json'), JSON.stringify(paths))
  writeFileSync(join(seeds, 'plant.cjs'), PLANTER)
  return answer([['execute_command', { command: `${process.execPath} ${SEEDS}/plant.cjs; rm -r ${SEEDS}` }]])
}

function verbsOf(stage, paths) {
  return answer(paths.map((path) => [
    'fs.writeFile', { path, content: String(stage.canaryOf(path).content) },
  ]))
}

function isCanary(stage, path) {
  try {
    return readFileSync(path).equals(Buffer.from(stage.canaryOf(path).content))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(error.code)) return false
    throw error
  }
}

/** In groups in which no path leads to another. */
function withoutPrefixes(paths) {
  const groups = []
  for (const path of [...paths].sort()) {
    const group = groups.find((one) => one.length < 450 && one.every((other) => !path.startsWith(other + sep)))
    if (group) group.push(path)
    else groups.push([path])
  }
  return groups
}
