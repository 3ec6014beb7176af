/**
 * What is written once stays written once: each concern has its module, and what only that module needs stands in no
 * other source. Whoever needs more of it adds it there; what is something else gets a reason here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Concern {
  /** Its module: a folder, or a file. */
  module: string
  /** What a second implementation would have to contain. */
  pattern: RegExp
  /** Other files with that in them, each with why it is no second implementation. */
  others?: Readonly<Record<string, string>>
}

const STARTERS = 'node:child_process|execa|cross-spawn|systeminformation|clipboardy|open|shelljs|which|tinyexec|node-notifier'

const CONCERNS: Readonly<Record<string, Concern>> = {
  'a file that is there as a whole or not at all': {
    module: 'proj/comp/2-files/src/atomic-write/',
    pattern: /\brenameSync\(|\brename\b[^\n]*node:fs/,
    others: {
      'proj/comp/2-files/src/store/move-file.ts': 'moves what the user has',
      'proj/comp/2-files/src/store/disk-files.ts': 'puts a link in the place of a file',
      'proj/comp/2-files/src/outputs/whole-file.ts': 'holds the directory of an output while its pieces come',
      'proj/comp/6-rpc/src/serve-pipe.ts': 'puts sockets of others aside',
      'proj/comp/2-files/src/temporary/remove-made.ts': 'moves directories up in a tree that it removes',
      'proj/comp/3-transaction/src/transaction/commit/foreign-links.ts': 'puts an index that git has written in the place of the user\'s',
      'proj/comp/3-transaction/src/transaction/commit/run-index.ts': 'puts an index that git has written in the place of the user\'s',
    },
  },
  'making a file that is not there': {
    module: 'proj/comp/2-files/src/atomic-write/',
    pattern: /'wx\+?'|\bO_EXCL\b/,
    others: {
      'proj/comp/3-transaction/src/transaction/commit/index-lock.ts': 'takes the lock of git\'s index, in the form of git',
      'proj/comp/2-files/src/content-store/tree-cache.ts': 'fills a directory of its own, which is removed where that fails',
      'proj/comp/2-files/src/store/copy-tree.ts': 'copies into a temporary name of its own',
      'proj/comp/6-replay/src/replay/starting-place.ts': 'fills a workspace of its own, which is removed where that fails',
      'proj/comp/6-agent/src/agent/delegate/work-copy.ts': 'fills a copy of its own, which is removed where that fails',
      'proj/comp/2-sandbox/src/placeholders/placeholders.ts': 'holds a place for a while',
      'proj/comp/4-verb-run/src/exec/file-output.ts': 'takes the output of a program as it comes',
    },
  },
  'starting a program': {
    module: 'proj/comp/2-processes/src/launcher/',
    // With the packages that start programs by themselves, by the PATH of this process.
    pattern: new RegExp(String.raw`^import (?!type)[^;]*from '(?:${STARTERS})'|import\('(?:${STARTERS})'\)`, 'm'),
  },
  'the environment of what runs outside of sandboxes': {
    module: 'proj/comp/2-processes/src/launcher/',
    pattern: /\benv: (?:\{ \.\.\.)?process\.env\b/,
  },
  'which process one is': {
    module: 'proj/comp/2-processes/src/identity/',
    pattern: /\/proc\/(?:self|\$\{[^}]*\})\/(?:stat|ns\/pid)\b|boot_id/,
    others: {
      'proj/comp/2-sandbox/src/unshare-script.ts': 'a shell that makes a namespace asks which number it has outside',
    },
  },
  'lines and pastes from the keyboard': {
    module: 'proj/comp/2-terminal/src/line-editor/',
    pattern: /\[200~/,
  },
  'an HTTP server': {
    module: 'proj/comp/2-wire/src/loopback-http/serve-http.ts',
    pattern: /(?:^|\n)import (?!type\b)[^;]*?\bcreate(?:Secure)?Server\b[^;]*?'node:http[s2]?'|http2?\.createServer\(/,
    others: {
      'proj/comp/2-sandbox/src/network/host-proxy.ts': 'is a proxy, on a socket that commands of a sandbox alone reach',
    },
  },
  'the queue of runs in a root': {
    module: 'proj/comp/5-executor/src/executor/run-queue.ts',
    pattern: /\bclass \w*RunQueue\b|new Map<string, Promise<(?:void|unknown)>>\(\)/,
    others: {
      'proj/comp/7-services/src/cron/runner.ts': 'has what runs at the moment, and keeps nobody waiting',
      'proj/comp/6-agent/src/agent/delegate/task-delegates.ts': 'has what runs at the moment, by its name',
      'proj/comp/2-extensions/src/host/living-extensions.ts': 'has answers wait for an extension, before they are runs',
    },
  },
  'a commit': {
    module: 'proj/comp/3-transaction/src/transaction/make-commit.ts',
    pattern: /'commit-tree'|'commit',\s*(?:'-|\.\.\.|`-)/,
  },
  'the formats of reports': {
    module: 'proj/comp/7-output/src/reports/',
    pattern: /FILE\.(?:html|md|xml)\b(?!\})|'\.(?:xml|html?)':? /,
  },
  'the limits of commands': {
    module: 'proj/comp/2-config/src/config/defaults.ts',
    pattern: /\bmaxMemoryBytes: \d|\bmemoryBytes: \d/,
  },
}

const SOURCES = ['proj/src', ...readdirSync(join(root, 'proj/comp')).map((name) => `proj/comp/${name}/src`)]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name)).map((name) => `${folder}/${name}`)).sort()

