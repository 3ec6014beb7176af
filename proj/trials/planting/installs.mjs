/** hermes installed by npm from its packed tarball, as a user does, where packages can be had. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layOut } from './layouts.mjs'

const CLONE = fileURLToPath(new URL('../../..', import.meta.url))
const STDIO = ['ignore', 'ignore', 'inherit']
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** @returns the tarball, as `npm pack` makes it of what is built */
export function pack() {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-packed-'))
  chmodSync(directory, 0o755)
  npm(['pack', '--ignore-scripts', '--pack-destination', directory], CLONE)
  const [name] = readdirSync(directory)
  return { directory, tarball: join(directory, name) }
}

/**
 * @param {string} tarball
 * @param {string} typescript the version that is installed beside it
 * @returns by layout the function that installs it; those npm does not make are laid out by hand
 */
export function installsOf(tarball, typescript) {
  const packages = [tarball, `typescript@${typescript}`]
  return {
    project: (directory) => {
      const project = projectIn(directory, {})
      npm(['install', ...packages], project)
      return placed(project, project)
    },
    workspace: (directory) => {
      const project = projectIn(directory, { workspaces: ['packages/*'] })
      const cwd = join(project, 'packages', 'a')
      mkdirSync(cwd, { recursive: true })
      writeFileSync(join(cwd, 'package.json'), '{"name": "a", "version": "1.0.0", "private": true}')
      npm(['install', '--workspace', 'a', ...packages], project)
      return placed(project, cwd)
    },
    pnpm: (directory) => layOut('pnpm', directory),
    npx: (directory) => {
      const project = projectIn(directory, {})
      const npx = ['--yes', `--package=${tarball}`, 'hermes']
      const cache = join(directory, 'home', '.npm')
      execFileSync('npx', [...npx, '--version'], { cwd: project, env: environment(cache), stdio: STDIO })
      const [hash] = readdirSync(join(cache, '_npx'))
      const modules = join(cache, '_npx', hash, 'node_modules')
      return { ...placed(project, project, modules), start: ['npx', ...npx] }
    },
    tools: (directory) => layOut('tools', directory),
    global: (directory) => {
      const prefix = join(directory, 'prefix')
      npm(['install', '--global', '--prefix', prefix, ...packages], directory)
      const project = projectIn(directory, {})
      return {
        ...placed(project, project, join(prefix, 'lib', 'node_modules')), start: [join(prefix, 'bin', 'hermes')],
      }
    },
  }
}

function projectIn(directory, more) {
  const project = join(directory, 'project')
  mkdirSync(project)
  const manifest = { name: 'project', version: '1.0.0', private: true, ...more }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  return project
}

function placed(project, cwd, modules = join(project, 'node_modules')) {
  const place = join(modules, 'hermes')
  const command = join(place, 'dist', 'cli.cjs')
  if (!existsSync(command)) throw new Error(`npm did not install ${command}`)
  return { project, cwd, place, command, modules: [modules], start: ['npx', 'hermes'] }
}

function npm(args, cwd) {
  execFileSync('npm', [...args, ...QUIET], { cwd, env: environment(), stdio: STDIO })
}

/** With the settings of this machine's user, so that packages come from where it gets them. */
function environment(cache) {
  const settings = {
    npm_config_userconfig: join(homedir(), '.npmrc'), npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
  }
  // What started this trial has settings of its own, such as the prefix.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return { ...own, ...settings, ...cache && { npm_config_cache: cache } }
}
