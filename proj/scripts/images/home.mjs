/** A home as anybody's might be: `/home/you`, with a project in it, seen by this process and its children alone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copySync, removeSync } from 'fs-extra/esm'

export const HOME = '/home/you'
export const PROJECT = `${HOME}/till`
/** Where the repository is seen. */
export const REPOSITORY = `${HOME}/hermes`
const IS_INSIDE = 'HERMES_IMAGES_INSIDE'
/**
 * Other homes stay: Node may be installed in one. `$0` is a directory, `$1` the repository; the rest is what then runs.
 */
const MOUNTS = `set -e
mount -t tmpfs tmpfs "$0"
mkdir -p "$0/you/hermes"
for home in /home/*/; do if [ -d "$home" ]; then mkdir -p "$0/$(basename "$home")"; mount --rbind "$home" "$0/$(basename "$home")"; fi; done
mount --rbind "$1" "$0/you/hermes"
mount --rbind "$0" /home
shift
cd /home/you
exec "$@"
`

/**
 * Runs a script of the repository again where that home is, unless it is there already. Takes Linux with util-linux,
 * and root or user namespaces.
 * @param {string} repository
 * @param {string} script its path in the repository
 * @param {readonly string[]} args
 * @returns {number | undefined} the exit code; `undefined`: this is inside
 */
export function runAtHome(repository, script, args) {
  if (process.env[IS_INSIDE] === '1') return undefined
  const stage = mkdtempSync(join(tmpdir(), 'hermes-images-'))
  try {
    const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
    const inside = ['bash', '-c', MOUNTS, stage, repository, process.execPath, join(REPOSITORY, script), ...args]
    return spawnSync('unshare', ['--mount', ...asUser, ...inside], {
      stdio: 'inherit', env: { ...process.env, [IS_INSIDE]: '1' },
    }).status ?? 1
  } finally {
    removeSync(stage)
  }
}

/** What a shell of that home has; nothing of who makes the images, and none of the directories that npm adds. */
export function environment() {
  const path = (process.env.PATH ?? '').split(':').filter((directory) => !directory.includes('/node_modules/'))
  return { HOME, USER: 'you', PATH: [`${HOME}/bin`, ...path].join(':'), LANG: 'C.UTF-8', TZ: 'UTC' }
}

/** `hermes` in the PATH, a name for commits, answers and transcripts. */
export function furnish() {
  mkdirSync(join(HOME, 'bin'))
  symlinkSync(join(REPOSITORY, 'dist', 'cli.cjs'), join(HOME, 'bin', 'hermes'))
  writeFileSync(join(HOME, '.gitconfig'), '[user]\nname = You\nemail = you@example.com\n[init]\ndefaultBranch = main\n')
  for (const answer of ['response.md', 'broken-response.md']) {
    cpSync(join(REPOSITORY, 'examples', answer), join(HOME, answer))
  }
  for (const answer of ['answer.md', 'short-answer.md']) {
    cpSync(join(REPOSITORY, 'proj', 'scripts', 'images', answer), join(HOME, answer))
  }
}

/** The example project, as if it had just been cloned. */
export function freshProject() {
  removeSync(PROJECT)
  copySync(join(REPOSITORY, 'examples', 'project'), PROJECT)
  copySync(join(REPOSITORY, 'examples', 'transcripts'), join(PROJECT, 'tests', 'transcripts'))
  writeFileSync(join(PROJECT, '.gitignore'), '.hermes/\ncoverage/\n')
  mkdirSync(join(PROJECT, 'coverage'))
  for (const args of [['init', '-q'], ['add', '.'], ['commit', '-qm', 'A small shopping cart']]) {
    execFileSync('git', args, { cwd: PROJECT, env: environment() })
  }
}