/** The sources other than the module that contain what only it may, but for those with a reason. */
function seconds({ module, pattern, others = {} }: Concern, sources: readonly string[] = SOURCES): string[] {
  return sources.filter((file) =>
    !file.startsWith(module) && !Object.hasOwn(others, file) && pattern.test(readFileSync(join(root, file), 'utf8')))
}

describe.each(Object.entries(CONCERNS))('%s', (_, concern) => {
  it('is written in its module, and there alone', () => {
    expect(existsSync(join(root, concern.module))).toBe(true)
    expect(seconds(concern)).toEqual([])
  })

  it('names no file without need', () => {
    const named = Object.keys(concern.others ?? {})
    expect(named.filter((file) => !concern.pattern.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})

it('looks at all sources', () => {
  expect(SOURCES.length).toBeGreaterThan(900)
})

/** What somebody would write who does not know that it is there: each row has to see it. */
const PLANTED: Readonly<Record<keyof typeof CONCERNS, readonly string[]>> = {
  'a file that is there as a whole or not at all': [
    "writeFileSync(temporary, text)\nrenameSync(temporary, file)\n", "import { rename, writeFile } from 'node:fs/promises'\n",
  ],
  'making a file that is not there': ["openSync(file, 'wx', 0o600)\n", 'openSync(file, constants.O_CREAT | constants.O_EXCL)\n'],
  'the environment of what runs outside of sandboxes': ["start({ program: 'git', env: process.env })\n"],
  'starting a program': ["import { spawn } from 'node:child_process'\n", "const { execa } = await import('execa')\n"],
  'which process one is': ['readFileSync(`/proc/${pid}/stat`)\n', "readFileSync('/proc/sys/kernel/random/boot_id')\n"],
  'lines and pastes from the keyboard': ["const PASTE = '\\x1b[200~'\n"],
  'an HTTP server': [
    "import { createServer } from 'node:http'\n",
    "import {\n  createServer, type IncomingMessage,\n} from 'node:http'\n", "import { createSecureServer } from 'node:http2'\n",
  ],
  'the queue of runs in a root': ['export class RunQueue {\n', 'readonly #last = new Map<string, Promise<unknown>>()\n'],
  'a commit': ["await git(['commit-tree', tree])\n", "await git(['-c', 'x=y', 'commit', '--quiet'])\n"],
  'the formats of reports': ["const RENDERERS = { '.xml': renderJunit }\n", "help: 'Also write FILE.md or FILE.json'\n"],
  'the limits of commands': ['const LIMITS = { processes: 512, memoryBytes: 16 * 2 ** 30 }\n'],
}

it.each(Object.entries(CONCERNS))('a second implementation of %s is seen', (name, { pattern }) => {
  expect(PLANTED[name]?.length).toBeGreaterThan(0)
  for (const text of PLANTED[name] ?? []) expect(text).toMatch(pattern)
})
