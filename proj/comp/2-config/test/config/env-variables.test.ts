import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ENV_VARIABLES } from '../../src/config/index.js'

const components = fileURLToPath(new URL('../../..', import.meta.url))
/** What hermes says to its own processes and scripts. */
const INTERNAL = [
  'HERMES_BATCH_WORKER', 'HERMES_CALL', 'HERMES_DOCTOR', 'HERMES_EXTENSION', 'HERMES_FUNCTIONS', 'HERMES_REPLAY_WORKER',
  'HERMES_RUN', 'HERMES_TERMINAL', 'HERMES_WORKER_DIRECTORY',
]
/** What the system, the shell, git and others set; hermes reads them as all programs do. */
const OF_OTHERS = [
  'CI', 'DISPLAY', 'EDITOR', 'FORCE_COLOR', 'GIT_COMMITTER_', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_GLOBAL',
  'GIT_INDEX_FILE', 'HOME', 'NO_COLOR', 'OPENAI_CUSTOM_HEADERS', 'PAGER', 'PATH', 'PREFIX', 'PRE_COMMIT_HOME', 'SSH_AUTH_SOCK', 'TEMP', 'TERM', 'TMP', 'VISUAL',
  'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME',
]
/** Names of constants that only look so. */
const NO_VARIABLES = [
  'ANTHROPIC_CUT', 'HERMES_READ', 'HERMES_WRITE', 'OPENAI_DESCRIPTION', 'SLACK_MS', 'SUDO_ASKPASS', 'SUDO_FAILED',
  'SUDO_HELD', 'TERMINAL_FAILED', 'TERMINAL_SSH_',
]

const READ = /\benv(?:\[['"`]|\.)([A-Z][A-Z0-9_]+)/g
const DESTRUCTURED = /\{([^{}]*)\} = (?:process\.)?env\b/g
const OURS = /\b(?:HERMES|TERMINAL|ANTHROPIC|OPENAI|OPENROUTER|SLACK|AWS|SUDO)_[A-Z0-9_]+/g

function sources(): string[] {
  return readdirSync(components, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[\w-]+\/src\/.*\.tsx?$/.test(path) && !path.endsWith('/env-variables.ts'))
    .map((path) => readFileSync(join(components, path), 'utf8'))
}

it('names every variable that is read anywhere, and none that is not', () => {
  const found = new Set(sources().flatMap((text) => [
    ...[...text.matchAll(READ)].map(([, name = '']) => name),
    ...[...text.matchAll(DESTRUCTURED)].flatMap(([, names = '']) => names.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []),
    ...[...text.matchAll(OURS)].map(([name]) => name),
  ]))
  // Of one place that puts the name together.
  for (const end of ['HOST', 'USER', 'KEY', 'PORT', 'CWD']) found.add(`TERMINAL_SSH_${end}`)
  const known = ENV_VARIABLES.map(({ name }) => name)
  const others = new Set([...INTERNAL, ...OF_OTHERS, ...NO_VARIABLES])
  expect([...found].filter((name) => !others.has(name)).sort()).toEqual(known.sort())
})
